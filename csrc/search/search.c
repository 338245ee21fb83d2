/* A search from beginning to end: its memory, its root, its rounds on one thread or several, its report. */
#define _POSIX_C_SOURCE 200809L
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../parallel.h"

enum {
    ROUND = 1000,     /* playouts a worker makes between two looks at the rules of timing.c */
    SHARE = 32,       /* playouts a worker takes of a round at a time, where all search one tree */
    LONGEST_MOVE = 4, /* moves and throws from one root to the next: both sides' */
    MAX_VISITS = INT32_MAX,
};

double search_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool search_is_ours(const Search *search) { return search && search->magic == SEARCH_MAGIC; }

/* ---- options ---- */

static bool within(double x, double least, double most) { return x >= least && x <= most; } /* false for NaN */

static bool numbers_hold(const Options *o)
{
    return within(o->c, 0, 1e6) && within(o->c1, 0, 1e6) && within(o->c2, 0, 1e6) && within(o->b, 0, 1e6) &&
           within(o->k, 0, 1e12) && within(o->prior, 0, 1e9) && within(o->fpu, -1, 1e6) && within(o->margin, 0, 1) &&
           within(o->favour, 0, 1e6) && within(o->descent_k, -1, 1e6) && within(o->choice_k, 0, 1e6) &&
           within(o->choice_z, 0, 1e6) && within(o->prune_rd, 0, 1e6) && within(o->prune_sigma, 0, 1e6) &&
           within(o->early, 0, 1e6) && within(o->unst, 0, 100) && within(o->close, 0, 100) &&
           within(o->close_ratio, 0, 1) && within(o->behind, 0, 100) && within(o->behind_mean, 0, 1);
}

static bool counts_hold(const Options *o)
{
    int most = o->leaf == NOGO_LEAF_LEAVES ? NOGO_MAX_LEAVES : NOGO_MAX_LEAF;
    return o->policy >= 0 && o->policy < NOGO_POLICIES && within(o->leaf, 0, NOGO_LEAF_LEAVES) &&
           within(o->value, 0, NOGO_VALUE_PLIES) && within(o->prune, 0, NOGO_PRUNE_STATISTICAL) &&
           within(o->choice, 0, NOGO_CHOICE_TEMPERATURE) && within(o->parallel, 0, NOGO_PARALLEL_TREE) &&
           within(o->threshold, 0, 1e9) && within(o->playouts, 1, most) && within(o->plies, 0, 1000) &&
           within(o->prune_every, 1, 1e9) && within(o->prune_samples, 1, 1e9) && within(o->unst_limit, 0, 1000) &&
           within(o->threads, 1, NOGO_MAX_THREADS) && o->memory >= UINT64_C(1) << 20 && o->memory <= UINT64_C(1) << 40;
}

/* The plugin knows the game, and no other way to play is asked for beside its own. */
static bool plugin_holds(const Game *game, const Options *o)
{
    const nogo_plugin *plugin = o->plugin;
    return !plugin || ((plugin->family == NOGO_FAMILY_ANY || plugin->family == game->family) &&
                       (!plugin->playout || o->playout == NOGO_PLAYOUT_UNIFORM));
}

static bool options_hold(const Game *game, const Options *o)
{
    bool alone = o->parallel == NOGO_PARALLEL_NONE && o->threads > 1;
    bool evaluates = game->rules->evaluate || (o->plugin && o->plugin->evaluate);
    bool offered = nogo_game_offers_playout(game, o->playout) && (o->value == NOGO_VALUE_PLAYOUT || evaluates) &&
                   (o->margin <= 0 || game->rules->margin) && plugin_holds(game, o);
    bool clash = o->parallel == NOGO_PARALLEL_LEAF && o->leaf == NOGO_LEAF_LEAVES;
    return numbers_hold(o) && counts_hold(o) && offered && !alone && !clash;
}

