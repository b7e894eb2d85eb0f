// SPDX-License-Identifier: MIT
// Recordings that doze: in children that are too fine to be heard one by one, and what wakes them
// up.
#include "record/dozing.hpp"

#include "saguaro/detail/frame.h"
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
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

namespace saguaro {
namespace {

using test::busy;
using test::recorded;
using test::time;

// A child is short below six of these.
constexpr std::int64_t grain = test::unit_ns / 4;

// From one look of the watcher's to the next.
constexpr std::int64_t pause_ns = 6 * grain;

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
    // Fine children, and then one whose closure is `last`, which the recording dozes in. Before
    // that one `pause` is called.
    template <class Last, class Pause = void (*)()>
    recorded record_behind_fine_ones(Last last, Pause pause = [] {}) const {
        return record(
            [&] {
                for (int i = 0; i <= 20; ++i) {
                    if (i == 20)
                        pause();
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
            },
            grain);
    }

    // The same for second functions. The first ones are too short to be children.
    template <class Last>
    recorded record_behind_fine_seconds(Last last) const {
        return record(
            [&] {
                for (int i = 0; i <= 20; ++i)
                    parallel_invoke([] {},
                                    [&] {
                                        if (i < 20)
                                            return many_pairs();
                                        doze_was_on = sg_hear_pushes == 0;
                                        last();
                                    });
            },
            grain);
    }

    // The same where the children are those of scopes.
    template <class Last>
    recorded record_behind_fine_scopes(Last last) const {
        return record(
            [&] {
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
            },
            grain);
    }

    mutable bool doze_was_on = false;
};

using dozes_in_scopes = dozes;

TEST_F(dozes, in_children_that_are_fine) {
    long result = 0;
    const recorded seen = record([&] { result = fib(20); }, grain);
    EXPECT_EQ(result, 6765);
    EXPECT_LT(seen.spawns, 2000U); // of 10,945
}

TEST_F(dozes, not_where_everything_is_to_be_written) {
    EXPECT_EQ(record([&] { fib(15); }, 0).spawns, 986U);
}

// The watcher asks when it looks for the second time, so a doze may be nearly twice as long as the
// pause between its looks, or little longer than one.
class dozes_until_it_takes_too_long : public dozes {
protected:
    // Of a child with three pairs, which take 9.6 ms each.
    template <class Pause>
    std::string shape_after(Pause pause) const {
        const auto pair = [] { parallel_invoke([] { busy(2); }, [] { busy(1); }); };
        const recorded seen = record_behind_fine_ones(
            [&] {
                pair();
                pair();
                pair();
            },
            pause);
        EXPECT_TRUE(doze_was_on);
        return seen.shape;
    }
};

// The second pair's first pop asks. That pair was begun before, and is no frame.
TEST_F(dozes_until_it_takes_too_long, at_most_two_pauses) {
    EXPECT_EQ(shape_after([] {}), "C(C(S(6C(S(2)1))1))");
}

TEST_F(dozes_until_it_takes_too_long, at_least_one_pause) {
    EXPECT_EQ(shape_after([] { time.pass(pause_ns - 100'000); }), "C(1C(S(3C(S(2)1)C(S(2)1))1))");
}

// The watcher has fallen asleep.
TEST_F(dozes_until_it_takes_too_long, also_when_nothing_has_dozed_before) {
    EXPECT_EQ(shape_after([] {
                  EXPECT_FALSE(time.watcher_is_asleep());
                  time.pass(30 * pause_ns);
                  EXPECT_TRUE(time.watcher_is_asleep());
              }),
              "C(45C(S(6C(S(2)1))1))");
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
    EXPECT_EQ(seen.shape, "C(C(S()C(S(C(S(1)1))2)))");
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
    EXPECT_EQ(seen.shape, "C(C(S(1C(1)C(S(S(C(S(1)1))C(S(1)1))C(S(1)1)))1))");
}

// What the first iteration does wakes the recording up.
TEST_F(dozes, until_a_loop_begins) {
    const recorded seen = record_behind_fine_ones([] { parallel_for(0, 4, [](int) { busy(1); }); });
    ASSERT_TRUE(doze_was_on);
    // The first iteration was before.
    EXPECT_EQ(seen.shape, "C(C(S(1C(S(S(1)1)1))1))");
}

// Nobody hears of the first child's begin.
TEST_F(dozes, until_a_child_of_a_scope_ends) {
    const recorded seen = record_behind_fine_ones([] {
        scope s;
        for (int i = 0; i < 3; ++i)
            s.spawn([] { busy(1); });
    });
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(seen.shape, "C(C(S(1C(S(1)S(1)|))1))");
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
    EXPECT_EQ(seen.shape, "C(C(S(2C(S(1)1)C(S(1)1))1))");
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
    EXPECT_EQ(seen.shape, "C(C(S()7C(S(C(S(1)1))1)C(S(2)1)))");
}

// All that comes behind the invocation is heard again, whatever its slots.
TEST_F(dozes, until_the_second_function_ends) {
    const recorded seen = record(
        [&] {
            for (int i = 0; i < 20; ++i)
                parallel_invoke([] {}, [&] { many_pairs(), doze_was_on = sg_hear_pushes == 0; });
            EXPECT_EQ(sg_hear_pushes, 1U);
            const auto pair = [] { parallel_invoke([] { busy(1); }, [] { busy(1); }); };
            pair();
            parallel_invoke([&] { pair(); }, [] { busy(1); });
        },
        grain);
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(seen.shape, "C(C(S(1)1)C(S(C(S(1)1))1))");
}

// First functions are judged apart: every fourth of these is long.
TEST_F(dozes, in_second_functions_behind_long_first_ones) {
    bool first_dozed = false;
    record(
        [&] {
            for (int i = 0; i < 20; ++i)
                parallel_invoke(
                    [&] {
                        first_dozed = first_dozed || sg_hear_pushes == 0;
                        if (i % 4 == 0)
                            busy(2);
                    },
                    [&] { many_pairs(), doze_was_on = doze_was_on || sg_hear_pushes == 0; });
        },
        grain);
    EXPECT_FALSE(first_dozed);
    EXPECT_TRUE(doze_was_on);
}

void invoke_two(const std::function<void()> &first, const std::function<void()> &second) {
    parallel_invoke([&] { first(); }, [&] { second(); });
}

// The inner functions are of one place in the program and as deep as each other: the long ones are
// first functions, the fine ones second.
TEST_F(dozes, in_second_functions_as_deep_as_long_first_ones) {
    record(
        [&] {
            for (int i = 0; i < 20; ++i)
                invoke_two(
                    [&] {
                        busy(2);
                        invoke_two([] {},
                                   [&] {
                                       many_pairs();
                                       doze_was_on = doze_was_on || sg_hear_pushes == 0;
                                   });
                    },
                    [] { invoke_two([] { busy(2); }, [] {}); });
        },
        grain);
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
    const recorded seen = record_behind_fine_scopes([] {
        for (int i = 0; i < 4; ++i)
            scope_of_two(2, 1);
    });
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(seen.shape, "C(C(S(6C(S(2)1|)C(S(2)1|))1|))");
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
    EXPECT_EQ(seen.shape, "C(C(S(C(S(1)1|))2|))");
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
    EXPECT_EQ(seen.shape, "C(C(S(3C(S(2)1)C(S(2)1))1|))");
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
    EXPECT_EQ(seen.shape, "C(C(S(4C(S(C(S(C(S(1)1))1))1))1))");
}

TEST_F(dozes_in_scopes, while_parents_wait) {
    const recorded seen = record_behind_fine_scopes([] { nested_scopes(4); });
    ASSERT_TRUE(doze_was_on);
    EXPECT_EQ(seen.shape, "C(C(S(4C(S(C(S(C(S(1)1|))1|))1|))1|))");
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
    EXPECT_EQ(seen.shape, "C(C(S(4)1))");
}

// A deque, and what watches dozes in it, without a run.
class watched : public testing::Test {
protected:
    ~watched() override {
        __atomic_store_n(&sg_hear_pushes, before_, __ATOMIC_RELAXED);
        d.reset();
        stacks_.give(stack_);
    }

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

// It does so by itself, at times of its own.
TEST_F(watched, pop_asks_in_the_end) {
    sg_frame **const slot = d.slots() + 1;
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(watch.begin(d, slot, d.slots()));
        while (__atomic_load_n(&d.exc, __ATOMIC_RELAXED) <= slot)
            std::this_thread::yield();
        watch.end();
    }
}

// The signals that a thread of this name does not get, from Linux.
std::uint64_t blocked_signals_of(const std::string &name) {
    for (const auto &thread : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream status(thread.path() / "status");
        std::string line;
        for (bool is_it = false; std::getline(status, line);) {
            is_it = is_it || line == "Name:\t" + name;
            if (is_it && line.starts_with("SigBlk:"))
                return std::stoull(line.substr(line.find('\t')), nullptr, 16);
        }
    }
    return 0;
}

// Handlers may do what only threads of the program can.
TEST_F(watched, signals_are_not_for_the_thread_that_watches) {
    ASSERT_TRUE(watch.begin(d, d.slots() + 1, d.slots()));
    watch.end();
    const std::uint64_t blocked = blocked_signals_of("saguaro/dozing");
    for (const int number : {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD, SIGALRM, SIGPROF})
        EXPECT_TRUE(blocked >> (number - 1) & 1) << number;
}

} // namespace
} // namespace saguaro
