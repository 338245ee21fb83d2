/* NoGo's playouts. All draw from the points not yet known to be illegal, and strike out what proves illegal: as no such
 * point becomes legal again, each move is uniform over the legal ones, or over those legal for both sides: a point that
 * is illegal for one side leaves the draw, and waits in the other's set until no point for both is left.
 *
 * A point is legal when, with the stone on it, the new stone and the opponent's stones beside it are reached by a flood
 * that starts at the empty points and runs through stones of one colour. */
#include "nogo.h"

#include "../lanes.h"

/* ==== one game: both colours of the board in one vector ==== */

typedef uint64_t Pair __attribute__((vector_size(32))); /* the waiting side's set in words 0 and 1, the mover's in 2 and 3 */

#define PAIR_MOVER ((Pair){0, 0, ~UINT64_C(0), ~UINT64_C(0)})

ALWAYS_INLINE Pair pair_of(Bits waiting, Bits mover) { return (Pair){waiting.lo, waiting.hi, mover.lo, mover.hi}; }

ALWAYS_INLINE Pair pair_load(const Bits twice[2])
{
    Pair pair;
    memcpy(&pair, twice, sizeof pair);
    return pair;
}

ALWAYS_INLINE Pair pair_turn(Pair p) /* the players change roles */
{
#if defined(LANES_AVX2) || defined(LANES_AVX512)
    return (Pair)_mm256_permute4x64_epi64((__m256i)p, 0x4e);
#else
    return (Pair){p[2], p[3], p[0], p[1]};
#endif
}

ALWAYS_INLINE Pair pair_swap_words(Pair p)
{
#if defined(LANES_AVX2) || defined(LANES_AVX512)
    return (Pair)_mm256_shuffle_epi32((__m256i)p, 0x4e);
#else
    return (Pair){p[1], p[0], p[3], p[2]};
#endif
}

ALWAYS_INLINE bool pair_any(Pair p)
{
#if defined(LANES_AVX2) || defined(LANES_AVX512)
    return !_mm256_testz_si256((__m256i)p, (__m256i)p);
#else
    return (p[0] | p[1] | p[2] | p[3]) != 0;
#endif
}

/* The shifts that take a set to its neighbours' points, ready for use. A count of 64 gives zero: words cross one way only. */
typedef struct {
    const NogoGeometry *g;
    Pair row, to_low, to_high;         /* by a row; across the words, up and down the board */
    Pair side_to_low, side_to_high;    /* by a column across the words; not if guarded */
} PairShifts;

ALWAYS_INLINE PairShifts shifts_of(const NogoGeometry *g)
{
    uint64_t row = (uint64_t)g->stride, carry = (uint64_t)g->carry;
    return (PairShifts){.g = g,
                        .row = {row, row, row, row},
                        .to_low = {carry, 64, carry, 64},
                        .to_high = {64, carry, 64, carry},
                        .side_to_low = {63, 64, 63, 64},
                        .side_to_high = {64, 63, 64, 63}};
}

#if defined(LANES_AVX2) || defined(LANES_AVX512)
ALWAYS_INLINE Pair pair_left(Pair x, Pair by) { return (Pair)_mm256_sllv_epi64((__m256i)x, (__m256i)by); }
ALWAYS_INLINE Pair pair_right(Pair x, Pair by) { return (Pair)_mm256_srlv_epi64((__m256i)x, (__m256i)by); }
ALWAYS_INLINE Pair pair_to_low(Pair swapped, Pair by) { return pair_left(swapped, by); }
ALWAYS_INLINE Pair pair_to_high(Pair swapped, Pair by) { return pair_right(swapped, by); }
#else /* shifts by one count for all words are much cheaper here */
ALWAYS_INLINE Pair pair_left(Pair x, Pair by) { return x << by[0]; }
ALWAYS_INLINE Pair pair_right(Pair x, Pair by) { return x >> by[0]; }
ALWAYS_INLINE Pair pair_to_low(Pair swapped, Pair by) { return (swapped << by[0]) & (Pair){~UINT64_C(0), 0, ~UINT64_C(0), 0}; }
ALWAYS_INLINE Pair pair_to_high(Pair swapped, Pair by) { return (swapped >> by[1]) & (Pair){0, ~UINT64_C(0), 0, ~UINT64_C(0)}; }
#endif

