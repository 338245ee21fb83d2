/* Othello's playouts: one game with four rays to a vector, and lanes with a game in each byte, a vector for each row. */
#include "othello.h"

#include "../lanes.h"

/* ==== one game ==== */

/* Squares lie eight to a row, cells as many as the board is wide. */
static Bits cells_of(const OthelloGame *o, uint64_t squares)
{
    uint64_t cells = 0;
    for (int row = 0; row < o->size; row++)
        cells |= (squares >> 8 * row & 0xff) << o->size * row;
    return (Bits){cells, 0};
}

/* What corner play draws from: the corners, else all but the X squares, else any. */
ALWAYS_INLINE uint64_t moves_preferred(const OthelloGame *o, uint64_t moves)
{
    uint64_t corners = moves & o->corners, safe = moves & ~o->x_squares;
    return corners ? corners : safe ? safe : moves;
}

ALWAYS_INLINE int one_play(const Game *game, State *state, Rng *stream, Played *played, const bool corners)
{
    const OthelloGame *o = othello_game(game);
    OthelloState *s = STATE_BODY(OthelloState, state);
    Rng rng = *stream;
    int turn = state->turn, plies = 0;
    uint64_t own = s->discs[turn], other = s->discs[!turn], placed[2] = {0, 0};
    for (bool passed = false;; turn ^= 1, plies++) {
        uint64_t moves = othello_moves_of(o->board, own, other), flips = 0;
        if (moves) {
            if (corners)
                moves = moves_preferred(o, moves);
            uint64_t square = word_select(moves, rng_below(&rng, (uint32_t)__builtin_popcountll(moves)));
            flips = othello_flips(own, other, square);
            own |= square | flips;
            placed[turn] |= square;
        } else if (passed) {
            break;
        }
        passed = !moves;
        uint64_t waiting = own;
        own = other & ~flips;
        other = waiting;
    }
    *stream = rng;
    s->discs[turn] = own;
    s->discs[!turn] = other;
    /* The pass that showed the game to be over was not a ply of it. */
    state->turn = (uint8_t)!turn;
    state->ply = (uint16_t)(state->ply + plies - 1);
    state->outcome = (uint8_t)othello_outcome(s->discs[NOGO_FIRST], s->discs[NOGO_SECOND]);
    for (int player = 0; player < 2; player++)
        played->by[player] = cells_of(o, placed[player]);
    played->moves = __builtin_popcountll(placed[0] | placed[1]);
    return state->outcome;
}

static int othello_one(const Game *game, State *state, Rng *rng, Played *played)
{
    return one_play(game, state, rng, played, false);
}

static int othello_one_corners(const Game *game, State *state, Rng *rng, Played *played)
{
    return one_play(game, state, rng, played, true);
}

/* ==== lanes ==== */

enum { ROWS = 8 };

#define FOR_ROWS_DOWN _Pragma("GCC unroll 8") for (int r = 1; r < ROWS; r++)
#define FOR_ROWS_UP _Pragma("GCC unroll 8") for (int r = ROWS - 2; r >= 0; r--)
#define FOR_ROWS _Pragma("GCC unroll 8") for (int r = 0; r < ROWS; r++)
#define FOR_INNER_DOWN _Pragma("GCC unroll 8") for (int r = 1; r < ROWS - 1; r++)
#define FOR_INNER_UP _Pragma("GCC unroll 8") for (int r = ROWS - 2; r >= 1; r--)

typedef struct {
    V8 own[ROWS], other[ROWS];     /* of the side to move, the same in all lanes */
    V8 placed[2][ROWS];            /* by the side that began the lane's game, and the other; kept only for AMAF */
} LaneDiscs;

/* Sets of squares that are the same in all lanes. */
typedef struct {
    V8 board[ROWS], corners[ROWS], x_squares[ROWS];
} LaneSquares;

ALWAYS_INLINE LaneSquares squares_of(const OthelloGame *o)
{
    LaneSquares squares;
    FOR_ROWS
    {
        squares.board[r] = v8_all((int)(o->board >> 8 * r & 0xff));
        squares.corners[r] = v8_all((int)(o->corners >> 8 * r & 0xff));
        squares.x_squares[r] = v8_all((int)(o->x_squares >> 8 * r & 0xff));
    }
    return squares;
}

