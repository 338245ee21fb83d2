/* The inner loops of a search that are not a selection rule, and the table of all of them for one instruction set. */
#include "search.h"

#include <string.h>

/* Floats that are not negative are ordered as their bits are, and -infinity is below them: whole numbers make vectors. */
static int best_find(const float *scores, int count)
{
    int32_t bits[NOGO_MAX_MOVES], most = INT32_MIN;
    memcpy(bits, scores, (size_t)count * sizeof *bits);
    for (int i = 0; i < count; i++)
        most = bits[i] > most ? bits[i] : most;
    int best = 0;
    while (bits[best] != most)
        best++;
    return best;
}

/* The members of a set that are also in another, numbered by their order in the latter. */
static Bits bits_compress(Bits set, Bits within)
{
#ifdef __BMI2__
    uint64_t low = _pext_u64(set.lo, within.lo), high = _pext_u64(set.hi, within.hi);
    int shift = __builtin_popcountll(within.lo);
    return shift == 64 ? (Bits){low, high} : (Bits){low | high << shift, shift ? high >> (64 - shift) : 0};
#else
    Bits compressed = bits_none();
    for (int i = 0; bits_any(within); i++)
        if (bits_has(set, bits_pop(&within)))
            compressed = bits_or(compressed, bits_of(i));
    return compressed;
#endif
}

static void amaf_add_word(uint32_t which, int32_t sum, int count, int32_t *restrict visits, int32_t *restrict sums)
{
    for (int i = 0; i < count; i++) {
        int32_t one = (int32_t)(which >> i & 1);
        visits[i] += one;
        sums[i] += -one & sum;
    }
}

static void amaf_add(Bits moves, Bits played, int32_t sum, int count, int32_t *visits, int32_t *sums)
{
    Bits which = bits_compress(played, moves);
    uint32_t words[4] = {(uint32_t)which.lo, (uint32_t)(which.lo >> 32), (uint32_t)which.hi, (uint32_t)(which.hi >> 32)};
    for (int base = 0; base < count; base += 32)
        amaf_add_word(words[base / 32], sum, count - base < 32 ? count - base : 32, visits + base, sums + base);
}

const SearchKernels ISA_NAME(search_kernels) = {
    .score =
        {
            [NOGO_UCB1] = ISA_NAME(policy_ucb1),
            [NOGO_TUNED] = ISA_NAME(policy_tuned),
            [NOGO_RAVE_MSE] = ISA_NAME(policy_rave_mse),
            [NOGO_RAVE_HAND] = ISA_NAME(policy_rave_hand),
            [NOGO_RAVE_HAHA] = ISA_NAME(policy_rave_haha),
        },
    .best = best_find,
    .amaf_add = amaf_add,
    .run = ISA_NAME(worker_run),
};
