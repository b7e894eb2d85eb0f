// SPDX-License-Identifier: MIT
// Work that threads outside of any run leave to the runtime: it begins without a wait.
#include "forcing.hpp"
#include "support/started.hpp"

#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::scope;
using saguaro::task_group;

class outside_tasks : public testing::TestWithParam<unsigned> {
protected:
    const started workers_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(workers, outside_tasks, testing::Values(1u, 2u, 4u));

// As an event loop does, which must not wait.
void look_until_all_have_ended(int tasks) {
    task_group group;
    std::atomic<int> ended{0};
    for (int round = 1; round <= 3; ++round) {
        for (int i = 0; i < tasks; ++i)
            group.run([&] { ++ended; });
        wait_until([&] { return ended == round * tasks; });
    }
}

TEST_P(outside_tasks, of_a_group_begin_without_a_wait) {
    look_until_all_have_ended(1);
    look_until_all_have_ended(100);
}

TEST_P(outside_tasks, of_a_scope_begin_without_a_sync) {
    scope s;
    for (int round = 1; round <= 3; ++round) {
        std::atomic<int> ended{0};
        for (int i = 0; i < 100; ++i)
            s.spawn([&] { ++ended; });
        wait_until([&] { return ended == 100; });
    }
}

TEST_P(outside_tasks, run_what_they_spawn) {
    std::atomic<long> result{0};
    task_group group;
    group.run([&] { result = fib(10); });
    wait_until([&] { return result == 55; });
}

TEST_P(outside_tasks, of_many_threads_and_groups) {
    on_threads(4, [](int number) {
        for (int round = 0; round < (is_slow ? 3 : 20); ++round)
            look_until_all_have_ended(10 * number + 1);
    });
}

TEST(outside_task, begins_on_one_processor) {
    const on_one_processor here;
    for (const unsigned workers : {1U, 2U}) {
        const started all(workers);
        look_until_all_have_ended(10);
    }
}

// Threads that have entered, one for each worker, and compute until `has_run`. When it is made, no
// thread of the runtime's is awake.
struct callers_until_it_has_run {
    explicit callers_until_it_has_run(unsigned count)
        : threads([this, count] {
              on_threads(static_cast<int>(count), [this](int) {
                  saguaro::run([this] {
                      ++inside;
                      wait_until([this] { return has_run.load(); });
                  });
              });
          }) {
        wait_until([this, count] {
            return inside == count && saguaro::scheduler::running()->seating().awake() == 0;
        });
    }
    void join() { threads.join(); }