/* set_around of nogo.c, for both colours at once. */
ALWAYS_INLINE Pair pair_around(const PairShifts *by, const bool guarded, Pair x)
{
    Pair swapped = pair_swap_words(x), east = x << 1, west = x >> 1;
    if (!guarded) {
        east = (east | pair_to_high(swapped, by->side_to_high)) & pair_of(by->g->not_west, by->g->not_west);
        west = (west | pair_to_low(swapped, by->side_to_low)) & pair_of(by->g->not_east, by->g->not_east);
    }
    Pair rows = pair_left(x, by->row) | pair_right(x, by->row);
    return (east | west) | (rows | (pair_to_low(swapped, by->to_low) | pair_to_high(swapped, by->to_high)));
}

/* Whether the flood through the stones, from the empty points, reaches all that must live. If so, of what it reached in
 * alive only that part is complete; if not, all is. */
ALWAYS_INLINE bool pair_flood(const PairShifts *by, const bool guarded, Pair stones, Pair empty, Pair must_live, Pair *reached)
{
    Pair alive = stones & pair_around(by, guarded, empty);
    for (int i = 0; i < 2; i++) /* nearly always needed: cheaper than looking whether it is */
        alive |= stones & pair_around(by, guarded, alive);
    while (pair_any(must_live & ~alive)) {
        Pair before = alive;
        for (int i = 0; i < 3; i++)
            alive |= stones & pair_around(by, guarded, alive);
        if (!pair_any(alive ^ before)) {
            *reached = alive;
            return false;
        }
    }
    *reached = alive;
    return true;
}

/* A member drawn from a set of so many, of which low_count are in its low word. */
typedef struct {
    Bits bit;
    int at;
} DrawnPoint;

ALWAYS_INLINE DrawnPoint point_draw(Bits set, uint32_t low_count, uint32_t count, Rng *rng)
{
    uint32_t k = rng_below(rng, count);
    uint64_t high = -(uint64_t)(k >= low_count); /* all ones when the point is in the high word */
    __asm__("" : "+r"(high));                    /* or the compiler makes it a branch, mispredicted half the time */
    uint64_t bit = word_select((set.hi & high) | (set.lo & ~high), k - (low_count & (uint32_t)high));
    return (DrawnPoint){{bit & ~high, bit & high}, __builtin_ctzll(bit) + (int)(high & 64)};
}

/* A game under way: the sets of the side to move, and of the other. */
typedef struct {
    Bits open, open_next;  /* where the mover, and then the other, may still play */
    Pair stones, empty;
    int turn, ply;
} OneGame;

ALWAYS_INLINE OneGame one_load(const NogoGeometry *g, const State *state)
{
    const NogoState *s = STATE_BODY_CONST(NogoState, state);
    int turn = state->turn;
    return (OneGame){.open = s->legal[turn],
                     .open_next = s->legal[!turn],
                     .stones = pair_of(s->stones[!turn], s->stones[turn]),
                     .empty = pair_of(nogo_empty(g, s), nogo_empty(g, s)),
                     .turn = turn,
                     .ply = state->ply};
}

/* What was struck out of the open points is all illegal, but what is left need not be legal. */
ALWAYS_INLINE void one_store(const OneGame *o, State *state)
{
    NogoState *s = STATE_BODY(NogoState, state);
    s->stones[!o->turn] = (Bits){o->stones[0], o->stones[1]};
    s->stones[o->turn] = (Bits){o->stones[2], o->stones[3]};
    s->legal[o->turn] = o->open;
    s->legal[!o->turn] = o->open_next;
    state->turn = (uint8_t)o->turn;
    state->ply = (uint16_t)o->ply;
}

/* The mover, whose stones are now with, has played on the point: the players change roles. */
ALWAYS_INLINE void one_turn(OneGame *o, Bits point, Pair left, Pair with)
{
    Bits waiting = bits_minus(o->open, point);
    o->open = bits_minus(o->open_next, point);
    o->open_next = waiting;
    o->empty = left;
    o->stones = pair_turn(with);
    o->turn ^= 1;
    o->ply++;
}

