/* The four steps, once for every game and policy: selection, expansion, the leaf's value, and backing it up. Compiled for
 * each instruction set, with the same arithmetic. */
#include "real.h"
#include "search.h"

#include <math.h>
#include <string.h>

static Edges edges_at(Worker *w, NodeRef ref)
{
    Edges e = node_edges(w->tree, tree_node(w->tree, ref));
    if (w->tree->shared && ref == w->tree->root)
        root_view_edges(w, &e);
    return e;
}

/* ==== selection ==== */

/* An edge not descended yet, at random; -1 where there is none. */
static int untried_take(const Tree *tree, Node *node, Rng *rng)
{
    for (;;) {
        Bits untried = {SHARED_LOAD(&node->untried[0]), SHARED_LOAD(&node->untried[1])};
        int count = bits_count(untried);
        if (!count)
            return -1;
        unsigned k = rng_below(rng, (uint32_t)count), low = (unsigned)__builtin_popcountll(untried.lo);
        int word = k >= low;
        uint64_t bit = word_select(word ? untried.hi : untried.lo, word ? k - low : k);
        if (!tree->shared)
            node->untried[word] &= ~bit;
        else if (!(__atomic_fetch_and(&node->untried[word], ~bit, __ATOMIC_RELAXED) & bit))
            continue; /* another thread was faster */
        return 64 * word + __builtin_ctzll(bit);
    }
}

static void untried_drop(const Tree *tree, Node *node, int edge)
{
    uint64_t bit = UINT64_C(1) << edge % 64;
    if (!(SHARED_LOAD(&node->untried[edge / 64]) & bit))
        return;
    if (tree->shared)
        __atomic_fetch_and(&node->untried[edge / 64], ~bit, __ATOMIC_RELAXED);
    else
        node->untried[edge / 64] &= ~bit;
}

/* The arrays themselves; or, where other threads are changing them, what they were when this one looked. */
static EdgeStatistics statistics_read(Worker *w, const Node *node, const Edges *e, int policy)
{
    int count = node->count;
    if (!w->tree->shared || e->visits == w->root_now.visits)
        return (EdgeStatistics){count, e->visits, e->means, e->squares, e->amaf_visits, e->amaf_sums};
    EdgeNumbers *seen = &w->seen;
    for (int i = 0; i < count; i++) {
        seen->visits[i] = SHARED_LOAD(&e->visits[i]);
        __atomic_load(&e->means[i], &seen->means[i], __ATOMIC_RELAXED);
    }
    for (int i = 0; i < count && policy == NOGO_TUNED; i++)
        seen->squares[i] = SHARED_LOAD(&e->squares[i]);
    for (int i = 0; i < count && w->tree->amaf; i++) {
        seen->amaf_visits[i] = SHARED_LOAD(&e->amaf_visits[i]);
        seen->amaf_sums[i] = SHARED_LOAD(&e->amaf_sums[i]);
    }
    return (EdgeStatistics){count, seen->visits, seen->means, seen->squares, seen->amaf_visits, seen->amaf_sums};
}

/* Takes moves that lose for sure, or are cut, out of the running. */
static void barred_sink(const Node *node, const Edges *e, float *scores)
{
    int loss = node->turn == NOGO_FIRST ? NOGO_SECOND_WINS : NOGO_FIRST_WINS;
    for (int i = 0; i < node->count; i++) {
        int status = SHARED_LOAD(&e->status[i]);
        if (status == loss || status == NOGO_CUT)
            scores[i] = -INFINITY;
    }
}

static void favoured_raise(const Search *search, const Node *node, const Edges *e, float *scores)
{
    if (!bits_meet(search->game->favoured, node->moves))
        return;
    for (int i = 0; i < node->count; i++)
        if (bits_has(search->game->favoured, e->moves[i]))
            scores[i] *= (float)search->options.favour;
}

/* One of the unvisited edges with the same score as the best, at random: what comes first must not be favoured. */
static int tie_break(const EdgeStatistics *s, const float *scores, int best, Rng *rng)
{
    int ties = 0, found[NOGO_MAX_MOVES];
    for (int i = best; i < s->count; i++)
        if (!s->visits[i] && scores[i] == scores[best])
            found[ties++] = i;
    return ties > 1 ? found[rng_below(rng, (uint32_t)ties)] : best;
}

