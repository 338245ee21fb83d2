/* UCB1-Tuned (Auer, Cesa-Bianchi, Fischer 2002), with the constants of the source report on EinStein made free:
 * mean + c sqrt(ln N / n * min(variance + c1 sqrt(ln N / n), c2)). The paper has c = 1, c1 = sqrt 2, c2 = 1/4, the largest
 * variance that a reward between 0 and 1 can have. */
#include <math.h>

#include "policy.h"

void ISA_NAME(policy_tuned)(const PolicyConstants *p, const EdgeStatistics *e, float log_visits, float *restrict scores)
{
    for (int i = 0; i < e->count; i++) {
        float n = (float)e->visits[i], mean = e->means[i], rate = log_visits / n;
        float variance = (float)e->squares[i] / ((float)VALUE_ONE * n) - mean * mean;
        variance = variance > 0 ? variance : 0; /* rounding may leave it a little below */
        float bound = variance + p->c1 * sqrtf(rate);
        bound = bound < p->c2 ? bound : p->c2;
        scores[i] = e->visits[i] ? mean + p->c * sqrtf(rate * bound) : p->fpu;
    }
}
