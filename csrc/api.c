/* The public functions: they check what they are given, then call a game or parallel.c. */
#include <stdlib.h>

#include "games/game.h"
#include "parallel.h"
#include "perft.h"
#include "plugin.h"
#include "search/alphabeta.h"

typedef nogo_position Position;

static const uint64_t MAX_JOB = UINT64_C(1) << 40; /* games a job: far beyond use, safe from overflow */

static bool game_is_ours(const Game *game) { return game && game->magic == GAME_MAGIC; }

static bool position_is_of(const Game *game, const Position *position)
{
    return game_is_ours(game) && position && position->state.game_tag == game->tag;
}

/* ---- games ---- */

static uint32_t spec_tag(const nogo_spec *spec)
{
    uint64_t hash = rng_mix((uint64_t)spec->family << 32 | (uint64_t)spec->variant << 16 | (uint64_t)spec->columns << 8 |
                            (uint64_t)spec->rows);
    uint64_t holes = 0; /* summed, so that their order does not matter */
    for (int i = 0; i < spec->hole_count; i++)
        holes += rng_mix(spec->holes[i] + RNG_GOLDEN);
    return (uint32_t)(rng_mix(hash ^ holes) >> 32) | 1; /* never zero: a zeroed state belongs to no game */
}

nogo_status nogo_game_new(const nogo_spec *spec, int isa, Game **game)
{
    if (!spec)
        return NOGO_E_HANDLE;
    if (!nogo_isa_runs_here(isa))
        return NOGO_E_ISA;
    Game *made;
    nogo_status status = spec->family == NOGO_FAMILY_NOGO       ? nogo_family_new(spec, isa, &made)
                         : spec->family == NOGO_FAMILY_OTHELLO  ? othello_family_new(spec, isa, &made)
                         : spec->family == NOGO_FAMILY_EINSTEIN ? einstein_family_new(spec, isa, &made)
                                                                : NOGO_E_ARGUMENT;
    if (status != NOGO_OK)
        return status;
    made->magic = GAME_MAGIC;
    made->tag = spec_tag(spec);
    made->isa = isa;
    made->family = spec->family;
    *game = made;
    return NOGO_OK;
}

void nogo_game_free(Game *game)
{
    if (!game_is_ours(game))
        return;
    game->magic = 0;
    free(game);
}

int nogo_game_move_count(const Game *game) { return game_is_ours(game) ? game->move_count : 0; }
int nogo_game_reward_unit(const Game *game) { return game_is_ours(game) ? game->reward_unit : 0; }
int nogo_game_outcome_count(const Game *game) { return game_is_ours(game) ? game->outcome_count : 0; }

nogo_status nogo_game_outcome(const Game *game, int outcome, int *winner, int *reward)
{
    if (!game_is_ours(game))
        return NOGO_E_HANDLE;
    if (outcome < 0 || outcome >= game->outcome_count)
        return NOGO_E_ARGUMENT;
    *winner = game->rules->winner(outcome);
    *reward = game->rules->reward(outcome);
    return NOGO_OK;
}

int nogo_game_offers_playout(const Game *game, int way)
{
    return game_is_ours(game) && way >= 0 && way < NOGO_PLAYOUT_WAYS && game->kernels->ways[way].one;
}

int nogo_game_offers_evaluation(const Game *game) { return game_is_ours(game) && game->rules->evaluate; }
int nogo_game_offers_margin(const Game *game) { return game_is_ours(game) && game->rules->margin; }

/* ---- positions ---- */

static void position_complete(const Game *game, Position *position)
{
    const State *state = &position->state;
    bool over = state->outcome != NOGO_UNFINISHED;
    position->move_count = over ? 0 : game->rules->moves(game, state, state->turn, position->moves);
}

nogo_status nogo_position_start(const Game *game, Position *position)
{
    if (!game_is_ours(game))
        return NOGO_E_HANDLE;
    position->state = (State){.game_tag = game->tag};
    game->rules->start(game, &position->state);
    position_complete(game, position);
    return NOGO_OK;
}

nogo_status nogo_position_set(const Game *game, const Layout *layout, int *cell, Position *position)
{
    if (!game_is_ours(game) || !layout)
        return NOGO_E_HANDLE;
    State state = {.game_tag = game->tag};
    nogo_status status = game->rules->set(game, layout, cell, &state);
    if (status != NOGO_OK)
        return status;
    position->state = state;
    position_complete(game, position);
    return NOGO_OK;
}

