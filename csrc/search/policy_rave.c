/* RAVE (Gelly and Silver 2011): a move's mean is mixed with its AMAF mean, whose weight beta falls with the move's visits
 * n. Two schedules for beta, and the form of HaHaNoGo. A move without any statistics counts as one half. */
#include <math.h>

#include "policy.h"

typedef struct {
    float visits, mean;
} Amaf;

ALWAYS_INLINE Amaf amaf_of(const PolicyConstants *p, const int32_t *visits, const int32_t *sums, int i)
{
    float m = (float)visits[i] + p->prior, sum = (float)sums[i] * (1.0f / AMAF_ONE) + 0.5f * p->prior;
    return (Amaf){m, m > 0 ? sum / m : 0.5f};
}

/* beta = m / (n + m + 4 b^2 n m), exploration c sqrt(ln N / (n + 1)). */
void ISA_NAME(policy_rave_mse)(const PolicyConstants *p, const EdgeStatistics *e, float log_visits, float *restrict scores)
{
    const int32_t *restrict visits = e->visits, *restrict amaf_visits = e->amaf_visits, *restrict amaf_sums = e->amaf_sums;
    const float *restrict means = e->means;
    for (int i = 0; i < e->count; i++) {
        Amaf amaf = amaf_of(p, amaf_visits, amaf_sums, i);
        float n = (float)visits[i], m = amaf.visits, weight = n + m + p->bias * n * m;
        float beta = weight > 0 ? m / weight : 1.0f;
        scores[i] = (1 - beta) * means[i] + beta * amaf.mean + p->c * sqrtf(log_visits / (n + 1));
    }
}

/* beta = sqrt(k / (3 n + k)). */
void ISA_NAME(policy_rave_hand)(const PolicyConstants *p, const EdgeStatistics *e, float log_visits, float *restrict scores)
{
    const int32_t *restrict visits = e->visits, *restrict amaf_visits = e->amaf_visits, *restrict amaf_sums = e->amaf_sums;
    const float *restrict means = e->means;
    for (int i = 0; i < e->count; i++) {
        Amaf amaf = amaf_of(p, amaf_visits, amaf_sums, i);
        float n = (float)visits[i], schedule = sqrtf(p->k / (3 * n + p->k));
        float beta = visits[i] == 0 ? 1.0f : amaf.visits > 0 ? schedule : 0.0f;
        scores[i] = (1 - beta) * means[i] + beta * amaf.mean + p->c * sqrtf(log_visits / (n + 1));
    }
}

/* (r m + q n + c sqrt(ln N * n)) / (n + m). */
void ISA_NAME(policy_rave_haha)(const PolicyConstants *p, const EdgeStatistics *e, float log_visits, float *restrict scores)
{
    const int32_t *restrict visits = e->visits, *restrict amaf_visits = e->amaf_visits, *restrict amaf_sums = e->amaf_sums;
    const float *restrict means = e->means;
    for (int i = 0; i < e->count; i++) {
        Amaf amaf = amaf_of(p, amaf_visits, amaf_sums, i);
        float n = (float)visits[i], weight = n + amaf.visits;
        float mixed = (amaf.mean * amaf.visits + means[i] * n + p->c * sqrtf(log_visits * n)) / weight;
        scores[i] = weight > 0 ? mixed : 0.5f;
    }
}