/* Plays uniformly until the mover has no point left. */
ALWAYS_INLINE void one_play(const NogoGeometry *g, const bool guarded, OneGame *o, Rng *rng)
{
    const PairShifts by = shifts_of(g);
    for (;;) {
        uint32_t low_count = (uint32_t)__builtin_popcountll(o->open.lo);
        uint32_t count = low_count + (uint32_t)__builtin_popcountll(o->open.hi);
        if (!count)
            return;
        DrawnPoint point = point_draw(o->open, low_count, count, rng);
        o->open = bits_minus(o->open, point.bit);
        Pair self = pair_load(g->self[point.at]), around = pair_load(g->around[point.at]), alive;
        Pair left = o->empty & ~self, own = self & PAIR_MOVER, with = o->stones | own;
        if (pair_flood(&by, guarded, with, left, own | (around & o->stones & ~PAIR_MOVER), &alive))
            one_turn(o, point.bit, left, with);
    }
}

/* Plays uniformly over the points that are legal for both sides, until there are none. One flood without the new stone
 * serves both: a side may play when the other's stones beside the point live on, and an empty point or an own living
 * stone is beside it. */
ALWAYS_INLINE void one_play_both_legal(const NogoGeometry *g, const bool guarded, OneGame *o, Rng *rng)
{
    const PairShifts by = shifts_of(g);
    for (;;) {
        Bits both = bits_and(o->open, o->open_next);
        uint32_t low_count = (uint32_t)__builtin_popcountll(both.lo);
        uint32_t count = low_count + (uint32_t)__builtin_popcountll(both.hi);
        if (!count)
            return;
        DrawnPoint point = point_draw(both, low_count, count, rng);
        Pair self = pair_load(g->self[point.at]), around = pair_load(g->around[point.at]), alive;
        Pair left = o->empty & ~self, beside = around & o->stones;
        bool all_live = pair_flood(&by, guarded, o->stones, left, beside, &alive), airy = pair_any(around & left);
        if (UNLIKELY(!(all_live && airy))) {
            Pair dead = beside & ~alive, living = beside & alive;
            bool mover = !pair_any(dead & ~PAIR_MOVER) && (airy || pair_any(living & PAIR_MOVER));
            bool other = !pair_any(dead & PAIR_MOVER) && (airy || pair_any(living & ~PAIR_MOVER));
            if (!mover)
                o->open = bits_minus(o->open, point.bit);
            if (!other)
                o->open_next = bits_minus(o->open_next, point.bit);
            if (!(mover && other))
                continue;
        }
        one_turn(o, point.bit, left, o->stones | (self & PAIR_MOVER));
    }
}

/* A set of moves for a set of bits: the guards are left out, the order stays. */
static Bits points_of(const NogoGeometry *g, Bits bits)
{
#ifdef __BMI2__
    uint64_t low = _pext_u64(bits.lo, g->cells.lo), high = _pext_u64(bits.hi, g->cells.hi);
    int shift = __builtin_popcountll(g->cells.lo);
    return shift == 64 ? (Bits){low, high} : (Bits){low | high << shift, shift ? high >> (64 - shift) : 0};
#else
    Bits points = bits_none();
    while (bits_any(bits))
        points = bits_or(points, bits_of(g->point_of[bits_pop(&bits)]));
    return points;
#endif
}

ALWAYS_INLINE void one_finish(const NogoGeometry *g, const bool guarded, State *state, Rng *stream, const bool both_legal)
{
    OneGame o = one_load(g, state);
    Rng rng = *stream;
    if (both_legal)
        one_play_both_legal(g, guarded, &o, &rng);
    one_play(g, guarded, &o, &rng);
    *stream = rng;
    one_store(&o, state);
    state->outcome = o.turn == NOGO_SECOND;
}

ALWAYS_INLINE int one_report(const Game *game, State *state, Rng *rng, Played *played, const bool both_legal)
{
    const NogoGeometry *g = nogo_geometry(game);
    NogoState before = *STATE_BODY_CONST(NogoState, state);
    int ply = state->ply;
    if (g->guarded)
        one_finish(g, true, state, rng, both_legal);
    else
        one_finish(g, false, state, rng, both_legal);
    const NogoState *after = STATE_BODY_CONST(NogoState, state);
    played->moves = state->ply - ply;
    for (int colour = 0; colour < 2; colour++) /* without captures, the stones are the moves */
        played->by[colour] = points_of(g, bits_minus(after->stones[colour], before.stones[colour]));
    return state->outcome;
}

static int nogo_one(const Game *game, State *state, Rng *rng, Played *played)
{
    return one_report(game, state, rng, played, false);
}

static int nogo_one_both_legal(const Game *game, State *state, Rng *rng, Played *played)
{
    return one_report(game, state, rng, played, true);
}

