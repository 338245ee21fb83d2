/* Lanes: the elements of a vector, each of which plays a game of its own. The vector types are the compiler's; what it
 * cannot say well is written here once for each instruction set. Only *_kernels.c files include this.
 *
 * V16 and V8 are vectors of 16-bit and 8-bit lanes, M16 and M8 hold one truth value a lane; masks combine with & | ~.
 * Every operation gives the same lanes on every set. */
#ifndef NOGO_LANES_H
#define NOGO_LANES_H

#include <string.h>

#include "rng.h"

#if defined(__AVX512BW__) && defined(__AVX512VBMI__) && defined(__AVX512BITALG__) && defined(__GFNI__)
#include <immintrin.h>
#define LANES_AVX512
#define LANE_BYTES 64
#elif defined(__AVX2__)
#include <immintrin.h>
#define LANES_AVX2
#define LANE_BYTES 32
#elif defined(__SSE4_2__)
#include <nmmintrin.h>
#define LANES_SSE42
#define LANE_BYTES 16
#else
#define LANE_BYTES 16
#endif

typedef uint64_t V64 __attribute__((vector_size(LANE_BYTES)));
typedef uint16_t V16 __attribute__((vector_size(LANE_BYTES)));
typedef uint8_t V8 __attribute__((vector_size(LANE_BYTES)));
typedef int16_t V16Signed __attribute__((vector_size(LANE_BYTES)));
typedef int8_t V8Signed __attribute__((vector_size(LANE_BYTES)));

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "which lane a stream's bits fall to is fixed for little-endian machines");

enum { LANES64 = LANE_BYTES / 8, LANES16 = LANE_BYTES / 2, LANES8 = LANE_BYTES };

ALWAYS_INLINE V16 v16_all(int x) { return (V16){0} + (uint16_t)x; }
ALWAYS_INLINE V8 v8_all(int x) { return (V8){0} + (uint8_t)x; }

/* ---- three-way logic, one instruction where there is one; the operands may be V16 or V8 ---- */
#ifdef LANES_AVX512
#define TERNARY(a, b, c, table) \
    ((__typeof__(a))_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), table))
#define OR3(a, b, c) TERNARY(a, b, c, 0xFE)
#define AND_OR(m, a, b) TERNARY(m, a, b, 0xE0)     /* m & (a | b) */
#define OR_MINUS(a, b, c) TERNARY(a, b, c, 0xF4)   /* a | (b & ~c) */
#define OR_DIFFER(a, b, c) TERNARY(a, b, c, 0xF6)  /* a | (b ^ c) */
#define MINUS_OR(m, a, b) TERNARY(m, a, b, 0x10)   /* m & ~(a | b) */
#else
#define OR3(a, b, c) ((a) | (b) | (c))
#define AND_OR(m, a, b) ((m) & ((a) | (b)))
#define OR_MINUS(a, b, c) ((a) | ((b) & ~(c)))
#define OR_DIFFER(a, b, c) ((a) | ((b) ^ (c)))
#define MINUS_OR(m, a, b) ((m) & ~((a) | (b)))
#endif