/* The first player's reward for every outcome. */
static void values_fill(Search *search)
{
    const Game *game = search->game;
    const Options *o = &search->options;
    for (int outcome = 0; outcome < game->outcome_count; outcome++) {
        int winner = game->rules->winner(outcome);
        double plain = winner < 0 ? 0.5 : winner == NOGO_FIRST;
        double value = o->graded ? (double)game->rules->reward(outcome) / game->reward_unit : plain;
        if (o->margin > 0)
            value = (1 - o->margin) * value + o->margin * (0.5 + 0.5 * game->rules->margin(outcome));
        int64_t whole = (int64_t)(value * VALUE_ONE + 0.5);
        search->value_of[outcome] = whole;
        search->square_of[outcome] = whole * whole / VALUE_ONE;
    }
    search->amaf_scale = AMAF_ONE / game->reward_unit;
}

static PolicyConstants constants_of(const Options *o)
{
    return (PolicyConstants){
        .c = (float)o->c,
        .c1 = (float)o->c1,
        .c2 = (float)o->c2,
        .bias = (float)(4 * o->b * o->b),
        .k = (float)o->k,
        .prior = (float)o->prior,
        .fpu = o->fpu < 0 ? INFINITY : (float)o->fpu,
    };
}

/* ---- memory ---- */

/* Zeroes, aligned to cache lines, as the structs with a line of their own for some field want it. */
static void *zeroed(size_t size, int count)
{
    void *memory = aligned_alloc(64, size * (size_t)count);
    return memory ? memset(memory, 0, size * (size_t)count) : NULL;
}

static nogo_status worker_make(Search *search, Worker *w, int number)
{
    const Options *o = &search->options;
    w->tree = &search->trees[search->tree_count > 1 ? number : 0];
    if (o->leaf != NOGO_LEAF_LEAVES)
        return NOGO_OK;
    w->waiting = malloc((size_t)o->playouts * sizeof *w->waiting);
    w->states = malloc((size_t)o->playouts * sizeof *w->states);
    w->played = malloc((size_t)o->playouts * sizeof *w->played);
    return w->waiting && w->states && w->played ? NOGO_OK : NOGO_E_NOMEM;
}

/* Whether there are rewards between 0 and 1. */
static bool values_vary(const Search *search)
{
    bool vary = search->options.value != NOGO_VALUE_PLAYOUT;
    for (int i = 0; i < search->game->outcome_count; i++)
        vary |= search->value_of[i] != search->square_of[i];
    return vary;
}

static nogo_status memory_take(Search *search)
{
    const Options *o = &search->options;
    TreeKind kind = {.amaf = o->policy >= NOGO_RAVE_MSE,
                     .squares = values_vary(search),
                     .shared = o->parallel == NOGO_PARALLEL_TREE && o->threads > 1};
    search->worker_count = o->threads;
    search->tree_count = o->parallel == NOGO_PARALLEL_ROOT ? o->threads : 1;
    search->trees = zeroed(sizeof *search->trees, search->tree_count);
    search->workers = zeroed(sizeof *search->workers, search->worker_count);
    if (!search->trees || !search->workers)
        return NOGO_E_NOMEM;
    nogo_status status = NOGO_OK;
    for (int i = 0; i < search->tree_count && status == NOGO_OK; i++)
        status = tree_make(&search->trees[i], search->game, o->memory / (unsigned)search->tree_count, kind);
    for (int i = 0; i < search->worker_count && status == NOGO_OK; i++)
        status = worker_make(search, &search->workers[i], i);
    return status;
}

void nogo_search_free(Search *search)
{
    if (!search_is_ours(search))
        return;
    for (int i = 0; search->workers && i < search->worker_count; i++) {
        free(search->workers[i].waiting);
        free(search->workers[i].states);
        free(search->workers[i].played);
    }
    for (int i = 0; search->trees && i < search->tree_count; i++)
        tree_release(&search->trees[i]);
    free(search->workers);
    free(search->trees);
    search->magic = 0;
    free(search);
}

#define KERNELS_ENTRY(isa) &search_kernels_##isa,
static const SearchKernels *const KERNELS[] = {ISA_ALL(KERNELS_ENTRY)};

