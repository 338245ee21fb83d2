/* Randomness, always passed in: Chris Doty-Humphrey's sfc64 (256-bit state, every output bit equally good),
 * seeded through splitmix64. A stream is named by (seed, number), so that games can be dealt to lanes, threads
 * and jobs in any way and still be the same games. */
#ifndef NOGO_RNG_H
#define NOGO_RNG_H

#include "core.h"

#define RNG_GOLDEN 0x9e3779b97f4a7c15u /* 2^64 over the golden ratio: splitmix64's step */

typedef nogo_rng Rng;

static inline uint64_t rng_mix(uint64_t z) /* splitmix64's output function */
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline Rng rng_stream(uint64_t seed, uint64_t number)
{
    uint64_t base = rng_mix(seed + RNG_GOLDEN) + 3 * number * RNG_GOLDEN;
    return (Rng){rng_mix(base + RNG_GOLDEN), rng_mix(base + 2 * RNG_GOLDEN), rng_mix(base + 3 * RNG_GOLDEN), 1};
}

static inline uint64_t rng_next(Rng *rng)
{
    uint64_t out = rng->a + rng->b + rng->counter++;
    rng->a = rng->b ^ (rng->b >> 11);
    rng->b = rng->c + (rng->c << 3);
    rng->c = ((rng->c << 24) | (rng->c >> 40)) + out;
    return out;
}

/* Exactly uniform in [0, n), 0 < n (Lemire 2019: of the 2^32 draws, the 2^32 mod n too many are drawn again). */
static inline uint32_t rng_below(Rng *rng, uint32_t n)
{
    uint64_t product = (rng_next(rng) >> 32) * n;
    if (UNLIKELY((uint32_t)product < n))
        while ((uint32_t)product < -n % n)
            product = (rng_next(rng) >> 32) * n;
    return (uint32_t)(product >> 32);
}

#endif
