/* What every C file includes: the standard headers and the public declarations. */
#ifndef NOGO_CORE_H
#define NOGO_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nogo_api.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#endif
