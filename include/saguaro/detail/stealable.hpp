// SPDX-License-Identifier: MIT
// Common parts of the C++ constructs: finding the free slot of the deque, and the frames whose
// stealable parts are closures on the owner's native stack.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/frame.h"
#include "saguaro/detail/region.h"
#include "saguaro/detail/standard_library.hpp"

#include <cstdint>

extern "C" {
extern const sg_frame_kind sg_closure_frames;
extern const sg_site sg_range_site;
}

namespace saguaro::detail {

// The second half of a parallel_invoke, on the stack of the flow that runs the first.
struct closure_frame {
    sg_frame head;
    // Where a thief makes the runtime's record of the steal; undefined before. Here it needs no
    // allocation by the one side and no release by the other (0.3 µs of the victim's time), and
    // cannot fail for want of memory.
    alignas(8) unsigned char taken[136];
};

// A loop over [next, end) on the stack of the flow that runs it. The owner counts `next` up and
// asks when it comes to `limit`; a thief takes what is above, or asks by a limit of 0.
struct range_loop;
struct range_frame {
    sg_frame head;
    range_loop *loop;
    std::uint64_t next;  // the iteration that the owner is in
    std::uint64_t limit; // an owner that reaches this asks the runtime
    std::uint64_t end;   // under the deque's lock
    void *taken;         // the runtime's record, once a thief has taken something
};

// What a thief runs with the part that it took: [first, last).
struct range_loop {
    void (*run)(range_loop &self, std::uint64_t first, std::uint64_t last);
};

// Whether each step asks the runtime, because the kernel has no asymmetric fence.
extern bool ask_at_each_step;

// The first free slot of `deque` if C clones have pushed since `tail` was set, or null if `deque`
// is the one that stands for no worker.
SG_BEGIN_STANDARD_LIBRARY
sg_frame **search_free_slot(sg_deque *deque);
SG_END_STANDARD_LIBRARY

// Whether a slot of the flow's own deque has a frame. Relaxed: own stores.
inline bool is_full(sg_frame **slot) {
    return __atomic_load_n(slot, __ATOMIC_RELAXED) != nullptr;
}

// The first free slot of the deque of the flow that runs; null outside any worker. Looking for it
// is rare, so it is only there that it can be null.
[[gnu::always_inline]] inline sg_frame **free_slot(sg_deque *deque) {
    sg_frame **const hint = deque->tail;
    if (is_full(hint)) [[unlikely]]
        return search_free_slot(deque);
    if (hint == nullptr)
        __builtin_unreachable();
    return hint;
}

// sg_pop was not zero: whether the frame was taken.
bool frame_is_gone(sg_deque *deque, sg_frame **tail);

// Waits for the closure whose record is at `taken`, and ends the record. Rethrows its exception,
// unless `drop_error`; then it returns whether there is a result.
bool join_closure(void *taken, bool drop_error);

// The owner of a range has come to iteration `next`, which is not below the limit that it saw: may
// it go on?
bool range_goes_on(sg_deque *deque, range_frame &range, std::uint64_t next);

// Waits for the parts that were taken, and for theirs; rethrows the exception that is first in the
// order of iterations, unless `drop_error`.
void join_range(void *taken, bool drop_error);

// Whether the runtime is to hear of a push, or that there may be more to take.
inline bool pushes_are_heard() {
    // Relaxed: a sleeper sets the word, then makes all workers pass a fence, then looks at the
    // deques once more; if this load misses the word, that look finds the frame. (Where the kernel
    // has no such fence it may not; the sleeper's nap ends.) The compiler must not do the load
    // first.
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return __atomic_load_n(&sg_hear_pushes, __ATOMIC_RELAXED) != 0;
}

inline void wake_if_any_sleeps() {
    if (pushes_are_heard()) [[unlikely]]
        sg_wake();
}

// Pushes a frame of a C++ construct.
inline void push(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    sg_push(tail, frame);
    deque->tail = tail + 1;
    wake_if_any_sleeps();
}

} // namespace saguaro::detail