nogo_status nogo_position_get(const Game *game, const Position *position, Layout *layout)
{
    if (!position_is_of(game, position))
        return NOGO_E_HANDLE;
    const State *state = &position->state;
    *layout = (Layout){.turn = state->turn, .ply = state->ply, .die = 255};
    game->rules->get(game, state, layout);
    return NOGO_OK;
}

static nogo_reason move_check(const Game *game, const State *state, int move)
{
    return move < 0 || move >= game->move_count ? NOGO_NOT_A_MOVE : game->rules->check(game, state, move);
}

nogo_status nogo_move_check(const Game *game, const Position *position, int move, int player, nogo_reason *reason)
{
    if (!position_is_of(game, position))
        return NOGO_E_HANDLE;
    const State *state = &position->state;
    *reason = player != state->turn ? NOGO_NOT_YOUR_TURN : move_check(game, state, move);
    return NOGO_OK;
}

nogo_status nogo_position_play(const Game *game, const Position *position, int move, Position *child)
{
    if (!position_is_of(game, position))
        return NOGO_E_HANDLE;
    const State *state = &position->state;
    if (move_check(game, state, move) != NOGO_LEGAL)
        return NOGO_E_ILLEGAL;
    child->state = *state;
    game->rules->play(game, &child->state, move);
    position_complete(game, child);
    return NOGO_OK;
}

nogo_status nogo_position_moves(const Game *game, const Position *position, int player, uint8_t *moves, int *count)
{
    if (!position_is_of(game, position))
        return NOGO_E_HANDLE;
    const State *state = &position->state;
    if (player != state->turn && (player < NOGO_FIRST || player > NOGO_SECOND || state->turn == NOGO_CHANCE))
        return NOGO_E_ARGUMENT;
    *count = state->outcome == NOGO_UNFINISHED ? game->rules->moves(game, state, player, moves) : 0;
    return NOGO_OK;
}

nogo_status nogo_position_key(const Game *game, const Position *position, uint64_t *key)
{
    if (!position_is_of(game, position))
        return NOGO_E_HANDLE;
    *key = game->rules->key(game, &position->state);
    return NOGO_OK;
}

nogo_status nogo_position_evaluate(const Game *game, const Position *position, int *advantage)
{
    if (!position_is_of(game, position))
        return NOGO_E_HANDLE;
    if (!game->rules->evaluate || position->state.outcome != NOGO_UNFINISHED)
        return NOGO_E_ARGUMENT;
    *advantage = game->rules->evaluate(game, &position->state);
    return NOGO_OK;
}

nogo_status nogo_perft(const Game *game, const Position *position, int depth, uint64_t *count)
{
    if (!position_is_of(game, position))
        return NOGO_E_HANDLE;
    if (depth < 0)
        return NOGO_E_ARGUMENT;
    *count = perft_count(game, &position->state, depth);
    return NOGO_OK;
}

/* ---- plugins ---- */

nogo_status nogo_plugin_check(const nogo_plugin *plugin)
{
    if (!plugin || plugin->magic != NOGO_PLUGIN_MAGIC)
        return NOGO_E_HANDLE;
    bool same = plugin->version == NOGO_PLUGIN_VERSION && plugin->sizes == NOGO_PLUGIN_SIZES;
    return same ? NOGO_OK : NOGO_E_PLUGIN;
}

/* ---- playouts ---- */

static nogo_status job_check(const Game *game, const Position *position, const nogo_playout_job *job)
{
    if (!position_is_of(game, position) || !job)
        return NOGO_E_HANDLE;
    bool held = nogo_game_offers_playout(game, job->way) && job->count <= MAX_JOB && job->first % NOGO_BLOCK == 0 && job->threads >= 1 && job->threads <= NOGO_MAX_THREADS;
    return held ? NOGO_OK : NOGO_E_ARGUMENT;
}

/* A finished game has one playout, and it is over. */
static bool finished_add(const State *state, uint64_t count, Totals *totals)
{
    if (state->outcome == NOGO_UNFINISHED)
        return false;
    totals->games += count;
    totals->outcomes[state->outcome] += count;
    return true;
}

nogo_status nogo_playouts(const Game *game, const Position *position, const nogo_playout_job *job, Totals *totals)
{
    nogo_status status = job_check(game, position, job);
    if (status == NOGO_OK && !finished_add(&position->state, job->count, totals))
        parallel_playouts(game, &position->state, job, totals);
    return status;
}

nogo_status nogo_playouts_single(const Game *game, const Position *position, const nogo_playout_job *job, Totals *totals)
{
    nogo_status status = job_check(game, position, job);
    if (status != NOGO_OK)
        return status;
    if (finished_add(&position->state, job->count, totals))
        return NOGO_OK;
    singly_playouts(game, &position->state, job, totals);
    return NOGO_OK;
}

