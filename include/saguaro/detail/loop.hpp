// SPDX-License-Identifier: MIT
// Loops that thieves split: each steal takes the upper half of the iterations that are left.
#pragma once

#include "saguaro/detail/checks.hpp"
#include "saguaro/detail/exceptions.hpp"
#include "saguaro/detail/race_names.h"
#include "saguaro/detail/stealable.hpp"
#include "saguaro/detail/strand_node.hpp"
#include "saguaro/run.hpp"
#if SG_RACE
#include "saguaro/detail/race_calls.hpp"
#endif

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace saguaro::detail {

// The place `offset` steps after `first`.
template <place_to_start I>
constexpr I advanced(I first, std::uint64_t offset) {
    if constexpr (integer<I>)
        return static_cast<I>(static_cast<as_unsigned<I>>(first) + offset);
    else
        return first + static_cast<difference_of<I>>(offset);
}

// A number of steps, or the greatest one that 64 bits hold.
template <class U>
constexpr std::uint64_t at_most_64_bits(U steps) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    return steps < most ? static_cast<std::uint64_t>(steps) : most;
}

// The number of steps from `first` to `last`; 0 if `last` comes before. A loop of more steps than
// 64 bits can count would not end in a thousand years, and is cut there.
template <place_to_start I>
constexpr std::uint64_t distance(I first, I last) {
    if (!(first < last))
        return 0;
    if constexpr (integer<I>)
        return at_most_64_bits(static_cast<as_unsigned<I>>(last) -
                               static_cast<as_unsigned<I>>(first));
    else
        return static_cast<std::uint64_t>(last - first);
}

// The owner's side of the exchange that src/forkjoin/range.cpp describes: announces iteration `i`,
// then returns how far it may go. The compiler must not exchange the two; the thief's heavy fence
// orders them for the processor.
inline std::uint64_t enter_iteration(range_frame &range, std::uint64_t i) {
#if SG_THREAD_SANITIZER
    __atomic_store_n(&range.next, i, __ATOMIC_RELAXED);
    return __atomic_load_n(&range.limit, __ATOMIC_RELAXED);
#else
    // Volatile orders the two and leaves all else in registers, which a fence would not.
    *static_cast<volatile std::uint64_t *>(&range.next) = i;
    return *static_cast<const volatile std::uint64_t *>(&range.limit);
#endif
}

// How far a loop may go before it asks if thieves are about: half of it is theirs to take at once.
// Out of line: the loop's registers are for its steps.
[[gnu::noinline, gnu::cold, gnu::visibility("hidden")]] inline void leave_half(range_frame &range) {
    range.limit = range.next + 1 + (range.end - range.next - 1) / 2;
}

