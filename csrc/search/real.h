/* Logarithm and exponential from the four operations alone, so that a search is the same on every machine: the C
 * library's own differ in their last bit from one to another. Both are good to a few units in the last place of a float. */
#ifndef NOGO_SEARCH_REAL_H
#define NOGO_SEARCH_REAL_H

#include <string.h>

#include "../core.h"

/* The natural logarithm of a whole number from 1. */
static inline float real_log(uint64_t n)
{
    int exponent = 63 - __builtin_clzll(n);
    double m = (double)n / (double)(UINT64_C(1) << exponent); /* 1 to 2 */
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent++;
    }
    /* ln m = 2 (s + s^3/3 + s^5/5 + ...), s at most 0.172 */
    double s = (m - 1) / (m + 1), z = s * s;
    double series = 1 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z / 11))));
    return (float)(exponent * 0.6931471805599453 + 2 * s * series);
}

/* e to the x, for x from -700 to 700. */
static inline double real_exp(double x)
{
    int k = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5)); /* the nearest power of two */
    double r = x - k * 0.6931471805599453, term = 1, sum = 1;
    for (int i = 1; i <= 12; i++) {
        term *= r / i;
        sum += term;
    }
    uint64_t bits = (uint64_t)(1023 + k) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

/* The chance of winning that an advantage of so many scales stands for. */
static inline double real_logistic(double x)
{
    x = x > 40 ? 40 : x < -40 ? -40 : x;
    return 1 / (1 + real_exp(-x));
}

#endif
