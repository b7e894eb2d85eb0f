// SPDX-License-Identifier: MIT
// Recordings that doze: in children that are too fine to be heard one by one, and what wakes them
// up. Whether a child is fine depends on the machine, so the tests look for it in many.
#include "record/dozing.hpp"

#include "platform/thread.hpp"
#include "saguaro/detail/frame.h"
#include "saguaro/detail/sanitizers.h"
#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/record.h"
#include "saguaro/scope.hpp"
#include "scheduler/deque.hpp"
#include "stacks/pool.hpp"
#include "support/recording.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

namespace saguaro {
namespace {

using test::busy;
using test::recorded;

// A child is short below six of these.
constexpr std::int64_t grain = test::unit_ns / 4;

long fib(long n) {
    if (n < 2)
        return n;
    const auto [a, b] = parallel_invoke([&] { return fib(n - 1); }, [&] { return fib(n - 2); });
    return a + b;
}

// The same by scopes.
long scoped_fib(long n) {
    if (n < 2)
        return n;
    long a = 0;
    scope s;
    s.spawn([&] { a = scoped_fib(n - 1); });
    const long b = scoped_fib(n - 2);
    s.sync();
    return a + b;
}

// Whose children are too short for a doze of their own.
void many_pairs() {
    for (int i = 0; i < 30; ++i)
        parallel_invoke([] {}, [] {});
}
void many_scopes() {
    for (int i = 0; i < 30; ++i) {
        scope s;
        s.spawn([] {});
    }
}

// A frame whose child works for `child` units, and which works for `after` meanwhile.
void scope_of_two(int child, int after) {
    scope s;
    s.spawn([=] { busy(child); });
    busy(after);
}

// So many functions wait in the deque, or parents in the chain, while the innermost works.
template <class Innermost>
void nested_pairs(int depth, int &seconds, Innermost innermost) {
    if (depth == 0)
        return innermost();
    parallel_invoke([&] { nested_pairs(depth - 1, seconds, innermost); },
                    [&] {
                        busy(1);
                        ++seconds;
                    });
}
void nested_scopes(int depth) {
    if (depth == 0)
        return busy(4);
    scope s;
    s.spawn([=] { nested_scopes(depth - 1); });
    busy(1);
}

class dozes : public test::recordings {
protected:
    // Fine children, and then one whose closure is `last`, which the recording dozes in. Where
    // others have the processor for a while a child is not fine: the first of some tries counts in
    // which the recording dozes. Before that one nothing dozes for a while.
    template <class Last>
    recorded record_behind_fine_ones(Last last, std::chrono::nanoseconds pause = {}) const {
        return record_dozing([&] {
            for (int i = 0; i <= 20; ++i) {
                if (i == 20)
                    std::this_thread::sleep_for(pause);
                parallel_invoke(
                    [&] {
                        if (i < 20)
                            return many_pairs();
                        doze_was_on = sg_hear_pushes == 0;
                        last();
                    },
                    [&] {
                        if (i == 20)
                            busy(1);
                    });
            }
        });
    }

    // The same for second functions. The first ones are too short to be children.
    template <class Last>
    recorded record_behind_fine_seconds(Last last) const {
        return record_dozing([&] {
            for (int i = 0; i <= 20; ++i)
                parallel_invoke([] {},
                                [&] {
                                    if (i < 20)
                                        return many_pairs();
                                    doze_was_on = sg_hear_pushes == 0;
                                    last();
                                });
        });
    }

    // The same where the children are those of scopes.
    template <class Last>
    recorded record_behind_fine_scopes(Last last) const {
        return record_dozing([&] {
            for (int i = 0; i <= 20; ++i) {
                scope s;
                s.spawn([&, i] {
                    if (i < 20)
                        return many_scopes();
                    doze_was_on = sg_hear_pushes == 0;
                    last();
                });
                if (i == 20)
                    busy(1);
            }
        });
    }

    template <class Body>
    recorded record_dozing(Body body) const {
        constexpr int tries = 5;
        for (int i = 1; i < tries; ++i)
            if (recorded seen = record(body, grain); doze_was_on)
                return seen;
        return record(body, grain);
    }