nogo_status nogo_search_new(const Game *game, const Options *options, Search **search)
{
    if (!game || game->magic != GAME_MAGIC || !options)
        return NOGO_E_HANDLE;
    nogo_status plugin_status = options->plugin ? nogo_plugin_check(options->plugin) : NOGO_OK;
    if (plugin_status != NOGO_OK)
        return plugin_status;
    if (!options_hold(game, options))
        return NOGO_E_ARGUMENT;
    Search *made = zeroed(sizeof *made, 1);
    if (!made)
        return NOGO_E_NOMEM;
    made->magic = SEARCH_MAGIC;
    made->game = game;
    made->options = *options;
    made->kernels = KERNELS[game->isa];
    made->constants = constants_of(options);
    made->virtual_loss = options->leaf == NOGO_LEAF_LEAVES || (options->parallel == NOGO_PARALLEL_TREE && options->threads > 1);
    values_fill(made);
    nogo_status status = memory_take(made);
    if (status != NOGO_OK)
        nogo_search_free(made);
    else
        *search = made;
    return status;
}

/* ---- the root ---- */

/* What an earlier search pruned was meant for that search. */
static void root_uncut(Tree *tree)
{
    Node *node = tree_node(tree, tree->root);
    Edges e = node_edges(tree, node);
    for (int i = 0; i < node->count; i++)
        if (e.status[i] == NOGO_CUT)
            e.status[i] = NOGO_OPEN;
}

static void root_set(Search *search)
{
    search->kept = 0;
    for (int i = 0; i < search->tree_count; i++) {
        Tree *tree = &search->trees[i];
        if (!search->options.reuse || !tree_move_root(tree, &search->root, LONGEST_MOVE))
            tree_plant(tree, &search->root);
        root_uncut(tree);
        search->kept += (unsigned)tree_node(tree, tree->root)->visits;
    }
}

static void workers_begin(Search *search)
{
    for (int i = 0; i < search->worker_count; i++) {
        Worker *w = &search->workers[i];
        w->rng = rng_stream(search->budget.seed, (unsigned)i);
        w->playouts = w->iterations = w->depth_sum = 0;
        w->depth = 0;
    }
}

/* A move that ends the game in the mover's favour; -1 where there is none. */
static int winning_move(const Search *search, const uint8_t *moves, int count)
{
    for (int i = 0; i < count; i++) {
        State after = search->root;
        search->game->rules->play(search->game, &after, moves[i]);
        if (after.outcome != NOGO_UNFINISHED && search->game->rules->winner(after.outcome) == search->root.turn)
            return moves[i];
    }
    return -1;
}

static void shortcuts_take(Search *search)
{
    uint8_t moves[NOGO_MAX_MOVES];
    int count = search->game->rules->moves(search->game, &search->root, search->root.turn, moves);
    if (count == 1) {
        search->stopped = NOGO_STOP_SINGLE;
        search->move = moves[0];
    } else if (search->options.shortcuts && (search->move = winning_move(search, moves, count)) >= 0) {
        search->stopped = NOGO_STOP_WIN;
    }
}

nogo_status nogo_search_begin(Search *search, const nogo_position *position, const nogo_search_budget *budget)
{
    if (!search_is_ours(search) || !position || position->state.game_tag != search->game->tag || !budget)
        return NOGO_E_HANDLE;
    bool timed = within(budget->seconds, 1e-9, 1e9), counted = budget->playouts > 0 && budget->playouts <= MAX_VISITS;
    bool over = position->state.outcome != NOGO_UNFINISHED || position->state.turn == NOGO_CHANCE;
    if (over || timed == counted || (counted && budget->seconds != 0) || (timed && budget->playouts != 0))
        return NOGO_E_ARGUMENT;
    search->root = position->state;
    search->budget = *budget;
    search->stopped = NOGO_RUNNING;
    search->move = -1;
    search->next_prune = (unsigned)search->options.prune_every;
    workers_begin(search);
    root_set(search);
    timing_begin(search);
    shortcuts_take(search);
    return NOGO_OK;
}

/* ---- rounds ---- */

/* How many playouts a worker has left: of those counted, its share. */
static uint64_t playouts_left(const Search *search, int number)
{
    const Worker *w = &search->workers[number];
    if (search->deadline > 0)
        return ROUND;
    unsigned workers = search->options.parallel == NOGO_PARALLEL_LEAF ? 1 : (unsigned)search->worker_count;
    uint64_t share = search->limit / workers + ((unsigned)number < search->limit % workers);
    uint64_t left = share > w->playouts ? share - w->playouts : 0;
    return left < ROUND ? left : ROUND;
}