/* ==== lanes: a game in each 16-bit lane, a vector for each row of the board ==== */

enum { ROWS = NOGO_MAX_SIDE };

/* What a kernel is compiled for: the size of its boards, and how they are played. */
typedef struct {
    int rows, columns;
} LaneSize;

typedef struct {
    bool both_legal;
    bool apart;               /* no lane's draws depend on its neighbours' */
} LaneKind;

typedef struct {
    V16 mine[ROWS], theirs[ROWS]; /* stones of the side to move in the lane, and of the other */
    V16 open[ROWS], open_next[ROWS];
    V16 empty[ROWS];
} LaneBoards;

/* A row of a set: its points lie side by side, possibly across both words. */
static inline uint16_t row_of(const NogoGeometry *g, Bits set, int row)
{
    int first = g->bit_of[row * g->columns];
    uint64_t bits = first >= 64 ? set.hi >> (first - 64) : first ? set.lo >> first | set.hi << (64 - first) : set.lo;
    return (uint16_t)(bits & ((1u << g->columns) - 1));
}

/* The start of every game of a block, row by row. */
typedef struct {
    uint16_t mine[ROWS], theirs[ROWS], open[ROWS], open_next[ROWS], empty[ROWS];
} StartRows;

static StartRows start_rows(const NogoGeometry *g, const State *state)
{
    const NogoState *s = STATE_BODY_CONST(NogoState, state);
    StartRows start;
    memset(&start, 0, sizeof start);
    for (int r = 0; r < g->rows; r++) {
        start.mine[r] = row_of(g, s->stones[state->turn], r);
        start.theirs[r] = row_of(g, s->stones[!state->turn], r);
        start.open[r] = row_of(g, s->legal[state->turn], r);
        start.open_next[r] = row_of(g, s->legal[!state->turn], r);
        start.empty[r] = row_of(g, nogo_empty(g, s), r);
    }
    return start;
}

ALWAYS_INLINE void boards_start(LaneBoards *b, const StartRows *start, const int rows)
{
    for (int r = 0; r < rows; r++) {
        b->mine[r] = v16_all(start->mine[r]);
        b->theirs[r] = v16_all(start->theirs[r]);
        b->open[r] = v16_all(start->open[r]);
        b->open_next[r] = v16_all(start->open_next[r]);
        b->empty[r] = v16_all(start->empty[r]);
    }
}

/* The k-th of a row's bits, k counted from 0; zero where the row is empty. */
ALWAYS_INLINE V16 row_select(V16 row, V16 k, const int columns)
{
#pragma GCC unroll 16
    for (int i = 1; i < columns; i++)
        row = v16_select(v16_ge(k, v16_all(i)), row & (row - 1), row);
    return row & -row;
}

/* One open point drawn in every lane, as rows of which at most one holds a bit; false when no lane has any. */
ALWAYS_INLINE bool points_draw(const V16 *open, const int rows, const int columns, LaneRng *rng, const bool apart, V16 *drawn)
{
    V16 upto[ROWS]; /* open points in rows 0 to r */
    upto[0] = v16_popcount(open[0]);
#pragma GCC unroll 16
    for (int r = 1; r < rows; r++)
        upto[r] = upto[r - 1] + v16_popcount(open[r]);
    if (!m16_any(v16_nonzero(upto[rows - 1])))
        return false;
    V16 k = apart ? lanerng_below_apart(rng, upto[rows - 1]) : lanerng_below(rng, upto[rows - 1]);
    V16 row = open[0], before = v16_all(0);
    M16 beyond[ROWS]; /* the point lies in a row after r */
#pragma GCC unroll 16
    for (int r = 0; r < rows - 1; r++) {
        beyond[r] = v16_ge(k, upto[r]);
        row = v16_select(beyond[r], open[r + 1], row);
        before = v16_select(beyond[r], upto[r], before);
    }
    V16 bit = row_select(row, k - before, columns);
    drawn[0] = v16_keep(~beyond[0], bit);
#pragma GCC unroll 16
    for (int r = 1; r < rows - 1; r++)
        drawn[r] = v16_keep(beyond[r - 1] & ~beyond[r], bit);
    drawn[rows - 1] = v16_keep(beyond[rows - 2], bit);
    return true;
}

