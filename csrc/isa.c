/* Which instruction sets are in this build, and which of them this machine runs. */
#include "isa.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#define SUPPORTS(feature) (__builtin_cpu_supports(feature) != 0)
#else
#define SUPPORTS(feature) false
#endif

#define ISA_STRING(name) #name,
static const char *const NAMES[] = {ISA_ALL(ISA_STRING)};
enum { ISA_COUNT = sizeof NAMES / sizeof *NAMES };

int nogo_isa_count(void) { return ISA_COUNT; }

const char *nogo_isa_name(int isa) { return isa >= 0 && isa < ISA_COUNT ? NAMES[isa] : NULL; }

int nogo_isa_runs_here(int isa)
{
    const char *name = nogo_isa_name(isa);
    if (!name)
        return 0;
    if (!strcmp(name, "avx512"))
        return SUPPORTS("avx512f") && SUPPORTS("avx512bw") && SUPPORTS("avx512dq") && SUPPORTS("avx512vl") &&
               SUPPORTS("avx512vbmi") && SUPPORTS("avx512bitalg") && SUPPORTS("gfni") && SUPPORTS("bmi2") &&
               SUPPORTS("popcnt");
    if (!strcmp(name, "avx2"))
        return SUPPORTS("avx2") && SUPPORTS("bmi") && SUPPORTS("bmi2") && SUPPORTS("popcnt");
    if (!strcmp(name, "sse42"))
        return SUPPORTS("sse4.2") && SUPPORTS("popcnt");
    return 1; /* plain C */
}

#if defined(__clang__)
const char *nogo_compiler(void) { return "clang " __clang_version__; }
#else
const char *nogo_compiler(void) { return "gcc " __VERSION__; }
#endif
