// SPDX-License-Identifier: MIT
// Switches between stacks for any processor, with ucontext: some 200 ns, because each one sets the
// signal mask by a system call. A flow that was left has its ucontext_t on its own stack and
// context::sp points to it.
#include "stacks/stack.hpp"

#include <cstdint>
#include <cstdlib>
#include <ucontext.h>

namespace saguaro::stacks {

namespace {

// What a new flow is to do. Lives on the stack of the flow that starts it, which stays as it is
// until the entry point runs: `first_function` copies it first.
struct beginning {
    context *starter;
    entry_point entry;
    void *argument;
};

[[noreturn]] void continue_flow(context &to) {
    setcontext(static_cast<ucontext_t *>(to.sp));
    std::abort(); // setcontext returns only if the context is not one
}

// makecontext hands over ints only: the pointer comes in two halves.
void first_function(unsigned high, unsigned low) {
    const auto address = static_cast<std::uint64_t>(high) << 32 | low;
    const beginning what = *reinterpret_cast<beginning *>(static_cast<std::uintptr_t>(address));
    context *const to = what.entry(what.argument);
    continue_flow(to ? *to : *what.starter);
}

} // namespace

extern "C" {

void sg_stacks_switch(context *from, context *to) noexcept {
    ucontext_t here;
    from->sp = &here;
    if (swapcontext(&here, static_cast<ucontext_t *>(to->sp)) != 0)
        std::abort();
}

void sg_stacks_start(context *from, stack *s, entry_point entry, void *argument) noexcept {
    beginning what{from, entry, argument};
    ucontext_t here;
    ucontext_t there;
    if (getcontext(&there) != 0)
        std::abort();
    there.uc_link = nullptr;
    there.uc_stack.ss_sp = s->low;
    there.uc_stack.ss_size = static_cast<std::size_t>(s->high() - s->low);
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&what));
    makecontext(&there, reinterpret_cast<void (*)()>(first_function), 2,
                static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
    from->sp = &here;
    if (swapcontext(&here, &there) != 0)
        std::abort();
}

void sg_stacks_leave(context *to) noexcept {
    continue_flow(*to);
}

} // extern "C"

} // namespace saguaro::stacks
