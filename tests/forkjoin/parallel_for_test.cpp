// SPDX-License-Identifier: MIT
// Tests of parallel_for and parallel_reduce: every index once, grains, exceptions, steals.
#include "forcing.hpp"

#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::parallel_for;
using saguaro::parallel_reduce;

constexpr std::chrono::milliseconds a_moment{1};

std::vector<int> numbers(int first, int last) {
    std::vector<int> list(static_cast<std::size_t>(last - first));
    std::iota(list.begin(), list.end(), first);
    return list;
}

// --- Every index once ---

// Runs the loop with a steal in every seventh iteration and compares with the serial one.
template <class I, class J>
void expect_every_index(I first, J last) {
    using index = std::common_type_t<I, J>;
    std::vector<index> serial;
    for (auto i = static_cast<index>(first); i < static_cast<index>(last); ++i)
        serial.push_back(i);
    saguaro::reducer<saguaro::vector_append<index>> seen;
    saguaro::run([&] {
        parallel_for(first, last, [&](auto i) {
            static_assert(std::is_same_v<decltype(i), index>);
            seen->push_back(i);
            if (static_cast<std::uint64_t>(i) % 7 == 3)
                force_steal(a_moment);
        });
    });
    EXPECT_EQ(seen.get(), serial);
}

template <class T>
class parallel_for_integers : public testing::Test {};
using integers = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, char>;
TYPED_TEST_SUITE(parallel_for_integers, integers);

TYPED_TEST(parallel_for_integers, at_both_ends_and_across_zero) {
    using T = TypeParam;
    using limits = std::numeric_limits<T>;
    scripted_workers workers(3);
    expect_every_index(limits::min(), static_cast<T>(limits::min() + 100));
    expect_every_index(static_cast<T>(limits::max() - 100), limits::max());
    expect_every_index(T(0), T(77));
    if constexpr (limits::is_signed)
        expect_every_index(T(-50), T(50));
}

TEST(parallel_for, all_of_a_small_type) {
    scripted_workers workers(2);
    expect_every_index(std::numeric_limits<std::int8_t>::min(),
                       std::numeric_limits<std::int8_t>::max());
    expect_every_index(std::uint8_t{0}, std::uint8_t{255});
}

TEST(parallel_for, bounds_of_two_types) {
    scripted_workers workers(2);
    const std::vector<int> list(40);
    expect_every_index(0, list.size());
    expect_every_index(short{-20}, 20LL);
    expect_every_index('\1', std::uint16_t{90});
}

TEST(parallel_for, iterators) {
    scripted_workers workers(3);
    const auto increment = [](int &x) {
        x += 1000;
        if (x % 50 == 0)
            force_steal(a_moment);
    };
    std::vector<int> v = numbers(0, 500);
    parallel_for(v.begin(), v.end(), increment);
    EXPECT_EQ(v, numbers(1000, 1500));
    std::deque<int> d(v.begin(), v.end());
    parallel_for(d.begin(), d.end(), increment);
    parallel_for(d.rbegin(), d.rend(), increment);
    EXPECT_EQ(std::vector<int>(d.begin(), d.end()), numbers(3000, 3500));
    int array[] = {1, 2, 3};
    parallel_for(std::begin(array), std::end(array), increment);
    EXPECT_EQ(std::vector<int>(array, array + 3), numbers(1001, 1004));
}

TEST(parallel_for, nothing_to_do) {
    scripted_workers workers(2);
    const auto never = [](int) { ADD_FAILURE() << "the body of an empty loop was called"; };
    parallel_for(3, 3, never);
    saguaro::run([&] {
        parallel_for(3, 3, never);
        parallel_for(3, -3, never);
        parallel_for(std::numeric_limits<int>::max(), std::numeric_limits<int>::min(), never);
        const std::vector<int> none;
        parallel_for(none.begin(), none.end(), never);
    });
}

