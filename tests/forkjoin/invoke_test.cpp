// SPDX-License-Identifier: MIT
// Tests of parallel_invoke: results, exceptions, steals and the order of strands.
#include "forcing.hpp"

#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::parallel_invoke;

// --- Results ---

TEST(invoke, results_come_as_a_tuple_in_order) {
    scripted_workers workers(1);
    saguaro::run([] {
        const auto one = parallel_invoke([] { return 1; });
        static_assert(std::is_same_v<decltype(one), const std::tuple<int>>);
        EXPECT_EQ(one, std::tuple(1));
        const auto two = parallel_invoke([] { return 1; }, [] { return std::string("two"); });
        EXPECT_EQ(two, std::tuple(1, std::string("two")));
        const auto six =
            parallel_invoke([] { return 1; }, [] { return 2u; }, [] { return 3L; },
                            [] { return 4.5; }, [] { return 'e'; }, [] { return true; });
        EXPECT_EQ(six, std::tuple(1, 2u, 3L, 4.5, 'e', true));
    });
}

TEST(invoke, void_among_results_is_monostate) {
    scripted_workers workers(1);
    saguaro::run([] {
        const auto mixed = parallel_invoke([] {}, [] { return 2; }, [] {});
        EXPECT_EQ(mixed, std::tuple(std::monostate(), 2, std::monostate()));
    });
}

TEST(invoke, all_void_gives_nothing) {
    scripted_workers workers(1);
    std::vector<int> order;
    saguaro::run([&] {
        static_assert(std::is_void_v<decltype(parallel_invoke([] {}, [] {}))>);
        parallel_invoke([&] { order.push_back(1); }, [&] { order.push_back(2); },
                        [&] { order.push_back(3); });
    });
    EXPECT_EQ(order, (std::vector{1, 2, 3}));
}

TEST(invoke, references_stay_references) {
    scripted_workers workers(2);
    const std::mutex cannot_be_copied;
    int first = 7;
    const int third = 9;
    saguaro::run([&] {
        auto results = parallel_invoke(
            [&]() -> int & {
                EXPECT_TRUE(force_steal());
                return first;
            },
            [&]() -> const std::mutex & { return cannot_be_copied; }, [] {},
            [&]() -> const int && { return std::move(third); });
        static_assert(std::is_same_v<decltype(results),
                                     std::tuple<int &, const std::mutex &, std::monostate, int>>);
        EXPECT_EQ(&std::get<1>(results), &cannot_be_copied);
        EXPECT_EQ(std::get<3>(results), 9);
        std::get<0>(results) = 8;
    });
    EXPECT_EQ(first, 8);
}

TEST(invoke, results_that_only_move) {
    scripted_workers workers(2);
    nothing_leaks check;
    const auto number = [](int i) { return std::make_unique<counted>(i); };
    saguaro::run([&] {
        for (const bool steal : {false, true}) {
            auto [a, b, c] = parallel_invoke(
                [&] {
                    EXPECT_EQ(steal && force_steal(), steal);
                    return number(1);
                },
                [&] { return number(2); }, [&] { return number(3); });
            EXPECT_EQ(a->value, 1);
            EXPECT_EQ(b->value, 2);
            EXPECT_EQ(c->value, 3);
        }
    });
}

TEST(invoke, closures_that_only_move_are_called_once_where_they_are) {
    scripted_workers workers(2);
    nothing_leaks check;
    struct once {
        std::unique_ptr<counted> owned;
        int operator()() && { return std::exchange(owned, nullptr)->value; }
    };
    saguaro::run([] {
        const auto unstolen =
            parallel_invoke(once{std::make_unique<counted>(1)}, once{std::make_unique<counted>(2)},
                            once{std::make_unique<counted>(3)});
        EXPECT_EQ(unstolen, std::tuple(1, 2, 3));
        const auto stolen = parallel_invoke(
            [] {
                EXPECT_TRUE(force_steal());
                return 1;
            },
            once{std::make_unique<counted>(2)});
        EXPECT_EQ(stolen, std::tuple(1, 2));
    });
}

TEST(invoke, lvalues_and_const_functions_are_not_copied) {
    scripted_workers workers(2);
    struct counter {
        int calls = 0;
        counter() = default;
        counter(const counter &) = delete;
        int operator()() { return ++calls; }
    };
    counter first, second;
    const auto constant = [] { return 9; };
    saguaro::run([&] {
        EXPECT_EQ(parallel_invoke(first, second, constant), std::tuple(1, 1, 9));
        parallel_invoke([] { EXPECT_TRUE(force_steal()); }, second);
    });
    EXPECT_EQ(first.calls, 1);
    EXPECT_EQ(second.calls, 2);
}

