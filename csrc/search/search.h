/* A search: its options, its trees, and the workers that descend them. */
#ifndef NOGO_SEARCH_SEARCH_H
#define NOGO_SEARCH_SEARCH_H

#include "tree.h"

typedef nogo_search Search;
typedef nogo_search_options Options;

/* The playouts of a leaf. Sums are the first player's, in VALUE_ONE. */
typedef struct {
    int32_t playouts;
    int64_t sum, square;
    uint8_t proven;      /* nogo_proven, where the result is known for sure */
    Played played;       /* of a single playout */
    bool has_played;
    const Totals *amaf;  /* of several, or null */
} LeafValue;

typedef struct {
    NodeRef node;
    int edge;
} Step;

typedef struct {
    int length;
    Step steps[NOGO_LINE];
} Path;

/* A leaf that waits for others, so that all are played at once. */
typedef struct {
    Path path;
    State state;
} Waiting;

/* The numbers of a node, in memory of a thread's own. */
typedef struct {
    int32_t total;
    int32_t visits[NOGO_MAX_MOVES], amaf_visits[NOGO_MAX_MOVES], amaf_sums[NOGO_MAX_MOVES];
    int64_t sums[NOGO_MAX_MOVES], squares[NOGO_MAX_MOVES];
    float means[NOGO_MAX_MOVES];
} EdgeNumbers;

/* One thread's part of a search. */
struct Worker {
    _Alignas(64) Tree *tree;
    Rng rng;
    Path path;
    uint64_t playouts, iterations, depth_sum;
    int depth;
    float scores[NOGO_MAX_MOVES];
    EdgeNumbers seen;                  /* of a shared node, as selection reads them */
    EdgeNumbers root_now, root_before; /* of a shared root: its own, and as they were in the tree */
    Totals totals;       /* of a leaf's lanes */
    Waiting *waiting;    /* NOGO_LEAF_LEAVES: as many as options.playouts */
    State *states;       /* theirs, one after another */
    Played *played;
};

struct nogo_search {
    uint32_t magic;      /* SEARCH_MAGIC */
    const Game *game;
    Options options;
    const SearchKernels *kernels;
    PolicyConstants constants;
    int64_t value_of[NOGO_MAX_OUTCOMES]; /* the first player's reward for an outcome, in VALUE_ONE */
    int64_t square_of[NOGO_MAX_OUTCOMES];
    int32_t amaf_scale;  /* from the units of a game's AMAF rewards to AMAF_ONE */
    bool virtual_loss;   /* visits are added on the way down */
    int tree_count, worker_count;
    Tree *trees;
    Worker *workers;
    State root;          /* the position searched */
    nogo_search_budget budget;
    uint64_t limit;      /* playouts to make, extensions included */
    double began, deadline, span; /* in seconds of the monotonic clock; span is the budget's */
    double spent;        /* when it stopped */
    uint64_t kept, next_prune;
    int extensions, unstable, closed, behind;
    int stopped;         /* nogo_stopped */
    int move;            /* the choice, once stopped; -1 before */
    bool plugin_failed;  /* it has returned what cannot be: what the trees hold is worth nothing */
    _Alignas(64) int64_t round_left; /* one tree, several workers: playouts of the round not taken yet */
};

#define SEARCH_MAGIC 0x53656172u

double search_clock(void);

/* root_view.c: a thread's own copy of a shared root's numbers, from its opening to its closing. */
void root_view_open(Worker *worker);
void root_view_edges(Worker *worker, Edges *root);
void root_view_close(Worker *worker); /* adds the changes to the tree */

/* leaf.c: what a leaf is worth. */
static inline bool plugin_plays(const Search *search) { return search->options.plugin && search->options.plugin->playout; }
int playout_play(Search *search, State *state, Rng *rng, Played *played); /* to the end; its outcome */
LeafValue leaf_value(Search *search, Worker *worker, const State *state);
LeafValue leaf_known(const Search *search, int proven);
LeafValue leaf_outcome(const Search *search, int outcome);
/* parallel search of one leaf: the same playouts on each of the workers, added up in the first one's. */
LeafValue leaf_value_parallel(Search *search, const State *state);

/* solver.c: marks the last step of the path as proven, and what follows from it above. */
void solver_prove(const Search *search, Tree *tree, const Path *path, int proven);
int outcome_proven(const Game *game, int outcome);

/* prune.c: takes hopeless moves out at the root. */
void prune_root(const Search *search, Tree *tree, uint64_t iterations);

/* timing.c: whether to stop, or to search on at the end of the budget. */
void timing_begin(Search *search);
void timing_check(Search *search);
bool timing_over(const Search *search);
uint64_t timing_playouts(const Search *search); /* made so far */

/* choice.c: statistics of the root over all trees, and the move they speak for. */
void root_sum(const Search *search, nogo_search_report *report);
int choice_make(Search *search, nogo_search_report *report);
void line_find(const Search *search, nogo_search_report *report);

#ifdef NOGO_ISA
/* descent.c: the four steps. Makes about so many playouts, or fewer at the deadline. */
void ISA_JOIN(worker_run, NOGO_ISA)(Search *search, Worker *worker, uint64_t playouts);
#endif

#endif
