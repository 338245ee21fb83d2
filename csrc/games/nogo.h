/* NoGo's geometry and state, shared by its rules and its kernels.
 *
 * A set of points is a Bits. Rows lie stride bits apart. Where the board allows it, a row is followed by a guard bit and
 * no row crosses from one word to the other (guarded: every board up to 9x9, Hollow NoGo among them); then shifts need
 * no masks. Otherwise bit = point. Sets never hold guards or holes: that is what stops floods at walls. */
#ifndef NOGO_GAMES_NOGO_H
#define NOGO_GAMES_NOGO_H

#include "game.h"

typedef struct {
    int columns, rows, points;
    int stride;               /* bits from a point to the one below it */
    int carry;                /* a step down from the low word's last row into the high word is a shift right by this */
    bool guarded;
    Bits cells;               /* all points, holes too */
    Bits board;               /* points that can be played */
    Bits not_west, not_east;  /* all but the first and the last column; used unless guarded */
    uint8_t bit_of[NOGO_MAX_POINTS];
    uint8_t point_of[128];
    /* By bit, twice over, as the kernels hold both colours in one vector. */
    _Alignas(32) Bits self[128][2];
    _Alignas(32) Bits around[128][2]; /* the neighbours that can be played */
} NogoGeometry;

typedef struct {
    Game head;
    NogoGeometry geometry;
} NogoGame;

typedef struct __attribute__((may_alias)) {
    Bits stones[2];
    Bits legal[2];            /* exactly where each colour may play; never grows */
} NogoState;

static inline const NogoGeometry *nogo_geometry(const Game *game) { return &((const NogoGame *)(const void *)game)->geometry; }

static inline Bits nogo_empty(const NogoGeometry *g, const NogoState *s)
{
    return bits_minus(g->board, bits_or(s->stones[0], s->stones[1]));
}

#define NOGO_DECLARE_KERNELS(isa) extern const PlayoutKernels nogo_kernels_##isa;
ISA_ALL(NOGO_DECLARE_KERNELS)

#endif
