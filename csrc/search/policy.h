/* What a selection rule is: a function from the statistics of a node's moves to a score each; the highest is descended.
 * One file a rule, compiled for each instruction set: plain loops over arrays, whose every operation is exact in IEEE
 * arithmetic, so the scores are equal to the last bit on all of them. */
#ifndef NOGO_SEARCH_POLICY_H
#define NOGO_SEARCH_POLICY_H

#include "../bits.h"
#include "../core.h"
#include "../isa.h"

/* A playout's value in the AMAF sums: whole for wins, draws and tenths. */
enum { AMAF_ONE = 20 };

/* A reward of 1 in the sums of values: halves, tenths and their squares are whole. */
#define VALUE_ONE 10000000

/* The statistics of a node's moves, from the side of its mover; amaf arrays are null without RAVE. */
typedef struct {
    int count;
    const int32_t *visits;
    const float *means;
    const int64_t *squares;           /* sums of squared values, in VALUE_ONE */
    const int32_t *amaf_visits, *amaf_sums;
} EdgeStatistics;

typedef struct {
    float c, c1, c2;
    float bias;                       /* 4 b^2 */
    float k;
    float prior;                      /* AMAF visits to begin with */
    float fpu;                        /* score of an unvisited move; infinity where such come first */
} PolicyConstants;

/* log_visits is the logarithm of the playouts through the node. Scores are not negative, nor NaN. */
typedef void (*PolicyScore)(const PolicyConstants *p, const EdgeStatistics *e, float log_visits, float *scores);

typedef struct Worker Worker;

typedef struct {
    PolicyScore score[NOGO_POLICIES];
    /* The index of the highest score, the first of equals; scores are not NaN, and not negative but for -infinity. */
    int (*best)(const float *scores, int count);
    /* Adds to the AMAF statistics of the moves of the node that are among those played. */
    void (*amaf_add)(Bits moves, Bits played, int32_t sum, int count, int32_t *amaf_visits, int32_t *amaf_sums);
    /* Makes about so many playouts, or fewer at the deadline. */
    void (*run)(nogo_search *search, Worker *worker, uint64_t playouts);
} SearchKernels;

#define SEARCH_DECLARE_KERNELS(isa) extern const SearchKernels search_kernels_##isa;
ISA_ALL(SEARCH_DECLARE_KERNELS)

#ifdef NOGO_ISA
/* What the rules' files give to their instruction set's table. */
void ISA_JOIN(policy_ucb1, NOGO_ISA)(const PolicyConstants *, const EdgeStatistics *, float, float *);
void ISA_JOIN(policy_tuned, NOGO_ISA)(const PolicyConstants *, const EdgeStatistics *, float, float *);
void ISA_JOIN(policy_rave_mse, NOGO_ISA)(const PolicyConstants *, const EdgeStatistics *, float, float *);
void ISA_JOIN(policy_rave_hand, NOGO_ISA)(const PolicyConstants *, const EdgeStatistics *, float, float *);
void ISA_JOIN(policy_rave_haha, NOGO_ISA)(const PolicyConstants *, const EdgeStatistics *, float, float *);
#endif

#endif