/* Row r of the neighbours of a set given by rows. */
ALWAYS_INLINE V16 row_around(const V16 *set, const int r, const int rows)
{
    V16 sides = (set[r] << 1) | (set[r] >> 1);
    if (r == 0)
        return sides | set[1];
    if (r == rows - 1)
        return sides | set[r - 1];
    return OR3(sides, set[r - 1], set[r + 1]);
}

/* Row r of a flood, one step further. */
ALWAYS_INLINE V16 row_spread(const V16 *alive, const V16 *stones, const int r, const int rows)
{
    V16 here = alive[r], wide = OR3(here, here << 1, here >> 1);
    if (r == 0)
        return AND_OR(stones[r], wide, alive[1]);
    if (r == rows - 1)
        return AND_OR(stones[r], wide, alive[r - 1]);
    return OR3(wide, alive[r - 1], alive[r + 1]) & stones[r];
}

/* Floods on, down the board and up again, until in every lane all that must live is reached or nothing changes.
 * Returns the lanes where something is not reached. */
ALWAYS_INLINE M16 flood_finish(V16 *alive, const V16 *stones, const V16 *must_live, const int rows)
{
    for (;;) {
        V16 changed = v16_all(0), missing = v16_all(0);
#pragma GCC unroll 16
        for (int r = 0; r < rows; r++)
            alive[r] = row_spread(alive, stones, r, rows);
#pragma GCC unroll 16
        for (int r = rows - 1; r >= 0; r--) {
            V16 further = row_spread(alive, stones, r, rows);
            changed = OR_DIFFER(changed, further, alive[r]);
            alive[r] = further;
            missing = OR_MINUS(missing, must_live[r], further);
        }
        M16 dead = v16_nonzero(missing);
        if (!m16_any(dead & v16_nonzero(changed)))
            return dead;
    }
}

/* The lanes in which the drawn point is illegal. Most moves are settled without a flood, by the points right beside. */
ALWAYS_INLINE M16 points_illegal(const LaneBoards *b, const V16 *drawn, const V16 *left, const int rows)
{
    V16 beside[ROWS], alive[ROWS], must_live[ROWS];
    V16 captured = v16_all(0), smothered = v16_all(0);
#pragma GCC unroll 16
    for (int r = 0; r < rows; r++) {
        beside[r] = row_around(left, r, rows);
        alive[r] = b->theirs[r] & beside[r];
        must_live[r] = b->theirs[r] & row_around(drawn, r, rows);
        captured = OR_MINUS(captured, must_live[r], beside[r]);
        smothered = OR_MINUS(smothered, drawn[r], beside[r]);
    }
    M16 capture = v16_nonzero(captured), suicide = v16_nonzero(smothered);
    if (m16_any(capture))
        capture = flood_finish(alive, b->theirs, must_live, rows);
    if (m16_any(suicide)) {
        V16 stones[ROWS];
#pragma GCC unroll 16
        for (int r = 0; r < rows; r++) {
            stones[r] = b->mine[r] | drawn[r];
            alive[r] = stones[r] & beside[r];
        }
        suicide = flood_finish(alive, stones, drawn, rows);
    }
    return capture | suicide;
}

/* Lanes that made a legal move change sides; in the others only the drawn point is struck out. */
ALWAYS_INLINE void boards_advance(LaneBoards *b, const V16 *drawn, const V16 *left, M16 moved, const int rows)
{
#pragma GCC unroll 16
    for (int r = 0; r < rows; r++) {
        V16 with = b->mine[r] | drawn[r], open = b->open[r] & ~drawn[r], open_next = b->open_next[r] & ~drawn[r];
        b->mine[r] = v16_select(moved, b->theirs[r], b->mine[r]);
        b->theirs[r] = v16_select(moved, with, b->theirs[r]);
        b->open[r] = v16_select(moved, open_next, open);
        b->open_next[r] = v16_select(moved, open, b->open_next[r]);
        b->empty[r] = v16_select(moved, left[r], b->empty[r]);
    }
}

/* The lanes in which each side may play on the drawn point. */
typedef struct {
    M16 mover, other;
} LegalFor;

