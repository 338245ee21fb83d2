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
    V8 placed[2][ROWS];            /* by player; kept only for AMAF */
} LaneDiscs;

/* A board shifted by one column either way, which the diagonals need. */
typedef struct {
    V8 left[ROWS], right[ROWS];
} Slanted;

ALWAYS_INLINE Slanted rows_slant(const V8 *rows)
{
    Slanted slanted;
    FOR_ROWS
    {
        slanted.left[r] = v8_left(rows[r]);
        slanted.right[r] = v8_right(rows[r]);
    }
    return slanted;
}

/* Squares along a row that end a run of the other side's discs begun beside an own one: adding carries through the run. */
ALWAYS_INLINE V8 row_run_ends(V8 own, V8 other) { return other + (other & v8_left(own)); }

/* The rows' legal moves, given the own discs also slanted. */
ALWAYS_INLINE void moves_find(const LaneDiscs *d, const Slanted *own, const V8 *board, V8 *moves)
{
    FOR_ROWS moves[r] = row_run_ends(d->own[r], d->other[r]) |
                        v8_reverse(row_run_ends(v8_reverse(d->own[r]), v8_reverse(d->other[r])));
    /* Runs of the other side's discs coming from an own disc above: straight, and slanted (shifted on for the next row). */
    V8 straight = v8_all(0), left = v8_all(0), right = v8_all(0);
    FOR_ROWS_DOWN
    {
        moves[r] = OR3(moves[r], straight, left | right);
        straight = AND_OR(d->other[r], d->own[r - 1], straight);
        left = v8_left(AND_OR(d->other[r], own->left[r - 1], left));
        right = v8_right(AND_OR(d->other[r], own->right[r - 1], right));
    }
    straight = left = right = v8_all(0);
    FOR_ROWS_UP
    {
        moves[r] = OR3(moves[r], straight, left | right);
        straight = AND_OR(d->other[r], d->own[r + 1], straight);
        left = v8_left(AND_OR(d->other[r], own->left[r + 1], left));
        right = v8_right(AND_OR(d->other[r], own->right[r + 1], right));
    }
    FOR_ROWS moves[r] &= MINUS_OR(board[r], d->own[r], d->other[r]);
}

/* A move drawn in every lane: its bit in its row, the row's discs, and the lanes whose move lies in a row after r. */
typedef struct {
    V8 bit, own, other;
    M8 beyond[ROWS];
} DrawnMove;

/* False when no lane has a move. */
ALWAYS_INLINE bool move_draw(const LaneDiscs *d, const V8 *moves, LaneRng rng[2], DrawnMove *drawn)
{
    V8 upto[ROWS];
    upto[0] = v8_popcount(moves[0]);
    FOR_ROWS_DOWN upto[r] = upto[r - 1] + v8_popcount(moves[r]);
    V8 k = lanerng_below8(rng, upto[ROWS - 1]), row = moves[0], before = v8_all(0);
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
    V8 straight[ROWS], left[ROWS], right[ROWS], s = v8_all(0), l = s, t = s;
    FOR_INNER_DOWN
    {
        straight[r] = s = AND_OR(d->other[r], move[r - 1], s);
        left[r] = AND_OR(d->other[r], out.left[r - 1], l);
        l = v8_left(left[r]);
        right[r] = AND_OR(d->other[r], out.right[r - 1], t);
        t = v8_right(right[r]);
    }
    s = l = t = v8_all(0);
    FOR_INNER_UP
    {
        s = AND_OR(straight[r], d->own[r + 1], s);
        V8 back_left = AND_OR(left[r], own->right[r + 1], l), back_right = AND_OR(right[r], own->left[r + 1], t);
        l = v8_right(back_left);
        t = v8_left(back_right);
        flips[r] = OR3(flips[r], s, back_left | back_right);
    }
    s = l = t = v8_all(0);
    FOR_INNER_UP
    {
        straight[r] = s = AND_OR(d->other[r], move[r + 1], s);
        left[r] = AND_OR(d->other[r], out.left[r + 1], l);
        l = v8_left(left[r]);
        right[r] = AND_OR(d->other[r], out.right[r + 1], t);
        t = v8_right(right[r]);
    }
    s = l = t = v8_all(0);
    FOR_INNER_DOWN
    {
        s = AND_OR(straight[r], d->own[r - 1], s);
        V8 back_left = AND_OR(left[r], own->right[r - 1], l), back_right = AND_OR(right[r], own->left[r - 1], t);
        l = v8_right(back_left);
        t = v8_left(back_right);
        flips[r] = OR3(flips[r], s, back_left | back_right);
    }
}

