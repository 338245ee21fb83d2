/* Othello's state, and the rays that both its rules and its kernels walk. Boards of 4, 6 and 8 lie in the top left
 * corner of one 64-bit word, eight bits a row; squares beyond a smaller board are never part of a set. */
#ifndef NOGO_GAMES_OTHELLO_H
#define NOGO_GAMES_OTHELLO_H

#include "game.h"

typedef struct {
    Game head;
    int size;
    uint64_t board;       /* its squares */
    uint64_t corners;
    uint64_t x_squares;   /* diagonally next to a corner; none on 4x4 */
} OthelloGame;

typedef struct __attribute__((may_alias)) {
    uint64_t discs[2];
} OthelloState;

static inline const OthelloGame *othello_game(const Game *game) { return (const OthelloGame *)(const void *)game; }

/* Outcomes are black's margin in discs, counted from here so that they are not negative. */
enum { OTHELLO_EVEN = 64 };

static inline int othello_outcome(uint64_t black, uint64_t white)
{
    return OTHELLO_EVEN + __builtin_popcountll(black) - __builtin_popcountll(white);
}

#define OTHELLO_REWARD_UNIT 2 /* so that a draw, worth half a win, is whole */

/* Discs a ray may pass: those on the first and last column end every ray but the vertical one. */
#define OTHELLO_INNER 0x7e7e7e7e7e7e7e7eu

#ifdef __AVX2__

/* Rays in four directions at once: right, down, and the two diagonals down; shifted the other way, their opposites. */
typedef uint64_t Rays __attribute__((vector_size(32)));

#define RAYS_ALL(x) ((Rays){(x), (x), (x), (x)})
#define RAYS_STEP ((Rays){1, 8, 9, 7})
#define RAYS_PASSABLE ((Rays){OTHELLO_INNER, ~UINT64_C(0), OTHELLO_INNER, OTHELLO_INNER})

typedef struct {
    Rays up, down; /* towards higher and lower bits */
} RayFill;

/* From the origins along every ray as far as the other side's discs go, at most six (Kogge and Stone's prefix scheme). */
ALWAYS_INLINE RayFill rays_fill(uint64_t origins, uint64_t other)
{
    Rays step = RAYS_STEP, twice = step + step, from = RAYS_ALL(origins), through = RAYS_ALL(other) & RAYS_PASSABLE;
    Rays up = through & (from << step), down = through & (from >> step);
    up |= through & (up << step);
    down |= through & (down >> step);
    Rays up_pair = through & (through << step), down_pair = up_pair >> step;
    up |= up_pair & (up << twice);
    down |= down_pair & (down >> twice);
    up |= up_pair & (up << twice);
    down |= down_pair & (down >> twice);
    return (RayFill){up, down};
}

ALWAYS_INLINE uint64_t rays_join(Rays r) { return r[0] | r[1] | r[2] | r[3]; }

ALWAYS_INLINE uint64_t othello_moves_of(uint64_t board, uint64_t own, uint64_t other)
{
    RayFill fill = rays_fill(own, other);
    return rays_join((fill.up << RAYS_STEP) | (fill.down >> RAYS_STEP)) & board & ~(own | other);
}

ALWAYS_INLINE uint64_t othello_flips(uint64_t own, uint64_t other, uint64_t square)
{
    RayFill fill = rays_fill(square, other);
    Rays ends = RAYS_ALL(own);
    Rays up = fill.up & (Rays)(((fill.up << RAYS_STEP) & ends) != 0);
    Rays down = fill.down & (Rays)(((fill.down >> RAYS_STEP) & ends) != 0);
    return rays_join(up | down);
}

#else /* the same, a direction at a time: without a shift count for each element, vectors do not help */

ALWAYS_INLINE uint64_t word_shift(uint64_t x, int by) { return by > 0 ? x << by : x >> -by; }

ALWAYS_INLINE uint64_t ray_fill(uint64_t origins, uint64_t through, int step)
{
    uint64_t fill = through & word_shift(origins, step);
    fill |= through & word_shift(fill, step);
    uint64_t pair = through & word_shift(through, step);
    fill |= pair & word_shift(fill, 2 * step);
    return fill | (pair & word_shift(fill, 2 * step));
}

ALWAYS_INLINE uint64_t ray_moves(uint64_t own, uint64_t through, int step)
{
    return word_shift(ray_fill(own, through, step), step);
}

ALWAYS_INLINE uint64_t ray_flips(uint64_t own, uint64_t through, uint64_t square, int step)
{
    uint64_t fill = ray_fill(square, through, step);
    return word_shift(fill, step) & own ? fill : 0;
}

ALWAYS_INLINE uint64_t othello_moves_of(uint64_t board, uint64_t own, uint64_t other)
{
    uint64_t inner = other & OTHELLO_INNER;
    uint64_t moves = ray_moves(own, other, 8) | ray_moves(own, other, -8) | ray_moves(own, inner, 1) | ray_moves(own, inner, -1) |
                     ray_moves(own, inner, 9) | ray_moves(own, inner, -9) | ray_moves(own, inner, 7) | ray_moves(own, inner, -7);
    return moves & board & ~(own | other);
}

ALWAYS_INLINE uint64_t othello_flips(uint64_t own, uint64_t other, uint64_t square)
{
    uint64_t inner = other & OTHELLO_INNER;
    return ray_flips(own, other, square, 8) | ray_flips(own, other, square, -8) | ray_flips(own, inner, square, 1) |
           ray_flips(own, inner, square, -1) | ray_flips(own, inner, square, 9) | ray_flips(own, inner, square, -9) |
           ray_flips(own, inner, square, 7) | ray_flips(own, inner, square, -7);
}

#endif

#define OTHELLO_DECLARE_KERNELS(isa) extern const PlayoutKernels othello_kernels_##isa;
ISA_ALL(OTHELLO_DECLARE_KERNELS)

#endif
