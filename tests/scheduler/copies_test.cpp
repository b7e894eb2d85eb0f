// SPDX-License-Identifier: MIT
// Copies of the library share the processors, and a thread leaves one's run for another's. The
// other copy is a place in the table here.
#include "platform/copy_table.hpp"
#include "saguaro/run.hpp"
#include "saguaro/saguaro.hpp"
#include "scheduler/runtime.hpp"
#include "support/started.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace saguaro::scheduler {
namespace {

using namespace std::chrono_literals;
using platform::copy_slot;

char outside, in_a_run;
thread_local void *seen_of_other = &outside;

// Another copy of the library, which does nothing.
class other_copy {
public:
    other_copy() : slot_(take(*platform::the_copies.load())) {}
    ~other_copy() {
        ++slot_.generation;
        --platform::the_copies.load()->used;
    }
    other_copy(const other_copy &) = delete;
    other_copy &operator=(const other_copy &) = delete;

    copy_slot &slot() { return slot_; }

private:
    static copy_slot &take(platform::copy_table &table) {
        copy_slot *slot = table.slots;
        while (slot->generation % 2 != 0)
            ++slot;
        slot->pointer_at = reinterpret_cast<char *>(&seen_of_other) -
                           static_cast<char *>(__builtin_thread_pointer());
        slot->outside = &outside;
        slot->awake = slot->inside = slot->away = 0;
        ++slot->generation;
        ++table.used;
        return *slot;
    }

    copy_slot &slot_;
};

// This copy's: the program has no other.
copy_slot &own_slot() {
    return platform::the_copies.load()->slots[0];
}

// False if they are not all asleep within a minute.
bool all_sleep() {
    const auto deadline = std::chrono::steady_clock::now() + 1min;
    while (running()->seating().awake() != 0 && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(1ms);
    return running()->seating().awake() == 0;
}

TEST(copies, threads_of_others_take_processors) {
    const test::started some(3);
    other_copy other;
    ASSERT_TRUE(all_sleep());
    const seats &here = running()->seating();
    EXPECT_EQ(here.free_processors(), 3);
    other.slot().awake = 1;
    EXPECT_EQ(here.free_processors(), 2);
    other.slot().inside = 3; // one of them works for us
    other.slot().away = 1;
    EXPECT_EQ(here.free_processors(), 0);
    // A fork's child has come back with a thread that it had forgotten.
    other.slot().awake = other.slot().inside = 0;
    EXPECT_EQ(here.free_processors(), 3);
}

TEST(copies, no_thread_is_woken_without_a_processor) {
    const test::started some(3);
    other_copy other;
    ASSERT_TRUE(all_sleep());
    other.slot().awake = 3;
    running()->seating().look_again();
    EXPECT_EQ(running()->seating().sleepers(), 0U);
    other.slot().awake = 1;
    running()->seating().look_again();
    EXPECT_EQ(running()->seating().sleepers(), 2U);
}

TEST(copies, others_see_what_computes) {
    const test::started some(3);
    other_copy other;
    ASSERT_TRUE(all_sleep());
    EXPECT_EQ(own_slot().awake, 0);
    EXPECT_EQ(own_slot().inside, 0);
    run([] { EXPECT_EQ(own_slot().inside, 1); });
    EXPECT_EQ(own_slot().inside, 0);
    ASSERT_TRUE(all_sleep());
    own_slot().away = 2;
    EXPECT_EQ(running()->seating().free_processors(), 5);
    own_slot().away = 0;
}

TEST(copies, threads_that_end_are_not_seen) {
    {
        const test::started some(3);
        own_slot().awake = 2;
    }
    EXPECT_EQ(own_slot().awake, 0);
}

TEST(copies, a_run_of_another_is_left_for_ours) {
    other_copy other;
    seen_of_other = &in_a_run;
    run([&] {
        EXPECT_EQ(other.slot().away, 1);
        EXPECT_EQ(own_slot().inside, 1);
    });
    EXPECT_EQ(seen_of_other, &in_a_run);
    EXPECT_EQ(other.slot().away, 0);
    void *during = nullptr;
    run([&during] { during = seen_of_other; }); // no thief takes the root
    EXPECT_EQ(during, &outside);
    seen_of_other = &outside;
    run([&other] { EXPECT_EQ(other.slot().away, 0); });
}

} // namespace
} // namespace saguaro::scheduler
