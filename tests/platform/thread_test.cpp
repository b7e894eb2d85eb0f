// SPDX-License-Identifier: MIT
// Tests of pinning, homes, timer slack and names of threads.
#include "platform/thread.hpp"

#include "platform/cpus.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <thread>
#include <vector>

using namespace saguaro::platform;

TEST(pin_to_cpu, moves_the_thread) {
    for (const int cpu : allowed_cpus())
        std::thread([cpu] {
            ASSERT_TRUE(pin_to_cpu(cpu));
            EXPECT_EQ(sched_getcpu(), cpu);
        }).join();
}

TEST(pin_to_cpu, refuses_processors_that_do_not_exist) {
    std::thread([] {
        const std::vector<int> before = allowed_cpus();
        EXPECT_FALSE(pin_to_cpu(-1));
        EXPECT_FALSE(pin_to_cpu(100'000));
        EXPECT_EQ(allowed_cpus(), before);
    }).join();
}

// Each on a thread of its own, whose processors may change.
class home : public testing::Test {
protected:
    void SetUp() override {
        if (all.size() < 2)
            GTEST_SKIP() << "one processor";
    }

    template <class Body>
    static void on_a_thread(Body body) {
        std::thread(body).join();
    }

    const std::vector<int> all = allowed_cpus();
    const std::vector<int> first{all.front()};
    const std::vector<int> last{all.back()};
};

TEST_F(home, is_where_a_thread_starts_and_comes_back_to) {
    on_a_thread([&] {
        {
            home_cpu mine(last.front());
            EXPECT_EQ(allowed_cpus(), last);
            EXPECT_EQ(sched_getcpu(), last.front());
            mine.leave();
            EXPECT_EQ(allowed_cpus(), all);
            std::thread([&] { EXPECT_EQ(allowed_cpus(), all); }).join();
            mine.leave();
            EXPECT_EQ(allowed_cpus(), all);
            mine.come();
            mine.come();
            EXPECT_EQ(allowed_cpus(), last);
        }
        EXPECT_EQ(allowed_cpus(), all) << "it has moved out";
    });
}

TEST_F(home, none_changes_nothing) {
    on_a_thread([&] {
        home_cpu mine(-1);
        EXPECT_EQ(allowed_cpus(), all);
        mine.come();
        mine.leave();
        EXPECT_EQ(allowed_cpus(), all);
        EXPECT_EQ(mine.cpu(), -1);
    });
}

TEST_F(home, of_another_processor_is_gone_to_at_once_by_a_thread_that_is_there) {
    on_a_thread([&] {
        home_cpu mine(last.front());
        std::thread([&] { mine.move_to(first.front()); }).join();
        EXPECT_EQ(mine.cpu(), first.front());
        EXPECT_EQ(allowed_cpus(), first);
        mine.leave();
        std::thread([&] { mine.move_to(last.front()); }).join();
        EXPECT_EQ(allowed_cpus(), all) << "it works";
        mine.come();
        EXPECT_EQ(allowed_cpus(), last);
    });
}

TEST_F(home, leaves_what_the_program_has_changed) {
    on_a_thread([&] {
        home_cpu mine(last.front());
        mine.leave();
        ASSERT_TRUE(pin_to_cpu(first.front()));
        mine.come();
        EXPECT_EQ(allowed_cpus(), first) << "its home is not among them";
        mine.leave();
        EXPECT_EQ(allowed_cpus(), first);
    });
    on_a_thread([&] {
        home_cpu mine(last.front());
        mine.leave();
        ASSERT_TRUE(pin_to_cpu(last.front()));
        mine.come();
        mine.leave();
        EXPECT_EQ(allowed_cpus(), last) << "not what it had at first";
    });
}

TEST_F(home, is_left_while_one_looks_at_the_programs_processors) {
    on_a_thread([&] {
        home_cpu mine(last.front());
        {
            const at_large now;
            EXPECT_EQ(allowed_cpus(), all);
        }
        EXPECT_EQ(allowed_cpus(), last);
        mine.leave();
        {
            const at_large now;
        }
        EXPECT_EQ(allowed_cpus(), all);
    });
}

TEST(punctual, ends_the_slack_for_its_time) {
    std::thread([] {
        const int before = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
        {
            const punctual now;
            EXPECT_EQ(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), 1);
        }
        EXPECT_EQ(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), before);
        EXPECT_NE(before, 1) << "nothing to see";
    }).join();
}

TEST(name_this_thread, cuts_long_names) {
    std::thread([] {
        char name[16];
        name_this_thread("saguaro 7");
        pthread_getname_np(pthread_self(), name, sizeof(name));
        EXPECT_STREQ(name, "saguaro 7");
        name_this_thread("a name of more than fifteen bytes");
        pthread_getname_np(pthread_self(), name, sizeof(name));
        EXPECT_STREQ(name, "a name of more ");
    }).join();
}

TEST(set_thread_name, cuts_long_names) {
    std::atomic<bool> done{false};
    std::thread thread([&done] { done.wait(false); });
    char name[16];
    set_thread_name(thread, "saguaro 7");
    pthread_getname_np(thread.native_handle(), name, sizeof(name));
    EXPECT_STREQ(name, "saguaro 7");
    set_thread_name(thread, "a name of more than fifteen bytes");
    pthread_getname_np(thread.native_handle(), name, sizeof(name));
    EXPECT_STREQ(name, "a name of more ");
    done = true;
    done.notify_one();
    thread.join();
}