TEST(parallel_for, nested) {
    constexpr int rows = 30, columns = 40;
    scripted_workers workers(4);
    saguaro::reducer<saguaro::vector_append<int>> seen;
    saguaro::run([&] {
        parallel_for(0, rows, [&](int r) {
            parallel_for(0, columns, [&](int c) {
                seen->push_back(r * columns + c);
                if ((r + c) % 11 == 0)
                    force_steal(a_moment);
            });
        });
    });
    EXPECT_EQ(seen.get(), numbers(0, rows * columns));
}

// --- Who runs what ---

TEST(parallel_for, nothing_is_cut_before_a_steal) {
    for (const unsigned count : {1u, 2u}) {
        scripted_workers workers(count);
        std::vector<int> order;
        saguaro::run([&] {
            const int caller = saguaro::worker_id();
            parallel_for(0, 10'000, [&](int i) {
                ASSERT_EQ(saguaro::worker_id(), caller);
                order.push_back(i);
            });
        });
        EXPECT_EQ(order, numbers(0, 10'000));
        EXPECT_EQ(saguaro::stats().steals, 0u);
    }
}

// What the loop over [0, n) does if it is stolen from in iteration `at`: who ran each iteration.
std::vector<unsigned> who_ran(int n, int at, bool &stolen) {
    std::vector<unsigned> ran(static_cast<std::size_t>(n));
    parallel_for(0, n, [&](int i) {
        if (i == at)
            stolen = force_steal();
        ran[static_cast<std::size_t>(i)] = me();
    });
    return ran;
}

TEST(parallel_for, a_thief_takes_the_upper_half_of_what_is_left) {
    scripted_workers workers(2);
    saguaro::run([] {
        for (const int n : {2, 3, 4, 9, 10, 101})
            for (int at = 0; at < n - 1; at += 1 + n / 10) {
                const unsigned owner = me();
                bool stolen = false;
                const std::vector<unsigned> ran = who_ran(n, at, stolen);
                EXPECT_TRUE(stolen);
                // Of what is left after iteration `at`, the owner keeps the smaller half.
                const int kept = at + 1 + (n - at - 1) / 2;
                for (int i = 0; i < n; ++i)
                    EXPECT_EQ(ran[static_cast<std::size_t>(i)], i < kept ? owner : 1 - owner)
                        << "iteration " << i << " of " << n << ", stolen from at " << at;
            }
    });
}

TEST(parallel_for, the_last_iteration_cannot_be_taken) {
    scripted_workers workers(2);
    saguaro::run([] {
        for (const int n : {1, 2, 10}) {
            bool stolen = true;
            const std::vector<unsigned> ran = who_ran(n, n - 1, stolen);
            EXPECT_FALSE(stolen);
            EXPECT_EQ(ran, std::vector<unsigned>(ran.size(), me()));
        }
    });
}

TEST(parallel_for, what_was_taken_is_cut_again) {
    scripted_workers workers(3);
    saguaro::run([] {
        const unsigned owner = me();
        std::vector<unsigned> ran(16);
        std::atomic<int> cuts{0};
        parallel_for(0, 16, [&](int i) {
            if (i == 0) {
                EXPECT_TRUE(force_steal()); // leaves 0 to 7
                wait_until([&] { return cuts == 1; });
            }
            if (i == 8) {
                EXPECT_TRUE(force_steal()); // leaves 8 to 11
                ++cuts;
            }
            ran[static_cast<std::size_t>(i)] = me();
        });
        const std::vector<unsigned> first(8, owner), second(4, ran[8]), third(4, ran[12]);
        EXPECT_EQ(std::vector<unsigned>(ran.begin(), ran.begin() + 8), first);
        EXPECT_EQ(std::vector<unsigned>(ran.begin() + 8, ran.begin() + 12), second);
        EXPECT_EQ(std::vector<unsigned>(ran.begin() + 12, ran.end()), third);
        EXPECT_EQ(owner + ran[8] + ran[12], 0u + 1 + 2);
    });
}

TEST(parallel_for, one_iteration_is_stolen_from_until_nothing_is_left) {
    scripted_workers workers(2);
    saguaro::reducer<saguaro::vector_append<int>> seen;
    saguaro::run([&] {
        const unsigned owner = me();
        parallel_for(0, 1000, [&](int i) {
            if (i == 0) {
                int cuts = 0;
                while (force_steal())
                    ++cuts;
                EXPECT_EQ(cuts, 10);
            }
            EXPECT_EQ(me() == owner, i == 0);
            seen->push_back(i);
        });
    });
    EXPECT_EQ(seen.get(), numbers(0, 1000));
}

// The owner arrives at the join before the thief, and after it.
TEST(parallel_for, whoever_comes_last_goes_on) {
    scripted_workers workers(2);
    for (const bool thief_is_last : {false, true})
        saguaro::run([&] {
            const unsigned owner = me();
            const std::uint64_t parks = parks_of(owner);
            std::atomic<bool> taken_ran{false};
            parallel_for(0, 2, [&](int i) {
                if (i == 0) {
                    EXPECT_TRUE(force_steal());
                    if (!thief_is_last) {
                        wait_until([&] { return taken_ran.load(); });
                        wait_for_the_thief();
                    }
                } else {
                    taken_ran = true;
                    if (thief_is_last)
                        wait_for_the_owner_to_park(parks);
                }
            });
            EXPECT_EQ(me() == owner, !thief_is_last);
        });
}

// The last iteration parks and goes on elsewhere, and the end of the loop with it.
TEST(parallel_for, a_loop_that_moves) {
    scripted_workers workers(2);
    saguaro::reducer<saguaro::vector_append<int>> seen;
    saguaro::run([&] {
        const unsigned owner = me();
        const std::uint64_t parks = parks_of(owner);
        parallel_for(0, 3, [&](int i) {
            seen->push_back(i);
            if (i == 2)
                // The loop is older, but has nothing left.
                saguaro::parallel_invoke([] { EXPECT_TRUE(force_steal()); },
                                         [&] { wait_for_the_owner_to_park(parks); });
            EXPECT_EQ(me() == owner, i < 2);
        });
        EXPECT_EQ(me(), 1 - owner);
    });
    EXPECT_EQ(seen.get(), numbers(0, 3));
}

// --- Exceptions ---

TEST(parallel_for_exceptions, unstolen_nothing_runs_after_the_one_that_throws) {
    scripted_workers workers(2);
    nothing_leaks check;
    int last = -1;
    EXPECT_EQ(who_throws([&] {
                  parallel_for(0, 100, [&](int i) {
                      last = i;
                      if (i >= 30)
                          throw thrown(i);
                  });
              }),
              30);
    EXPECT_EQ(last, 30);
}

TEST(parallel_for_exceptions, the_first_index_wins_however_it_is_cut) {
    constexpr int n = 24;
    scripted_workers workers(3);
    nothing_leaks check;
    for (unsigned seed = 0; seed < 300; ++seed) {
        const auto draw = [=](int i) {
            return (static_cast<unsigned>(i) * 2654435761u ^ seed * 40503u) >> 4;
        };
        const auto throws = [=](int i) { return draw(i) % 5 == 0; };
        int first = 0;
        while (first < n && !throws(first))
            ++first;
        std::atomic<int> under_way{0};
        EXPECT_EQ(who_throws([&] {
                      parallel_for(0, n, [&](int i) {
                          const counted local(i);
                          ++under_way;
                          if (draw(i) % 3 == 1)
                              force_steal(a_moment);
                          --under_way;
                          if (throws(i))
                              throw thrown(i);
                      });
                  }),
                  first < n ? first : -1)
            << "seed " << seed;
        EXPECT_EQ(under_way, 0);
    }
}

TEST(parallel_for_exceptions, the_owner_throws_and_waits_for_the_thief) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        const std::uint64_t parks = parks_of(me());
        bool ended = false;
        EXPECT_EQ(who_throws([&] {
                      parallel_for(0, 2, [&](int i) {
                          if (i == 0) {
                              EXPECT_TRUE(force_steal());
                              throw thrown(0);
                          }
                          wait_for_the_owner_to_park(parks);
                          ended = true;
                          throw thrown(1);
                      });
                  }),
                  0);
        EXPECT_TRUE(ended);
    });
}

