/* Instruction sets the kernels are compiled for, best first. The build defines NOGO_HAVE_<SET> for those the compiler
 * can make, and compiles each *_kernels.c once for each of them with NOGO_ISA set to its name. */
#ifndef NOGO_ISA_H
#define NOGO_ISA_H

#include "core.h"

#define ISA_JOIN_(name, isa) name##_##isa
#define ISA_JOIN(name, isa) ISA_JOIN_(name, isa)

#ifdef NOGO_HAVE_AVX512
#define ISA_AVX512(X) X(avx512)
#else
#define ISA_AVX512(X)
#endif
#ifdef NOGO_HAVE_AVX2
#define ISA_AVX2(X) X(avx2)
#else
#define ISA_AVX2(X)
#endif
#ifdef NOGO_HAVE_SSE42
#define ISA_SSE42(X) X(sse42)
#else
#define ISA_SSE42(X)
#endif

/* Applies X to the name of every set built. */
#define ISA_ALL(X) ISA_AVX512(X) ISA_AVX2(X) ISA_SSE42(X) X(plain)

/* In a *_kernels.c: the name of its table for the set being compiled. */
#define ISA_NAME(name) ISA_JOIN(name, NOGO_ISA)

#endif
