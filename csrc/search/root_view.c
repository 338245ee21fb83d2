/* A thread's own view of the root of a shared tree. Every playout passes through the root: were its numbers written by
 * all threads, their cache lines would travel between the cores all the time. So a thread works on a copy for a few
 * playouts, then adds to the tree what it has changed. */
#include "search.h"

void root_view_open(Worker *w)
{
    const Tree *tree = w->tree;
    const Node *root = tree_node(tree, tree->root);
    Edges e = node_edges(tree, root);
    EdgeNumbers *now = &w->root_now;
    now->total = SHARED_LOAD(e.total);
    for (int i = 0; i < root->count; i++) {
        now->visits[i] = SHARED_LOAD(&e.visits[i]);
        now->sums[i] = SHARED_LOAD(&e.sums[i]);
        __atomic_load(&e.means[i], &now->means[i], __ATOMIC_RELAXED);
    }
    for (int i = 0; i < root->count && tree->squares; i++)
        now->squares[i] = SHARED_LOAD(&e.squares[i]);
    for (int i = 0; i < root->count && tree->amaf; i++) {
        now->amaf_visits[i] = SHARED_LOAD(&e.amaf_visits[i]);
        now->amaf_sums[i] = SHARED_LOAD(&e.amaf_sums[i]);
    }
    w->root_before = *now;
}

void root_view_edges(Worker *w, Edges *e)
{
    EdgeNumbers *now = &w->root_now;
    e->total = &now->total;
    e->visits = now->visits;
    e->means = now->means;
    e->sums = now->sums;
    e->squares = w->tree->squares ? now->squares : now->sums;
    e->amaf_visits = now->amaf_visits;
    e->amaf_sums = now->amaf_sums;
}

static void edge_merge(const Tree *tree, const Edges *e, int edge, const EdgeNumbers *now, const EdgeNumbers *before)
{
    SHARED_ADD(tree, &e->visits[edge], now->visits[edge] - before->visits[edge]);
    SHARED_ADD(tree, &e->sums[edge], now->sums[edge] - before->sums[edge]);
    if (tree->squares)
        SHARED_ADD(tree, &e->squares[edge], now->squares[edge] - before->squares[edge]);
    mean_refresh(tree, e, edge);
}

void root_view_close(Worker *w)
{
    const Tree *tree = w->tree;
    Node *root = tree_node(tree, tree->root);
    Edges e = node_edges(tree, root);
    const EdgeNumbers *now = &w->root_now, *before = &w->root_before;
    SHARED_ADD(tree, e.total, now->total - before->total);
    for (int i = 0; i < root->count; i++)
        if (now->visits[i] != before->visits[i] || now->sums[i] != before->sums[i])
            edge_merge(tree, &e, i, now, before);
    for (int i = 0; i < root->count && tree->amaf; i++) {
        SHARED_ADD(tree, &e.amaf_visits[i], now->amaf_visits[i] - before->amaf_visits[i]);
        SHARED_ADD(tree, &e.amaf_sums[i], now->amaf_sums[i] - before->amaf_sums[i]);
    }
}