/* As in one_play_both_legal, one flood a colour without the new stone tells it for both sides. */
ALWAYS_INLINE LegalFor points_judge(const LaneBoards *b, const V16 *drawn, const V16 *left, const int rows)
{
    V16 mine[ROWS], theirs[ROWS], my_alive[ROWS], their_alive[ROWS]; /* stones beside the point, and what the floods reach */
    V16 my_dead = v16_all(0), their_dead = v16_all(0), my_air = v16_all(0), their_air;
#pragma GCC unroll 16
    for (int r = 0; r < rows; r++) {
        V16 open = row_around(left, r, rows), near = row_around(drawn, r, rows);
        my_alive[r] = b->mine[r] & open;
        their_alive[r] = b->theirs[r] & open;
        mine[r] = b->mine[r] & near;
        theirs[r] = b->theirs[r] & near;
        my_dead = OR_MINUS(my_dead, mine[r], open);
        their_dead = OR_MINUS(their_dead, theirs[r], open);
        my_air |= near & left[r];
    }
    M16 i_lose = v16_nonzero(my_dead), they_lose = v16_nonzero(their_dead);
    if (m16_any(i_lose))
        i_lose = flood_finish(my_alive, b->mine, mine, rows);
    if (m16_any(they_lose))
        they_lose = flood_finish(their_alive, b->theirs, theirs, rows);
    their_air = my_air;
#pragma GCC unroll 16
    for (int r = 0; r < rows; r++) {
        my_air |= my_alive[r] & mine[r];
        their_air |= their_alive[r] & theirs[r];
    }
    return (LegalFor){v16_nonzero(my_air) & ~they_lose, v16_nonzero(their_air) & ~i_lose};
}

/* What both-legal play draws from: the points open to both sides, in lanes without one those of the mover. Returns the
 * lanes that have one for both. */
ALWAYS_INLINE M16 points_for_both(const LaneBoards *b, V16 *open, const int rows)
{
    V16 any = v16_all(0);
#pragma GCC unroll 16
    for (int r = 0; r < rows; r++) {
        open[r] = b->open[r] & b->open_next[r];
        any |= open[r];
    }
    M16 both = v16_nonzero(any);
    if (m16_any(~both))
#pragma GCC unroll 16
        for (int r = 0; r < rows; r++)
            open[r] = v16_select(both, open[r], b->open[r]);
    return both;
}

/* As boards_advance, but the drawn point is struck out for each side on its own. */
ALWAYS_INLINE void boards_advance_both(LaneBoards *b, const V16 *drawn, const V16 *left, M16 moved, LegalFor legal, const int rows)
{
    M16 strike = moved | ~legal.mover, strike_next = moved | ~legal.other;
#pragma GCC unroll 16
    for (int r = 0; r < rows; r++) {
        V16 with = b->mine[r] | drawn[r];
        V16 open = b->open[r] & ~v16_keep(strike, drawn[r]), open_next = b->open_next[r] & ~v16_keep(strike_next, drawn[r]);
        b->mine[r] = v16_select(moved, b->theirs[r], b->mine[r]);
        b->theirs[r] = v16_select(moved, with, b->theirs[r]);
        b->open[r] = v16_select(moved, open_next, open);
        b->open_next[r] = v16_select(moved, open, open_next);
        b->empty[r] = v16_select(moved, left[r], b->empty[r]);
    }
}

/* A draw in every lane, and the moves of those that drew a legal point; false when no lane has a point left. */
ALWAYS_INLINE bool boards_step(LaneBoards *b, LaneRng *rng, const LaneSize size, const LaneKind kind, V16 *plies)
{
    V16 drawn[ROWS], left[ROWS], open[ROWS], any = v16_all(0);
    M16 both = kind.both_legal ? points_for_both(b, open, size.rows) : v16_nonzero(any);
    if (!points_draw(kind.both_legal ? open : b->open, size.rows, size.columns, rng, kind.apart, drawn))
        return false;
#pragma GCC unroll 16
    for (int r = 0; r < size.rows; r++) {
        left[r] = b->empty[r] & ~drawn[r];
        any |= drawn[r];
    }
    M16 moved;
    if (kind.both_legal) {
        LegalFor legal = points_judge(b, drawn, left, size.rows);
        moved = v16_nonzero(any) & legal.mover & (legal.other | ~both);
        boards_advance_both(b, drawn, left, moved, legal, size.rows);
    } else {
        moved = v16_nonzero(any) & ~points_illegal(b, drawn, left, size.rows);
        boards_advance(b, drawn, left, moved, size.rows);
    }
    *plies += v16_keep(moved, v16_all(1));
    return true;
}

