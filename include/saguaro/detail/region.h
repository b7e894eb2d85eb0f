/* SPDX-License-Identifier: MIT */
/*
 * The thread-local mapped region: memory at one address that every worker sees in its own way.
 *
 * The region has the addresses of `sg_outside`, one area of the library's memory. A thread outside
 * of any worker reads and writes it as it stands. A worker reads and writes a copy that lies `base`
 * bytes further on, where `base` belongs to the worker. Threads that run virtual processors or
 * nano-threads have an empty copy. On x86-64 `base` is the base of the %gs segment, so that the
 * addition costs nothing; elsewhere it is a thread-local variable. This does in user space what the
 * reducers paper of 2012 changed the kernel for (its section 5).
 *
 * The header of the region says what the worker is doing; the pages behind it are SPA maps, which
 * hold views. Every access is one volatile load or store. The compiler must not keep a value in a
 * register across a spawn, a sync or a call that contains one, because the code after it may run on
 * another worker.
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

/* What stands at the head of the region. Read it with `SG_REGION_GET`: the fields of `sg_outside`
 * itself describe a thread that is no worker. */
typedef struct sg_region_header {
    struct sg_deque *deque; /* the deque of the native stack that runs; outside: one that says so */
    struct sg_worker *worker; /* null outside */
    void **chain;             /* where the next suspended parent goes (scope); outside: unused */
    void **exceptions;        /* the C++ runtime's record of this thread's exceptions */
    void *strand_node;        /* the flow's node among the strands (strand_node.hpp), or null */
} sg_region_header;

/* Bytes that the header takes: the SPA maps begin on the next page. */
#define SG_REGION_HEADER_BYTES 4096

#if defined(__x86_64__) && !defined(SG_GENERIC)

/* The address of `sg_outside`, from the global offset table: in the shared library the symbol is
 * whatever place the library has found when it was loaded. A static link turns the load into a lea.
 * One instruction. */
static inline sg_uintptr sg_region_outside(void) {
    sg_uintptr address;
    __asm__("movq sg_outside@GOTPCREL(%%rip), %0" : "=r"(address));
    return address;
}

/* Loads the pointer that the calling thread has at `address`, an address inside `sg_outside`.
 * One instruction. */
static inline void *sg_region_load(sg_uintptr address) {
    void *value;
    __asm__ __volatile__("movq %%gs:%1, %0" : "=r"(value) : "m"(*SG_CAST(void *const *, address)));
    return value;
}

/* Stores the pointer that the calling thread has at `address`. One instruction. */
static inline void sg_region_store(sg_uintptr address, void *value) {
    __asm__ __volatile__("movq %1, %%gs:%0"
                         : "=m"(*SG_CAST(void **, address))
                         : "r"(value)
                         : "memory");
}

#else

/* The distance from `sg_outside` to the calling worker's copy; 0 outside. */
extern __thread sg_uintptr sg_region_base_tls __attribute__((tls_model("initial-exec")));

/* The address of `sg_outside`. A direct reference would make the linker copy the object into a
 * program that uses the shared library: 64 MB, touched when the program starts. */
extern char *const sg_outside_address;

static inline sg_uintptr sg_region_outside(void) {
    return SG_CAST(sg_uintptr, sg_outside_address);
}

#if defined(__aarch64__) && !defined(SG_GENERIC)

/* Reads the thread pointer anew each time: a compiler that knew the variable to be thread-local
 * would keep its address across a call that changes the thread. */
static inline sg_uintptr sg_region_base(void) {
    sg_uintptr base, offset;
    __asm__ __volatile__("mrs %0, tpidr_el0\n\t"
                         "adrp %1, :gottprel:sg_region_base_tls\n\t"
                         "ldr %1, [%1, :gottprel_lo12:sg_region_base_tls]\n\t"
                         "ldr %0, [%0, %1]"
                         : "=&r"(base), "=&r"(offset)
                         :
                         : "memory");
    return base;
}

#else

/* Out of line for the same reason: a call is what no compiler looks through. */
sg_uintptr sg_region_base(void);

#endif

static inline void *sg_region_load(sg_uintptr address) {
    return *SG_CAST(void *volatile *, address + sg_region_base());
}

static inline void sg_region_store(sg_uintptr address, void *value) {
    *SG_CAST(void *volatile *, address + sg_region_base()) = value;
}

#endif

/* Reads one field of the calling thread's region header. */
#define SG_REGION_GET(type, field)                                                                 \
    SG_CAST(type, sg_region_load(sg_region_outside() + offsetof(sg_region_header, field)))

/* Writes one field of the calling thread's region header: workers only. */
#define SG_REGION_SET(field, value)                                                                \
    sg_region_store(sg_region_outside() + offsetof(sg_region_header, field), SG_CAST(void *, value))

#ifdef __cplusplus
}
#endif
