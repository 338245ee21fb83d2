/* Perft: how many sequences of exactly so many plies there are. A forced pass is a ply; a throw of the die is not, its
 * outcomes are summed; a game that ended sooner counts for nothing. */
#include "perft.h"

uint64_t perft_count(const Game *game, const State *state, int depth)
{
    if (depth == 0)
        return 1;
    if (state->outcome != NOGO_UNFINISHED)
        return 0;
    bool chance = state->turn == NOGO_CHANCE;
    if (depth == 1 && !chance)
        return (uint64_t)game->rules->move_count(game, state);
    uint8_t moves[NOGO_MAX_MOVES];
    int count = game->rules->moves(game, state, state->turn, moves);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        State child = *state;
        game->rules->play(game, &child, moves[i]);
        sum += perft_count(game, &child, chance ? depth : depth - 1);
    }
    return sum;
}
