// SPDX-License-Identifier: MIT
// Tests of what a fork leaves whole: values made at their first use, and locks.
#include "platform/forks.hpp"

#include "platform/end_of_child.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <mutex>
#include <sched.h>
#include <thread>

namespace saguaro::platform {

namespace {

// A thread that stands in the middle of making the value 1, until it is told to go on.
class slow_maker {
public:
    explicit slow_maker(made_once<int> &value)
        : thread_([this, &value] {
              made = value.get([this] {
                  is_amid = true;
                  while (!may_go_on)
                      sched_yield();
                  return 1;
              });
          }) {
        while (!is_amid)
            sched_yield();
    }

    int end() {
        may_go_on = true;
        thread_.join();
        return made;
    }

private:
    std::atomic<bool> is_amid{false}, may_go_on{false};
    int made = 0;
    std::thread thread_;
};

TEST(platform_forks, a_value_is_made_once) {
    static constinit made_once<int> value;
    const int &first = value.get([] { return 1; });
    EXPECT_EQ(first, 1);
    EXPECT_EQ(&value.get([] { return 2; }), &first);
}

TEST(platform_forks, a_child_does_not_wait_for_a_thread_that_makes_a_value) {
    static constinit made_once<int> value;
    slow_maker other(value);
    EXPECT_EQ(end_of_child([] { return value.get([] { return 7; }); }), 7);
    EXPECT_EQ(other.end(), 1);
}

TEST(platform_forks, of_two_that_make_a_value_the_first_one_stays) {
    static constinit made_once<int> value;
    slow_maker other(value);
    EXPECT_EQ(value.get([] { return 2; }), 2);
    EXPECT_EQ(other.end(), 2);
}

std::mutex held;

TEST(platform_forks, a_child_can_take_a_lock_that_is_held_across_forks) {
    hold_across_forks<held>();
    std::atomic<bool> is_over{false};
    std::atomic<unsigned> taken{0};
    std::thread other([&] {
        while (!is_over) {
            const std::lock_guard guard(held);
            ++taken;
            sched_yield(); // as a rule it has the lock when the other one forks
        }
    });
    while (taken == 0)
        sched_yield();
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(end_of_child([] {
                      const std::lock_guard guard(held);
                      return 5;
                  }),
                  5);
    is_over = true;
    other.join();
}

std::mutex other_held;
int children = 0;

void note_child() {
    children += other_held.try_lock() ? 100 : 1;
}

TEST(platform_forks, a_child_does_something_before_it_gives_the_lock_back) {
    hold_across_forks<other_held, note_child>();
    EXPECT_EQ(end_of_child([] { return children + (other_held.try_lock() ? 10 : 0); }), 11);
    EXPECT_EQ(children, 0);
}

} // namespace

} // namespace saguaro::platform
