/* The tree: nodes of different sizes, laid one after another in an arena that is allocated once. A node holds its
 * position and, for each of its moves (its edges, in ascending order of the moves), the statistics of the playouts
 * through it, from the side of the player to move. A child lies always after its parent.
 *
 * Several threads may share a tree: then every number that changes is read and written atomically. */
#ifndef NOGO_SEARCH_TREE_H
#define NOGO_SEARCH_TREE_H

#include "../games/game.h"
#include "policy.h"

typedef uint32_t NodeRef; /* where a node lies, in words from the arena's beginning; 0 is none */

typedef struct {
    Bits moves;          /* the edges' moves, as a set */
    uint64_t untried[2]; /* edges not descended yet, as a set */
    int32_t visits;      /* playouts through the node */
    NodeRef moved_to;    /* while the tree is moved together: where the node goes */
    uint8_t turn;        /* NOGO_CHANCE where a die is thrown */
    uint8_t count;       /* of edges */
    uint8_t proven;      /* nogo_proven */
    uint8_t barred;      /* some edge is not to be descended: known to lose, or cut */
} Node;

/* Where a node's numbers are. */
typedef struct {
    int32_t *total;   /* playouts through the node */
    int64_t *sums;    /* of the mover's rewards, in VALUE_ONE */
    int64_t *squares;
    int32_t *visits;
    float *means;     /* of sums over visits, kept ready for the selection rule */
    NodeRef *children;
    int32_t *amaf_visits, *amaf_sums; /* null without RAVE */
    uint8_t *moves;
    uint8_t *status;  /* nogo_proven */
} Edges;

typedef struct {
    const Game *game;
    uint64_t *words;     /* the arena */
    uint64_t capacity;   /* in words */
    NodeRef root;
    int state_words;
    bool amaf;
    bool squares;        /* some rewards are neither 0 nor 1 */
    bool shared;         /* by several threads at once */
    bool full;           /* a node found no room */
    _Alignas(64) uint64_t used; /* in words; on a cache line apart, as every thread writes it and reads the rest */
    uint64_t nodes;
} Tree;

/* Which statistics a tree keeps, and for whom. */
typedef struct {
    bool amaf, squares, shared;
} TreeKind;

/* Allocates the arena; on failure the tree is empty. */
nogo_status tree_make(Tree *tree, const Game *game, uint64_t bytes, TreeKind kind);
void tree_release(Tree *tree);

/* Makes the state the root of an otherwise empty tree. */
void tree_plant(Tree *tree, const State *state);
/* Makes the state, found at most so many moves below the root, the root, and drops all that is not below it; false
 * where it is not found. */
bool tree_move_root(Tree *tree, const State *state, int within);
/* Adds a node for an unfinished state; 0 where the arena is full. */
NodeRef tree_add(Tree *tree, const State *state);

static inline Node *tree_node(const Tree *tree, NodeRef ref) { return (Node *)(void *)(tree->words + ref); }

enum { NODE_WORDS = sizeof(Node) / 8 };
_Static_assert(sizeof(Node) % 8 == 0, "nodes are made of words");

static inline State *node_state(const Node *node) { return (State *)(void *)((uint64_t *)(void *)node + NODE_WORDS); }

static inline Edges node_edges(const Tree *tree, const Node *node)
{
    Edges e;
    e.total = (int32_t *)(void *)&node->visits;
    int count = node->count, halves = (tree->amaf ? 5 : 3) * count;
    uint64_t *first = (uint64_t *)(void *)node + NODE_WORDS + tree->state_words;
    e.visits = (int32_t *)(void *)first; /* what selection reads lies together */
    e.means = (float *)(void *)(e.visits + count);
    e.amaf_visits = tree->amaf ? e.visits + 2 * count : NULL;
    e.amaf_sums = tree->amaf ? e.visits + 3 * count : NULL;
    e.children = (NodeRef *)(void *)(e.visits + halves - count);
    e.sums = (int64_t *)(void *)(first + (halves + 1) / 2);
    e.squares = tree->squares ? e.sums + count : e.sums; /* of nothing but ones, the sum is also that of the squares */
    e.moves = (uint8_t *)(e.squares + count);
    e.status = e.moves + count;
    return e;
}

/* ---- numbers that other threads may be changing ---- */
#define SHARED_LOAD(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define SHARED_STORE(p, value) __atomic_store_n((p), (value), __ATOMIC_RELAXED)
#define SHARED_ADD(tree, p, value) \
    ((tree)->shared ? (void)__atomic_fetch_add((p), (value), __ATOMIC_RELAXED) : (void)(*(p) += (value)))

static inline void mean_refresh(const Tree *tree, const Edges *e, int edge)
{
    int64_t sum = SHARED_LOAD(&e->sums[edge]);
    float mean = (float)((double)sum / ((double)VALUE_ONE * SHARED_LOAD(&e->visits[edge])));
    if (tree->shared)
        __atomic_store(&e->means[edge], &mean, __ATOMIC_RELAXED);
    else
        e->means[edge] = mean;
}

static inline NodeRef edge_child(const Edges *e, int edge) { return __atomic_load_n(&e->children[edge], __ATOMIC_ACQUIRE); }

#endif
