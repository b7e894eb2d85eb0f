// SPDX-License-Identifier: MIT
// Leaving one flow of execution and going on with another, without the kernel.
//
// A flow is a thread of control with a native stack of its own: a worker's thread on the stack
// that the system gave it, or a function started on a pooled stack. A `context` is the place where
// a flow was left. It holds what the System V calling convention obliges a callee to preserve,
// pushed on the flow's own stack, so that a context is one pointer.
//
// What is preserved: the callee-saved general registers (on AArch64 d8 to d15 as well). What is
// not: the floating-point environment (rounding mode, exception masks: mxcsr and the x87 control
// word, or FPCR). It belongs to the worker, not to the flow: saving and loading it would cost more
// than the switch itself (3.5 ns). A flow that changes the rounding mode puts it back
// before it spawns or syncs; nano-threads and VPs keep theirs by float_mode.hpp.
//
// A call of any function here may return on another thread. No address of a thread-local variable
// may be kept across it; compilers do keep them, so code around these calls reads thread-local
// variables in functions that are not inlined.
//
// Exceptions cannot leave a stack: one that reaches the first function ends in std::terminate.
// Backtraces end there, too.
#pragma once

#include "stacks/sanitizers.hpp"

namespace saguaro::stacks {

struct stack;

// Where a flow was left. Written by the function that leaves the flow, before the flow that it
// goes on with runs: that flow may hand the context to other threads (through a release store or
// a lock). It is used up by the switch that continues it and may then be written anew.
struct context {
    void *sp = nullptr;
#if SG_ANNOTATE_STACKS
    annotation note; // apart in the ordinary library: sanitizers.cpp
#endif
};

// A function that begins on an empty stack. It returns the flow to go on with: null for the one
// that started it (`from` of `start_on`, if nobody else has continued that), which is the fastest,
// or another. Its stack is dead from then on, and may have been given to the calling worker's
// `cache` before the return. Better than `leave_to`: the processor's prediction of returns stays in
// step, which after a `leave_to` is wrong for all functions that the next flow returns from.
using entry_point = context *(*)(void *argument);

// Leaves the running flow in `from` and goes on with `to`. Returns when somebody continues `from`.
// 4 ns.
void switch_to(context &from, context &to) noexcept;

// Leaves the running flow in `from` and begins entry(argument) on `s`, a stack on which nothing
// runs. Returns when somebody continues `from`: that may be the end of `entry`. 3 ns for the way
// there and back.
void start_on(context &from, stack &s, entry_point entry, void *argument) noexcept;

// Ends the running flow, which runs on the pooled stack `dying`, and goes on with `to`. Nothing on
// the stack is destroyed. As with the return of an entry point, the stack may have been given to
// the calling worker's `cache` before.
[[noreturn]] void leave_to(stack &dying, context &to) noexcept;

// What each architecture's folder gives. `start` also does what follows the end of the entry point.
extern "C" {
void sg_stacks_switch(context *from, context *to) noexcept;
void sg_stacks_start(context *from, stack *s, entry_point entry, void *argument) noexcept;
[[noreturn]] void sg_stacks_leave(context *to) noexcept;
}

// The first two of these, or what announces them to a sanitizer. Constant once the program's
// constructors run: a call through it is as many instructions as a call.
[[gnu::visibility("hidden")]] extern decltype(&sg_stacks_switch) switch_function;
[[gnu::visibility("hidden")]] extern decltype(&sg_stacks_start) start_function;

inline void switch_to(context &from, context &to) noexcept {
    switch_function(&from, &to);
}

inline void start_on(context &from, stack &s, entry_point entry, void *argument) noexcept {
    start_function(&from, &s, entry, argument);
}

inline void leave_to(stack &dying, context &to) noexcept {
    if (platform::is_watched()) [[unlikely]]
        leave_announced(dying, to);
    sg_stacks_leave(&to);
}

} // namespace saguaro::stacks
