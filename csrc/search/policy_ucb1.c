/* UCB1 (Auer, Cesa-Bianchi, Fischer 2002): mean + c sqrt(ln N / n). */
#include <math.h>

#include "policy.h"

void ISA_NAME(policy_ucb1)(const PolicyConstants *p, const EdgeStatistics *e, float log_visits, float *restrict scores)
{
    const int32_t *restrict visits = e->visits;
    const float *restrict means = e->means;
    float c = p->c, fpu = p->fpu;
    for (int i = 0; i < e->count; i++) {
        float n = (float)visits[i];
        float score = means[i] + c * sqrtf(log_visits / n);
        scores[i] = visits[i] ? score : fpu;
    }
}
