/* NoGo's inner loop, in the hands of a plugin: a playout that likes to answer beside the last move, and an evaluation.
 *
 * Compiled once for each instruction set (see native_build.py). The loop is nogo's own, copied and changed in one place:
 * with reply = 0 it plays the very same games. Both colours of a board lie in one vector of four words, a point is drawn
 * from those not yet known to be illegal, and a flood from the empty points tells whether all chains keep a liberty. */
#include "plugin.h"

#include <math.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef struct {
    double reply;        /* probability of a move beside the last one, where there is one */
    double tempo, scale; /* evaluation: what having to move costs; the lead that makes odds of e to 1 */
} native_settings;

/* ---- both colours of the board in one vector ---- */

typedef uint64_t Pair __attribute__((vector_size(32))); /* the waiting side's set in words 0 and 1, the mover's in 2 and 3 */

#define PAIR_MOVER ((Pair){0, 0, ~UINT64_C(0), ~UINT64_C(0)})

ALWAYS_INLINE Pair pair_of(Bits waiting, Bits mover) { return (Pair){waiting.lo, waiting.hi, mover.lo, mover.hi}; }

ALWAYS_INLINE Pair pair_load(const Bits twice[2])
{
    Pair pair;
    memcpy(&pair, twice, sizeof pair);
    return pair;
}

#ifdef __AVX2__
ALWAYS_INLINE Pair pair_turn(Pair p) { return (Pair)_mm256_permute4x64_epi64((__m256i)p, 0x4e); }
ALWAYS_INLINE Pair pair_swap_words(Pair p) { return (Pair)_mm256_shuffle_epi32((__m256i)p, 0x4e); }
ALWAYS_INLINE bool pair_any(Pair p) { return !_mm256_testz_si256((__m256i)p, (__m256i)p); }
ALWAYS_INLINE Pair pair_left(Pair x, Pair by) { return (Pair)_mm256_sllv_epi64((__m256i)x, (__m256i)by); }
ALWAYS_INLINE Pair pair_right(Pair x, Pair by) { return (Pair)_mm256_srlv_epi64((__m256i)x, (__m256i)by); }
ALWAYS_INLINE Pair pair_to_low(Pair swapped, Pair by) { return pair_left(swapped, by); }
ALWAYS_INLINE Pair pair_to_high(Pair swapped, Pair by) { return pair_right(swapped, by); }
#else
ALWAYS_INLINE Pair pair_turn(Pair p) { return (Pair){p[2], p[3], p[0], p[1]}; }
ALWAYS_INLINE Pair pair_swap_words(Pair p) { return (Pair){p[1], p[0], p[3], p[2]}; }
ALWAYS_INLINE bool pair_any(Pair p) { return (p[0] | p[1] | p[2] | p[3]) != 0; }
ALWAYS_INLINE Pair pair_left(Pair x, Pair by) { return x << by[0]; }
ALWAYS_INLINE Pair pair_right(Pair x, Pair by) { return x >> by[0]; }
ALWAYS_INLINE Pair pair_to_low(Pair swapped, Pair by) { return (swapped << by[0]) & (Pair){~UINT64_C(0), 0, ~UINT64_C(0), 0}; }
ALWAYS_INLINE Pair pair_to_high(Pair swapped, Pair by) { return (swapped >> by[1]) & (Pair){0, ~UINT64_C(0), 0, ~UINT64_C(0)}; }
#endif