/* How a kernel plays, known when it is compiled. */
typedef struct {
    bool amaf, corners;
    bool apart;                    /* no lane's draws depend on its neighbours' */
} LaneKind;

/* A board shifted by one column either way, which the diagonals need. What comes in at the last column from the right is
 * undefined, see v8_right_loose: it only ever meets the inner columns. */
typedef struct {
    V8 left[ROWS], right[ROWS];
} Slanted;

ALWAYS_INLINE Slanted rows_slant(const V8 *rows)
{
    Slanted slanted;
    FOR_ROWS
    {
        slanted.left[r] = v8_left(rows[r]);
        slanted.right[r] = v8_right_loose(rows[r]);
    }
    return slanted;
}

/* Discs that a ray can pass on its way along the row or aslant: those at the edge columns it cannot. */
ALWAYS_INLINE V8 row_inner(V8 discs) { return discs & 0x7e; }

/* Squares along a row that end a run of the other side's discs begun beside an own one: adding carries through the run. */
ALWAYS_INLINE V8 row_run_ends(V8 own, V8 other) { return other + (other & v8_left(own)); }

/* The same towards lower columns. */
ALWAYS_INLINE V8 row_run_ends_below(V8 own, V8 other, V8 own_right, V8 inner)
{
#ifdef LANES_AVX512
    (void)own_right, (void)inner;
    return v8_reverse(row_run_ends(v8_reverse(own), v8_reverse(other)));
#else /* Turning a row around takes longer than going along it, by one, one and twice two columns. */
    (void)own, (void)other;
    V8 run = inner & own_right;
    run |= inner & v8_right_loose(run);
    V8 pair = inner & v8_right_loose(inner);
    run |= pair & v8_right_loose(v8_right_loose(run));
    run |= pair & v8_right_loose(v8_right_loose(run));
    return v8_right_loose(run);
#endif
}

/* The rows' legal moves, given the own discs also slanted. */
ALWAYS_INLINE void moves_find(const LaneDiscs *d, const Slanted *own, const V8 *board, V8 *moves)
{
    V8 inner[ROWS];
    FOR_ROWS
    {
        inner[r] = row_inner(d->other[r]);
        moves[r] = row_run_ends(d->own[r], d->other[r]) | row_run_ends_below(d->own[r], d->other[r], own->right[r], inner[r]);
    }
    /* Runs of the other side's discs coming from an own disc above: straight, and slanted (shifted on for the next row). */
    V8 straight = v8_all(0), left = v8_all(0), right = v8_all(0);
    FOR_ROWS_DOWN
    {
        moves[r] = OR3(moves[r], straight, left | right);
        straight = AND_OR(d->other[r], d->own[r - 1], straight);
        left = v8_left(AND_OR(inner[r], own->left[r - 1], left));
        right = v8_right_loose(AND_OR(inner[r], own->right[r - 1], right));
    }
    straight = left = right = v8_all(0);
    FOR_ROWS_UP
    {
        moves[r] = OR3(moves[r], straight, left | right);
        straight = AND_OR(d->other[r], d->own[r + 1], straight);
        left = v8_left(AND_OR(inner[r], own->left[r + 1], left));
        right = v8_right_loose(AND_OR(inner[r], own->right[r + 1], right));
    }
    FOR_ROWS moves[r] &= MINUS_OR(board[r], d->own[r], d->other[r]);
}

/* moves_preferred in every lane. */
ALWAYS_INLINE void moves_prefer(V8 *moves, const LaneSquares *squares)
{
    V8 corners = v8_all(0), safe = v8_all(0);
    FOR_ROWS
    {
        corners |= moves[r] & squares->corners[r];
        safe |= moves[r] & ~squares->x_squares[r];
    }
    M8 corner = v8_nonzero(corners), avoid = v8_nonzero(safe);
    FOR_ROWS
    {
        V8 rest = moves[r] & ~v8_keep(avoid, squares->x_squares[r]);
        moves[r] = v8_select(corner, moves[r] & squares->corners[r], rest);
    }
}

/* A move drawn in every lane: its bit in its row, the row's discs, and the lanes whose move lies in a row after r. */
typedef struct {
    V8 bit, own, other;
    M8 beyond[ROWS];
} DrawnMove;

