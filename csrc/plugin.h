/* What a plugin written in C includes: the contract of NOGO_PLUGIN_VERSION. A plugin is a nogo_plugin (nogo_api.h) whose
 * functions a search calls in its inner loop. They may use all that is included here:
 *
 * - the games' states and boards as bits (games/nogo.h, games/othello.h, games/einstein.h), with bits.h and rng.h;
 * - for every game alike, game->rules (games/game.h): what it takes to play by the rules, slower than a loop of one's own.
 *
 * Whatever changes in these headers such that a plugin would have to be changed, or only compiled again, raises the
 * version; the other headers are the engine's own, and change at any time. */
#ifndef NOGO_PLUGIN_H
#define NOGO_PLUGIN_H

#include "games/einstein.h"
#include "games/game.h"
#include "games/nogo.h"
#include "games/othello.h"

/* Tells at load a plugin that was compiled against structs of other sizes, whatever its version says. */
#define NOGO_PLUGIN_SIZES                                                                                              \
    ((uint64_t)sizeof(NogoGame) << 48 | (uint64_t)(sizeof(OthelloGame) + sizeof(EinsteinGame)) << 32 |                 \
     (uint64_t)(sizeof(State) + sizeof(GameRules)) << 16 | (uint64_t)(sizeof(nogo_plugin) + sizeof(Played)) << 4 |     \
     sizeof(NogoState) / 8)

/* What a nogo_plugin begins with: static const nogo_plugin mine = {NOGO_PLUGIN_HEAD, .name = "mine", ...}; */
#define NOGO_PLUGIN_HEAD .magic = NOGO_PLUGIN_MAGIC, .version = NOGO_PLUGIN_VERSION, .sizes = NOGO_PLUGIN_SIZES

/* Notes a player's move, where anybody wants to know it. */
static inline void played_note(Played *played, int player, int move)
{
    if (!played)
        return;
    played->by[player] = bits_or(played->by[player], bits_of(move));
    played->moves++;
}

#endif
