// SPDX-License-Identifier: MIT
// Orders of events that hardly ever come about by themselves, each forced: a thread enters amid a
// stop, a flow leaves while a thief waits for its answer, a thief has no turn to fence, a flow goes
// on while a thread sleeps.
#include "forkjoin/forcing.hpp"
#include "hyperobjects/ending.hpp"
#include "platform/arch.hpp"
#include "platform/fence.hpp"
#include "saguaro/blocking.hpp"
#include "saguaro/saguaro.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/steal.hpp"
#include "support/death_style.hpp"
#include "support/kernel_calls.hpp"
#include "support/scripted_policy.hpp"
#include "support/single_steps.hpp"
#include "support/started.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace saguaro::scheduler {
namespace {

using test::scripted_policy;
using test::scripted_workers;
using test::wait_until;

// ---- A thread enters amid a stop ----

unsigned steps_until_entry = 0;
held_runtime *entered = nullptr;

// What a thread does first that enters, at a moment where the other thread has stopped between two
// instructions. Where there is no runtime to be held it would wait.
bool enter_in_time() {
    if (steps_until_entry-- != 0)
        return true;
    if (running() != nullptr)
        entered = new held_runtime;
    return false;
}

TEST(stop, leaves_the_runtime_to_a_thread_that_enters_meanwhile) {
    if (!test_support::can_step)
        GTEST_SKIP() << "no steps can be taken here";
    ASSERT_EQ(sg_start(nullptr), 0);
    test_support::steps all(enter_in_time);
    int result = EBUSY;
    unsigned entries = 0;
    for (; result != 0; ++entries) {
        entered = nullptr;
        steps_until_entry = entries;
        all.begin();
        result = sg_stop();
        if (entered != nullptr) {
            ASSERT_EQ(result, EBUSY) << "after step " << entries;
            delete entered;
            ASSERT_EQ(run([] { return test::me(); }), 0U);
        }
    }
    EXPECT_EQ(running(), nullptr);
    EXPECT_GT(entries, 20U) << "as many instructions as a stop has at least";
}

// The thread_local objects of a worker's thread may use reducers until the last one is gone.
struct at_thread_end {
    void (*call)() = nullptr;
    ~at_thread_end() {
        if (call != nullptr)
            call();
    }
};
thread_local at_thread_end last_of_thread;

std::atomic<bool> a_thread_ends{false};

void end_never() {
    a_thread_ends = true;
    for (;;)
        pause();
}

void stop_while_a_worker_ends() {
    start({.workers = 2});
    run([] {
        std::atomic<bool> is_taken{false};
        parallel_invoke([&] { wait_until([&] { return is_taken.load(); }); },
                        [&] {
                            last_of_thread.call = end_never;
                            is_taken = true;
                        });
    });
    std::thread([] { sg_stop(); }).detach();
    wait_until([] { return a_thread_ends.load(); });
}

TEST(stop, keeps_reducers_at_exit_until_all_workers_have_ended) {
#if SG_THREAD_SANITIZER
    GTEST_SKIP() << "it sees no synchronization after a fork";
#elif defined(__riscv)
    GTEST_SKIP() << "the unwinder does not find exit among the callers";
#endif
    static reducer<add<int>> of_the_program;
    const pid_t child = fork();
    if (child == 0) {
        stop_while_a_worker_ends();
        std::atexit([] {
            const auto *const one = reinterpret_cast<const sg_reducer *>(&of_the_program);
            _exit(hyperobjects::stays_to_the_end(one) ? 0 : 1);
        });
        std::exit(2);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// ---- A thief and its victim, by steps ----

// Long enough for whatever a thief waits for, in ticks.
constexpr std::uint64_t ages = std::uint64_t{1} << 62;

// From now on slots of the row from its oldest on are private, as after pops that were asked for
// nothing.
template <class Row>
void make_private(Row &row) {
    const std::lock_guard guard(row.lock);
    for (int pop = 0; pop < 2 * Row::patience; ++pop)
        row.answer(row.head.load());
    EXPECT_FALSE(row.is_public(row.head.load()));
}

// The flow that runs on the calling worker, one of two, from which the other one is to take.
class wanted_theft {
public:
    // The thief that waits for an answer does so for as long as it takes, or not at all.
    explicit wanted_theft(bool thief_waits) : usual_(thief_waits ? thief.fence_ticks : 0) {
        make_private(flow);
        make_private(victim.parents);
        // The thief does not read it before it has seen that it has a victim.
        thief.fence_ticks = thief_waits ? ages : 1;
        EXPECT_TRUE(scripted_policy::ask(victim));
    }
    ~wanted_theft() {
        withdraw();
        if (usual_ != 0) // the thief has paid no fence, and reads it no more
            thief.fence_ticks = usual_;
    }
    wanted_theft(const wanted_theft &) = delete;
    wanted_theft &operator=(const wanted_theft &) = delete;

    // No more tries.
    void withdraw() {
        bool taken = false;
        if (!std::exchange(is_withdrawn_, true))
            wait_until([&] { return scripted_policy::has_ended(true, taken); });
    }

    bool is_done() const { return victim.count.robbed.load() != before_; }

    // The try that is under way has ended, and so many more.
    void await_tries(unsigned more) const {
        const auto &looks = scripted_policy::looks()[thief.id];
        wait_until([&, last = looks.load() + 1 + more] { return looks >= last; });
    }

    worker &victim = *current_worker();
    deque &flow = *current_deque();
    worker &thief = test::worker_number(test::other());

private:
    const std::uint64_t usual_;
    bool is_withdrawn_ = false;
    const std::uint64_t before_ = victim.count.robbed.load();
};

// No thief has a turn to fence while the object lives.
class no_turns {
public:
    no_turns() { turn_by_a_quarter(platform::ticks()); }
    ~no_turns() {
        // Around the clock, until the next turn was long ago.
        turn_by_a_quarter(began_ + ages);
        turn_by_a_quarter(began_ + 2 * ages);
    }
    no_turns(const no_turns &) = delete;
    no_turns &operator=(const no_turns &) = delete;

private:
    void turn_by_a_quarter(std::uint64_t now) {
        static_assert(ages % (1 + fence_turns::pause) == 0);
        began_ = began_ == 0 ? now : began_;
        EXPECT_TRUE(running()->fence_turns.take(now, ages / (1 + fence_turns::pause)));
    }

    std::uint64_t began_ = 0;
};

class thieves_by_steps : public testing::Test {
protected:
    void SetUp() override {
        if (!platform::fence_is_asymmetric())
            GTEST_SKIP() << "every slot is public: thieves need not ask";
    }

    const scripted_workers two{2};
};

// The frame belongs to a flow that may have older work elsewhere by then.
TEST_F(thieves_by_steps, take_nothing_of_a_flow_that_has_left_while_they_waited) {
    run([] {
        parallel_invoke(
            [] {
                {
                    wanted_theft one(true);
                    wait_until([&] { return one.flow.request.waits(); });
                    activate(one.victim, nullptr);
                    {
                        const std::lock_guard guard(one.flow.lock);
                        one.flow.answer(one.flow.slots());
                    }
                    one.await_tries(0);
                    EXPECT_FALSE(one.is_done());
                    one.withdraw();
                    activate(one.victim, &one.flow);
                }
                EXPECT_TRUE(test::force_steal()) << "now it is here";
            },
            [] {});
    });
}

// Another thief may be about to tell that flow that its parent is gone.
TEST_F(thieves_by_steps, take_nothing_while_another_is_at_the_parents) {
    run([] {
        parallel_invoke(
            [] {
                {
                    wanted_theft one(true);
                    wait_until([&] { return one.flow.request.waits(); });
                    const std::lock_guard other_thief(one.victim.parents.lock);
                    {
                        const std::lock_guard guard(one.flow.lock);
                        one.flow.answer(one.flow.slots());
                    }
                    one.await_tries(3);
                    EXPECT_FALSE(one.is_done());
                    one.withdraw();
                }
                EXPECT_TRUE(test::force_steal());
            },
            [] {});
    });
}

// The parent is older, and its slot is not public as the frame's is.
TEST_F(thieves_by_steps, take_nothing_of_a_child_before_its_parent) {
    run([] {
        std::atomic<bool> goes_on{false};
        scope s;
        s.spawn([&] {
            parallel_invoke(
                [&] {
                    {
                        const no_turns fences;
                        wanted_theft one(false);
                        {
                            const std::lock_guard guard(one.flow.lock);
                            one.flow.expect_thieves();
                        }
                        one.await_tries(3);
                        EXPECT_FALSE(one.is_done());
                        one.withdraw();
                    }
                    EXPECT_FALSE(goes_on);
                    EXPECT_TRUE(test::force_steal());
                    EXPECT_TRUE(wait_until([&] { return goes_on.load(); }));
                },
                [] {});
        });
        goes_on = true;
        s.sync();
    });
}

TEST_F(thieves_by_steps, pay_no_fence_before_it_is_their_turn) {
    run([] {
        parallel_invoke(
            [] {
                auto before_the_turn = std::make_unique<no_turns>();
                const wanted_theft one(false);
                one.await_tries(30);
                EXPECT_FALSE(one.is_done());
                before_the_turn.reset();
                EXPECT_TRUE(wait_until([&] { return one.is_done(); }));
            },
            [] {});
    });
}

// A task says that it waits, or works for a part of its root: its worker answers no thief for so
// long, be it for frames or for parents.
template <class During>
void expect_to_be_robbed(During during) {
    const no_turns fences;
    const auto body = [during] {
        const wanted_theft one(false);
        one.await_tries(3);
        EXPECT_FALSE(one.is_done());
        during([&] { EXPECT_TRUE(wait_until([&] { return one.is_done(); })); });
    };
    parallel_invoke(body, [] {});
    scope s;
    s.spawn(body);
}

TEST_F(thieves_by_steps, need_no_answer_of_a_task_in_a_blocking_scope) {
    running()->stand_ins.most = 0;
    run([] {
        expect_to_be_robbed([](auto wait) {
            const blocking outside;
            wait();
        });
    });
}

TEST_F(thieves_by_steps, need_no_answer_of_a_task_that_is_isolated) {
    run([] { expect_to_be_robbed([](auto wait) { isolate(wait); }); });
}

// ---- A flow begins, or goes on, while a thread sleeps that could help it ----

// C functions do not look for sleepers when they push: the flow's next pop, whichever it is, asks.
class flows_beside_a_sleeper : public testing::Test {
protected:
    // No nap ends from before the start of the workers on.
    struct endless_naps {
        endless_naps() { test_support::sleeps.ignore_limits = true; }
        ~endless_naps() { test_support::sleeps.ignore_limits = false; }
    };

    // A thread that has seen no root begin sleeps for good, and the next root wakes it.
    struct root_before {
        root_before() {
            const test::started one(1);
            run([] {});
        }
    };

    static bool one_sleeps() { return test_support::sleeps.without_end == 1; }

    const root_before before;
    const endless_naps first;
    const test::started two{2};
};

TEST_F(flows_beside_a_sleeper, ask_from_their_beginning) {
    ASSERT_TRUE(wait_until([] { return running()->seating().awake() == 0 && one_sleeps(); }));
    running()->worker_at(0).is_worth_help = false; // it would wake the thread by itself
    EXPECT_TRUE(run([] { return current_deque()->request.waits(); }));
}

TEST_F(flows_beside_a_sleeper, ask_when_they_go_on) {
    EXPECT_TRUE(run([] {
        std::atomic<bool> is_taken{false};
        parallel_invoke([&] { wait_until([&] { return is_taken.load(); }); },
                        [&] {
                            is_taken = true;
                            wait_until(one_sleeps); // the thread that has entered
                        });
        return current_deque()->request.waits();
    }));
}

// ---- A monoid's function waits for tasks while its flow must not go on ----

task_group *waited_for = nullptr;

struct waits_in_a_child {
    using value_type = int;
    int identity() const { return 0; }
    void reduce(int &, int &&) const {
        scope s;
        s.spawn([] { waited_for->wait(); });
    }
};

struct waits_in_reduce {
    using value_type = int;
    int identity() const { return 0; }
    void reduce(int &, int &&) const { waited_for->wait(); }
};

struct waits_in_destructor {
    struct value_type {
        int number = 0;
        ~value_type() {
            if (number == 2) // what a merge has on the right
                waited_for->wait();
        }
    };
    value_type identity() const { return {}; }
    void reduce(value_type &, value_type &&) const {}
};

// Views of two workers are joined while a task is under way that another thread has begun.
template <class Monoid, class Set>
void wait_in_a_merge(Set set) {
    start({.workers = 3});
    task_group never_done;
    waited_for = &never_done;
    reducer<Monoid> sum;
    run([&] {
        std::atomic<bool> has_begun{false}, is_taken{false};
        never_done.run([&] {
            has_begun = true;
            wait_until([] { return false; });
        });
        wait_until([&] { return has_begun.load(); });
        parallel_invoke(
            [&] {
                set(*sum, 1);
                wait_until([&] { return is_taken.load(); });
            },
            [&] {
                set(*sum, 2);
                is_taken = true;
            });
    });
}

std::string refusal_of(const char *monoid) {
    return std::string("saguaro: a monoid's function, called for reducer at 0x[0-9a-f]+ of .*") +
           monoid +
           ", waits for a task_group or for a scope made outside of any run; wait elsewhere";
}

TEST(waits_in_merges_death, end_with_a_line) {
    test::use_threadsafe_style();
    const auto assign = [](int &to, int value) { to = value; };
    EXPECT_DEATH(wait_in_a_merge<waits_in_a_child>(assign), refusal_of("waits_in_a_child"));
    EXPECT_DEATH(wait_in_a_merge<waits_in_reduce>(assign), refusal_of("waits_in_reduce"));
    EXPECT_DEATH(
        wait_in_a_merge<waits_in_destructor>([](auto &to, int value) { to.number = value; }),
        refusal_of("waits_in_destructor"));
}

} // namespace
} // namespace saguaro::scheduler
