/* Work on several threads. */
#ifndef NOGO_PARALLEL_H
#define NOGO_PARALLEL_H

#include "games/game.h"

/* Calls work for every number from 0 to threads - 1, each on a thread of its own where there are enough. */
void parallel_each(int threads, void (*work)(void *context, int number), void *context);

/* Adds the job's games to totals; the sums are whole numbers, so no division of the work can change them. */
void parallel_playouts(const Game *game, const State *state, const nogo_playout_job *job, Totals *totals);

#endif
