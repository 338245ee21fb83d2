/* Sets of up to 128 members, as two words. */
#ifndef NOGO_BITS_H
#define NOGO_BITS_H

#include "core.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef nogo_bits Bits;

static inline Bits bits_none(void) { return (Bits){0, 0}; }
static inline Bits bits_of(int i) { return i < 64 ? (Bits){UINT64_C(1) << i, 0} : (Bits){0, UINT64_C(1) << (i - 64)}; }
static inline Bits bits_and(Bits a, Bits b) { return (Bits){a.lo & b.lo, a.hi & b.hi}; }
static inline Bits bits_or(Bits a, Bits b) { return (Bits){a.lo | b.lo, a.hi | b.hi}; }
static inline Bits bits_minus(Bits a, Bits b) { return (Bits){a.lo & ~b.lo, a.hi & ~b.hi}; }
static inline bool bits_any(Bits a) { return (a.lo | a.hi) != 0; }
static inline bool bits_equal(Bits a, Bits b) { return a.lo == b.lo && a.hi == b.hi; }
static inline bool bits_has(Bits a, int i) { return ((i < 64 ? a.lo >> i : a.hi >> (i - 64)) & 1) != 0; }
static inline bool bits_meet(Bits a, Bits b) { return bits_any(bits_and(a, b)); }
static inline int bits_count(Bits a) { return __builtin_popcountll(a.lo) + __builtin_popcountll(a.hi); }

/* The least member; the set is not empty. */
static inline int bits_first(Bits a) { return a.lo ? __builtin_ctzll(a.lo) : 64 + __builtin_ctzll(a.hi); }

static inline int bits_pop(Bits *a)
{
    int i = bits_first(*a);
    if (a->lo)
        a->lo &= a->lo - 1;
    else
        a->hi &= a->hi - 1;
    return i;
}

/* The bit of the k-th member of a word, from 0; there are more than k. */
static inline uint64_t word_select(uint64_t word, unsigned k)
{
#ifdef __BMI2__
    return _pdep_u64(UINT64_C(1) << k, word);
#else
    while (k--)
        word &= word - 1;
    return word & -word;
#endif
}

#endif
