/* What a leaf is worth: playouts (one at a time, or in lanes), an evaluation, or some random moves and then the evaluation.
 * Where a plugin has a function for it, that one is asked instead of the game's. */
#include "../parallel.h"
#include "real.h"
#include "search.h"

#include <string.h>

static void value_add(LeafValue *leaf, int64_t value)
{
    leaf->playouts++;
    leaf->sum += value;
    leaf->square += value * value / VALUE_ONE;
}

static void outcome_add(const Search *search, LeafValue *leaf, int outcome, int times)
{
    leaf->playouts += times;
    leaf->sum += times * search->value_of[outcome];
    leaf->square += times * search->square_of[outcome];
}

/* A finished game counts as if all of a leaf's playouts had ended so. */
LeafValue leaf_outcome(const Search *search, int outcome)
{
    LeafValue leaf = {.proven = (uint8_t)outcome_proven(search->game, outcome)};
    bool batch = search->options.value == NOGO_VALUE_PLAYOUT && search->options.leaf != NOGO_LEAF_LEAVES;
    int workers = search->options.parallel == NOGO_PARALLEL_LEAF ? search->worker_count : 1;
    outcome_add(search, &leaf, outcome, (batch ? search->options.playouts : 1) * workers);
    leaf.has_played = true; /* and nothing was played */
    return leaf;
}

LeafValue leaf_known(const Search *search, int proven)
{
    LeafValue leaf = {.proven = (uint8_t)proven, .playouts = 1, .has_played = true};
    int64_t value = proven == NOGO_FIRST_WINS ? VALUE_ONE : proven == NOGO_DRAWN ? VALUE_ONE / 2 : 0;
    (void)search;
    leaf.sum = value;
    leaf.square = value * value / VALUE_ONE;
    return leaf;
}

static double plugin_evaluate(Search *search, const State *state)
{
    const Options *o = &search->options;
    double value = o->plugin->evaluate(search->game, state, o->plugin_data);
    if (value >= 0 && value <= 1) /* false for NaN */
        return value;
    SHARED_STORE(&search->plugin_failed, true);
    return 0;
}

static int64_t evaluation_value(Search *search, const State *state)
{
    const Game *game = search->game;
    double value = search->options.plugin && search->options.plugin->evaluate
                       ? plugin_evaluate(search, state)
                       : real_logistic(game->rules->evaluate(game, state) / game->evaluation_scale);
    return (int64_t)(value * VALUE_ONE + 0.5);
}

/* Random moves; what is played is remembered for AMAF. */
static void plies_play(const Search *search, State *state, Rng *rng, Played *played)
{
    const GameRules *rules = search->game->rules;
    for (int left = search->options.plies; left > 0 && state->outcome == NOGO_UNFINISHED;) {
        uint8_t moves[NOGO_MAX_MOVES];
        int count = rules->moves(search->game, state, state->turn, moves);
        int move = moves[rng_below(rng, (uint32_t)count)];
        if (state->turn != NOGO_CHANCE) {
            played->by[state->turn] = bits_or(played->by[state->turn], bits_of(move));
            left--;
        }
        rules->play(search->game, state, move);
    }
}

static LeafValue leaf_evaluate(Search *search, Worker *worker, const State *state)
{
    LeafValue leaf = {.has_played = true};
    State end = *state;
    if (search->options.value == NOGO_VALUE_PLIES)
        plies_play(search, &end, &worker->rng, &leaf.played);
    value_add(&leaf, end.outcome == NOGO_UNFINISHED ? evaluation_value(search, &end) : search->value_of[end.outcome]);
    return leaf;
}

static int plugin_playout(Search *search, State *state, Rng *rng, Played *played)
{
    const Options *o = &search->options;
    bool amaf = search->trees[0].amaf;
    if (amaf)
        *played = (Played){0};
    int outcome = o->plugin->playout(search->game, state, rng, amaf ? played : NULL, o->plugin_data);
    if (outcome >= 0 && outcome < search->game->outcome_count)
        return outcome;
    SHARED_STORE(&search->plugin_failed, true);
    return 0;
}