    mutable bool doze_was_on = false;
};

// The thread sanitizer hears of each change of stacks, and scopes change them: what these children
// do between two moments takes so long that they are not fine.
class dozes_in_scopes : public dozes {
protected:
    void SetUp() override {
#if SG_THREAD_SANITIZER
        GTEST_SKIP() << "changes of stacks take too long";
#endif
    }
};

int count(const std::string &all, const std::string &what) {
    int found = 0;
    for (std::size_t at = 0; (at = all.find(what, at)) != all.npos; ++at)
        ++found;
    return found;
}

// The tree alone: where others have the processor for a while work takes longer.
std::string without_work(std::string shape) {
    std::erase_if(shape, [](char c) { return c >= '0' && c <= '9'; });
    return shape;
}

TEST_F(dozes, in_children_that_are_fine) {
    long result = 0;
    const recorded seen = record([&] { result = fib(20); }, grain);
    EXPECT_EQ(result, 6765);
    EXPECT_LT(seen.spawns, 2000U); // of 10,945
}

TEST_F(dozes, not_where_everything_is_to_be_written) {
    EXPECT_EQ(record([&] { fib(15); }, 0).spawns, 986U);
}

// A pair in the child that was begun before anybody woke up is no frame; the next ones are.
TEST_F(dozes, until_it_takes_too_long) {
    const auto pair = [] { parallel_invoke([] { busy(2); }, [] { busy(1); }); };
    const recorded seen = record_behind_fine_ones([&] {
        pair();
        pair();
        pair();
    });
    ASSERT_TRUE(doze_was_on);
    const int heard = count(seen.shape, "C(S(2)1)");
    EXPECT_GE(heard, 1) << seen.shape;
    EXPECT_LE(heard, 2) << seen.shape;
    EXPECT_GE(seen.work, 10 * test::unit_ns);
}

// The thread that watches has fallen asleep.
TEST_F(dozes, until_it_takes_too_long_also_when_nothing_has_dozed_before) {
    constexpr std::chrono::nanoseconds longest{6 * grain};
    const auto pair = [] { parallel_invoke([] { busy(2); }, [] { busy(1); }); };
    const recorded seen = record_behind_fine_ones(
        [&] {
            pair();
            pair();
            pair();
        },
        30 * longest);
    ASSERT_TRUE(doze_was_on);
    EXPECT_GE(count(seen.shape, "C(S(2)1)"), 1) << seen.shape;
}

// All pops ask again, whatever their slots.
TEST_F(dozes, until_the_child_ends) {
    const auto pair = [] { parallel_invoke([] { busy(1); }, [] { busy(1); }); };
    const recorded seen = record(
        [&] {
            bool dozed = false;
            for (int i = 0; i < 20; ++i)
                parallel_invoke(
                    [&] {
                        many_pairs();
                        dozed = sg_hear_pushes == 0;
                    },
                    [] {});
            EXPECT_TRUE(dozed);
            parallel_invoke([] {}, [&] { parallel_invoke(pair, [] { busy(2); }); });
        },
        grain);
    EXPECT_EQ(count(seen.shape, "C(S(C(S(1)1))2)"), 1) << seen.shape;
}

// Another place in the program, at the same depth.
TEST_F(dozes, not_in_children_of_others) {
    bool dozed = false;
    record(
        [&] {
            for (int i = 0; i < 20; ++i)
                parallel_invoke([&] { many_pairs(), dozed = sg_hear_pushes == 0; }, [] {});
            EXPECT_TRUE(dozed);
            parallel_invoke([&] { dozed = sg_hear_pushes == 0; }, [] {});
            EXPECT_FALSE(dozed);
        },
        grain);
}

TEST_F(dozes, until_a_loop_in_a_loop_begins) {
    const recorded seen = record_behind_fine_ones(
        [] { parallel_for(0, 4, [](int) { parallel_for(0, 2, [](int) { busy(1); }); }); });
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(count(seen.shape, "C(S(1)1)"), 3) << seen.shape;
    EXPECT_EQ(count(seen.shape, "C(S(S(C(S(1)1))C(S(1)1))C(S(1)1))"), 1) << seen.shape;
}

// What the first iteration does wakes the recording up.
TEST_F(dozes, until_a_loop_begins) {
    const recorded seen = record_behind_fine_ones([] { parallel_for(0, 4, [](int) { busy(1); }); });
    ASSERT_TRUE(doze_was_on);
    // The first iteration was before.
    EXPECT_EQ(count(seen.shape, "S(1C(S(S(1)1)1))"), 1) << seen.shape;
}

// Nobody hears of the first child's begin.
TEST_F(dozes, until_a_child_of_a_scope_ends) {
    const recorded seen = record_behind_fine_ones([] {
        scope s;
        for (int i = 0; i < 3; ++i)
            s.spawn([] { busy(1); });
    });
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(count(seen.shape, "S(1)"), 2) << seen.shape;
}

// The first pop on a stack of its own asks.
TEST_F(dozes, until_a_scope_in_a_scope_spawns) {
    const auto pair = [] { parallel_invoke([] { busy(1); }, [] { busy(1); }); };
    const recorded seen = record_behind_fine_ones([&] {
        scope outer;
        outer.spawn([&] {
            scope inner;
            inner.spawn([&] {
                pair();
                pair();
                pair();
            });
        });
    });
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(count(seen.shape, "C(S(1)1)"), 2) << seen.shape;
}

TEST_F(dozes, until_a_strand_touches_memory) {
    static double x[100];
    const recorded seen = record_behind_fine_ones([] {
        sg_record_object(x, sizeof x);
        sg_record_touch(x, sizeof x);
    });
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(seen.footprints.size(), 1U);
    sg_record_free(x);
}

TEST_F(dozes, while_functions_throw) {
    int thrown = 0;
    int seconds = 0;
    const recorded seen = record(
        [&] {
            for (int i = 0; i < 200; ++i)
                parallel_invoke(
                    [&] {
                        many_pairs();
                        try {
                            parallel_invoke([&]() { throw i; }, [&] { ++seconds; });
                        } catch (int) {
                            ++thrown;
                        }
                    },
                    [] {});
        },
        grain);
    EXPECT_EQ(thrown, 200);
    EXPECT_EQ(seconds, 0);
    EXPECT_LT(seen.spawns, 200U * 10U); // of 200 * 32
}

// The end of a child that is dozed in is in a handler.
TEST_F(dozes, in_a_child_that_throws) {
    int thrown = 0;
    int seconds = 0;
    record(
        [&] {
            for (int i = 0; i < 200; ++i)
                try {
                    parallel_invoke(
                        [&] {
                            many_pairs();
                            throw std::runtime_error("first");
                        },
                        [&] { ++seconds; });
                } catch (const std::runtime_error &) {
                    ++thrown;
                }
        },
        grain);
    EXPECT_EQ(thrown, 200);
    EXPECT_EQ(seconds, 0);
}

// The first pair wakes the recording up, and what waits in the deque then begins late.
TEST_F(dozes, in_second_functions_until_they_take_too_long) {
    int seconds = 0;
    const auto pair = [] { parallel_invoke([] { busy(2); }, [] { busy(1); }); };
    const recorded seen = record_behind_fine_seconds([&] {
        seconds = 0;
        pair();
        nested_pairs(3, seconds, [] { busy(4); });
        pair();
    });
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(seconds, 3);
    const std::string tree = without_work(seen.shape);
    EXPECT_GE(count(tree, "C(S(C(S())))"), 1) << seen.shape;
    EXPECT_GE(count(tree, "C(S())"), 1) << seen.shape;
    EXPECT_GE(seen.work, 13 * test::unit_ns);
}

// All that comes behind the invocation is heard again, whatever its slots.
TEST_F(dozes, until_the_second_function_ends) {
    const recorded seen = record_dozing([&] {
        for (int i = 0; i < 20; ++i)
            parallel_invoke([] {}, [&] { many_pairs(), doze_was_on = sg_hear_pushes == 0; });
        EXPECT_EQ(sg_hear_pushes, 1U);
        const auto pair = [] { parallel_invoke([] { busy(1); }, [] { busy(1); }); };
        pair();
        parallel_invoke([&] { pair(); }, [] { busy(1); });
    });
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(count(without_work(seen.shape), "C(S())"), 2) << seen.shape;
}

// First functions are judged apart: every fourth of these is long.
TEST_F(dozes, in_second_functions_behind_long_first_ones) {
    bool first_dozed = false;
    record_dozing([&] {
        for (int i = 0; i < 20; ++i)
            parallel_invoke(
                [&] {
                    first_dozed = first_dozed || sg_hear_pushes == 0;
                    if (i % 4 == 0)
                        busy(2);
                },
                [&] { many_pairs(), doze_was_on = doze_was_on || sg_hear_pushes == 0; });
    });
    EXPECT_FALSE(first_dozed);
    EXPECT_TRUE(doze_was_on);
}

void invoke_two(const std::function<void()> &first, const std::function<void()> &second) {
    parallel_invoke([&] { first(); }, [&] { second(); });
}

// The inner functions are of one place in the program and as deep as each other: the long ones are
// first functions, the fine ones second.
TEST_F(dozes, in_second_functions_as_deep_as_long_first_ones) {
    record_dozing([&] {
        for (int i = 0; i < 20; ++i)
            invoke_two(
                [&] {
                    busy(2);
                    invoke_two(
                        [] {},
                        [&] { many_pairs(), doze_was_on = doze_was_on || sg_hear_pushes == 0; });
                },
                [] { invoke_two([] { busy(2); }, [] {}); });
    });
    EXPECT_TRUE(doze_was_on);
}

TEST_F(dozes, in_second_functions_that_throw) {
    int thrown = 0;
    const recorded seen = record(
        [&] {
            for (int i = 0; i < 200; ++i)
                try {
                    parallel_invoke([] {},
                                    [&] {
                                        many_pairs();
                                        throw std::runtime_error("second");
                                    });
                } catch (const std::runtime_error &) {
                    ++thrown;
                }
        },
        grain);
    EXPECT_EQ(thrown, 200);
    EXPECT_LT(seen.spawns, 200U * 10U); // of 200 * 31
}

TEST_F(dozes, in_children_of_scopes_that_are_fine) {
    long result = 0;
    const recorded seen = record([&] { result = scoped_fib(20); }, grain);
    EXPECT_EQ(result, 6765);
    EXPECT_LT(seen.spawns, 2000U); // of 10,945
}

// A scope in the child that was begun before anybody woke up is no frame; the next ones are.
TEST_F(dozes_in_scopes, until_they_take_too_long) {
    constexpr int scopes = 6;
    const recorded seen = record_behind_fine_scopes([&] {
        for (int i = 0; i < scopes; ++i)
            scope_of_two(2, 1);
    });
    ASSERT_TRUE(doze_was_on);
    const int heard = count(without_work(seen.shape), "C(S()|)");
    EXPECT_GE(heard, 1) << seen.shape;
    EXPECT_LT(heard, scopes) << seen.shape;
    EXPECT_GE(seen.work, (3 * scopes + 1) * test::unit_ns);
}

// All children of scopes are heard again, whatever their slots in the chain.
TEST_F(dozes_in_scopes, until_the_child_ends) {
    const recorded seen = record(
        [&] {
            bool dozed = false;
            for (int i = 0; i < 20; ++i) {
                scope s;
                s.spawn([&] { many_scopes(), dozed = dozed || sg_hear_pushes == 0; });
            }
            EXPECT_TRUE(dozed);
            scope s;
            s.spawn([] { scope_of_two(1, 1); });
            busy(2);
        },
        grain);
    EXPECT_EQ(count(without_work(seen.shape), "C(S(C(S()|))|)"), 1) << seen.shape;
}

TEST_F(dozes_in_scopes, not_in_other_children) {
    bool dozed = false;
    record(
        [&] {
            for (int i = 0; i < 20; ++i) {
                scope s;
                s.spawn([&] { many_scopes(), dozed = dozed || sg_hear_pushes == 0; });
            }
            EXPECT_TRUE(dozed);
            scope s;
            s.spawn([&] { dozed = sg_hear_pushes == 0; });
            EXPECT_FALSE(dozed);
        },
        grain);
}

// The child's own deque asks at each pop.
TEST_F(dozes_in_scopes, until_a_child_invokes) {
    const recorded seen = record_behind_fine_scopes([&] {
        for (int i = 0; i < 3; ++i)
            parallel_invoke([] { busy(2); }, [] { busy(1); });
    });
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(count(without_work(seen.shape), "C(S())"), 2) << seen.shape;
}

TEST_F(dozes, in_a_child_of_a_scope_that_throws) {
    int thrown = 0;
    const recorded seen = record(
        [&] {
            for (int i = 0; i < 200; ++i)
                try {
                    scope s;
                    s.spawn([&] {
                        many_scopes();
                        throw std::runtime_error("the child's");
                    });
                    s.sync();
                } catch (const std::runtime_error &) {
                    ++thrown;
                }
        },
        grain);
    EXPECT_EQ(thrown, 200);
    EXPECT_LT(seen.spawns, 200U * 10U); // of 200 * 31
}

// All but the innermost function, whose pop wakes the recording up.
TEST_F(dozes, while_functions_wait) {
    int seconds = 0;
    const recorded seen = record_behind_fine_ones([&] {
        seconds = 0;
        nested_pairs(4, seconds, [] { busy(4); });
    });
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(seconds, 4);
    EXPECT_EQ(count(without_work(seen.shape), "S(C(S(C(S(C(S()))))))"), 1) << seen.shape;
}

TEST_F(dozes_in_scopes, while_parents_wait) {
    const recorded seen = record_behind_fine_scopes([] { nested_scopes(4); });
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(count(without_work(seen.shape), "S(C(S(C(S(C(S()|))|))|))"), 1) << seen.shape;
}

// In which handler a function was pushed is not known. Here the exception that is handled when the
// recording wakes up leaves all of them, so none of those that wait is called.
TEST_F(dozes, while_functions_wait_that_an_exception_leaves) {
    int seconds = 0;
    bool left = false;
    const recorded seen = record_behind_fine_ones([&] {
        try {
            nested_pairs(4, seconds, [] {
                try {
                    throw std::runtime_error("innermost");
                } catch (const std::runtime_error &) {
                    parallel_invoke([] { busy(4); }, [] {});
                    throw;
                }
            });
        } catch (const std::runtime_error &) {
            left = true;
        }
    });
    ASSERT_TRUE(doze_was_on);
    EXPECT_TRUE(left);
    EXPECT_EQ(seconds, 0);
    EXPECT_GE(seen.work, 4 * test::unit_ns);
}

// A deque, and what watches dozes in it, without a run.
class watched : public testing::Test {
protected:
    ~watched() override {
        __atomic_store_n(&sg_hear_pushes, before_, __ATOMIC_RELAXED);
        d.reset();
        stacks_.give(stack_);
    }

