// SPDX-License-Identifier: MIT
// Isolated parts of a run: the thread does nothing else meanwhile, comes back to them as the same,
// and others help.
#include "saguaro/blocking.hpp"
#include "saguaro/detail/sanitizers.h"
#include "saguaro/saguaro.hpp"
#include "scheduler/runtime.hpp"
#include "support/death_style.hpp"
#include "support/started.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace saguaro::scheduler {
namespace {

using namespace std::chrono_literals;

using test::becomes_true;

// Two parts that wait for each other: two threads have to do them.
void two_at_once() {
    std::atomic<int> here{0};
    const auto part = [&] {
        ++here;
        EXPECT_TRUE(becomes_true([&] { return here == 2; }));
    };
    parallel_invoke(part, part);
}

TEST(isolate, returns_results_and_exceptions) {
    const test::started two(2);
    EXPECT_EQ(isolate([] { return 1; }), 1) << "outside";
    EXPECT_EQ(run([] { return isolate([] { return std::string("in a task"); }); }), "in a task");
    EXPECT_EQ(run([] { return isolate([] { return isolate([] { return test::fib(12); }); }); }),
              144);
    EXPECT_THROW(run([] { isolate([] { throw std::runtime_error("from within"); }); }),
                 std::runtime_error);
    EXPECT_EQ(run([] { return test::fib(10); }), 55);
}

// The thread whose part of an isolated loop is done, while another thread's is not, does not take
// what waits outside of it.
TEST(isolate, the_thread_does_nothing_else_meanwhile) {
    const test::started three(3);
    static thread_local bool is_isolated = false;
    std::atomic<int> others_here{0}, through{0};
    run([&] {
        scope s;
        for (int i = 0; i < 300; ++i)
            s.spawn([&, i] {
                others_here += is_isolated;
                if (i % 3 != 0)
                    return std::this_thread::sleep_for(20us);
                is_isolated = true;
                const std::thread::id mine = std::this_thread::get_id();
                isolate([&] {
                    parallel_for(0, 4, [&](int) {
                        if (std::this_thread::get_id() != mine)
                            std::this_thread::sleep_for(300us);
                        else
                            std::this_thread::sleep_for(20us);
                    });
                });
                is_isolated = false;
                ++through;
            });
    });
    EXPECT_EQ(others_here, 0);
    EXPECT_EQ(through, 100);
}

TEST(isolate, comes_back_on_the_same_thread) {
    const test::started four(4);
    std::mutex lock;
    int entered = 0;
    parallel_for(0, 50, [&](int) {
        const std::thread::id mine = std::this_thread::get_id();
        const int worker = worker_id();
        std::unique_lock guard(lock, std::defer_lock);
        {
            const blocking wait; // the others are needed inside
            guard.lock();
        }
        ++entered;
        isolate(two_at_once);
        EXPECT_EQ(std::this_thread::get_id(), mine);
        EXPECT_EQ(worker_id(), worker);
    });
    EXPECT_EQ(entered, 50);
}

// A thread of the runtime's has begun the inner part, and the one that has entered has nothing
// else.
TEST(isolate, the_thread_that_has_entered_helps) {
    const test::started two(2);
    for (int round = 0; round < 10; ++round) {
        std::atomic<bool> is_taken{false};
        run([&] {
            parallel_invoke([&] { EXPECT_TRUE(becomes_true([&] { return is_taken.load(); })); },
                            [&] {
                                is_taken = true;
                                isolate(two_at_once);
                                isolate([] { isolate(two_at_once); });
                            });
        });
    }
}

// The thread waits for its own isolated part, in which another has begun an inner one.
TEST(isolate, a_thread_helps_inside_its_own_part) {
    const test::started two(2);
    for (int round = 0; round < 10; ++round) {
        std::atomic<bool> is_taken{false};
        run([&] {
            isolate([&] {
                parallel_invoke([&] { EXPECT_TRUE(becomes_true([&] { return is_taken.load(); })); },
                                [&] {
                                    is_taken = true;
                                    isolate(two_at_once);
                                });
            });
        });
    }
}

// It sleeps until another thread has done its last part, and may then be asked again.
TEST(isolate, a_thread_that_sleeps_meanwhile_goes_on) {
    const test::started two(2);
    for (int round = 0; round < 3; ++round)
        run([&] {
            std::atomic<bool> is_taken{false};
            isolate([&] {
                parallel_invoke([&] { EXPECT_TRUE(becomes_true([&] { return is_taken.load(); })); },
                                [&] {
                                    is_taken = true;
                                    std::this_thread::sleep_for(30ms);
                                });
            });
            two_at_once();
            // No thread is counted as asleep that is not.
            const seats &now = running()->seating();
            EXPECT_TRUE(becomes_true([&] { return now.free_processors() + now.awake() == 1; }));
        });
    EXPECT_EQ(running()->seating().inside(), 0);
}

TEST(isolate, is_a_part_of_its_task_for_reducers) {
    for (const unsigned workers : {1U, 4U}) {
        const test::started some(workers);
        reducer<string_append> text;
        run([&] {
            *text += 'a';
            isolate([&] {
                EXPECT_EQ(*text, "a") << "the serially first strand";
                parallel_for(0, 26, [&](int i) {
                    std::this_thread::sleep_for(100us);
                    *text += static_cast<char>('A' + i);
                });
            });
            *text += 'b';
            scope s;
            for (int i = 0; i < 10; ++i)
                s.spawn([&, i] {
                    *text += '<';
                    isolate([&] {
                        parallel_invoke([&] { *text += static_cast<char>('0' + i); },
                                        [&] { *text += '-'; });
                    });
                    *text += '>';
                });
        });
        EXPECT_EQ(text.get(),
                  "aABCDEFGHIJKLMNOPQRSTUVWXYZb<0-><1-><2-><3-><4-><5-><6-><7-><8-><9->");
    }
}

TEST(isolate, is_a_part_of_its_task_for_pedigrees_and_cancellation) {
    const auto numbers = [] {
        pedigree_root root;
        const dotmix random(1);
        std::vector<dotmix::result_type> all(8);
        parallel_for(0, 4, [&](int i) {
            const auto at = static_cast<std::size_t>(2 * i);
            isolate([&] { parallel_invoke([&] { all[at] = random(); }, [] {}); });
            all[at + 1] = random();
        });
        return all;
    };
    std::vector<dotmix::result_type> serial;
    {
        const test::started one(1);
        serial = run(numbers);
    }
    const test::started four(4);
    EXPECT_EQ(run(numbers), serial);
    run([] {
        cancellable_scope s;
        s.spawn([&] {
            s.cancel();
            EXPECT_TRUE(isolate([] { return cancelled(); }));
        });
        s.sync();
        task_group g;
        g.run([&] {
            g.cancel();
            EXPECT_TRUE(isolate([] { return is_current_task_group_canceling(); }));
        });
        g.wait();
    });
}

TEST(isolate, the_child_of_a_fork_comes_back_from_it) {
#if SG_THREAD_SANITIZER
    GTEST_SKIP() << "it sees no synchronization after a fork beside other threads";
#endif
    const test::started two(2);
    int status = -1;
    run([&] {
        scope s;
        s.spawn([&] {
            pid_t child = -1;
            isolate([&] {
                child = fork();
                if (child == 0 && isolate([] { return test::fib(10); }) != 55)
                    _exit(1);
            });
            if (child == 0)
                _exit(test::fib(11) == 89 ? 0 : 2);
            waitpid(child, &status, 0);
        });
        std::this_thread::sleep_for(1ms);
    });
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(isolate_death, is_refused_in_a_blocking_scope) {
    test::use_threadsafe_style();
    EXPECT_DEATH(run([] {
                     const blocking wait;
                     isolate([] {});
                 }),
                 "saguaro: a task spawns, or waits for tasks, in a blocking scope");
}

} // namespace
} // namespace saguaro::scheduler