/* False when no lane has a move. */
ALWAYS_INLINE bool move_draw(const LaneDiscs *d, const V8 *moves, LaneRng rng[2], const bool apart, DrawnMove *drawn)
{
    V8 upto[ROWS];
    upto[0] = v8_popcount(moves[0]);
    FOR_ROWS_DOWN upto[r] = upto[r - 1] + v8_popcount(moves[r]);
    V8 k = apart ? lanerng_below8_apart(rng, upto[ROWS - 1]) : lanerng_below8(rng, upto[ROWS - 1]);
    V8 row = moves[0], before = v8_all(0);
    if (!m8_any(v8_nonzero(upto[ROWS - 1])))
        return false; /* after the draw, or the streams would know how many lanes there are */
    drawn->own = d->own[0];
    drawn->other = d->other[0];
    FOR_ROWS_DOWN
    {
        M8 beyond = v8_ge(k, upto[r - 1]);
        row = v8_select(beyond, moves[r], row);
        before = v8_select(beyond, upto[r - 1], before);
        drawn->own = v8_select(beyond, d->own[r], drawn->own);
        drawn->other = v8_select(beyond, d->other[r], drawn->other);
        drawn->beyond[r - 1] = beyond;
    }
    k -= before;
#pragma GCC unroll 8
    for (int i = 1; i < 8; i++)
        row = v8_select(v8_ge(k, v8_all(i)), row & (row - 1), row);
    drawn->bit = row & -row;
    return true;
}

/* The lanes whose move lies in row r. */
ALWAYS_INLINE M8 drawn_in_row(const DrawnMove *drawn, int r)
{
    if (r == 0)
        return ~drawn->beyond[0];
    return r == ROWS - 1 ? drawn->beyond[r - 1] : drawn->beyond[r - 1] & ~drawn->beyond[r];
}

/* Discs turned towards higher columns of the drawn row: the carry runs to an own disc, or it does not count. */
ALWAYS_INLINE V8 row_flips(V8 bit, V8 own, V8 other)
{
    V8 start = v8_left(bit), end = (other + start) & own;
    return v8_keep(v8_nonzero(end), (end - start) & other);
}

/* Adds the flips of the six directions that leave the row: rays out through the other side's discs, then back from own
 * discs at their far ends along the same rays. */
ALWAYS_INLINE void flips_add(const LaneDiscs *d, const Slanted *own, const V8 *move, V8 *flips)
{
    Slanted out = rows_slant(move);
    V8 inner[ROWS], straight[ROWS], left[ROWS], right[ROWS], s = v8_all(0), l = s, t = s;
    FOR_INNER_DOWN inner[r] = row_inner(d->other[r]);
    FOR_INNER_DOWN
    {
        straight[r] = s = AND_OR(d->other[r], move[r - 1], s);
        left[r] = AND_OR(inner[r], out.left[r - 1], l);
        l = v8_left(left[r]);
        right[r] = AND_OR(inner[r], out.right[r - 1], t);
        t = v8_right_loose(right[r]);
    }
    s = l = t = v8_all(0);
    FOR_INNER_UP
    {
        s = AND_OR(straight[r], d->own[r + 1], s);
        V8 back_left = AND_OR(left[r], own->right[r + 1], l), back_right = AND_OR(right[r], own->left[r + 1], t);
        l = v8_right_loose(back_left);
        t = v8_left(back_right);
        flips[r] = OR3(flips[r], s, back_left | back_right);
    }
    s = l = t = v8_all(0);
    FOR_INNER_UP
    {
        straight[r] = s = AND_OR(d->other[r], move[r + 1], s);
        left[r] = AND_OR(inner[r], out.left[r + 1], l);
        l = v8_left(left[r]);
        right[r] = AND_OR(inner[r], out.right[r + 1], t);
        t = v8_right_loose(right[r]);
    }
    s = l = t = v8_all(0);
    FOR_INNER_DOWN
    {
        s = AND_OR(straight[r], d->own[r - 1], s);
        V8 back_left = AND_OR(left[r], own->right[r - 1], l), back_right = AND_OR(right[r], own->left[r - 1], t);
        l = v8_right_loose(back_left);
        t = v8_left(back_right);
        flips[r] = OR3(flips[r], s, back_left | back_right);
    }
}