// --- Who runs what ---

TEST(invoke, unstolen_runs_in_order_on_the_caller) {
    scripted_workers workers(2);
    saguaro::run([] {
        const int caller = saguaro::worker_id();
        std::vector<int> ran;
        const auto note = [&](int i) {
            EXPECT_EQ(saguaro::worker_id(), caller);
            ran.push_back(i);
        };
        parallel_invoke([&] { note(0); }, [&] { note(1); }, [&] { note(2); }, [&] { note(3); });
        EXPECT_EQ(ran, (std::vector{0, 1, 2, 3}));
    });
    EXPECT_EQ(saguaro::stats().steals, 0u);
}

TEST(invoke, stolen_runs_on_the_thief_while_the_first_runs) {
    scripted_workers workers(2);
    saguaro::run([] {
        const unsigned victim = me();
        std::atomic<bool> second_runs{false};
        const auto [first, second] = parallel_invoke(
            [&] {
                EXPECT_TRUE(force_steal());
                wait_until([&] { return second_runs.load(); });
                return me();
            },
            [&] {
                second_runs = true;
                return me();
            });
        EXPECT_EQ(first, victim);
        EXPECT_EQ(second, 1 - victim);
    });
    EXPECT_EQ(saguaro::stats().steals, 1u);
}

TEST(invoke, the_owner_that_arrives_first_parks_and_goes_on_with_the_result) {
    scripted_workers workers(2);
    saguaro::run([] {
        const unsigned victim = me();
        const std::uint64_t parks = parks_of(victim);
        const auto result = parallel_invoke(
            [] {
                EXPECT_TRUE(force_steal());
                return 1;
            },
            [&] {
                wait_for_the_owner_to_park(parks);
                return 2;
            });
        EXPECT_EQ(result, std::tuple(1, 2));
        // Who came last goes on.
        EXPECT_EQ(me(), 1 - victim);
        EXPECT_EQ(parks_of(victim), parks + 1);
    });
}

TEST(invoke, the_owner_that_arrives_last_does_not_park) {
    scripted_workers workers(2);
    saguaro::run([] {
        const unsigned victim = me();
        std::atomic<bool> second_ran{false};
        const auto result = parallel_invoke(
            [&] {
                EXPECT_TRUE(force_steal());
                wait_until([&] { return second_ran.load(); });
                wait_for_the_thief();
                return 1;
            },
            [&] {
                second_ran = true;
                return 2;
            });
        EXPECT_EQ(result, std::tuple(1, 2));
        EXPECT_EQ(me(), victim);
    });
    EXPECT_EQ(saguaro::stats().parks, 0u);
}

TEST(invoke, a_steal_takes_the_oldest_and_all_that_follows) {
    scripted_workers workers(2);
    saguaro::run([] {
        const unsigned victim = me();
        // The thief runs the second to the fourth, in order, while the first is under way.
        std::vector<int> ran;
        const auto note = [&](int i) {
            EXPECT_EQ(me(), 1 - victim);
            ran.push_back(i);
        };
        std::atomic<bool> ended{false};
        parallel_invoke(
            [&] {
                EXPECT_TRUE(force_steal());
                EXPECT_FALSE(force_steal()) << "there is nothing else";
                wait_until([&] { return ended.load(); });
            },
            [&] { note(1); }, [&] { note(2); },
            [&] {
                note(3);
                ended = true;
            });
        EXPECT_EQ(ran, (std::vector{1, 2, 3}));
    });
}

TEST(invoke, of_nested_ones_the_outer_is_stolen_first) {
    scripted_workers workers(3);
    saguaro::run([] {
        const unsigned victim = me();
        std::atomic<int> order{0};
        int outer = 0, inner = 0;
        parallel_invoke(
            [&] {
                parallel_invoke(
                    [&] {
                        EXPECT_TRUE(force_steal());
                        wait_until([&] { return order == 1; });
                        EXPECT_TRUE(force_steal());
                        wait_until([&] { return order == 2; });
                        EXPECT_EQ(me(), victim);
                    },
                    [&] { inner = ++order; });
            },
            [&] { outer = ++order; });
        EXPECT_EQ(outer, 1);
        EXPECT_EQ(inner, 2);
    });
}