/* ---- masks ---- */
#ifdef LANES_AVX512
typedef __mmask32 M16;
typedef __mmask64 M8;
ALWAYS_INLINE M16 v16_ge(V16 a, V16 b) { return _mm512_cmpge_epu16_mask((__m512i)a, (__m512i)b); }
ALWAYS_INLINE M16 v16_lt(V16 a, V16 b) { return _mm512_cmplt_epu16_mask((__m512i)a, (__m512i)b); }
ALWAYS_INLINE M16 v16_nonzero(V16 a) { return _mm512_test_epi16_mask((__m512i)a, (__m512i)a); }
ALWAYS_INLINE V16 v16_select(M16 m, V16 a, V16 b) { return (V16)_mm512_mask_mov_epi16((__m512i)b, m, (__m512i)a); }
ALWAYS_INLINE V16 v16_keep(M16 m, V16 a) { return (V16)_mm512_maskz_mov_epi16(m, (__m512i)a); }
ALWAYS_INLINE bool m16_any(M16 m) { return m != 0; }
ALWAYS_INLINE int m16_count(M16 m) { return __builtin_popcount(m); }
ALWAYS_INLINE M8 v8_ge(V8 a, V8 b) { return _mm512_cmpge_epi8_mask((__m512i)a, (__m512i)b); }
ALWAYS_INLINE M8 v8_equal(V8 a, V8 b) { return _mm512_cmpeq_epi8_mask((__m512i)a, (__m512i)b); }
ALWAYS_INLINE M8 v8_nonzero(V8 a) { return _mm512_test_epi8_mask((__m512i)a, (__m512i)a); }
ALWAYS_INLINE V8 v8_select(M8 m, V8 a, V8 b) { return (V8)_mm512_mask_mov_epi8((__m512i)b, m, (__m512i)a); }
ALWAYS_INLINE V8 v8_keep(M8 m, V8 a) { return (V8)_mm512_maskz_mov_epi8(m, (__m512i)a); }
ALWAYS_INLINE bool m8_any(M8 m) { return m != 0; }
ALWAYS_INLINE int m8_count(M8 m) { return __builtin_popcountll(m); }
#else
typedef V16 M16;
typedef V8 M8;
/* The order of v16_ge and v8_ge is only asked for values below half the range, where signed and unsigned agree. */
ALWAYS_INLINE M16 v16_ge(V16 a, V16 b) { return (V16)((V16Signed)a >= (V16Signed)b); }
ALWAYS_INLINE M16 v16_lt(V16 a, V16 b) { return (V16)(a < b); }
ALWAYS_INLINE M16 v16_nonzero(V16 a) { return (V16)(a != 0); }
ALWAYS_INLINE V16 v16_keep(M16 m, V16 a) { return m & a; }
ALWAYS_INLINE M8 v8_ge(V8 a, V8 b) { return (V8)((V8Signed)a >= (V8Signed)b); }
ALWAYS_INLINE M8 v8_equal(V8 a, V8 b) { return (V8)(a == b); }
ALWAYS_INLINE M8 v8_nonzero(V8 a) { return (V8)(a != 0); }
ALWAYS_INLINE V8 v8_keep(M8 m, V8 a) { return m & a; }
#if defined(LANES_AVX2)
ALWAYS_INLINE bool v64_any(V64 v) { return !_mm256_testz_si256((__m256i)v, (__m256i)v); }
ALWAYS_INLINE int m8_count(M8 m) { return __builtin_popcount((unsigned)_mm256_movemask_epi8((__m256i)m)); }
ALWAYS_INLINE V8 v8_select(M8 m, V8 a, V8 b) { return (V8)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)m); }
#elif defined(LANES_SSE42)
ALWAYS_INLINE bool v64_any(V64 v) { return !_mm_testz_si128((__m128i)v, (__m128i)v); }
ALWAYS_INLINE int m8_count(M8 m) { return __builtin_popcount((unsigned)_mm_movemask_epi8((__m128i)m)); }
ALWAYS_INLINE V8 v8_select(M8 m, V8 a, V8 b) { return (V8)_mm_blendv_epi8((__m128i)b, (__m128i)a, (__m128i)m); }
#else
ALWAYS_INLINE bool v64_any(V64 v) { return (v[0] | v[1]) != 0; }
ALWAYS_INLINE int m8_count(M8 m)
{
    V64 ones = (V64)(m & 1);
    return __builtin_popcountll(ones[0]) + __builtin_popcountll(ones[1]);
}
ALWAYS_INLINE V8 v8_select(M8 m, V8 a, V8 b) { return (a & m) | (b & ~m); }
#endif
ALWAYS_INLINE bool m16_any(M16 m) { return v64_any((V64)m); }
ALWAYS_INLINE bool m8_any(M8 m) { return v64_any((V64)m); }
ALWAYS_INLINE int m16_count(M16 m) { return m8_count((V8)m) / 2; }
ALWAYS_INLINE V16 v16_select(M16 m, V16 a, V16 b) { return (V16)v8_select((V8)m, (V8)a, (V8)b); }
#endif

/* The first so many lanes. */
ALWAYS_INLINE M16 m16_first(int count)
{
    V16 number;
    for (int i = 0; i < LANES16; i++)
        number[i] = (uint16_t)i;
    return ~v16_ge(number, v16_all(count));
}

ALWAYS_INLINE M8 m8_first(int count)
{
    V8 number;
    for (int i = 0; i < LANES8; i++)
        number[i] = (uint8_t)i;
    return ~v8_ge(number, v8_all(count));
}

/* ---- arithmetic ---- */
#if defined(LANES_AVX512)
ALWAYS_INLINE V16 v16_multiply_high(V16 a, V16 b) { return (V16)_mm512_mulhi_epu16((__m512i)a, (__m512i)b); }
ALWAYS_INLINE V16 v16_popcount(V16 x) { return (V16)_mm512_popcnt_epi16((__m512i)x); }
ALWAYS_INLINE V8 v8_popcount(V8 x) { return (V8)_mm512_popcnt_epi8((__m512i)x); }
ALWAYS_INLINE V8 v8_lookup(V8 table, V8 index) { return (V8)_mm512_shuffle_epi8((__m512i)table, (__m512i)index); }
#elif defined(LANES_AVX2)
ALWAYS_INLINE V16 v16_multiply_high(V16 a, V16 b) { return (V16)_mm256_mulhi_epu16((__m256i)a, (__m256i)b); }
ALWAYS_INLINE V8 v8_lookup(V8 table, V8 index) { return (V8)_mm256_shuffle_epi8((__m256i)table, (__m256i)index); }
#elif defined(LANES_SSE42)
ALWAYS_INLINE V16 v16_multiply_high(V16 a, V16 b) { return (V16)_mm_mulhi_epu16((__m128i)a, (__m128i)b); }
ALWAYS_INLINE V8 v8_lookup(V8 table, V8 index) { return (V8)_mm_shuffle_epi8((__m128i)table, (__m128i)index); }
#else
ALWAYS_INLINE V16 v16_multiply_high(V16 a, V16 b)
{
    V16 high;
    for (int i = 0; i < LANES16; i++)
        high[i] = (uint16_t)(((uint32_t)a[i] * b[i]) >> 16);
    return high;
}
ALWAYS_INLINE V8 v8_lookup(V8 table, V8 index)
{
    V8 found;
    for (int i = 0; i < LANES8; i++)
        found[i] = table[index[i] & 15];
    return found;
}
#endif

