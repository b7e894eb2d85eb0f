// SPDX-License-Identifier: MIT
// Switches between stacks for sanitizer builds: the same assembly with the announcements around it.
#include "stacks/sanitizers.hpp"

#if SG_ANNOTATE_STACKS

#include "stacks/stack.hpp"

#include <utility>

#if SG_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if SG_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

// ThreadSanitizer counts the functions that each fiber entered and left. A function that changes
// the fiber would be entered on one and left on the other: it must not be counted.
#if defined(__clang__)
#define SG_UNINSTRUMENTED [[clang::disable_sanitizer_instrumentation, gnu::noinline]]
#else
#define SG_UNINSTRUMENTED [[gnu::no_sanitize("address", "thread"), gnu::noinline]]
#endif

namespace saguaro::stacks {

namespace {

// What the flow that leaves tells the one that arrives on the same thread.
struct passage {
    context *left = nullptr;     // the flow that left; null if it ended
    void *fake_stack = nullptr;  // of the flow that arrives
    void *ended_fiber = nullptr; // to be destroyed: one cannot destroy the fiber one runs on
};

thread_local passage under_way;

// What a new flow is to do.
struct beginning {
    context *starter;
    entry_point entry;
    void *argument;
};

// The last thing before a switch. `left` is null if the running flow ends. Not inlined, nor
// is `arrive`: each call must find the thread_local variable of the thread that makes it.
SG_UNINSTRUMENTED void depart(context *left, const annotation &to) {
    under_way.left = left;
    under_way.fake_stack = to.fake_stack;
#if SG_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(left ? &left->note.fake_stack : nullptr, to.bottom, to.size);
#endif
#if SG_THREAD_SANITIZER
    if (left)
        left->note.fiber = __tsan_get_current_fiber();
    // With synchronization (flag 0): what one flow did on this thread happened before what the
    // next one does.
    __tsan_switch_to_fiber(to.fiber, 0);
#endif
}

// The first thing after a switch, on the new flow. It learns the bounds of the stack that was left,
// which is how the bounds of a thread's own stack become known, and writes them into the context
// that was left: nobody else knows that context yet.
SG_UNINSTRUMENTED void arrive() {
    const passage from = std::exchange(under_way, passage{});
#if SG_ADDRESS_SANITIZER
    const void *bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_finish_switch_fiber(from.fake_stack, &bottom, &size);
    if (from.left) {
        from.left->note.bottom = bottom;
        from.left->note.size = size;
    }
#endif
#if SG_THREAD_SANITIZER
    if (from.ended_fiber)
        __tsan_destroy_fiber(from.ended_fiber);
#endif
}

annotation empty_stack(stack &s) {
    annotation note;
    note.bottom = s.low;
    note.size = static_cast<std::size_t>(s.high() - s.low);
#if SG_THREAD_SANITIZER
    if (!s.fiber)
        s.fiber = __tsan_create_fiber(0);
    note.fiber = s.fiber;
#endif
    return note;
}

// The first function on each stack.
SG_UNINSTRUMENTED context *first_function(void *argument) {
    const beginning what = *static_cast<beginning *>(argument);
    arrive();
    context *to = what.entry(what.argument);
    if (!to)
        to = what.starter;
    depart(nullptr, to->note);
    return to;
}

} // namespace

SG_UNINSTRUMENTED void switch_to(context &from, context &to) noexcept {
    depart(&from, to.note);
    sg_stacks_switch(&from, &to);
    arrive();
}

SG_UNINSTRUMENTED void start_on(context &from, stack &s, entry_point entry,
                                void *argument) noexcept {
    beginning what{&from, entry, argument};
    depart(&from, empty_stack(s));
    sg_stacks_start(&from, &s, first_function, &what);
    arrive();
}

SG_UNINSTRUMENTED void leave_to(stack &dying, context &to) noexcept {
#if SG_ADDRESS_SANITIZER
    // The frames that will never be left take their red zones with them.
    char *const here = static_cast<char *>(__builtin_frame_address(0));
    __asan_unpoison_memory_region(here, static_cast<std::size_t>(dying.high() - here));
#endif
#if SG_THREAD_SANITIZER
    // The fiber counts functions that will never return: the stack gets a new one.
    under_way.ended_fiber = std::exchange(dying.fiber, nullptr);
#endif
    depart(nullptr, to.note);
    sg_stacks_leave(&to);
}

void forget_stack([[maybe_unused]] stack &s) {
#if SG_THREAD_SANITIZER
    if (s.fiber)
        __tsan_destroy_fiber(std::exchange(s.fiber, nullptr));
#endif
}

void forget_frames(stack &s) {
#if SG_ADDRESS_SANITIZER
    // Frames that will never be left take their red zones with them.
    __asan_unpoison_memory_region(s.low, static_cast<std::size_t>(s.high() - s.low));
#endif
    forget_stack(s);
}

} // namespace saguaro::stacks

#endif
