/* Progressive pruning of the root's moves. The best move is never cut, so one is always left. */
#include <math.h>

#include "search.h"

/* A source report's rule on Othello: out goes what has not had more than an equal share of the visits. */
static bool visits_cut(const Edges *e, int edge, uint64_t playouts, int open)
{
    return (uint64_t)e->visits[edge] * (unsigned)open <= playouts;
}

static double sigma_of(const Edges *e, int edge)
{
    double n = e->visits[edge], mean = e->means[edge];
    double variance = (double)e->squares[edge] / (VALUE_ONE * n) - mean * mean;
    return variance > 0 ? sqrt(variance / n) : 0;
}

/* Bouzy's rule: out goes what lies below the best by more than both deviations together, once enough is known. */
static bool statistics_cut(const Options *o, const Edges *e, int edge, int best)
{
    if (e->visits[edge] < o->prune_samples || e->visits[best] < o->prune_samples)
        return false;
    double sigma = sigma_of(e, edge), best_sigma = sigma_of(e, best);
    if (sigma > o->prune_sigma || best_sigma > o->prune_sigma)
        return false;
    return e->means[edge] + o->prune_rd * sigma < e->means[best] - o->prune_rd * best_sigma;
}

static int best_open(const Node *node, const Edges *e, int *open)
{
    int best = -1;
    *open = 0;
    for (int i = 0; i < node->count; i++) {
        if (e->status[i] == NOGO_CUT)
            continue;
        ++*open;
        if (best < 0 || (e->visits[i] && e->means[i] > e->means[best]))
            best = i;
    }
    return best;
}

void prune_root(const Search *search, Tree *tree, uint64_t playouts)
{
    const Options *o = &search->options;
    Node *node = tree_node(tree, tree->root);
    Edges e = node_edges(tree, node);
    int open, best = best_open(node, &e, &open);
    for (int i = 0; i < node->count; i++) {
        if (i == best || e.status[i] != NOGO_OPEN)
            continue;
        bool cut = o->prune == NOGO_PRUNE_VISITS ? visits_cut(&e, i, playouts, open) : statistics_cut(o, &e, i, best);
        if (!cut)
            continue;
        e.status[i] = NOGO_CUT;
        node->untried[i / 64] &= ~(UINT64_C(1) << i % 64);
        node->barred = 1;
    }
}