static void worker_round(void *context, int number)
{
    Search *search = context;
    search->kernels->run(search, &search->workers[number], playouts_left(search, number));
}

/* On one tree, a thread that is faster takes more of the round. */
static void worker_share(void *context, int number)
{
    Search *search = context;
    for (;;) {
        int64_t left = __atomic_fetch_sub(&search->round_left, SHARE, __ATOMIC_RELAXED);
        if (left <= 0)
            return;
        search->kernels->run(search, &search->workers[number], left < SHARE ? (uint64_t)left : SHARE);
    }
}

static void round_begin(Search *search)
{
    int64_t left = ROUND * search->worker_count;
    if (search->deadline <= 0) {
        int64_t to_go = (int64_t)(search->limit - timing_playouts(search));
        left = to_go < left ? to_go : left;
    }
    search->round_left = left;
}

static void root_prune(Search *search)
{
    for (int i = 0; i < search->tree_count; i++)
        prune_root(search, &search->trees[i], (unsigned)tree_node(&search->trees[i], search->trees[i].root)->visits);
}

static void round_run(Search *search)
{
    bool several = search->worker_count > 1 && search->options.parallel != NOGO_PARALLEL_LEAF;
    if (several && search->tree_count == 1) {
        round_begin(search);
        parallel_each(search->worker_count, worker_share, search);
    } else if (several) {
        parallel_each(search->worker_count, worker_round, search);
    } else {
        worker_round(search, 0);
    }
    if (search->options.prune != NOGO_PRUNE_NONE && search->workers[0].playouts >= search->next_prune) {
        root_prune(search);
        search->next_prune = search->workers[0].playouts + (unsigned)search->options.prune_every;
    }
    timing_check(search);
    if (search->stopped == NOGO_RUNNING && tree_node(&search->trees[0], search->trees[0].root)->visits > MAX_VISITS - 16 * ROUND * NOGO_MAX_THREADS)
        search->stopped = NOGO_STOP_PLAYOUTS; /* the counters hold no more */
}

nogo_status nogo_search_run(Search *search, double seconds, int *stopped)
{
    if (!search_is_ours(search))
        return NOGO_E_HANDLE;
    if (!search->root.game_tag)
        return NOGO_E_ARGUMENT; /* nothing to search yet */
    double until = search_clock() + seconds;
    while (search->stopped == NOGO_RUNNING && !search->plugin_failed && search_clock() < until)
        round_run(search);
    if (search->plugin_failed)
        return NOGO_E_PLUGIN;
    if (search->stopped != NOGO_RUNNING && search->spent <= 0)
        search->spent = search_clock() - search->began;
    *stopped = search->stopped;
    return NOGO_OK;
}

/* ---- report ---- */

static void work_report(const Search *search, nogo_search_report *r)
{
    for (int i = 0; i < search->worker_count; i++) {
        const Worker *w = &search->workers[i];
        r->playouts += w->playouts;
        r->iterations += w->iterations;
        r->depth_sum += w->depth_sum;
        r->depth = w->depth > r->depth ? w->depth : r->depth;
    }
    for (int i = 0; i < search->tree_count; i++) {
        r->nodes += search->trees[i].nodes;
        r->bytes += search->trees[i].used * 8;
        r->full |= search->trees[i].full;
    }
}

nogo_status nogo_search_report_get(Search *search, nogo_search_report *report)
{
    if (!search_is_ours(search) || !report)
        return NOGO_E_HANDLE;
    if (!search->root.game_tag)
        return NOGO_E_ARGUMENT;
    root_sum(search, report);
    if (search->move < 0 && search->stopped != NOGO_RUNNING)
        search->move = report->moves[choice_make(search, report)];
    report->move = search->move >= 0 ? search->move : report->moves[choice_make(search, report)];
    line_find(search, report);
    work_report(search, report);
    report->kept = search->kept;
    report->extensions = search->extensions;
    report->stopped = search->stopped;
    report->seconds = search->spent > 0 ? search->spent : search_clock() - search->began;
    return NOGO_OK;
}
