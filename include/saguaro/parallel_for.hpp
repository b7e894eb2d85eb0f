// SPDX-License-Identifier: MIT
// Loops: nothing is cut up before somebody steals.
#pragma once

#include "saguaro/run.hpp"
#include "saguaro/stealable.hpp"

#include <concepts>
#include <cstdint>
#include <iterator>
#include <utility>

namespace saguaro {

// What a loop may count with: integers and random access iterators.
template <class I>
concept loop_index = std::integral<I> || std::random_access_iterator<I>;

namespace detail {

// The place `offset` steps after `first`.
template <loop_index I>
I advanced(I first, std::uint64_t offset) {
    if constexpr (std::integral<I>)
        return static_cast<I>(static_cast<std::uint64_t>(first) + offset);
    else
        return first + static_cast<std::iter_difference_t<I>>(offset);
}

// The number of steps from `first` to `last`; 0 if `last` comes before.
template <loop_index I>
std::uint64_t distance(I first, I last) {
    if (!(first < last))
        return 0;
    if constexpr (std::integral<I>)
        return static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    else
        return static_cast<std::uint64_t>(last - first);
}

// The owner's side of the exchange that src/cilk/range.cpp describes: announces iteration `i`, then
// returns how far it may go. The compiler must not exchange the two; the thief's heavy fence orders
// them for the processor.
inline std::uint64_t enter_iteration(range_frame &range, std::uint64_t i) {
#ifdef SG_THREAD_SANITIZER
    __atomic_store_n(&range.next, i, __ATOMIC_RELAXED);
    return __atomic_load_n(&range.limit, __ATOMIC_RELAXED);
#else
    // Volatile orders the two and leaves all else in registers, which a fence would not.
    *static_cast<volatile std::uint64_t *>(&range.next) = i;
    return *static_cast<const volatile std::uint64_t *>(&range.limit);
#endif
}

// Runs part(i) for each offset i in [first, last), first < last, on the worker whose deque is
// given; thieves may take the upper half of what is left as often as they like, and run it by
// loop.run. Then part.finish() for what was run here, then the join. A step costs a store and a
// load and a branch beyond the body.
template <class Part>
void run_range(sg_deque *deque, sg_frame **tail, range_loop &loop, Part &part, std::uint64_t first,
               std::uint64_t last) {
    sg_frame **const hint = deque->tail;
    range_frame range{{&sg_range_site}, &loop, first, ask_at_each_step ? 0 : last, last, nullptr};
    push(deque, tail, &range.head);
    // Undoes the push. A frame that is gone has only been passed: nothing of it was left.
    const auto pop = [&] {
        deque->tail = hint;
        if (sg_pop(deque, tail))
            frame_is_gone(deque, tail);
    };
    try {
        for (std::uint64_t i = first;;) {
            part(i);
            ++i;
            const std::uint64_t limit = enter_iteration(range, i);
            if (i >= limit) [[unlikely]] {
                // The old end still in place: nobody has taken anything, nor can any more.
                if (limit == last || !range_goes_on(deque, range, i))
                    break;
            }
        }
        part.finish();
    } catch (...) {
        pop();
        // Nobody can take from it any more. Takes the lock: what the last thief has written is
        // visible. Without an exception the limit that it lowered has made this loop do so.
        range_goes_on(deque, range, last);
        if (range.taken != nullptr)
            join_range(range.taken, true);
        throw;
    }
    pop();
    if (range.taken != nullptr) [[unlikely]]
        join_range(range.taken, false);
}

// A loop whose parts are made by `make_part()`, each for one strand.
template <class MakePart>
struct part_loop : range_loop {
    explicit part_loop(MakePart &m) : range_loop{&run_taken}, make(m) {}

    void run_here(sg_deque *deque, sg_frame **tail, std::uint64_t first, std::uint64_t last) {
        auto part = make();
        run_range(deque, tail, *this, part, first, last);
    }

    static void run_taken(range_loop &self, std::uint64_t first, std::uint64_t last) {
        sg_deque *const deque = SG_REGION_GET(sg_deque *, deque);
        static_cast<part_loop &>(self).run_here(deque, free_slot(deque), first, last);
    }

    MakePart &make;
};

// All `steps` steps, from wherever it is called.
template <class MakePart>
void run_loop(std::uint64_t steps, MakePart &make) {
    if (steps == 0)
        return;
    sg_deque *const deque = SG_REGION_GET(sg_deque *, deque);
    sg_frame **const tail = free_slot(deque);
    if (tail == nullptr) [[unlikely]] {
        saguaro::run([&] { run_loop(steps, make); });
        return;
    }
    part_loop<MakePart>(make).run_here(deque, tail, 0, steps);
}

} // namespace detail

// Calls body(i) for each i in [first, last): integers, or body(*i) for random access iterators.
// Iterations may run in parallel; a worker runs its own in order, and nothing is cut up before
// another worker steals, so that no grain size is needed: a step costs a store, a load and a
// branch.
//
// Of several exceptions the one of the first iteration leaves; iterations after one that threw may
// or may not have run. Outside any worker it enters one, as `run`.
template <loop_index I, class Body>
void parallel_for(I first, I last, Body &&body) {
    struct part {
        I first;
        std::remove_reference_t<Body> &body;

        void operator()(std::uint64_t offset) {
            if constexpr (std::integral<I>)
                body(detail::advanced(first, offset));
            else
                body(*detail::advanced(first, offset));
        }
        void finish() {}
    };
    const auto make = [&] { return part{first, body}; };
    detail::run_loop(detail::distance(first, last), make);
}

// As above with bounds of two integer types: both are converted to their common type.
template <std::integral I, std::integral J, class Body>
    requires(!std::same_as<I, J>)
void parallel_for(I first, J last, Body &&body) {
    using index = std::common_type_t<I, J>;
    parallel_for(static_cast<index>(first), static_cast<index>(last), std::forward<Body>(body));
}

} // namespace saguaro