/* Plays all lanes to their ends; returns the number of moves made in each. */
ALWAYS_INLINE V16 boards_play(LaneBoards *b, LaneRng *rng, const LaneSize size, const LaneKind kind)
{
    V16 plies = v16_all(0);
    while (boards_step(b, rng, size, kind, &plies))
        ;
    return plies;
}

/* For every point: in how many of the lanes each colour played it, and how many of those the first player won. */
static void amaf_add(const NogoGeometry *g, const LaneBoards *b, const StartRows *start, M16 lanes, M16 first_won,
                     Totals *totals)
{
    /* The side to move at the end has lost. */
    for (int point = 0; point < g->points; point++) {
        int r = point / g->columns;
        V16 bit = v16_all(1 << point % g->columns);
        if ((start->mine[r] | start->theirs[r]) >> point % g->columns & 1)
            continue;
        M16 loser = v16_nonzero(b->mine[r] & bit), winner = v16_nonzero(b->theirs[r] & bit);
        int first_winning = m16_count(winner & first_won), second_losing = m16_count(loser & first_won);
        totals->amaf_games[NOGO_FIRST][point] += (unsigned)(first_winning + m16_count(loser & lanes & ~first_won));
        totals->amaf_games[NOGO_SECOND][point] += (unsigned)(second_losing + m16_count(winner & lanes & ~first_won));
        totals->amaf_reward[NOGO_FIRST][point] += (unsigned)first_winning;
        totals->amaf_reward[NOGO_SECOND][point] += (unsigned)second_losing;
    }
}

ALWAYS_INLINE void block_play(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals, const LaneSize size,
                              const bool both_legal)
{
    const NogoGeometry *g = nogo_geometry(game);
    const StartRows start = start_rows(g, state);
    for (int done = 0; done < block->count; done += LANES16) {
        LaneBoards boards;
        LaneRng rng = lanerng_streams(block->seed, (block->first + (unsigned)done) / 4, 1);
        boards_start(&boards, &start, size.rows);
        V16 plies = boards_play(&boards, &rng, size, (LaneKind){.both_legal = both_legal});
        int games = block->count - done < LANES16 ? block->count - done : LANES16;
        M16 lanes = m16_first(games);
        M16 first_won = lanes & v16_nonzero((plies + state->turn) & 1);
        int wins = m16_count(first_won);
        totals->games += (unsigned)games;
        totals->outcomes[1] += (unsigned)wins;
        totals->outcomes[0] += (unsigned)(games - wins);
        for (int i = 0; i < games; i++)
            totals->moves += plies[i];
        if (block->amaf)
            amaf_add(g, &boards, &start, lanes, first_won, totals);
    }
}

/* The loops over rows and columns are unrolled for a few sizes; a smaller board plays on the next larger one, whose other
 * points are neither empty nor stones. */
ALWAYS_INLINE void block_play_sized(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals,
                                    const bool both_legal)
{
    const NogoGeometry *g = nogo_geometry(game);
    if (g->rows <= 5 && g->columns <= 5)
        block_play(game, state, block, totals, (LaneSize){5, 5}, both_legal);
    else if (g->rows <= 9 && g->columns <= 9)
        block_play(game, state, block, totals, (LaneSize){9, 9}, both_legal);
    else if (g->rows <= 9)
        block_play(game, state, block, totals, (LaneSize){9, 16}, both_legal);
    else if (g->rows <= 11 && g->columns <= 11)
        block_play(game, state, block, totals, (LaneSize){11, 11}, both_legal);
    else
        block_play(game, state, block, totals, (LaneSize){16, 16}, both_legal);
}

static void nogo_block(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals)
{
    block_play_sized(game, state, block, totals, false);
}

static void nogo_block_both_legal(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals)
{
    block_play_sized(game, state, block, totals, true);
}

/* ==== lanes, each from a start of its own ==== */

/* Rows of up to LANES16 starts, lane by lane. */
typedef struct {
    uint16_t mine[ROWS][LANES16], theirs[ROWS][LANES16], open[ROWS][LANES16], open_next[ROWS][LANES16];
} EachRows;

