/* Work on several threads, and playouts in number. */
#ifndef NOGO_PARALLEL_H
#define NOGO_PARALLEL_H

#include "games/game.h"

/* Calls work for every number from 0 to threads - 1, each on a thread of its own where there are enough. */
void parallel_each(int threads, void (*work)(void *context, int number), void *context);

/* Adds the games a player made its moves in, and the reward they brought. */
void played_add(const Played *played, int reward, Totals *totals);

/* Adds the job's games to totals, one at a time. */
void singly_playouts(const Game *game, const State *state, const nogo_playout_job *job, Totals *totals);

/* Adds the job's games to totals, in lanes where the game can; the sums are whole numbers, so no
 * division of the work can change them. */
void parallel_playouts(const Game *game, const State *state, const nogo_playout_job *job, Totals *totals);

#endif