/* At random, with weight exp(k * score). */
static int softly(const float *scores, int count, int best, double k, Rng *rng)
{
    double weights[NOGO_MAX_MOVES], total = 0;
    if (scores[best] == INFINITY || scores[best] == -INFINITY)
        return best;
    for (int i = 0; i < count; i++) {
        double below = k * (scores[i] - scores[best]);
        weights[i] = scores[i] == -INFINITY || below < -700 ? 0 : real_exp(below);
        total += weights[i];
    }
    double at = (double)(rng_next(rng) >> 11) * 0x1p-53 * total;
    for (int i = 0; i < count; i++) {
        if (at < weights[i])
            return i;
        at -= weights[i];
    }
    return best;
}

static int edge_select(const Search *search, Worker *w, Node *node, const Edges *e)
{
    if (node->turn == NOGO_CHANCE)
        return (int)rng_below(&w->rng, node->count);
    if (search->options.fpu < 0) {
        int untried = untried_take(w->tree, node, &w->rng);
        if (untried >= 0)
            return untried;
    }
    EdgeStatistics s = statistics_read(w, node, e, search->options.policy);
    int32_t visits = SHARED_LOAD(e->total);
    search->kernels->score[search->options.policy](&search->constants, &s, real_log((uint64_t)(visits > 0 ? visits : 1)), w->scores);
    if (search->options.favour != 1)
        favoured_raise(search, node, e, w->scores);
    if (SHARED_LOAD(&node->barred))
        barred_sink(node, e, w->scores);
    int best = search->kernels->best(w->scores, node->count);
    if (search->options.descent_k >= 0)
        best = softly(w->scores, node->count, best, search->options.descent_k, &w->rng);
    else if (!s.visits[best])
        best = tie_break(&s, w->scores, best, &w->rng);
    untried_drop(w->tree, node, best);
    return best;
}

/* ==== expansion ==== */

