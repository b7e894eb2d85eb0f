// SPDX-License-Identifier: MIT
// Tests of a deque's slots: finding the tail, popping and taking.
#include "scheduler/deque.hpp"

#include "stacks/pool.hpp"

#include <gtest/gtest.h>

#include <mutex>

namespace saguaro::scheduler {
namespace {

constexpr std::size_t stack_bytes = 64 * 1024;
constexpr stacks::purpose for_deques{"", "", deque::build};
constexpr stacks::purpose for_deques_that_ask{"", "", deque::build};

// A deque as the runtime makes it, on a stack of a pool of its own.
class deques : public testing::Test {
protected:
    ~deques() override {
        d.reset();
        stacks_.give(stack_);
    }

    // Makes the first `count` slots full and the rest free.
    void fill(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            sg_push(d.slots() + i, &frame);
        for (std::size_t i = count; d.slots()[i] != nullptr; ++i)
            d.slots()[i] = nullptr;
    }

    void steal_to(sg_frame **slot) { d.head.store(slot); }

    sg_frame frame{nullptr};

private:
    stacks::pool stacks_{stack_bytes, deque::bytes(stack_bytes), for_deques};
    stacks::stack *const stack_ = stacks_.take();

protected:
    deque &d = *deque_of(stack_);
};

TEST_F(deques, new_one_is_empty) {
    EXPECT_EQ(d.tail, d.slots());
    EXPECT_EQ(d.head.load(), d.slots());
    EXPECT_EQ(d.exc, d.slots());
    EXPECT_EQ(d.find_tail(), d.slots());
    EXPECT_EQ(d.oldest(), nullptr);
    EXPECT_EQ(d.incomplete, nullptr);
    EXPECT_EQ(d.stubs, nullptr);
    EXPECT_FALSE(d.strand.is_out);
    EXPECT_EQ(deque_of(d.home()), &d);
}

TEST_F(deques, tail_is_found_from_every_hint) {
    for (std::size_t full = 0; full <= 200; ++full) {
        fill(full);
        for (std::size_t hint = 0; hint <= full; ++hint) {
            d.tail = d.slots() + hint;
            ASSERT_EQ(d.find_tail() - d.slots(), static_cast<std::ptrdiff_t>(full))
                << "from " << hint;
        }
    }
    fill(0);
}

// One frame for each eight bytes of the stack: the search may look as far again, and no further.
TEST_F(deques, tail_is_found_in_a_deque_that_is_as_full_as_can_be) {
    const std::size_t most = stack_bytes / sizeof(sg_frame *);
    fill(most);
    for (const std::size_t hint : {std::size_t{0}, std::size_t{1}, most / 2, most - 1, most}) {
        d.tail = d.slots() + hint;
        EXPECT_EQ(d.find_tail() - d.slots(), static_cast<std::ptrdiff_t>(most)) << "from " << hint;
    }
    fill(0);
}

TEST_F(deques, pops_ask_below_exc_only) {
    fill(3);
    {
        const std::lock_guard guard(d.lock);
        d.pass_to(d.slots() + 1);
    }
    EXPECT_EQ(sg_pop(&d, d.slots() + 2), 0);
    EXPECT_EQ(sg_pop(&d, d.slots() + 1), 0);
    EXPECT_NE(sg_pop(&d, d.slots()), 0);
    EXPECT_EQ(d.find_tail(), d.slots()) << "a pop empties its slot, asked or not";
}

TEST_F(deques, oldest_is_the_first_that_was_not_taken) {
    sg_frame second{nullptr};
    sg_push(d.slots(), &frame);
    sg_push(d.slots() + 1, &second);
    EXPECT_EQ(d.oldest(), &frame);
    steal_to(d.slots() + 1);
    EXPECT_EQ(d.oldest(), &second);
    steal_to(d.slots() + 2);
    EXPECT_EQ(d.oldest(), nullptr);
    fill(0);
}

TEST_F(deques, reset_makes_it_as_new) {
    int something = 0;
    d.tail = d.slots() + 4;
    d.incomplete = &something;
    d.stubs = reinterpret_cast<spawned_child *>(&something);
    d.strand.is_out = true;
    steal_to(d.slots() + 4);
    d.keep_asking();
    d.reset();
    EXPECT_EQ(d.tail, d.slots());
    EXPECT_EQ(d.head.load(), d.slots());
    EXPECT_EQ(d.exc, d.slots());
    EXPECT_EQ(d.incomplete, nullptr);
    EXPECT_EQ(d.stubs, nullptr);
    EXPECT_FALSE(d.strand.is_out);
}

// Statistics and kernels without membarrier: pops ask wherever they are, and go on doing so.
TEST(deque_that_always_asks, asks_after_everything) {
    ask_at_every_pop(true);
    stacks::pool stacks(stack_bytes, deque::bytes(stack_bytes), for_deques_that_ask);
    stacks::stack *const s = stacks.take();
    deque &d = *deque_of(s);
    sg_frame frame{nullptr};
    const auto asks = [&] {
        sg_push(d.slots() + 100, &frame);
        return sg_pop(&d, d.slots() + 100) != 0;
    };
    EXPECT_TRUE(asks());
    {
        const std::lock_guard guard(d.lock);
        d.rest_again();
        EXPECT_TRUE(asks());
        d.restart_at(d.slots() + 1);
        EXPECT_TRUE(asks());
        EXPECT_EQ(d.head.load(), d.slots() + 1);
    }
    d.reset();
    EXPECT_TRUE(asks());
    ask_at_every_pop(false);
    d.reset();
    EXPECT_FALSE(asks()) << "what begins on a stack asks as the runtime does then";
    stacks.give(s);
}

} // namespace
} // namespace saguaro::scheduler