TEST(parallel_for_exceptions, a_huge_loop_ends_early) {
    constexpr std::int64_t huge = std::int64_t{1} << 40;
    scripted_workers workers(2);
    EXPECT_EQ(who_throws([] {
                  parallel_for(std::int64_t{0}, huge, [](std::int64_t i) {
                      if (i == 1000)
                          throw thrown(1);
                  });
              }),
              1);
    EXPECT_EQ(who_throws([] {
                  parallel_for(std::int64_t{0}, huge, [](std::int64_t i) {
                      force_steal_if(i == 999);
                      if (i >= huge / 2)
                          throw thrown(2);
                      if (i == 1000)
                          throw thrown(1);
                  });
              }),
              1);
}

// --- parallel_reduce ---

std::string join(std::string left, std::string right) {
    return std::move(left) + std::move(right);
}

TEST(parallel_reduce, operands_stay_in_order_however_it_is_cut) {
    scripted_workers workers(4);
    std::string serial = "start:";
    for (int i = 0; i < 60; ++i)
        serial += std::to_string(i) + ",";
    for (int period = 2; period < 20; ++period) {
        const auto text = [&](int i) {
            if (i % period == 1)
                force_steal(a_moment);
            return std::to_string(i) + ",";
        };
        EXPECT_EQ(
            saguaro::run([&] { return parallel_reduce(0, 60, std::string("start:"), join, text); }),
            serial)
            << "period " << period;
    }
    EXPECT_GT(saguaro::stats().steals, 0u);
}

