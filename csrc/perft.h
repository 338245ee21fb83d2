/* Counting move sequences, the classic check of a move generator. */
#ifndef NOGO_PERFT_H
#define NOGO_PERFT_H

#include "games/game.h"

uint64_t perft_count(const Game *game, const State *state, int depth);

#endif