/* Makes the drawn moves; lanes without one pass. The side is 0 for the one that began. */
ALWAYS_INLINE void move_make(LaneDiscs *d, const Slanted *own, const DrawnMove *drawn, int side, const bool amaf)
{
    V8 along = row_flips(drawn->bit, drawn->own, drawn->other) |
               v8_reverse(row_flips(v8_reverse(drawn->bit), v8_reverse(drawn->own), v8_reverse(drawn->other)));
    V8 move[ROWS], flips[ROWS];
    FOR_ROWS
    {
        M8 here = drawn_in_row(drawn, r);
        move[r] = v8_keep(here, drawn->bit);
        flips[r] = v8_keep(here, along);
        if (amaf)
            d->placed[side][r] |= move[r];
    }
    flips_add(d, own, move, flips);
    FOR_ROWS
    {
        V8 mine = OR3(d->own[r], move[r], flips[r]);
        d->own[r] = d->other[r] ^ flips[r];
        d->other[r] = mine;
    }
}

/* Plays all lanes to their ends; returns the side to move in all of them, 0 for the one that began. */
ALWAYS_INLINE int discs_play(LaneDiscs *d, const LaneSquares *squares, LaneRng rng[2], const LaneKind kind)
{
    int side = 0;
    for (bool passed = false;; side ^= 1) {
        Slanted own = rows_slant(d->own);
        V8 moves[ROWS];
        DrawnMove drawn;
        moves_find(d, &own, squares->board, moves);
        if (kind.corners)
            moves_prefer(moves, squares);
        if (move_draw(d, moves, rng, kind.apart, &drawn)) {
            move_make(d, &own, &drawn, side, kind.amaf);
            passed = false;
            continue;
        }
        if (passed)
            return side;
        passed = true;
        FOR_ROWS
        {
            V8 own_row = d->own[r];
            d->own[r] = d->other[r];
            d->other[r] = own_row;
        }
    }
}

static void amaf_add(const OthelloGame *o, const LaneDiscs *d, int starter, M8 won, M8 drawn, M8 lanes, Totals *totals)
{
    for (int player = 0; player < 2; player++)
        for (int cell = 0; cell < o->head.cells; cell++) {
            M8 placed = lanes & v8_nonzero(d->placed[player ^ starter][cell / o->size] & (uint8_t)(1 << cell % o->size));
            totals->amaf_games[player][cell] += (unsigned)m8_count(placed);
            totals->amaf_reward[player][cell] +=
                (unsigned)(OTHELLO_REWARD_UNIT * m8_count(placed & won) + m8_count(placed & drawn));
        }
}

static V8 discs_count(const V8 *rows)
{
    V8 count = v8_all(0);
    for (int r = 0; r < ROWS; r++)
        count += v8_popcount(rows[r]);
    return count;
}

static void results_add(const OthelloGame *o, const LaneDiscs *d, const State *state, int side, int games, bool amaf, Totals *totals)
{
    const OthelloState *s = STATE_BODY_CONST(OthelloState, state);
    int turn = state->turn ^ side, discs_before = __builtin_popcountll(s->discs[0] | s->discs[1]);
    V8 own = discs_count(d->own), other = discs_count(d->other);
    V8 black = turn == NOGO_FIRST ? own : other, white = turn == NOGO_FIRST ? other : own;
    totals->games += (unsigned)games;
    for (int i = 0; i < games; i++) {
        totals->outcomes[OTHELLO_EVEN + black[i] - white[i]]++;
        totals->moves += (unsigned)(black[i] + white[i] - discs_before);
    }
    M8 lanes = m8_first(games), draw = v8_equal(black, white);
    if (amaf)
        amaf_add(o, d, state->turn, lanes & v8_ge(black, white) & ~draw, lanes & draw, lanes, totals);
}

ALWAYS_INLINE void block_play(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals, const LaneKind kind)
{
    const OthelloGame *o = othello_game(game);
    const OthelloState *s = STATE_BODY_CONST(OthelloState, state);
    const LaneSquares squares = squares_of(o);
    for (int done = 0; done < block->count; done += LANES8) {
        LaneDiscs discs;
        FOR_ROWS
        {
            discs.own[r] = v8_all((int)(s->discs[state->turn] >> 8 * r & 0xff));
            discs.other[r] = v8_all((int)(s->discs[!state->turn] >> 8 * r & 0xff));
            if (kind.amaf)
                discs.placed[0][r] = discs.placed[1][r] = v8_all(0);
        }
        LaneRng rng[2];
        lanerng_streams8(rng, block->seed, block->first + (unsigned)done);
        int side = discs_play(&discs, &squares, rng, kind);
        int games = block->count - done < LANES8 ? block->count - done : LANES8;
        results_add(o, &discs, state, side, games, kind.amaf, totals);
    }
}