TEST(invoke, stealing_within_what_was_stolen) {
    scripted_workers workers(2);
    saguaro::run([] {
        const unsigned victim = me();
        const std::uint64_t parks = parks_of(victim);
        const auto result = parallel_invoke(
            [] {
                EXPECT_TRUE(force_steal());
                return 1;
            },
            [&] {
                // The first worker's flow is parked, so that worker can rob this one.
                wait_for_the_owner_to_park(parks);
                return parallel_invoke(
                    [] {
                        EXPECT_TRUE(force_steal());
                        return 2;
                    },
                    [&] {
                        EXPECT_EQ(me(), victim);
                        return 3;
                    });
            });
        EXPECT_EQ(result, std::tuple(1, std::tuple(2, 3)));
    });
}

TEST(invoke, from_a_thread_that_is_no_worker) {
    scripted_workers workers(2);
    EXPECT_EQ(saguaro::worker_id(), -1);
    const auto result = parallel_invoke(
        [] {
            EXPECT_TRUE(force_steal());
            return me();
        },
        [] { return me(); });
    EXPECT_EQ(std::get<0>(result) + std::get<1>(result), 1u);
    EXPECT_EQ(who_throws([] { parallel_invoke([] {}, [] { throw thrown(2); }); }), 2);
}

TEST(invoke, from_several_threads_at_once) {
    scripted_workers workers(2);
    std::atomic<int> sum{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i) {
                const auto [a, b] = parallel_invoke([&] { return t; }, [&] { return i; });
                sum += a + b;
            }
        });
    for (std::thread &t : threads)
        t.join();
    EXPECT_EQ(sum, 50 * (0 + 1 + 2 + 3) + 4 * (49 * 50 / 2));
}

// The sum of 1 to n, a frame at each level; steals at the bottom take the oldest ones.
long sum_down(long n, int steals) {
    if (n == 0) {
        for (int i = 0; i < steals; ++i)
            EXPECT_TRUE(force_steal());
        return 0;
    }
    const auto [rest, own] =
        parallel_invoke([&] { return sum_down(n - 1, steals); }, [&] { return n; });
    return rest + own;
}

TEST(invoke, deep_recursion) {
    // Sanitizers, and no optimization, make the frames up to thirty times as large.
#if defined(__OPTIMIZE__)
    constexpr long depth = is_slow ? 2'000 : 10'000;
#else
    constexpr long depth = 2'000;
#endif
    scripted_workers workers(2);
    EXPECT_EQ(saguaro::run([] { return sum_down(depth, 0); }), depth * (depth + 1) / 2);
    EXPECT_EQ(saguaro::run([] { return sum_down(depth, 100); }), depth * (depth + 1) / 2);
    EXPECT_EQ(saguaro::stats().steals, 100u);
}

// --- Exceptions ---

TEST(invoke_exceptions, unstolen_the_second_does_not_run) {
    scripted_workers workers(2);
    nothing_leaks check;
    bool second_ran = false;
    EXPECT_EQ(who_throws([&] {
                  saguaro::run([&] {
                      parallel_invoke([] { throw thrown(1); }, [&] { second_ran = true; });
                  });
              }),
              1);
    EXPECT_FALSE(second_ran);
}

TEST(invoke_exceptions, the_stolen_second_has_ended_and_its_result_is_dropped) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        const std::uint64_t parks = parks_of(me());
        std::atomic<bool> second_ended{false};
        EXPECT_EQ(who_throws([&] {
                      parallel_invoke(
                          [&] {
                              EXPECT_TRUE(force_steal());
                              throw thrown(1);
                          },
                          [&] {
                              wait_for_the_owner_to_park(parks);
                              second_ended = true;
                              return counted(2);
                          });
                  }),
                  1);
        EXPECT_TRUE(second_ended);
    });
}

TEST(invoke_exceptions, the_second_throws_unstolen) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        EXPECT_EQ(
            who_throws([] { parallel_invoke([] { return counted(1); }, [] { throw thrown(2); }); }),
            2);
    });
}

TEST(invoke_exceptions, the_stolen_second_throws_early_or_late) {
    scripted_workers workers(2);
    nothing_leaks check;
    for (const bool early : {true, false})
        saguaro::run([&] {
            const std::uint64_t parks = parks_of(me());
            std::atomic<bool> second_runs{false};
            const auto first = [&] {
                EXPECT_TRUE(force_steal());
                if (early) {
                    wait_until([&] { return second_runs.load(); });
                    wait_for_the_thief();
                }
                return counted(1);
            };
            const auto second = [&]() -> int {
                second_runs = true;
                if (!early)
                    wait_for_the_owner_to_park(parks);
                throw thrown(2);
            };
            EXPECT_EQ(who_throws([&] { parallel_invoke(first, second); }), 2);
        });
}

