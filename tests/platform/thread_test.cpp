// SPDX-License-Identifier: MIT
// Tests of pinning, timer slack and names of threads.
#include "platform/thread.hpp"

#include "platform/cpus.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <thread>

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

TEST(punctual, ends_the_slack_for_its_time) {
    std::thread([] {
        const int before = prctl(PR_GET_TIMERSLACK);
        {
            const punctual now;
            EXPECT_EQ(prctl(PR_GET_TIMERSLACK), 1);
        }
        EXPECT_EQ(prctl(PR_GET_TIMERSLACK), before);
        EXPECT_NE(before, 1) << "nothing to see";
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
