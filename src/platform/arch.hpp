// SPDX-License-Identifier: MIT
// The functions that every architecture's folder defines, and the choice of the folder. `generic`
// needs nothing but the compiler; docs/porting.md has the rest of what a port needs.
//
//     void cpu_relax()
//         Tells the processor that the thread spins. Some 10 to 140 cycles on x86-64.
//
//     std::uint64_t ticks()
//         A counter of the processor's that runs at a constant rate; not ordered with the code
//         around it. Its rate differs between machines: only for differences and ratios.
//
//     ticks_worth_a_wake
//         So many are at least as long as it takes to wake a thread, and not more than some 50 µs.
//
//     void set_region_base(std::uintptr_t base)
//         Gives the calling thread its own copy of the mapped region
//         (include/saguaro/detail/region.h): `base` is the distance in bytes from `sg_outside` to
//         the copy, modulo 2^64. 0: the thread sees `sg_outside` itself. On x86-64 without the
//         instruction for it (below), a distance that is negative ends the program with one line:
//         the kernel takes none.
//
//     std::uintptr_t region_base()
//         What the calling thread set last. 0 if it never did, but see below.
//
//     void clear_region_base()
//         The same as set_region_base(0).
//
//     work_event event_of_work()
//         What the processor counts for the work of a thread (work_event.hpp): the same
//         number whenever the same instructions run, interrupts and faults or not.
//
// x86-64: the base is that of the %gs segment, and the kernel copies a thread's segment bases to
// the threads that it creates; children.cpp therefore stands in the way of pthread_create. A
// thread made by a bare clone() inside a task still looks like the worker. Elsewhere the base is a
// thread-local variable, 0 in each new thread. A child of fork() keeps the base on all
// architectures, and is the worker's thread, alone.
#pragma once

#if defined(SG_GENERIC)
#include "platform/generic/arch.hpp"
#elif defined(__x86_64__)
#include "platform/x86_64/arch.hpp"
#elif defined(__aarch64__)
#include "platform/aarch64/arch.hpp"
#else
#include "platform/generic/arch.hpp"
#endif