static void each_play(const Game *game, State *states, int count, uint64_t seed, int way, Played *played)
{
    const PlayoutWay *kernels = &game->kernels->ways[way];
    if (kernels->each) {
        kernels->each(game, states, count, seed, played);
        return;
    }
    for (int i = 0; i < count; i++) {
        Rng rng = rng_stream(seed, (uint64_t)i);
        kernels->one(game, &states[i], &rng, &played[i]);
    }
}

/* A game that is over stands in for itself: it is not played, but keeps its number. */
static nogo_status each_run(const Game *game, const Position *positions, int count, uint64_t seed, int way, State *states,
                            Played *played)
{
    const State *unfinished = NULL;
    for (int i = 0; i < count; i++) {
        if (!position_is_of(game, &positions[i]))
            return NOGO_E_HANDLE;
        states[i] = positions[i].state;
        if (states[i].outcome == NOGO_UNFINISHED)
            unfinished = &positions[i].state;
    }
    if (!unfinished)
        return NOGO_OK;
    for (int i = 0; i < count; i++)
        if (states[i].outcome != NOGO_UNFINISHED)
            states[i] = *unfinished;
    each_play(game, states, count, seed, way, played);
    return NOGO_OK;
}

static void each_add(const Game *game, const State *start, const State *end, const Played *played, uint8_t *outcome, Totals *totals)
{
    if (finished_add(start, 1, totals)) {
        *outcome = start->outcome;
        return;
    }
    *outcome = end->outcome;
    totals->games++;
    totals->outcomes[end->outcome]++;
    totals->moves += (unsigned)played->moves;
    played_add(played, game->rules->reward(end->outcome), totals);
}

nogo_status nogo_playouts_each(const Game *game, const Position *positions, int count, uint64_t seed, int way, uint8_t *outcomes,
                               Totals *totals)
{
    if (!game_is_ours(game) || !positions || !outcomes || !totals)
        return NOGO_E_HANDLE;
    if (count < 1 || count > NOGO_BLOCK || !nogo_game_offers_playout(game, way))
        return NOGO_E_ARGUMENT;
    State *states = malloc(sizeof(State) * (size_t)count);
    Played *played = malloc(sizeof(Played) * (size_t)count);
    nogo_status status = states && played ? each_run(game, positions, count, seed, way, states, played) : NOGO_E_NOMEM;
    for (int i = 0; status == NOGO_OK && i < count; i++)
        each_add(game, &positions[i].state, &states[i], &played[i], &outcomes[i], totals);
    free(states);
    free(played);
    return status;
}

/* ---- alpha-beta ---- */

static bool game_has_chance(const Game *game)
{
    State start = {.game_tag = game->tag};
    game->rules->start(game, &start);
    return start.turn == NOGO_CHANCE; /* a die is thrown before every move, or never */
}

nogo_status nogo_alphabeta_new(const Game *game, uint64_t table_bytes, AlphaBeta **search)
{
    if (!game_is_ours(game) || !search)
        return NOGO_E_HANDLE;
    return game_has_chance(game) ? NOGO_E_ARGUMENT : alphabeta_new(game, table_bytes, search);
}

void nogo_alphabeta_free(AlphaBeta *search)
{
    if (alphabeta_is_ours(search))
        alphabeta_free(search);
}

nogo_status nogo_alphabeta_start(AlphaBeta *search, const Position *position, int mode, int depth)
{
    if (!alphabeta_is_ours(search) || !position_is_of(alphabeta_game(search), position))
        return NOGO_E_HANDLE;
    bool mode_holds = mode >= NOGO_ALPHABETA_FIXED && mode <= NOGO_ALPHABETA_SOLVE;
    bool depth_holds = mode != NOGO_ALPHABETA_FIXED || (depth >= 1 && depth <= NOGO_MAX_DEPTH);
    if (!mode_holds || !depth_holds || position->state.outcome != NOGO_UNFINISHED)
        return NOGO_E_ARGUMENT;
    alphabeta_start(search, &position->state, mode, depth);
    return NOGO_OK;
}

nogo_status nogo_alphabeta_run(AlphaBeta *search, uint64_t nodes, nogo_alphabeta_result *result)
{
    if (!alphabeta_is_ours(search) || !result)
        return NOGO_E_HANDLE;
    alphabeta_run(search, nodes, result);
    return NOGO_OK;
}