/* A table of sixteen bytes, repeated as v8_lookup by an index below 16 wants it. */
#if LANE_BYTES == 64
#define V8_TABLE(...) ((V8){__VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__})
#elif LANE_BYTES == 32
#define V8_TABLE(...) ((V8){__VA_ARGS__, __VA_ARGS__})
#else
#define V8_TABLE(...) ((V8){__VA_ARGS__})
#endif

/* A table of 32 bytes, looked up by an index below 32. */
typedef struct {
    V8 low, high;
} Table32;

static inline Table32 table32_of(const uint8_t bytes[32])
{
    Table32 table;
    for (int i = 0; i < LANES8; i++) {
#ifdef LANES_AVX512
        table.low[i] = bytes[i % 32];
#else
        table.low[i] = bytes[i % 16];
#endif
        table.high[i] = bytes[16 + i % 16];
    }
    return table;
}

ALWAYS_INLINE V8 table32_lookup(const Table32 *table, V8 index)
{
#ifdef LANES_AVX512
    return (V8)_mm512_permutexvar_epi8((__m512i)index, (__m512i)table->low);
#else
    return v8_select(v8_ge(index, v8_all(16)), v8_lookup(table->high, index & 15), v8_lookup(table->low, index & 15));
#endif
}

ALWAYS_INLINE V8 v8_left(V8 x) { return x + x; }
/* Right by one, for those who take no notice of the top bit: the lane beside may have left its lowest there. */
ALWAYS_INLINE V8 v8_right_loose(V8 x) { return (V8)((V16)x >> 1); }
#ifdef LANES_AVX512
/* A Galois-field affine map: a matrix of bits, here the one that turns its columns around, applied to every byte. */
ALWAYS_INLINE V8 v8_reverse(V8 x)
{
    return (V8)_mm512_gf2p8affine_epi64_epi8((__m512i)x, _mm512_set1_epi64((long long)0x8040201008040201u), 0);
}
#else
ALWAYS_INLINE V8 v8_high_nibble(V8 x) { return (V8)((V16)x >> 4) & 0x0f; }
#if defined(LANES_AVX2) || defined(LANES_SSE42)
ALWAYS_INLINE V8 v8_reverse(V8 x)
{
    const V8 low = V8_TABLE(0, 128, 64, 192, 32, 160, 96, 224, 16, 144, 80, 208, 48, 176, 112, 240);
    const V8 high = V8_TABLE(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
    return v8_lookup(low, x & 0x0f) | v8_lookup(high, v8_high_nibble(x));
}
ALWAYS_INLINE V8 v8_popcount(V8 x)
{
    const V8 ones = V8_TABLE(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    return v8_lookup(ones, x & 0x0f) + v8_lookup(ones, v8_high_nibble(x));
}
#else
ALWAYS_INLINE V8 v8_reverse(V8 x)
{
    x = v8_high_nibble(x) | (x << 4);
    x = ((x >> 2) & 0x33) | ((x & 0x33) << 2);
    return ((x >> 1) & 0x55) | ((x & 0x55) << 1);
}
ALWAYS_INLINE V8 v8_popcount(V8 x)
{
    x = x - ((x >> 1) & 0x55);
    x = (x & 0x33) + ((x >> 2) & 0x33);
    return (x + (x >> 4)) & 0x0f;
}
#endif
ALWAYS_INLINE V16 v16_popcount(V16 x)
{
    V16 bytes = (V16)v8_popcount((V8)x);
    return (bytes & 0xff) + (bytes >> 8);
}
#endif

/* ---- randomness: each 64-bit element is a stream of its own, dealt to the four 16-bit lanes it covers ---- */
typedef struct {
    V64 a, b, c, counter;
} LaneRng;

ALWAYS_INLINE V64 v64_mix(V64 z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Streams number, number + step, number + 2 step, ... of rng_stream. */
ALWAYS_INLINE LaneRng lanerng_streams(uint64_t seed, uint64_t number, uint64_t step)
{
    V64 base;
    for (int i = 0; i < LANES64; i++)
        base[i] = rng_mix(seed + RNG_GOLDEN) + 3 * (number + step * (uint64_t)i) * RNG_GOLDEN;
    return (LaneRng){v64_mix(base + RNG_GOLDEN), v64_mix(base + 2 * RNG_GOLDEN), v64_mix(base + 3 * RNG_GOLDEN),
                     (V64){0} + 1};
}

ALWAYS_INLINE V64 v64_rotate24(V64 x)
{
#ifdef LANES_AVX512
    return (V64)_mm512_rol_epi64((__m512i)x, 24);
#else
    return (x << 24) | (x >> 40);
#endif
}

ALWAYS_INLINE V16 lanerng_next(LaneRng *rng)
{
    V64 out = rng->a + rng->b + rng->counter;
    rng->counter += 1;
    rng->a = rng->b ^ (rng->b >> 11);
    rng->b = rng->c + (rng->c << 3);
    rng->c = v64_rotate24(rng->c) + out;
    return (V16)out;
}

/* Draws again for the lanes whose draw fell among the 2^16 mod n too many. Only their own streams move on, so the lanes
 * beside them cannot tell how wide the vector is. */
static __attribute__((noinline, cold, unused)) V16 lanerng_redraw(LaneRng *rng, V16 n, V16 high, V16 low)
{
    for (int lane = 0; lane < LANES16; lane++) {
        uint32_t bound = n[lane], rest = low[lane];
        if (rest >= bound || rest >= 0x10000u % bound)
            continue;
        int i = lane / 4;
        Rng stream = {rng->a[i], rng->b[i], rng->c[i], rng->counter[i]};
        uint32_t product;
        do
            product = (uint32_t)(uint16_t)(rng_next(&stream) >> (16 * (lane % 4))) * bound;
        while ((uint16_t)product < 0x10000u % bound);
        rng->a[i] = stream.a, rng->b[i] = stream.b, rng->c[i] = stream.c, rng->counter[i] = stream.counter;
        high[lane] = (uint16_t)(product >> 16);
    }
    return high;
}

/* The same without moving any stream on: a lane draws again from a stream of its own, named by its place and where the
 * shared one is. So a lane's draws depend on nothing its neighbours do. */
static __attribute__((noinline, cold, unused)) V16 lanerng_redraw_apart(const LaneRng *rng, V16 n, V16 high, V16 low)
{
    for (int lane = 0; lane < LANES16; lane++) {
        uint32_t bound = n[lane], rest = low[lane];
        if (rest >= bound || rest >= 0x10000u % bound)
            continue;
        Rng stream = rng_stream(rng->a[lane / 4] ^ rng->c[lane / 4], (uint64_t)(lane % 4));
        high[lane] = (uint16_t)rng_below(&stream, bound);
    }
    return high;
}

/* In every lane exactly uniform in [0, n), n below 2^15; 0 where n is 0. */
ALWAYS_INLINE V16 lanerng_below(LaneRng *rng, V16 n)
{
    V16 draw = lanerng_next(rng), high = v16_multiply_high(draw, n), low = draw * n;
    if (UNLIKELY(m16_any(v16_lt(low, n))))
        return lanerng_redraw(rng, n, high, low);
    return high;
}

ALWAYS_INLINE V16 lanerng_below_apart(LaneRng *rng, V16 n)
{
    V16 draw = lanerng_next(rng), high = v16_multiply_high(draw, n), low = draw * n;
    if (UNLIKELY(m16_any(v16_lt(low, n))))
        return lanerng_redraw_apart(rng, n, high, low);
    return high;
}

/* The same for 8-bit lanes, which come in pairs; even ones draw from the first generator, odd ones from the second. */
ALWAYS_INLINE V8 lanerng_below8(LaneRng rng[2], V8 n)
{
    V16 even = lanerng_below(&rng[0], (V16)n & 0xff), odd = lanerng_below(&rng[1], (V16)n >> 8);
    return (V8)(even | odd << 8);
}

ALWAYS_INLINE V8 lanerng_below8_apart(LaneRng rng[2], V8 n)
{
    V16 even = lanerng_below_apart(&rng[0], (V16)n & 0xff), odd = lanerng_below_apart(&rng[1], (V16)n >> 8);
    return (V8)(even | odd << 8);
}

/* Games first to first + LANES8 - 1: every eight games share two streams, even and odd. */
ALWAYS_INLINE void lanerng_streams8(LaneRng rng[2], uint64_t seed, uint64_t first)
{
    rng[0] = lanerng_streams(seed, first / 4, 2);
    rng[1] = lanerng_streams(seed, first / 4 + 1, 2);
}

#endif
