// SPDX-License-Identifier: MIT
// Common parts of the C++ constructs: finding the free slot of the deque, and the frames whose
// stealable parts are closures on the owner's native stack.
//
// C++14 without any header of the standard library, because cilk_cxx.hpp includes it.
#pragma once

#include "saguaro/detail/frame.h"
#include "saguaro/detail/integers.h"
#include "saguaro/detail/region.h"
#include "saguaro/detail/standard_library.hpp"

// C++14 has no [[likely]].
#define SG_LIKELY(condition) __builtin_expect((condition), 1)
#define SG_UNLIKELY(condition) __builtin_expect((condition), 0)

extern "C" {
extern const sg_frame_kind sg_closure_frames;
extern const sg_site sg_range_site;
}

namespace saguaro {

namespace detail {

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
    sg_uint64 next;  // the iteration that the owner is in
    sg_uint64 limit; // an owner that reaches this asks the runtime
    sg_uint64 end;   // under the deque's lock
    void *taken;     // the runtime's record, once a thief has taken something
};

// What a thief runs with the part that it took: [first, last).
struct range_loop {
    void (*run)(range_loop &self, sg_uint64 first, sg_uint64 last);
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
    if (SG_UNLIKELY(is_full(hint)))
        return search_free_slot(deque);
    if (hint == nullptr)
        __builtin_unreachable();
    return hint;
}

// sg_pop was not zero: whether the frame was taken.
bool frame_is_gone(sg_deque *deque, sg_frame **tail);

// Waits for the closure whose record is at `taken`, and ends the record. Rethrows its exception,
// unless `drop_error`, in a handler; then it returns whether there is a result.
bool join_closure(void *taken, bool drop_error);

// The owner of a range has come to iteration `next`, which is not below the limit that it saw: may
// it go on?
bool range_goes_on(sg_deque *deque, range_frame &range, sg_uint64 next);

// Waits for the parts that were taken, and for theirs; rethrows the exception that is first in the
// order of iterations, unless `drop_error`, in a handler.
void join_range(void *taken, bool drop_error);

// Whether the runtime is to hear of a push, or that there may be more to take.
inline bool pushes_are_heard() {
    // Relaxed: a sleeper sets the word, then makes all workers pass a fence, then looks at the
    // deques once more; if this load misses the word, that look finds the frame. (Where the kernel
    // has no such fence it may not; the sleeper's nap ends.) The compiler must not do the load
    // first.
#if defined(__x86_64__) && !defined(SG_GENERIC)
    // One instruction less than compilers make of an atomic load and a comparison.
    bool heard;
    __asm__ __volatile__("cmpl $0, %1" : "=@ccne"(heard) : "m"(sg_hear_pushes) : "memory");
    return heard;
#else
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return __atomic_load_n(&sg_hear_pushes, __ATOMIC_RELAXED) != 0;
#endif
}

// The call of sg_wake, which is rare. It saves the registers itself, where the compiler can say so:
// no caller keeps its values for it.
#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
__attribute__((noinline, cold, preserve_most)) inline void wake() {
    sg_wake();
}
#else
inline void wake() {
    sg_wake();
}
#endif

inline void wake_if_any_sleeps() {
    if (SG_UNLIKELY(pushes_are_heard()))
        wake();
}

// Pushes a frame of a C++ construct.
inline void push(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    sg_push(tail, frame);
    deque->tail = tail + 1;
    wake_if_any_sleeps();
}

} // namespace detail

} // namespace saguaro