    // Longer than the watcher takes to look at a doze twice.
    static void wait() { std::this_thread::sleep_for(20 * at_most); }

    static constexpr std::chrono::milliseconds at_most{1};

private:
    static constexpr std::size_t stack_bytes = 64 * 1024;
    static constexpr stacks::purpose for_deques{"", "", scheduler::deque::build};
    stacks::pool stacks_{stack_bytes, scheduler::deque::bytes(stack_bytes), for_deques};
    stacks::stack *const stack_ = stacks_.take();
    const unsigned before_ = sg_hear_pushes;

protected:
    scheduler::deque &d = *scheduler::deque_of(stack_);
    record::dozing watch{at_most};
};

volatile std::sig_atomic_t handled = 0;

// They may do what only threads of the program can.
TEST_F(watched, signals_are_not_for_the_thread_that_watches) {
    struct sigaction before{}, count_it{};
    count_it.sa_handler = [](int) { handled = 1; };
    ASSERT_EQ(sigaction(SIGUSR2, &count_it, &before), 0);
    ASSERT_TRUE(watch.begin(d, d.slots() + 1, d.slots()));
    watch.end();
    {
        const platform::signals_blocked none;
        ASSERT_EQ(kill(getpid(), SIGUSR2), 0);
        wait();
        EXPECT_FALSE(handled);
    }
    EXPECT_TRUE(handled);
    sigaction(SIGUSR2, &before, nullptr);
}

} // namespace
} // namespace saguaro