static void each_load(const NogoGeometry *g, const State *states, int count, EachRows *rows)
{
    memset(rows, 0, sizeof *rows); /* lanes without a start have no point to play */
    for (int lane = 0; lane < count; lane++) {
        const NogoState *s = STATE_BODY_CONST(NogoState, &states[lane]);
        int turn = states[lane].turn;
        for (int r = 0; r < g->rows; r++) {
            rows->mine[r][lane] = row_of(g, s->stones[turn], r);
            rows->theirs[r][lane] = row_of(g, s->stones[!turn], r);
            rows->open[r][lane] = row_of(g, s->legal[turn], r);
            rows->open_next[r][lane] = row_of(g, s->legal[!turn], r);
        }
    }
}

ALWAYS_INLINE void boards_load(LaneBoards *b, const NogoGeometry *g, const EachRows *from, const int rows)
{
    for (int r = 0; r < rows; r++) {
        memcpy(&b->mine[r], from->mine[r], sizeof(V16));
        memcpy(&b->theirs[r], from->theirs[r], sizeof(V16));
        memcpy(&b->open[r], from->open[r], sizeof(V16));
        memcpy(&b->open_next[r], from->open_next[r], sizeof(V16));
        b->empty[r] = MINUS_OR(v16_all(r < g->rows ? row_of(g, g->board, r) : 0), b->mine[r], b->theirs[r]);
    }
}

/* The points that a lane's side has and did not have at the start, as moves. */
static Bits moves_made(const NogoGeometry *g, const V16 *now, const uint16_t before[ROWS][LANES16], int lane)
{
    Bits moves = bits_none();
    for (int r = g->rows - 1; r >= 0; r--) {
        moves.hi = moves.hi << g->columns | moves.lo >> (64 - g->columns);
        moves.lo = moves.lo << g->columns | (uint64_t)(now[r][lane] & ~before[r][lane]);
    }
    return moves;
}

static void each_report(const NogoGeometry *g, const LaneBoards *b, const EachRows *start, V16 plies, State *states, int count,
                        Played *played)
{
    for (int lane = 0; lane < count; lane++) {
        int starter = states[lane].turn;
        bool changed = plies[lane] & 1; /* the side to move at the end is not the one that began */
        states[lane].outcome = (uint8_t)((plies[lane] + starter) & 1);
        if (!played)
            continue;
        played[lane].moves = plies[lane];
        played[lane].by[starter] = moves_made(g, changed ? b->theirs : b->mine, start->mine, lane);
        played[lane].by[!starter] = moves_made(g, changed ? b->mine : b->theirs, start->theirs, lane);
    }
}

ALWAYS_INLINE void each_play(const Game *game, State *states, int count, uint64_t seed, Played *played, const LaneSize size,
                             const bool both_legal)
{
    const NogoGeometry *g = nogo_geometry(game);
    for (int done = 0; done < count; done += LANES16) {
        int games = count - done < LANES16 ? count - done : LANES16;
        EachRows start;
        LaneBoards boards;
        LaneRng rng = lanerng_streams(seed, (unsigned)done / 4, 1);
        each_load(g, states + done, games, &start);
        boards_load(&boards, g, &start, size.rows);
        V16 plies = boards_play(&boards, &rng, size, (LaneKind){.both_legal = both_legal, .apart = true});
        each_report(g, &boards, &start, plies, states + done, games, played ? played + done : NULL);
    }
}

/* Fewer sizes than for blocks: loading the starts and reporting the moves costs the same, so little is gained by more. */
static void nogo_each(const Game *game, State *states, int count, uint64_t seed, Played *played)
{
    const NogoGeometry *g = nogo_geometry(game);
    if (g->rows <= 9 && g->columns <= 9)
        each_play(game, states, count, seed, played, (LaneSize){9, 9}, false);
    else
        each_play(game, states, count, seed, played, (LaneSize){16, 16}, false);
}

static void nogo_each_both_legal(const Game *game, State *states, int count, uint64_t seed, Played *played)
{
    const NogoGeometry *g = nogo_geometry(game);
    if (g->rows <= 9 && g->columns <= 9)
        each_play(game, states, count, seed, played, (LaneSize){9, 9}, true);
    else
        each_play(game, states, count, seed, played, (LaneSize){16, 16}, true);
}

const PlayoutKernels ISA_NAME(nogo_kernels) = {.ways = {
    [NOGO_PLAYOUT_UNIFORM] = {.one = nogo_one, .block = nogo_block, .each = nogo_each},
    [NOGO_PLAYOUT_BOTH_LEGAL] = {.one = nogo_one_both_legal, .block = nogo_block_both_legal, .each = nogo_each_both_legal},
}};
