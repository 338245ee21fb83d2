/* EinStein's boards and state, shared by its rules and its kernels.
 *
 * A cube's square is row * 8 + column as its owner sees the board: the first player's own view, turned by half a circle
 * for the second. So both sides move the same way, towards the same goal; goal - square is the opponent's view of it. */
#ifndef NOGO_GAMES_EINSTEIN_H
#define NOGO_GAMES_EINSTEIN_H

#include "game.h"

enum {
    EINSTEIN_CUBES = 6,
    EINSTEIN_DIE_SIDES = 6,
    EINSTEIN_GONE = 0x80,      /* the square of a cube that is out of the game */
    EINSTEIN_NO_DIE = 255,
    EINSTEIN_REWARD_UNIT = 10, /* results are graded in tenths */
};

/* Outcomes are the first player's reward in tenths, as graded in the source report: capture of all is worth most. */
enum { EINSTEIN_ALL_CAPTURED = 10, EINSTEIN_CORNER = 9 };

typedef struct {
    Game head;
    int variant;
    int columns, rows, directions;
    int goal;                  /* square of the corner to reach */
    uint8_t ways[64];          /* by square: the directions, as bits, in which a step stays on the board */
} EinsteinGame;

typedef struct __attribute__((may_alias)) {
    uint8_t cubes[2][EINSTEIN_CUBES]; /* squares by number, each side in its own view */
    uint8_t die;               /* in force, 0 to 5; EINSTEIN_NO_DIE while chance or a player is to set it */
    uint8_t dice[NOGO_DICE];   /* course board: the cycle */
} EinsteinState;

static inline const EinsteinGame *einstein_game(const Game *game) { return (const EinsteinGame *)(const void *)game; }

/* What a step in each direction adds to a square: horizontal, vertical, forward diagonal, the other diagonal. */
static const int8_t EINSTEIN_STEPS[4] = {1, 8, 9, -7};

/* Outcome when the mover has won. */
static inline int einstein_outcome(int mover, bool captured_all)
{
    int reward = captured_all ? EINSTEIN_ALL_CAPTURED : EINSTEIN_CORNER;
    return mover == NOGO_FIRST ? reward : EINSTEIN_REWARD_UNIT - reward;
}

/* Move numbers: cube * directions + direction, on the classic board followed by the throws of the die; with a set die each
 * such move times six plus the die, followed by the first turn's settings of a die alone. */
enum { EINSTEIN_THROW = 18, EINSTEIN_SET_ONLY = 108 };

static inline int einstein_move(int variant, int cube, int direction, int die)
{
    int step = cube * (variant == NOGO_EINSTEIN_COURSE ? 4 : 3) + direction;
    return variant == NOGO_EINSTEIN_SETDIE ? step * EINSTEIN_DIE_SIDES + die : step;
}

#define EINSTEIN_DECLARE_KERNELS(isa) extern const PlayoutKernels einstein_kernels_##isa;
ISA_ALL(EINSTEIN_DECLARE_KERNELS)

#endif
