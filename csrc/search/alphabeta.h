/* Alpha-beta search of any game without chance; alphabeta.c says how. */
#ifndef NOGO_ALPHABETA_H
#define NOGO_ALPHABETA_H

#include "../games/game.h"

typedef nogo_alphabeta AlphaBeta;

bool alphabeta_is_ours(const AlphaBeta *search);
const Game *alphabeta_game(const AlphaBeta *search);
nogo_status alphabeta_new(const Game *game, uint64_t table_bytes, AlphaBeta **search);
void alphabeta_free(AlphaBeta *search);
void alphabeta_start(AlphaBeta *search, const State *state, nogo_alphabeta_mode mode, int depth);
void alphabeta_run(AlphaBeta *search, uint64_t nodes, nogo_alphabeta_result *result);

#endif
