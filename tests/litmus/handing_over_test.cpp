// SPDX-License-Identifier: MIT
// Handing over: who finds a pointer or a mark also finds what was written before it.
#include "litmus/race.hpp"
#include "saguaro/detail/frame.h"

#include <gtest/gtest.h>

namespace saguaro::litmus {
namespace {

// A frame whose variables lie in another cache line than its slot.
struct alignas(128) numbered_frame {
    sg_frame head{};
    int number = 0;
};

// A thief that finds a frame finds the variables that were saved in it. The frame is another one in
// each round: the older variables are not written while a thief may still look.
TEST(message_passing, thief_sees_what_was_saved_before_the_push) {
    numbered_frame frames[2];
    alignas(128) sg_frame *slots[2]{};
    const auto owner_pushes = [&](int round) {
        numbered_frame &mine = frames[round % 2];
        mine.number = round;
        sg_push(slots, &mine.head);
        return round;
    };
    const auto thief_reads = [&](int round) {
        // As deque::oldest.
        sg_frame *const found = __atomic_load_n(slots, __ATOMIC_ACQUIRE);
        return found == &frames[round % 2].head ? frames[round % 2].number : round;
    };
    EXPECT_FALSE(ever_seen(nothing_to_prepare, owner_pushes, thief_reads,
                           [](auto number) { return number.second != number.first; }));
}

// publish_parent: the parent is pushed on the chain, then the child's deque is shown. A thief that
// finds the deque finds the parent.
TEST(message_passing, thief_that_finds_the_deque_finds_the_parent) {
    struct alignas(128) word {
        int value;
    };
    word parent{}, active{};
    const auto spawn = [&](int round) {
        __atomic_store_n(&parent.value, round, __ATOMIC_RELEASE);
        __atomic_store_n(&active.value, round, __ATOMIC_RELEASE);
        return 0;
    };
    const auto is_wrong = [&](int round) {
        const bool found = __atomic_load_n(&active.value, __ATOMIC_ACQUIRE) == round;
        return found && __atomic_load_n(&parent.value, __ATOMIC_ACQUIRE) != round;
    };
    EXPECT_FALSE(
        ever_seen(nothing_to_prepare, spawn, is_wrong, [](auto saw) { return saw.second; }));
}

// full_frame::link: the end of a function and its waiter each write what they have and exchange.
// One of the two is second, and has both.
TEST(link_exchange, second_has_both_and_there_is_one) {
    enum side : int { nobody, end, waiter };
    struct alignas(128) part {
        int value = 0;
    };
    part result, saved;
    alignas(128) std::atomic<int> link{nobody};
    enum found : int { is_first, is_second, finds_old };
    const auto exchange = [&](int round, side me, side other, part &mine, const part &theirs) {
        mine.value = round;
        if (link.exchange(me, std::memory_order_acq_rel) != other)
            return is_first;
        return theirs.value == round ? is_second : finds_old;
    };
    const auto ends = [&](int round) { return exchange(round, end, waiter, result, saved); };
    const auto waits = [&](int round) { return exchange(round, waiter, end, saved, result); };
    const auto reset = [&](int) { link.store(nobody, std::memory_order_relaxed); };
    EXPECT_FALSE(ever_seen(reset, ends, waits, [](auto saw) {
        return saw.first == finds_old || saw.second == finds_old ||
               (saw.first == is_second) == (saw.second == is_second);
    }));
}

} // namespace
} // namespace saguaro::litmus
