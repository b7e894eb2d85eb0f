/* SPDX-License-Identifier: MIT */
/*
 * The thread-local mapped region: memory that every worker sees in its own way.
 *
 * Each thread has a pointer to the region that it sees. Threads outside of any worker share one,
 * `outside`; a thread that works for a worker sees the worker's; threads that run virtual
 * processors or nano-threads see an empty one. This does in user space what the reducers paper of
 * 2012 changed the kernel for (its section 5).
 *
 * The pointer is a thread-local variable, so each new thread begins outside. The variable's
 * distance from the thread pointer is the same in all threads: the compiler may keep it. Each read
 * of the variable itself is one volatile instruction, because the code after a spawn, a sync or a
 * call that contains one may run on another thread.
 *
 * The header of the region says what the worker is doing; the pages that follow are SPA maps, which
 * hold views.
 */
#pragma once

#include "saguaro/detail/cast.h"
#include "saguaro/detail/integers.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sg_deque;
struct sg_worker;

/* The head of a region. That of the region outside describes a thread that is no worker. */
typedef struct sg_region_header {
    struct sg_deque *deque; /* the deque of the native stack that runs; outside: one that says so */
    struct sg_worker *worker; /* null outside */
    void **chain;             /* where the next suspended parent goes (scope); outside: unused */
    void **exceptions;        /* the C++ runtime's record of this thread's exceptions */
    void *strand_node;        /* the flow's node among the strands (strand_node.hpp), or null */
} sg_region_header;

/* Bytes that the header takes: the SPA maps begin on the next page. */
#define SG_REGION_HEADER_BYTES 4096

/* The region that the calling thread sees. Initial-exec: its distance from the thread pointer is
 * known when the library is loaded. A dlopen takes eight bytes of the C library's reserve for such
 * variables. */
extern __thread sg_region_header *sg_region_tls __attribute__((tls_model("initial-exec")));

/* The header of the region that the calling thread sees. The pointer is good until the next spawn,
 * sync or call that contains one. Two instructions, of which a loop repeats one. */
#if defined(__x86_64__) && !defined(SG_GENERIC)

static inline sg_region_header *sg_region_here(void) {
    sg_uintptr offset;
    sg_region_header *here;
    /* A static link turns this load into a constant. */
    __asm__("movq sg_region_tls@gottpoff(%%rip), %0" : "=r"(offset));
    __asm__ __volatile__("movq %%fs:%1, %0"
                         : "=r"(here)
                         : "m"(*SG_CAST(sg_region_header *const *, offset)));
    return here;
}

#elif defined(__aarch64__) && !defined(SG_GENERIC)

static inline sg_region_header *sg_region_here(void) {
    sg_uintptr offset;
    sg_region_header *here;
    __asm__("adrp %0, :gottprel:sg_region_tls\n\t"
            "ldr %0, [%0, :gottprel_lo12:sg_region_tls]"
            : "=r"(offset));
    __asm__ __volatile__("mrs %0, tpidr_el0\n\t"
                         "ldr %0, [%0, %1]"
                         : "=&r"(here)
                         : "r"(offset)
                         : "memory");
    return here;
}

#else

/* Out of line: no compiler looks through the call and keeps the variable's address. */
sg_region_header *sg_region_here(void);

#endif

/* The pointer that the calling thread has `offset` bytes into the region: a view. */
static inline void *sg_region_load(sg_uintptr offset) {
    return *SG_CAST(void *const *, SG_CAST(const char *, sg_region_here()) + offset);
}

/* Reads one field of the calling thread's region header. */
#define SG_REGION_GET(type, field) SG_CAST(type, sg_region_here()->field)

/* Writes one field of the calling thread's region header: workers only. */
#define SG_REGION_SET(field, value)                                                                \
    (sg_region_here()->field = SG_CAST(__typeof__(sg_region_here()->field), value))

#ifdef __cplusplus
}
#endif