/* Gives an edge its node. Where two threads do so at once, the first one's is used. */
static NodeRef edge_expand(Tree *tree, const Edges *e, int edge, const State *state)
{
    NodeRef made = tree_add(tree, state), none = 0;
    if (!made)
        return 0;
    if (!tree->shared) {
        e->children[edge] = made;
        return made;
    }
    bool first = __atomic_compare_exchange_n(&e->children[edge], &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return first ? made : none;
}

/* ==== descent: selection and expansion ==== */

typedef struct {
    State state;     /* of the leaf */
    int proven;      /* the last edge's result, if known already */
} Leaf;

/* Until its value is known, a playout under way counts as lost: others look elsewhere. */
static void loss_assume(const Tree *tree, const Edges *e, int edge, int playouts)
{
    SHARED_ADD(tree, e->total, playouts);
    SHARED_ADD(tree, &e->visits[edge], playouts);
    mean_refresh(tree, e, edge);
}

static int playouts_a_leaf(const Search *search)
{
    const Options *o = &search->options;
    return o->value == NOGO_VALUE_PLAYOUT && o->leaf != NOGO_LEAF_LEAVES ? o->playouts : 1;
}

/* A node is several cache lines: ask for those that selection reads all at once, not one after another. */
static void node_prefetch(const Tree *tree, NodeRef ref)
{
    const char *at = (const char *)tree_node(tree, ref);
    for (int line = 0; line < (tree->amaf ? 20 : 10); line++)
        __builtin_prefetch(at + 64 * line);
}

static Leaf descend(Search *search, Worker *w)
{
    Tree *tree = w->tree;
    const Options *o = &search->options;
    const GameRules *rules = search->game->rules;
    NodeRef ref = tree->root;
    bool expanded = false;
    Leaf leaf = {.proven = NOGO_OPEN};
    for (w->path.length = 0;;) {
        Node *node = tree_node(tree, ref);
        Edges e = edges_at(w, ref);
        int edge = edge_select(search, w, node, &e);
        int32_t visits = SHARED_LOAD(&e.visits[edge]);
        w->path.steps[w->path.length++] = (Step){ref, edge};
        if (search->virtual_loss)
            loss_assume(tree, &e, edge, playouts_a_leaf(search));
        int proven = o->solver ? SHARED_LOAD(&e.status[edge]) : NOGO_OPEN;
        if (proven != NOGO_OPEN && proven != NOGO_CUT) {
            leaf.proven = proven;
            return leaf;
        }
        ref = edge_child(&e, edge);
        if (ref) {
            node_prefetch(tree, ref);
            continue;
        }
        memcpy(&leaf.state, node_state(node), (size_t)search->game->state_bytes);
        rules->play(search->game, &leaf.state, e.moves[edge]);
        bool stop = leaf.state.outcome != NOGO_UNFINISHED || expanded || o->flat || visits < o->threshold ||
                    w->path.length == NOGO_LINE;
        if (stop)
            return leaf;
        ref = edge_expand(tree, &e, edge, &leaf.state);
        if (!ref || o->expand_all)
            return leaf;
        expanded = true;
    }
}

/* ==== backing up ==== */

/* The first player's sum, as the mover sees it: a reward of v to one is 1 - v to the other. */
static int64_t sum_for(int turn, const LeafValue *leaf)
{
    return turn == NOGO_SECOND ? (int64_t)leaf->playouts * VALUE_ONE - leaf->sum : leaf->sum;
}

static int64_t square_for(int turn, const LeafValue *leaf)
{
    return turn == NOGO_SECOND ? (int64_t)leaf->playouts * VALUE_ONE - 2 * leaf->sum + leaf->square : leaf->square;
}

static int32_t amaf_sum_of(int64_t sum) { return (int32_t)((sum * AMAF_ONE + VALUE_ONE / 2) / VALUE_ONE); }

/* Other threads may add to the same numbers: an addition lost now and then does AMAF no harm, a lock would. */
static void amaf_add_shared(const Node *node, const Edges *e, Bits played, int32_t sum)
{
    for (int i = 0; i < node->count; i++)
        if (bits_has(played, e->moves[i])) {
            SHARED_STORE(&e->amaf_visits[i], SHARED_LOAD(&e->amaf_visits[i]) + 1);
            SHARED_STORE(&e->amaf_sums[i], SHARED_LOAD(&e->amaf_sums[i]) + sum);
        }
}

/* After several playouts: each move as often as it was played in them; those seen in the tree count in all of them. */
static void amaf_add_totals(const Search *search, const Node *node, const Edges *e, Bits seen, const LeafValue *leaf)
{
    int turn = node->turn;
    for (int i = 0; i < node->count; i++) {
        int move = e->moves[i];
        if (bits_has(seen, move))
            continue;
        int32_t games = (int32_t)leaf->amaf->amaf_games[turn][move];
        int32_t first = (int32_t)leaf->amaf->amaf_reward[turn][move] * search->amaf_scale;
        int32_t sum = turn == NOGO_SECOND ? games * AMAF_ONE - first : first;
        SHARED_STORE(&e->amaf_visits[i], SHARED_LOAD(&e->amaf_visits[i]) + games);
        SHARED_STORE(&e->amaf_sums[i], SHARED_LOAD(&e->amaf_sums[i]) + sum);
    }
}

/* seen: the moves made below the node, by player; the playouts' own, unless they are in leaf->amaf. */
static void amaf_back_up(const Search *search, const Tree *tree, const Node *node, const Edges *e, Bits seen, const LeafValue *leaf)
{
    int32_t sum = amaf_sum_of(sum_for(node->turn, leaf));
    if (leaf->amaf)
        amaf_add_totals(search, node, e, seen, leaf);
    if (leaf->playouts > 1) {
        for (int i = 0; i < node->count; i++) {
            if (!bits_has(seen, e->moves[i]))
                continue;
            SHARED_STORE(&e->amaf_visits[i], SHARED_LOAD(&e->amaf_visits[i]) + leaf->playouts);
            SHARED_STORE(&e->amaf_sums[i], SHARED_LOAD(&e->amaf_sums[i]) + sum);
        }
    } else if (tree->shared) {
        amaf_add_shared(node, e, seen, sum);
    } else {
        search->kernels->amaf_add(node->moves, seen, sum, node->count, e->amaf_visits, e->amaf_sums);
    }
}

/* Other threads have written to the same nodes meanwhile: ask for all that is to be changed at once. */
static void path_prefetch(const Tree *tree, const Path *path)
{
    for (int i = 1; i < path->length; i++) {
        Edges e = node_edges(tree, tree_node(tree, path->steps[i].node));
        int edge = path->steps[i].edge;
        __builtin_prefetch(&e.sums[edge], 1);
        __builtin_prefetch(&e.means[edge], 1);
        __builtin_prefetch(&e.visits[edge]);
    }
}

static void back_up(const Search *search, Worker *w, const Path *path, const LeafValue *leaf)
{
    const Tree *tree = w->tree;
    if (tree->shared)
        path_prefetch(tree, path);
    Bits seen[2] = {bits_none(), bits_none()};
    if (leaf->has_played && !leaf->amaf)
        memcpy(seen, leaf->played.by, sizeof seen);
    for (int i = path->length - 1; i >= 0; i--) {
        const Node *node = tree_node(tree, path->steps[i].node);
        Edges e = edges_at(w, path->steps[i].node);
        int edge = path->steps[i].edge, turn = node->turn;
        if (!search->virtual_loss) {
            *e.total += leaf->playouts;
            e.visits[edge] += leaf->playouts;
        }
        SHARED_ADD(tree, &e.sums[edge], sum_for(turn, leaf));
        if (tree->squares)
            SHARED_ADD(tree, &e.squares[edge], square_for(turn, leaf));
        mean_refresh(tree, &e, edge);
        if (tree->amaf && turn != NOGO_CHANCE) {
            seen[turn] = bits_or(seen[turn], bits_of(e.moves[edge]));
            amaf_back_up(search, tree, node, &e, seen[turn], leaf);
        }
    }
}

static void finish(Search *search, Worker *w, const Path *path, const LeafValue *leaf)
{
    back_up(search, w, path, leaf);
    if (search->options.solver && leaf->proven != NOGO_OPEN)
        solver_prove(search, w->tree, path, leaf->proven);
    w->playouts += (unsigned)leaf->playouts;
    w->iterations++;
    w->depth_sum += (unsigned)path->length;
    w->depth = path->length > w->depth ? path->length : w->depth;
}

/* ==== iterations ==== */

/* The value of a leaf that needs no playout, and whether it is one. */
static bool leaf_settle(Search *search, const Leaf *leaf, LeafValue *value)
{
    if (leaf->proven != NOGO_OPEN)
        *value = leaf_known(search, leaf->proven);
    else if (leaf->state.outcome != NOGO_UNFINISHED)
        *value = leaf_outcome(search, leaf->state.outcome);
    else
        return false;
    if (search->virtual_loss && value->playouts != playouts_a_leaf(search)) { /* as many as were assumed lost */
        int n = playouts_a_leaf(search);
        value->sum = value->sum / value->playouts * n;
        value->square = value->square / value->playouts * n;
        value->playouts = n;
    }
    return true;
}

static void iterate(Search *search, Worker *w)
{
    Leaf leaf = descend(search, w);
    LeafValue value;
    if (!leaf_settle(search, &leaf, &value))
        value = search->options.parallel == NOGO_PARALLEL_LEAF ? leaf_value_parallel(search, &leaf.state)
                                                               : leaf_value(search, w, &leaf.state);
    finish(search, w, &w->path, &value);
}

static void states_play(Search *search, Worker *w, int count)
{
    const Game *game = search->game;
    const PlayoutWay *way = &game->kernels->ways[search->options.playout];
    if (way->each && !plugin_plays(search)) {
        way->each(game, w->states, count, rng_next(&w->rng), w->played);
        return;
    }
    for (int i = 0; i < count; i++)
        w->states[i].outcome = (uint8_t)playout_play(search, &w->states[i], &w->rng, &w->played[i]);
}

/* Descends to several leaves, then plays a game from each of them at once. */
static void iterate_leaves(Search *search, Worker *w, int leaves)
{
    int count = 0;
    for (int i = 0; i < leaves; i++) {
        Leaf leaf = descend(search, w);
        LeafValue value;
        if (leaf_settle(search, &leaf, &value)) {
            finish(search, w, &w->path, &value);
            continue;
        }
        Path *path = &w->waiting[count].path;
        path->length = w->path.length;
        memcpy(path->steps, w->path.steps, (size_t)w->path.length * sizeof *path->steps);
        w->states[count++] = leaf.state;
    }
    if (count)
        states_play(search, w, count);
    for (int i = 0; i < count; i++) {
        int outcome = w->states[i].outcome;
        LeafValue value = {.playouts = 1,
                           .sum = search->value_of[outcome],
                           .square = search->square_of[outcome],
                           .played = w->played[i],
                           .has_played = true};
        finish(search, w, &w->waiting[i].path, &value);
    }
}

enum { CLOCK_EVERY = 16 }; /* playouts between looks at the clock: 20 microseconds or so */

void ISA_NAME(worker_run)(Search *search, Worker *w, uint64_t playouts)
{
    uint64_t end = w->playouts + playouts, look = w->playouts + CLOCK_EVERY;
    bool leaves = search->options.leaf == NOGO_LEAF_LEAVES && search->options.value == NOGO_VALUE_PLAYOUT;
    if (w->tree->shared)
        root_view_open(w);
    while (w->playouts < end && SHARED_LOAD(&tree_node(w->tree, w->tree->root)->proven) == NOGO_OPEN) {
        uint64_t left = end - w->playouts, most = (uint64_t)search->options.playouts;
        if (leaves)
            iterate_leaves(search, w, (int)(left < most ? left : most));
        else
            iterate(search, w);
        if (search->deadline > 0 && w->playouts >= look) {
            if (search_clock() >= search->deadline)
                break;
            look = w->playouts + CLOCK_EVERY;
        }
    }
    if (w->tree->shared)
        root_view_close(w);
}
