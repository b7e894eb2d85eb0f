// SPDX-License-Identifier: MIT
// The common shape "spawn; straight-line statements; cilk_sync;", which needs no frame: for
// cilk_cxx.hpp.
//
//     int x = cilk_spawn fib(n - 1);    int x, y;
//     int y = fib(n - 2);               ::saguaro::cilk::invoke(x, y,
//                                           [&, n](auto go, auto &result) {
//                                               [&](int p) { if (go()) result = fib(p); }(n - 1);
//                                           },
//     cilk_sync;                            [&, n]() -> int { return fib(n - 2); });
//
// All closures are inlined. A value that is captured by copy and a result that is returned need not
// lie in memory, unlike what is captured by reference.
//
// C++14 without any header of the standard library.
#pragma once

#pragma GCC system_header

#include "saguaro/detail/cilk_cxx.hpp"

namespace saguaro {

namespace cilk {

// The result of a part that has none to hand over.
struct nothing {};

template <class Y, class Next>
struct value_from {
    static Y call(Next &next) { return next(); }
};
template <class Next>
struct value_from<nothing, Next> {
    static nothing call(Next &next) {
        next();
        return {};
    }
};

// What the owner calls: a copy of a closure that changes itself, to which nothing refers.
template <class Next, class = decltype(some<const Next &>()())>
__attribute__((always_inline)) inline Next &as_called(Next &next, int) {
    return next;
}
template <class Next>
__attribute__((always_inline)) inline Next as_called(const Next &next, long) {
    return next;
}

// The statements after a spawn up to its sync, in the deque for a thief to take, and their result.
template <class Next, class Y>
struct continuation_frame {
    explicit continuation_frame(const Next &n) : next(n) { frame.head.site = &site; }

    detail::closure_frame frame;
    Next next;
    Y y;

    static void run(sg_deque *, sg_frame **, sg_frame *head) {
        auto &self = *reinterpret_cast<continuation_frame *>(head);
        self.y = out_of_line(self.next);
    }
    __attribute__((visibility("hidden"))) static const sg_site site;

    // One copy of the statements for all but the owner's fast path.
    __attribute__((noinline, cold)) static Y out_of_line(Next &next) {
        return value_from<Y, Next>::call(next);
    }

    // Out of line, so that no register is kept for it.
    __attribute__((noinline, cold)) static bool is_gone(sg_deque *deque, sg_frame **tail) {
        return detail::frame_is_gone(deque, tail);
    }
};
template <class Next, class Y>
const sg_site continuation_frame<Next, Y>::site = {
    &sg_closure_frames, &run, 0, 0, 0, 0, 0, 0, 0, 0, nullptr, nullptr};

// What both parts have to hand over. A pair of words comes in two registers.
template <class X, class Y>
struct both_results {
    Y y;
    X x;
};

template <class X, class Y, class Child, class Next>
void invoke(X &&x, Y &&y, Child child, Next next);

// In a frame: where strands are told apart, for pedigrees and cancellation. Closures and results go
// by value, here and below, so that the compiler need not keep them in memory for a path that is
// seldom taken.
template <class X, class Y, class Child, class Next>
both_results<X, Y> invoke_in_frame(Child &child, Next &next) {
    both_results<X, Y> got{};
    frame f;
    SG_CILK_TRY {
        f.spawn([&](auto go) { child(go, got.x); });
        got.y = continuation_frame<Next, Y>::out_of_line(next);
        f.sync();
    }
    SG_CILK_CATCH {
        f.caught();
    }
    return got;
}

// Where strands are told apart, or the deque's `tail` is not its first free slot, or there is no
// worker.
template <class X, class Y, class Child, class Next>
__attribute__((noinline, cold)) both_results<X, Y> invoke_slowly(Child child, Next next) {
    const sg_region_header &here = *sg_region_here();
    if (here.strand_node != nullptr)
        return invoke_in_frame<X, Y>(child, next);
    sg_deque *const deque = here.deque;
    sg_frame **const tail = detail::search_free_slot(deque);
    both_results<X, Y> got{};
    if (tail == nullptr) {
        enter([&] { invoke(got.x, got.y, child, next); });
        return got;
    }
    // The C clones that pushed what is below will pop it, and leave the lower bound to this one.
    struct bound {
        sg_deque *deque;
        sg_frame **before;
        ~bound() { deque->tail = before; }
    } const restored = {deque, deque->tail};
    deque->tail = tail;
    invoke(got.x, got.y, child, next);
    return got;
}

// The same as `x =` a spawn of `child`, then `y = next()`, then a sync, at a third of the price:
// the child runs on the parent's stack, and a thief takes `next`, on its own stack. So no jump may
// leave `next`, it neither spawns nor syncs for the function around it, and what is used after it
// is declared before. `child` is as frame::spawn's; child(go, result) assigns its result. Where x
// or y is `nothing`, there is none. No frame is needed, and no entry.
//
// The child's exception leaves, and `next` is then not run or its exception dropped; else that of
// `next`. x and y are then as they were.
template <class X, class Y, class Child, class Next>
__attribute__((always_inline)) inline void invoke(X &&x, Y &&y, Child child, Next next) {
    using child_result = value_of<X>;
    using next_result = value_of<Y>;
    using continuation = continuation_frame<Next, next_result>;
    const sg_region_header &here = *sg_region_here();
    sg_deque *deque = here.deque;
    sg_frame **tail = deque->tail;
    // One branch for both. Relaxed: as is_full.
    if (SG_UNLIKELY((reinterpret_cast<sg_uintptr>(__atomic_load_n(tail, __ATOMIC_RELAXED)) |
                     reinterpret_cast<sg_uintptr>(here.strand_node)) != 0)) {
        const auto got = invoke_slowly<child_result, next_result>(child, next);
        x = got.x;
        y = got.y;
        return;
    }
    // It has a closure of its own: of the owner's the compiler then knows what it refers to.
    continuation second(next);
    bool has_begun = false;
    // Undoes the push; whether a thief has the continuation. The two pointers come from memory:
    // kept in registers, these would be saved at each call, also where it spawns nothing.
    const auto pop = [&]() __attribute__((always_inline)) {
        __asm__("" : "+m"(deque), "+m"(tail));
        deque->tail = tail;
        return SG_UNLIKELY(sg_pop(deque, tail)) && continuation::is_gone(deque, tail);
    };
    child_result result;
    SG_CILK_TRY {
        child(start_of_child(has_begun, deque, tail, &second.frame.head), result);
    }
    SG_CILK_CATCH {
        if (has_begun && pop())
            detail::join_closure(second.frame.taken, true);
        SG_CILK_RETHROW;
    }
    if (pop()) {
        detail::join_closure(second.frame.taken, false);
        x = result;
        y = second.y;
        return;
    }
    // Likewise. As bytes: a closure of references alone is constant.
    __asm__("" : "+m"(reinterpret_cast<char(&)[sizeof(Next)]>(second.next)));
    auto &&own = as_called(second.next, 0);
    y = value_from<next_result, Next>::call(own);
    x = result;
}

} // namespace cilk

} // namespace saguaro