TEST(parallel_reduce, over_iterators) {
    scripted_workers workers(2);
    const std::vector<std::string> words{"to", "be", "or", "not"};
    const auto word = [](const std::string &w) {
        force_steal_if(w == "be");
        return w + " ";
    };
    EXPECT_EQ(parallel_reduce(words.begin(), words.end(), std::string(), join, word),
              "to be or not ");
}

TEST(parallel_reduce, nothing_gives_the_first_value) {
    scripted_workers workers(2);
    const auto same = [](int i) { return i; };
    EXPECT_EQ(parallel_reduce(5, 5, 42, std::plus<>(), same), 42);
    EXPECT_EQ(saguaro::run([&] { return parallel_reduce(5, -5, 42, std::plus<>(), same); }), 42);
}

TEST(parallel_reduce, values_that_only_move) {
    scripted_workers workers(2);
    nothing_leaks check;
    using pointer = std::unique_ptr<counted>;
    const auto sum = [](pointer a, pointer b) {
        a->value += b->value;
        return a;
    };
    const auto make = [](int i) {
        force_steal_if(i == 20);
        return std::make_unique<counted>(i);
    };
    EXPECT_EQ(parallel_reduce(0, 100, std::make_unique<counted>(5), sum, make)->value,
              5 + 99 * 100 / 2);
}

TEST(parallel_reduce, an_exception_of_the_transformation_leaves) {
    scripted_workers workers(2);
    nothing_leaks check;
    const auto sum = [](counted a, const counted &b) { return counted(a.value + b.value); };
    for (const int thrower : {3, 4, 40, 99}) {
        const auto make = [&](int i) {
            force_steal_if(i == 2);
            if (i >= thrower)
                throw thrown(i);
            return counted(i);
        };
        EXPECT_EQ(who_throws([&] { parallel_reduce(0, 100, counted(), sum, make); }), thrower);
    }
}

TEST(parallel_reduce, nested) {
    scripted_workers workers(3);
    const auto row = [](int r) {
        return parallel_reduce(0, 10, std::string("["), join,
                               [=](int c) {
                                   if ((r + c) % 4 == 0)
                                       force_steal(a_moment);
                                   return std::to_string(10 * r + c) + " ";
                               }) +
               "]";
    };
    std::string serial;
    for (int r = 0; r < 10; ++r) {
        serial += "[";
        for (int c = 0; c < 10; ++c)
            serial += std::to_string(10 * r + c) + " ";
        serial += "]";
    }
    EXPECT_EQ(saguaro::run([&] { return parallel_reduce(0, 10, std::string(), join, row); }),
              serial);
}

} // namespace
