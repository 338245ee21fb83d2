/* C functions of plugins, good and bad, for test_native.py. */
#include "plugin.h"

typedef struct {
    int outcome;
    double value;
} Data;

/* Uniformly random by the rules alone: for every game. */
static int by_the_rules(const nogo_game *game, nogo_state *state, nogo_rng *rng, nogo_played *played, const void *data)
{
    (void)data;
    while (state->outcome == NOGO_UNFINISHED) {
        uint8_t moves[NOGO_MAX_MOVES];
        int turn = state->turn, count = game->rules->moves(game, state, turn, moves);
        int move = moves[rng_below(rng, (uint32_t)count)];
        if (turn != NOGO_CHANCE)
            played_note(played, turn, move);
        game->rules->play(game, state, move);
    }
    return state->outcome;
}

static int told_outcome(const nogo_game *game, nogo_state *state, nogo_rng *rng, nogo_played *played, const void *data)
{
    (void)game, (void)state, (void)rng;
    played_note(played, NOGO_FIRST, 0);
    return ((const Data *)data)->outcome;
}

static double told_value(const nogo_game *game, const nogo_state *state, const void *data)
{
    (void)game, (void)state;
    return ((const Data *)data)->value;
}

/* NoGo's own evaluation, by its state. */
static double legal_points(const nogo_game *game, const nogo_state *state, const void *data)
{
    (void)game, (void)data;
    const NogoState *s = STATE_BODY_CONST(NogoState, state);
    return bits_count(s->legal[0]) / (double)(bits_count(s->legal[0]) + bits_count(s->legal[1]) + 1);
}

static const nogo_plugin PLUGINS[] = {
    {NOGO_PLUGIN_HEAD, .name = "rules", .family = NOGO_FAMILY_ANY, .playout = by_the_rules},
    {NOGO_PLUGIN_HEAD, .name = "told", .family = NOGO_FAMILY_ANY, .playout = told_outcome, .evaluate = told_value},
    {NOGO_PLUGIN_HEAD, .name = "points", .family = NOGO_FAMILY_NOGO, .evaluate = legal_points},
    {.magic = NOGO_PLUGIN_MAGIC, .version = NOGO_PLUGIN_VERSION + 6, .name = "later"},
    {.magic = NOGO_PLUGIN_MAGIC, .version = NOGO_PLUGIN_VERSION, .sizes = 1, .name = "other sizes"},
    {.name = "no plugin"},
    {NOGO_PLUGIN_HEAD, .name = "empty", .family = NOGO_FAMILY_ANY},
    {NOGO_PLUGIN_HEAD, .name = "chess", .family = 77, .playout = by_the_rules},
};

const nogo_plugin *plugin_number(int number) { return &PLUGINS[number]; }