// Runs part(i) for each offset i in [first, last), first < last, on the worker whose deque is
// given. Each steal takes the upper half of the offsets that are left, and the thief runs it by
// loop.run. Then part.finish() for the offsets run here, then the join. A step costs a store, a
// load and a branch beyond the body. A part(i) that returns false ends the loop: the offsets left
// here are not run.
template <class Part>
void run_range(sg_deque *deque, sg_frame **tail, range_loop &loop, Part &part, std::uint64_t first,
               std::uint64_t last) {
    sg_frame **const hint = deque->tail;
    range_frame range{{&sg_range_site}, &loop, first, ask_at_each_step ? 0 : last, last, nullptr};
    // Relaxed: a hint. The limit is the owner's own store, before its push of the frame.
    if (__atomic_load_n(&deque->exc, __ATOMIC_RELAXED) > tail && range.limit != 0) [[unlikely]]
        leave_half(range);
    push(deque, tail, &range.head);
    // Undoes the push. If the frame is gone, thieves took all of it. From here on no thief can take
    // from it, and what thieves wrote in it is visible. After a steal while the slot was public,
    // this pop asks the thief, or the owner has made the slot private with the lock held. After a
    // steal while this flow was suspended, the flow was resumed by a worker that held the chain's
    // lock after the thief.
    const auto pop = [&] {
        deque->tail = hint;
        if (sg_pop(deque, tail))
            frame_is_gone(deque, tail);
    };
    SG_TRY {
        for (std::uint64_t i = first;;) {
            if constexpr (std::same_as<decltype(part(i)), bool>) {
                if (!part(i))
                    break;
            } else {
                part(i);
            }
            ++i;
            const std::uint64_t limit = enter_iteration(range, i);
            if (i >= limit) [[unlikely]] {
                // The old end still in place: nobody has taken anything, nor can any more.
                if (limit == last || !range_goes_on(deque, range, i))
                    break;
            }
        }
        part.finish();
    }
    SG_CATCH_ALL {
        pop();
        if (range.taken != nullptr)
            join_range(range.taken, true);
        SG_RETHROW;
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

// As run_loop, with the steps told apart: the loop is a child of the strand that runs it, and each
// step a child of the loop. Those that are cancelled are left out.
template <class MakePart>
[[gnu::noinline, gnu::cold]] void run_descendants(std::uint64_t steps, MakePart &make);

// All `steps` steps, from wherever it is called. `told_apart`: whether the parts see to their
// strands' nodes themselves.
template <bool told_apart = false, class MakePart>
void run_loop(std::uint64_t steps, MakePart &make) {
    if (steps == 0)
        return;
    if constexpr (!told_apart) {
        if (has_strand_node()) [[unlikely]] {
            run_descendants(steps, make);
            return;
        }
    }
#if SG_RACE
    race_loop(steps, make);
#else
    sg_deque *const deque = SG_REGION_GET(sg_deque *, deque);
    sg_frame **const tail = free_slot(deque);
    if (tail == nullptr) [[unlikely]] {
        saguaro::run([&] { run_loop<told_apart>(steps, make); });
        return;
    }
    part_loop<MakePart>(make).run_here(deque, tail, 0, steps);
#endif
}

template <class MakePart>
void run_descendants(std::uint64_t steps, MakePart &make) {
    ancestor loop = strand_node()->next_child();
    struct part {
        const ancestor &loop;
        decltype(make()) inner;

        bool operator()(std::uint64_t i) {
            if (loop.cancelled())
                return false;
            ancestor self = loop.child(i);
            const as_strand here(self);
            if constexpr (std::same_as<decltype(inner(i)), bool>) {
                return inner(i);
            } else {
                inner(i);
                return true;
            }
        }
        void finish() { inner.finish(); }
    };
    const auto descend = [&] { return part{loop, make()}; };
    run_loop<true>(steps, descend);
}

// How `steps` steps are cut into blocks: all of one size but the last, which takes the rest too.
// `least` is what parallel_for.hpp says of grain::iterations.
struct blocks {
    static std::uint64_t default_size(std::uint64_t all) {
        const std::uint64_t few = std::clamp<std::uint64_t>(all / 1024, 1, 16);
        return std::clamp<std::uint64_t>(all / 4096, few, 1024);
    }

    blocks(std::uint64_t all, std::uint64_t least)
        : steps(all), size(least != 0 ? least : default_size(all)),
          count(steps == 0 ? 0 : std::max<std::uint64_t>(steps / size, 1)) {}

    std::uint64_t begin(std::uint64_t block) const { return block * size; }
    std::uint64_t end(std::uint64_t block) const {
        return block + 1 == count ? steps : (block + 1) * size;
    }

    std::uint64_t steps;
    std::uint64_t size;
    std::uint64_t count;
};

// Calls call(begin, end) for each block.
template <class Call>
void run_blocks(const blocks &cut, Call &&call) {
    struct part {
        const blocks &cut;
        std::remove_reference_t<Call> &call;

        void operator()(std::uint64_t block) { call(cut.begin(block), cut.end(block)); }
        void finish() {}
    };
    const auto make = [&] { return part{cut, call}; };
    run_loop(cut.count, make);
}

} // namespace saguaro::detail