TEST(invoke_exceptions, of_two_the_first_one_leaves) {
    scripted_workers workers(2);
    nothing_leaks check;
    for (const bool second_is_quicker : {true, false})
        saguaro::run([&] {
            const std::uint64_t parks = parks_of(me());
            std::atomic<bool> second_runs{false};
            const auto first = [&] {
                EXPECT_TRUE(force_steal());
                if (second_is_quicker) {
                    wait_until([&] { return second_runs.load(); });
                    wait_for_the_thief();
                }
                throw thrown(1);
            };
            const auto second = [&] {
                second_runs = true;
                if (!second_is_quicker)
                    wait_for_the_owner_to_park(parks);
                throw thrown(2);
            };
            EXPECT_EQ(who_throws([&] { parallel_invoke(first, second); }), 1);
        });
}

TEST(invoke_exceptions, of_several_in_nested_ones_the_serially_first_leaves) {
    scripted_workers workers(3);
    nothing_leaks check;
    // The leaves 0 to 7 of a balanced tree; each one steals, then throws if it is in `throwers`.
    for (unsigned throwers = 1; throwers < 256; throwers += 6) {
        std::atomic<int> under_way{0};
        const auto leaf = [&](int i) {
            const counted local(i);
            ++under_way;
            force_steal(std::chrono::milliseconds(1));
            --under_way;
            if (throwers >> i & 1)
                throw thrown(i);
            return counted(i);
        };
        const auto four = [&](int i) {
            const auto two = [&](int j) {
                return parallel_invoke([&] { return leaf(j); }, [&] { return leaf(j + 1); });
            };
            return parallel_invoke([&] { return two(i); }, [&] { return two(i + 2); });
        };
        int first = 0;
        while (!(throwers >> first & 1))
            ++first;
        EXPECT_EQ(who_throws([&] {
                      saguaro::run([&] {
                          parallel_invoke([&] { return four(0); }, [&] { return four(4); });
                      });
                  }),
                  first)
            << "throwers " << throwers;
        EXPECT_EQ(under_way, 0);
    }
}

// Code that is handling an exception when its flow parks, and goes on on another worker: what is
// being handled is its own, there and on the worker that it left.
TEST(invoke_exceptions, what_is_being_handled_follows_a_flow_that_parks) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        const unsigned victim = me();
        try {
            throw thrown(5);
        } catch (...) {
            const std::uint64_t parks = parks_of(me());
            const std::exception_ptr before = std::current_exception();
            parallel_invoke(
                [&] {
                    EXPECT_EQ(std::current_exception(), before);
                    EXPECT_TRUE(force_steal());
                },
                [&] {
                    wait_for_the_owner_to_park(parks);
                    EXPECT_EQ(std::current_exception(), nullptr);
                    EXPECT_EQ(std::uncaught_exceptions(), 0);
                });
            EXPECT_EQ(me(), 1 - victim);
            EXPECT_EQ(std::current_exception(), before);
            EXPECT_EQ(who_throws([] { throw; }), 5);
        }
        EXPECT_EQ(std::current_exception(), nullptr);
    });
}

// The thief, too, may be handling an exception when it takes over a flow.
TEST(invoke_exceptions, two_flows_each_in_a_handler) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        try {
            throw thrown(1);
        } catch (...) {
            const std::uint64_t parks = parks_of(me());
            parallel_invoke([&] { EXPECT_TRUE(force_steal()); },
                            [&] {
                                try {
                                    throw thrown(2);
                                } catch (...) {
                                    wait_for_the_owner_to_park(parks);
                                    EXPECT_EQ(who_throws([] { throw; }), 2);
                                }
                            });
            EXPECT_EQ(who_throws([] { throw; }), 1);
        }
    });
}

// A destructor that calls parallel_invoke while an exception passes it: uncaught_exceptions
// follows.
TEST(invoke_exceptions, a_join_while_an_exception_is_on_its_way) {
    scripted_workers workers(2);
    nothing_leaks check;
    struct joins_at_its_end {
        ~joins_at_its_end() {
            const std::uint64_t parks = parks_of(me());
            EXPECT_EQ(std::uncaught_exceptions(), 1);
            parallel_invoke([] { EXPECT_TRUE(force_steal()); },
                            [&] {
                                wait_for_the_owner_to_park(parks);
                                EXPECT_EQ(std::uncaught_exceptions(), 0);
                            });
            EXPECT_EQ(std::uncaught_exceptions(), 1);
        }
    };
    saguaro::run([] {
        EXPECT_EQ(who_throws([] {
                      const joins_at_its_end last;
                      throw thrown(3);
                  }),
                  3);
        EXPECT_EQ(std::uncaught_exceptions(), 0);
    });
}

} // namespace