    std::atomic<bool> has_run{false};
    std::atomic<unsigned> inside{0};
    std::thread threads;
};

// Each thread that computes is one that has entered, and none of them does anything for the group.
TEST_P(outside_tasks, begin_though_all_processors_are_taken) {
    callers_until_it_has_run callers(GetParam());
    task_group group;
    group.run([&] { callers.has_run = true; });
    callers.join();
}

TEST_P(outside_tasks, of_a_scope_begin_though_all_processors_are_taken) {
    callers_until_it_has_run callers(GetParam());
    scope s;
    s.spawn([&] { callers.has_run = true; });
    callers.join();
}

// One of the runtime's threads has a caller's work; callers have the other processors.
TEST(outside_task, begins_though_a_thread_of_the_runtimes_works_for_a_caller) {
    const started three(3);
    std::atomic<bool> has_run{false}, is_stolen{false};
    std::atomic<int> inside{0};
    const auto wait = [&] { wait_until([&] { return has_run.load(); }); };
    task_group group;
    std::thread first([&] {
        saguaro::run([&] {
            saguaro::parallel_invoke(wait, [&] {
                is_stolen = true;
                wait();
            });
        });
    });
    wait_until([&] { return is_stolen.load(); });
    std::thread others([&] {
        on_threads(2, [&](int) {
            saguaro::run([&] {
                ++inside;
                wait();
            });
        });
    });
    wait_until(
        [&] { return inside == 2 && saguaro::scheduler::running()->seating().awake() == 1; });
    group.run([&] { has_run = true; });
    first.join();
    others.join();
}

// Tasks that have all threads of the runtime's, as long as it lives.
class busy_threads {
public:
    busy_threads() {
        const auto threads = static_cast<int>(std::max(saguaro::workers(), 2U)) - 1;
        std::atomic<int> begun{0};
        for (int i = 0; i < threads; ++i)
            each_.push_back(std::make_unique<task_group>());
        for (const auto &group : each_)
            group->run([&] {
                ++begun;
                wait_until([&] { return is_over_.load(); });
            });
        wait_until([&] { return begun == threads; });
    }
    ~busy_threads() {
        is_over_ = true;
        for (const auto &group : each_)
            group->wait();
    }
    busy_threads(const busy_threads &) = delete;
    busy_threads &operator=(const busy_threads &) = delete;

private:
    std::atomic<bool> is_over_{false};
    std::vector<std::unique_ptr<task_group>> each_;
};

TEST_P(outside_tasks, are_begun_by_the_wait_if_no_thread_has_time) {
    const busy_threads all;
    for (int round = 0; round < 3; ++round) {
        int ran = 0;
        task_group group;
        for (int i = 0; i < 10; ++i)
            group.run([&] { ++ran; });
        group.wait();
        EXPECT_EQ(ran, 10);
        scope s;
        s.spawn([&] { ++ran; });
        s.sync();
        EXPECT_EQ(ran, 11);
        s.spawn([&] { ++ran; });
        saguaro::run([&] { s.sync(); });
        EXPECT_EQ(ran, 12);
    }
}

// --- One worker ---

// The runtime's thread has begun the first; the thread that waits begins no other meanwhile.
template <class Run, class Wait>
void begin_one_after_the_other(Run run, Wait wait) {
    std::atomic<bool> has_begun{false};
    std::atomic<int> running{0};
    std::string order;
    const std::uint64_t parks = parks_of(0);
    run([&] {
        ++running;
        has_begun = true;
        wait_until([&] { return parks_of(0) > parks && is_idle(0); });
        order += '0';
        EXPECT_EQ(running--, 1);
    });
    for (char each = '1'; each <= '9'; ++each)
        run([&, each] {
            EXPECT_EQ(++running, 1);
            order += each;
            --running;
        });
    wait_until([&] { return has_begun.load(); });
    wait();
    EXPECT_EQ(order, "0123456789");
}

TEST(outside_task, begins_with_one_worker_when_the_one_before_has_ended) {
    const started one(1);
    for (int round = 0; round < 3; ++round) {
        task_group group;
        begin_one_after_the_other([&](auto task) { group.run(task); }, [&] { group.wait(); });
        scope s;
        begin_one_after_the_other([&](auto task) { s.spawn(task); }, [&] { s.sync(); });
    }
}

// The thread that waits is in a task when another one comes from outside, and the runtime's thread
// has time.
TEST(outside_task, is_left_to_a_wait_with_one_worker) {
    const started one(1);
    std::atomic<bool> has_begun{false}, has_another{false};
    std::atomic<int> running{0};
    task_group group;
    auto busy = std::make_unique<busy_threads>();
    group.run([&] {
        ++running;
        has_begun = true;
        wait_until(
            [&] { return has_another && saguaro::scheduler::running()->seating().awake() == 0; });
        --running;
    });
    std::thread waits([&] { group.wait(); });
    wait_until([&] { return has_begun.load(); });
    busy.reset();
    group.run([&] {
        EXPECT_EQ(++running, 1);
        --running;
    });
    has_another = true;
    waits.join();
}

// A task in another thread's run begins at its end what has been put aside, and the runtime's
// thread has time.
TEST(outside_task, is_left_to_the_end_of_a_task_with_one_worker) {
    const started one(1);
    std::atomic<bool> has_begun{false}, has_another{false}, goes_on{false};
    std::atomic<int> running{0};
    task_group group;
    auto busy = std::make_unique<busy_threads>();
    std::thread other([&] {
        saguaro::run([&] { group.run([&] { wait_until([&] { return goes_on.load(); }); }); });
    });
    group.run([&] {
        ++running;
        has_begun = true;
        wait_until(
            [&] { return has_another && saguaro::scheduler::running()->seating().awake() == 0; });
        --running;
    });
    goes_on = true;
    wait_until([&] { return has_begun.load(); });
    busy.reset();
    group.run([&] {
        EXPECT_EQ(++running, 1);
        --running;
    });
    has_another = true;
    other.join();
    group.wait();
}

TEST(outside_task, that_waits_for_something_outside_leaves_its_place_with_one_worker) {
    const started one(1);
    std::atomic<bool> has_begun{false}, has_run{false};
    task_group first, second;
    first.run([&] {
        has_begun = true;
        const saguaro::blocking scope;
        wait_until([&] { return has_run.load(); });
    });
    wait_until([&] { return has_begun.load(); });
    second.run([&] { has_run = true; });
    first.wait();
}

// The first waits for the second, which comes when a stand-in has found nothing more to begin.
TEST(outside_task, that_waits_for_a_later_one_does_not_keep_it_back_with_one_worker) {
    const started one(1);
    std::atomic<bool> has_begun{false}, has_run{false};
    task_group group;
    const auto waits = [&] {
        has_begun = true;
        const saguaro::blocking scope;
        wait_until([&] { return has_run.load(); });
    };
    group.run(waits);
    wait_until([&] { return has_begun.load(); });
    const saguaro::scheduler::callers &all = saguaro::scheduler::running()->callers();
    wait_until([&] {
        const saguaro::scheduler::worker *const stand_in =
            all.others() > 1 ? all.other_at(1) : nullptr;
        return stand_in != nullptr && stand_in->count.parks != 0;
    });
    group.run([&] { has_run = true; });
    group.wait();
    EXPECT_TRUE(has_run);
}

TEST(outside_task, of_a_scope_that_waits_for_a_later_one_does_not_keep_it_back_with_one_worker) {
    for (const bool is_synced_first : {true, false}) {
        const started one(1);
        std::atomic<bool> has_begun{false}, has_run{false};
        const std::uint64_t parks = parks_of(0);
        scope s;
        s.spawn([&] {
            has_begun = true;
            if (is_synced_first)
                wait_until([&] { return parks_of(0) > parks && is_idle(0); });
            const saguaro::blocking here;
            wait_until([&] { return has_run.load(); });
        });
        s.spawn([&] { has_run = true; });
        wait_until([&] { return has_begun.load(); });
        s.sync();
        EXPECT_TRUE(has_run);
    }
}

// The wait has begun the first, and is in the sync.
TEST(outside_task, begins_beside_a_wait_whose_task_waits_for_it_with_one_worker) {
    const started one(1);
    std::atomic<bool> has_begun{false}, has_run{false};
    task_group group;
    auto busy = std::make_unique<busy_threads>();
    group.run([&] {
        has_begun = true;
        const saguaro::blocking scope;
        wait_until([&] { return has_run.load(); });
    });
    std::thread waits([&] { group.wait(); });
    wait_until([&] { return has_begun.load(); });
    busy.reset();
    const saguaro::scheduler::callers &all = saguaro::scheduler::running()->callers();
    wait_until([&] {
        std::uint64_t parks = 0;
        for (unsigned i = 0; i < all.others(); ++i)
            if (const saguaro::scheduler::worker *const each = all.other_at(i))
                parks += each->count.parks;
        return parks != 0;
    });
    group.run([&] { has_run = true; });
    waits.join();
    EXPECT_TRUE(has_run);
}

// Another worker has gone on with what began the first task, and has found no more.
TEST(outside_task, begins_while_another_one_is_under_way) {
    const started four(4);
    std::atomic<bool> has_run{false};
    task_group group;
    group.run([&] {
        saguaro::parallel_invoke([] {}, [] {});
        wait_until([&] { return has_run.load(); });
    });
    wait_until([&] { return parks_of(1) + parks_of(2) + parks_of(3) != 0; });
    group.run([&] { has_run = true; });
    wait_until([&] { return has_run.load(); });
}

// What one thread runs stays in serial order, whatever the runtime's thread waits for.
TEST(outside_task, takes_nothing_of_a_run_with_one_worker) {
    const started one(1);
    look_until_all_have_ended(1);
    saguaro::scheduler::runtime &rt = *saguaro::scheduler::running();
    const saguaro::scheduler::counters &helper = rt.callers().other_at(0)->count;
    std::atomic<bool> is_held{false}, is_over{false};
    task_group held(saguaro::any_flow), waits;
    std::thread other([&] {
        saguaro::run([&] {
            held.run([&] {
                is_held = true;
                wait_until([&] { return is_over.load(); });
            });
        });
    });
    wait_until([&] { return is_held.load(); });
    waits.run([&] { held.wait(); });
    wait_until([&] { return helper.parks != 0; });
    saguaro::run([&] {
        const std::uint64_t before = helper.sleeps;
        saguaro::parallel_invoke(
            // It wakes up, and looks around.
            [&] { wait_until([&] { return helper.sleeps != before || helper.steals != 0; }); },
            [] {});
    });
    EXPECT_EQ(helper.steals, 0U);
    is_over = true;
    other.join();
    waits.wait();
}

// A flow that waits in a run goes on there, though the runtime's thread has made it ready.
TEST(outside_task, ends_a_wait_that_goes_on_where_it_was_with_one_worker) {
    const started one(1);
    look_until_all_have_ended(1);
    const saguaro::scheduler::counters &helper =
        saguaro::scheduler::running()->callers().other_at(0)->count;
    std::atomic<bool> has_begun{false}, goes_on{false}, has_ended{false}, is_in_run{false};
    task_group group;
    group.run([&] {
        has_begun = true;
        wait_until([&] { return goes_on.load(); });
    });
    wait_until([&] { return has_begun.load(); });
    saguaro::run([&] {
        scope s;
        s.spawn([&] {
            group.wait();
            EXPECT_FALSE(is_in_run);
            has_ended = true;
        });
        // The child has parked, and this thread has taken what it left.
        is_in_run = true;
        const std::uint64_t before = helper.sleeps;
        goes_on = true;
        wait_until([&] { return helper.sleeps != before || has_ended; });
        is_in_run = false;
        s.sync();
    });
    EXPECT_TRUE(has_ended);
}

// --- The end ---

TEST_P(outside_tasks, keep_the_workers_until_they_have_ended) {
    std::atomic<bool> has_begun{false}, goes_on{false};
    task_group group;
    group.run([&] {
        has_begun = true;
        wait_until([&] { return goes_on.load(); });
    });
    wait_until([&] { return has_begun.load(); });
    EXPECT_EQ(sg_stop(), EBUSY);
    goes_on = true;
    group.wait();
    EXPECT_EQ(sg_stop(), 0);
    look_until_all_have_ended(1); // on workers as the environment says
}

} // namespace