/* Shifts to the neighbours' points. A count of 64 gives zero: words are crossed one way only. */
typedef struct {
    const NogoGeometry *g;
    Pair row, to_low, to_high;      /* by a row; across the words, up and down the board */
    Pair side_to_low, side_to_high; /* by a column across the words; on boards without guards */
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

/* Whether the flood through the stones, from the empty points, reaches all that must live. */
ALWAYS_INLINE bool pair_flood(const PairShifts *by, const bool guarded, Pair stones, Pair empty, Pair must_live)
{
    Pair alive = stones & pair_around(by, guarded, empty);
    for (int i = 0; i < 2; i++) /* nearly always needed: cheaper than looking whether it is */
        alive |= stones & pair_around(by, guarded, alive);
    while (pair_any(must_live & ~alive)) {
        Pair before = alive;
        for (int i = 0; i < 3; i++)
            alive |= stones & pair_around(by, guarded, alive);
        if (!pair_any(alive ^ before))
            return false;
    }
    return true;
}

/* ---- the draw ---- */

typedef struct {
    Bits bit;
    int at;
} DrawnPoint;

ALWAYS_INLINE DrawnPoint point_draw(Bits set, Rng *rng)
{
    uint32_t low_count = (uint32_t)__builtin_popcountll(set.lo);
    uint32_t k = rng_below(rng, low_count + (uint32_t)__builtin_popcountll(set.hi));
    uint64_t high = -(uint64_t)(k >= low_count); /* all ones when the point is in the high word */
    __asm__("" : "+r"(high));                    /* or the compiler makes it a branch, mispredicted half the time */
    uint64_t bit = word_select((set.hi & high) | (set.lo & ~high), k - (low_count & (uint32_t)high));
    return (DrawnPoint){{bit & ~high, bit & high}, __builtin_ctzll(bit) + (int)(high & 64)};
}

/* This is what the plugin is for: some of the time, the points beside the last move alone. */
ALWAYS_INLINE Bits points_liked(const NogoGeometry *g, Bits open, int last, uint64_t reply, Rng *rng)
{
    Bits beside = bits_and(open, g->around[last][0]);
    bool chosen = bits_any(beside) && (rng_next(rng) >> 32) < reply;
    return chosen ? beside : open;
}

/* ---- a game ---- */

/* The sets of the side to move, and of the other. */
typedef struct {
    Bits open, open_next; /* where the mover, and then the other, may still play */
    Pair stones, empty;
    int turn;
    int last;             /* the last stone, or -1 */
} OneGame;

ALWAYS_INLINE OneGame game_load(const NogoGeometry *g, const State *state)
{
    const NogoState *s = STATE_BODY_CONST(NogoState, state);
    int turn = state->turn;
    return (OneGame){.open = s->legal[turn],
                     .open_next = s->legal[!turn],
                     .stones = pair_of(s->stones[!turn], s->stones[turn]),
                     .empty = pair_of(nogo_empty(g, s), nogo_empty(g, s)),
                     .turn = turn,
                     .last = -1};
}

ALWAYS_INLINE void game_turn(OneGame *o, DrawnPoint point, Pair left, Pair with)
{
    Bits waiting = bits_minus(o->open, point.bit);
    o->open = bits_minus(o->open_next, point.bit);
    o->open_next = waiting;
    o->empty = left;
    o->stones = pair_turn(with);
    o->turn ^= 1;
    o->last = point.at;
}

/* Plays until the mover has no point left. */
ALWAYS_INLINE void game_play(const NogoGeometry *g, const bool guarded, OneGame *o, uint64_t reply, Rng *rng)
{
    const PairShifts by = shifts_of(g);
    while (bits_any(o->open)) {
        Bits liked = reply && o->last >= 0 ? points_liked(g, o->open, o->last, reply, rng) : o->open;
        DrawnPoint point = point_draw(liked, rng);
        o->open = bits_minus(o->open, point.bit);
        Pair self = pair_load(g->self[point.at]), around = pair_load(g->around[point.at]);
        Pair left = o->empty & ~self, own = self & PAIR_MOVER, with = o->stones | own;
        if (pair_flood(&by, guarded, with, left, own | (around & o->stones & ~PAIR_MOVER)))
            game_turn(o, point, left, with);
    }
}

/* Without captures, the stones that have come are the moves; RAVE wants them as points. */
static void moves_note(const NogoGeometry *g, const NogoState *before, const OneGame *o, Played *played)
{
    Bits stones[2];
    stones[o->turn] = (Bits){o->stones[2], o->stones[3]};
    stones[!o->turn] = (Bits){o->stones[0], o->stones[1]};
    for (int player = 0; player < 2; player++)
        for (Bits made = bits_minus(stones[player], before->stones[player]); bits_any(made);)
            played_note(played, player, g->point_of[bits_pop(&made)]);
}

/* Outcome 1 is a win of the first player: who is to move and cannot has lost. */
static int native_playout(const nogo_game *game, nogo_state *state, nogo_rng *rng, nogo_played *played, const void *data)
{
    const native_settings *settings = data;
    const NogoGeometry *g = nogo_geometry(game);
    const NogoState *s = STATE_BODY_CONST(NogoState, state);
    uint64_t reply = (uint64_t)(settings->reply * 0x1p32);
    OneGame o = game_load(g, state);
    Rng stream = *rng;
    if (g->guarded)
        game_play(g, true, &o, reply, &stream);
    else
        game_play(g, false, &o, reply, &stream);
    *rng = stream;
    if (played)
        moves_note(g, s, &o, played);
    return o.turn == NOGO_SECOND;
}

/* Points that only one side may play are moves in hand, and having to move costs one sooner. */
static double native_evaluate(const nogo_game *game, const nogo_state *state, const void *data)
{
    const native_settings *settings = data;
    const NogoState *s = STATE_BODY_CONST(NogoState, state);
    (void)game;
    double lead = bits_count(s->legal[NOGO_FIRST]) - bits_count(s->legal[NOGO_SECOND]);
    lead += state->turn == NOGO_FIRST ? -settings->tempo : settings->tempo;
    return 1 / (1 + exp(-lead / settings->scale));
}

static const nogo_plugin PLUGIN = {NOGO_PLUGIN_HEAD,
                                   .name = "native",
                                   .family = NOGO_FAMILY_NOGO,
                                   .playout = native_playout,
                                   .evaluate = native_evaluate};

static const nogo_plugin *native_plugin(void) { return &PLUGIN; }
