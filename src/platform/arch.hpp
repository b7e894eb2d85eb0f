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
//     work_event event_of_work()
//         What the processor counts for the work of a thread (work_event.hpp): the same
//         number whenever the same instructions run, interrupts and faults or not.
//
//     std::uint64_t float_mode(), void set_float_mode(std::uint64_t mode)
//         How the thread computes with floating-point numbers, without what has happened in its
//         computations: the rounding mode at least, as fesetround sets it. To ask for it takes
//         some four instructions; to set it the processor may wait for all that is under way.
//
//     const char *stack_pointer_of(const void *machine_state)
//         Where a signal interrupted the thread: of the handler's third argument. Null: not known.
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