int playout_play(Search *search, State *state, Rng *rng, Played *played)
{
    if (plugin_plays(search))
        return plugin_playout(search, state, rng, played);
    return search->game->kernels->ways[search->options.playout].one(search->game, state, rng, played);
}

static void totals_clear(Totals *totals, bool amaf)
{
    memset(totals, 0, amaf ? sizeof *totals : offsetof(Totals, amaf_games));
}

static LeafValue leaf_play_lanes(const Search *search, Worker *worker, const State *state)
{
    LeafValue leaf = {0};
    bool amaf = worker->tree->amaf;
    const Game *game = search->game;
    PlayoutBlock block = {rng_next(&worker->rng), 0, search->options.playouts, amaf};
    totals_clear(&worker->totals, amaf);
    game->kernels->ways[search->options.playout].block(game, state, &block, &worker->totals);
    for (int outcome = 0; outcome < game->outcome_count; outcome++)
        if (worker->totals.outcomes[outcome])
            outcome_add(search, &leaf, outcome, (int)worker->totals.outcomes[outcome]);
    leaf.amaf = amaf ? &worker->totals : NULL;
    return leaf;
}

static LeafValue leaf_play_singly(Search *search, Worker *worker, const State *state)
{
    LeafValue leaf = {0};
    const Game *game = search->game;
    int playouts = search->options.playouts;
    bool several = playouts > 1 && worker->tree->amaf;
    if (several)
        totals_clear(&worker->totals, true);
    for (int i = 0; i < playouts; i++) {
        State end = *state;
        int outcome = playout_play(search, &end, &worker->rng, &leaf.played);
        outcome_add(search, &leaf, outcome, 1);
        if (several)
            played_add(&leaf.played, game->rules->reward(outcome), &worker->totals);
    }
    leaf.has_played = !several;
    leaf.amaf = several ? &worker->totals : NULL;
    return leaf;
}

LeafValue leaf_value(Search *search, Worker *worker, const State *state)
{
    const PlayoutWay *way = &search->game->kernels->ways[search->options.playout];
    if (search->options.value != NOGO_VALUE_PLAYOUT)
        return leaf_evaluate(search, worker, state);
    if (search->options.leaf == NOGO_LEAF_LANES && way->block && !plugin_plays(search))
        return leaf_play_lanes(search, worker, state);
    return leaf_play_singly(search, worker, state);
}

/* ---- the same leaf on several threads ---- */

typedef struct {
    Search *search;
    const State *state;
    LeafValue values[NOGO_MAX_THREADS];
} SharedLeaf;

static void leaf_share(void *context, int thread)
{
    SharedLeaf *leaf = context;
    leaf->values[thread] = leaf_value(leaf->search, &leaf->search->workers[thread], leaf->state);
}

/* What one playout alone has played, as sums. */
static void amaf_collect(const Search *search, const LeafValue *part, Totals *sums)
{
    if (part->amaf) {
        for (int player = 0; player < 2; player++)
            for (int move = 0; move < NOGO_MAX_MOVES; move++) {
                sums->amaf_games[player][move] += part->amaf->amaf_games[player][move];
                sums->amaf_reward[player][move] += part->amaf->amaf_reward[player][move];
            }
    } else {
        int reward = (int)((part->sum * search->game->reward_unit + VALUE_ONE / 2) / VALUE_ONE);
        played_add(&part->played, reward, sums);
    }
}

LeafValue leaf_value_parallel(Search *search, const State *state)
{
    SharedLeaf shared; /* its values are written before they are read: no need to clear them */
    shared.search = search;
    shared.state = state;
    parallel_each(search->worker_count, leaf_share, &shared);
    LeafValue sum = shared.values[0];
    bool amaf = search->trees[0].amaf;
    Totals *sums = &search->workers[0].totals;
    if (amaf && !sum.amaf) {
        totals_clear(sums, true);
        amaf_collect(search, &sum, sums);
    }
    for (int i = 1; i < search->worker_count; i++) {
        sum.playouts += shared.values[i].playouts;
        sum.sum += shared.values[i].sum;
        sum.square += shared.values[i].square;
        if (amaf)
            amaf_collect(search, &shared.values[i], sums);
    }
    sum.amaf = amaf ? sums : NULL;
    sum.has_played = false;
    return sum;
}