/* Makes the drawn moves; lanes without one pass. */
ALWAYS_INLINE void move_make(LaneDiscs *d, const Slanted *own, const DrawnMove *drawn, int player, const bool amaf)
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
            d->placed[player][r] |= move[r];
    }
    flips_add(d, own, move, flips);
    FOR_ROWS
    {
        V8 mine = OR3(d->own[r], move[r], flips[r]);
        d->own[r] = d->other[r] ^ flips[r];
        d->other[r] = mine;
    }
}

/* Plays all lanes to their ends; returns the player to move in all of them. */
ALWAYS_INLINE int discs_play(LaneDiscs *d, const V8 *board, LaneRng rng[2], int turn, const bool amaf)
{
    for (bool passed = false;; turn ^= 1) {
        Slanted own = rows_slant(d->own);
        V8 moves[ROWS];
        DrawnMove drawn;
        moves_find(d, &own, board, moves);
        if (move_draw(d, moves, rng, &drawn)) {
            move_make(d, &own, &drawn, turn, amaf);
            passed = false;
            continue;
        }
        if (passed)
            return turn;
        passed = true;
        FOR_ROWS
        {
            V8 own_row = d->own[r];
            d->own[r] = d->other[r];
            d->other[r] = own_row;
        }
    }
}

static void amaf_add(const OthelloGame *o, const LaneDiscs *d, M8 won, M8 drawn, M8 lanes, Totals *totals)
{
    for (int player = 0; player < 2; player++)
        for (int cell = 0; cell < o->head.cells; cell++) {
            M8 placed = lanes & v8_nonzero(d->placed[player][cell / o->size] & (uint8_t)(1 << cell % o->size));
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

static void results_add(const OthelloGame *o, const LaneDiscs *d, int turn, int games, int discs_before, bool amaf, Totals *totals)
{
    V8 own = discs_count(d->own), other = discs_count(d->other);
    V8 black = turn == NOGO_FIRST ? own : other, white = turn == NOGO_FIRST ? other : own;
    totals->games += (unsigned)games;
    for (int i = 0; i < games; i++) {
        totals->outcomes[OTHELLO_EVEN + black[i] - white[i]]++;
        totals->moves += (unsigned)(black[i] + white[i] - discs_before);
    }
    M8 lanes = m8_first(games), draw = v8_equal(black, white);
    if (amaf)
        amaf_add(o, d, lanes & v8_ge(black, white) & ~draw, lanes & draw, lanes, totals);
}

ALWAYS_INLINE void block_play(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals, const bool amaf)
{
    const OthelloGame *o = othello_game(game);
    const OthelloState *s = STATE_BODY_CONST(OthelloState, state);
    V8 board[ROWS];
    FOR_ROWS board[r] = v8_all((int)(o->board >> 8 * r & 0xff));
    for (int done = 0; done < block->count; done += LANES8) {
        LaneDiscs discs;
        FOR_ROWS
        {
            discs.own[r] = v8_all((int)(s->discs[state->turn] >> 8 * r & 0xff));
            discs.other[r] = v8_all((int)(s->discs[!state->turn] >> 8 * r & 0xff));
            if (amaf)
                discs.placed[0][r] = discs.placed[1][r] = v8_all(0);
        }
        LaneRng rng[2];
        lanerng_streams8(rng, block->seed, block->first + (unsigned)done);
        int turn = discs_play(&discs, board, rng, state->turn, amaf);
        int games = block->count - done < LANES8 ? block->count - done : LANES8;
        results_add(o, &discs, turn, games, __builtin_popcountll(s->discs[0] | s->discs[1]), amaf, totals);
    }
}

static void othello_block(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals)
{
    if (block->amaf)
        block_play(game, state, block, totals, true);
    else
        block_play(game, state, block, totals, false);
}

const PlayoutKernels ISA_NAME(othello_kernels) = {.ways = {
    [NOGO_PLAYOUT_UNIFORM] = {.one = othello_one, .block = othello_block},
    [NOGO_PLAYOUT_CORNERS] = {.one = othello_one_corners},
}};