static void othello_block(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals)
{
    if (block->amaf)
        block_play(game, state, block, totals, (LaneKind){.amaf = true});
    else
        block_play(game, state, block, totals, (LaneKind){.amaf = false});
}

static void othello_block_corners(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals)
{
    if (block->amaf)
        block_play(game, state, block, totals, (LaneKind){.amaf = true, .corners = true});
    else
        block_play(game, state, block, totals, (LaneKind){.amaf = false, .corners = true});
}

/* ==== lanes, each from a start of its own ==== */

/* Eight rows of eight bits in a word are eight bytes: a lane's rows, to or from the vectors. */
typedef uint8_t LaneRows[ROWS][LANES8];

static void lane_spread(uint64_t squares, int lane, LaneRows rows)
{
    for (int r = 0; r < ROWS; r++)
        rows[r][lane] = (uint8_t)(squares >> 8 * r);
}

static uint64_t lane_gather(const V8 *rows, int lane)
{
    uint64_t squares = 0;
    for (int r = 0; r < ROWS; r++)
        squares |= (uint64_t)rows[r][lane] << 8 * r;
    return squares;
}

/* Lanes without a start have no discs, and so no moves. */
static void discs_load(LaneDiscs *d, const State *states, int count)
{
    LaneRows own, other;
    memset(own, 0, sizeof own);
    memset(other, 0, sizeof other);
    for (int lane = 0; lane < count; lane++) {
        const OthelloState *s = STATE_BODY_CONST(OthelloState, &states[lane]);
        lane_spread(s->discs[states[lane].turn], lane, own);
        lane_spread(s->discs[!states[lane].turn], lane, other);
    }
    memcpy(d->own, own, sizeof own);
    memcpy(d->other, other, sizeof other);
    memset(d->placed, 0, sizeof d->placed);
}

static void each_report(const OthelloGame *o, const LaneDiscs *d, int side, State *states, int count, Played *played)
{
    V8 own = discs_count(d->own), other = discs_count(d->other);
    for (int lane = 0; lane < count; lane++) {
        int starter = states[lane].turn, margin = own[lane] - other[lane];
        states[lane].outcome = (uint8_t)(OTHELLO_EVEN + ((starter ^ side) == NOGO_FIRST ? margin : -margin));
        if (!played)
            continue;
        uint64_t placed[2] = {lane_gather(d->placed[0], lane), lane_gather(d->placed[1], lane)};
        for (int player = 0; player < 2; player++)
            played[lane].by[player] = cells_of(o, placed[player ^ starter]);
        played[lane].moves = __builtin_popcountll(placed[0] | placed[1]);
    }
}

ALWAYS_INLINE void each_play(const Game *game, State *states, int count, uint64_t seed, Played *played, const LaneKind kind)
{
    const OthelloGame *o = othello_game(game);
    const LaneSquares squares = squares_of(o);
    for (int done = 0; done < count; done += LANES8) {
        int games = count - done < LANES8 ? count - done : LANES8;
        LaneDiscs discs;
        LaneRng rng[2];
        lanerng_streams8(rng, seed, (unsigned)done);
        discs_load(&discs, states + done, games);
        int side = discs_play(&discs, &squares, rng, kind);
        each_report(o, &discs, side, states + done, games, played ? played + done : NULL);
    }
}

static void othello_each(const Game *game, State *states, int count, uint64_t seed, Played *played)
{
    each_play(game, states, count, seed, played, (LaneKind){.amaf = true, .apart = true});
}

static void othello_each_corners(const Game *game, State *states, int count, uint64_t seed, Played *played)
{
    each_play(game, states, count, seed, played, (LaneKind){.amaf = true, .corners = true, .apart = true});
}

const PlayoutKernels ISA_NAME(othello_kernels) = {.ways = {
    [NOGO_PLAYOUT_UNIFORM] = {.one = othello_one, .block = othello_block, .each = othello_each},
    [NOGO_PLAYOUT_CORNERS] = {.one = othello_one_corners, .block = othello_block_corners, .each = othello_each_corners},
}};
