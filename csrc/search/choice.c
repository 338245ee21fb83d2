/* The root's statistics over all trees, the move they speak for, and the line of play they expect. */
#include <math.h>
#include <string.h>

#include "real.h"
#include "search.h"

typedef nogo_search_report Report;

static void tree_sum(const Tree *tree, Report *r, int64_t *sums, int64_t *squares)
{
    const Node *node = tree_node(tree, tree->root);
    Edges e = node_edges(tree, node);
    for (int i = 0; i < node->count; i++) {
        r->visits[i] += e.visits[i];
        sums[i] += e.sums[i];
        squares[i] += e.squares[i];
        if (tree->amaf) {
            r->amaf_visits[i] += e.amaf_visits[i];
            r->amaf_means[i] += e.amaf_sums[i];
        }
        if (e.status[i] > r->proven[i] || r->proven[i] == NOGO_CUT)
            r->proven[i] = e.status[i];
    }
    if (node->proven != NOGO_OPEN)
        r->root_proven = node->proven;
}

void root_sum(const Search *search, Report *r)
{
    int64_t sums[NOGO_MAX_MOVES] = {0}, squares[NOGO_MAX_MOVES] = {0};
    memset(r, 0, sizeof *r);
    const Node *root = tree_node(&search->trees[0], search->trees[0].root);
    r->count = root->count;
    memcpy(r->moves, node_edges(&search->trees[0], root).moves, (size_t)r->count);
    for (int i = 0; i < search->tree_count; i++)
        tree_sum(&search->trees[i], r, sums, squares);
    for (int i = 0; i < r->count; i++) {
        double n = (double)r->visits[i], mean = n > 0 ? (double)sums[i] / (VALUE_ONE * n) : 0;
        double variance = n > 0 ? (double)squares[i] / (VALUE_ONE * n) - mean * mean : 0;
        r->means[i] = mean;
        r->variances[i] = variance > 0 ? variance : 0;
        r->amaf_means[i] = r->amaf_visits[i] ? r->amaf_means[i] / ((double)AMAF_ONE * (double)r->amaf_visits[i]) : 0;
    }
}

/* ---- the move ---- */

static double worth(const Options *o, const Report *r, int i)
{
    double n = (double)r->visits[i];
    switch (o->choice) {
    case NOGO_CHOICE_VISITS:
        return n;
    case NOGO_CHOICE_LOWER_BOUND:
        return n > 0 ? r->means[i] - o->choice_z * sqrt((r->variances[i] + 1 / n) / n) : -INFINITY;
    default:
        return n > 0 ? r->means[i] : -INFINITY;
    }
}

/* A proven win is the best there is, a proven loss the worst; a cut move is none at all. */
static int rank(const Search *search, const Report *r, int i)
{
    int win = search->root.turn == NOGO_FIRST ? NOGO_FIRST_WINS : NOGO_SECOND_WINS;
    int status = r->proven[i];
    return status == NOGO_CUT ? 0 : status == win ? 3 : status == NOGO_OPEN || status == NOGO_DRAWN ? 2 : 1;
}

/* Among moves of equal rank and worth: more visits, then the higher mean, then the first. */
static bool better(const Search *search, const Report *r, int i, int j)
{
    const Options *o = &search->options;
    int ranks = rank(search, r, i) - rank(search, r, j);
    double worths = worth(o, r, i) - worth(o, r, j), visits = (double)(r->visits[i] - r->visits[j]);
    if (ranks)
        return ranks > 0;
    if (worths > 0 || worths < 0)
        return worths > 0;
    return visits > 0 || (!(visits < 0) && r->means[i] > r->means[j]);
}

static int best_of(const Search *search, const Report *r)
{
    int best = 0;
    for (int i = 1; i < r->count; i++)
        if (better(search, r, i, best))
            best = i;
    return best;
}

static int temperature_choice(Search *search, const Report *r, int best)
{
    double weights[NOGO_MAX_MOVES], total = 0;
    if (rank(search, r, best) == 3)
        return best;
    for (int i = 0; i < r->count; i++) {
        double below = search->options.choice_k * (r->means[i] - r->means[best]);
        bool out = !r->visits[i] || rank(search, r, i) != rank(search, r, best) || below < -700;
        weights[i] = out ? 0 : real_exp(below > 700 ? 700 : below);
        total += weights[i];
    }
    double at = (double)(rng_next(&search->workers[0].rng) >> 11) * 0x1p-53 * total;
    for (int i = 0; i < r->count; i++) {
        if (at < weights[i])
            return i;
        at -= weights[i];
    }
    return best;
}

static int vote_winner(const Search *search, Report *r)
{
    int best = 0;
    for (int i = 0; i < search->tree_count; i++) {
        Search one = *search;
        Report own;
        one.trees = &search->trees[i];
        one.tree_count = 1;
        root_sum(&one, &own);
        r->votes[best_of(&one, &own)]++;
    }
    for (int i = 1; i < r->count; i++)
        if (r->votes[i] > r->votes[best] || (r->votes[i] == r->votes[best] && better(search, r, i, best)))
            best = i;
    return best;
}

/* The index of the chosen move. */
int choice_make(Search *search, Report *r)
{
    int best = best_of(search, r);
    if (search->options.parallel == NOGO_PARALLEL_ROOT) {
        int voted = vote_winner(search, r);
        best = search->options.vote ? voted : best;
    }
    return search->options.choice == NOGO_CHOICE_TEMPERATURE ? temperature_choice(search, r, best) : best;
}

/* ---- the line ---- */

static int most_visited(const Edges *e, int count)
{
    int most = 0;
    for (int i = 1; i < count; i++)
        if (e->visits[i] > e->visits[most])
            most = i;
    return most;
}

/* The chosen move, then the most visited ones; after a throw of the die nothing is expected. */
void line_find(const Search *search, Report *r)
{
    const Tree *tree = &search->trees[0];
    NodeRef ref = tree->root;
    int edge = 0;
    while (r->moves[edge] != r->move)
        edge++;
    for (r->line_length = 0; r->line_length < NOGO_LINE;) {
        const Node *node = tree_node(tree, ref);
        Edges e = node_edges(tree, node);
        r->line[r->line_length++] = e.moves[edge];
        ref = e.children[edge];
        if (!ref || tree_node(tree, ref)->turn == NOGO_CHANCE)
            return;
        e = node_edges(tree, tree_node(tree, ref));
        edge = most_visited(&e, tree_node(tree, ref)->count);
        if (!e.visits[edge])
            return;
    }
}
