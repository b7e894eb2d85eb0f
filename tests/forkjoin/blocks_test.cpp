// SPDX-License-Identifier: MIT
// Loops over blocks and tiles, and the transformation that is made of them.
#include "algorithm_inputs.hpp"

#include "saguaro/parallel_for_2d.hpp"
#include "saguaro/parallel_transform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::grain;
using saguaro::parallel_for;
using saguaro::parallel_for_blocks;
using saguaro::parallel_for_tiles;
using saguaro::parallel_transform;
using saguaro::range_2d;

// What bodies on any worker note.
template <class T>
class notes {
public:
    void add(T note) {
        const std::lock_guard guard(lock_);
        notes_.push_back(std::move(note));
    }
    std::vector<T> sorted() {
        std::sort(notes_.begin(), notes_.end());
        return notes_;
    }

private:
    std::mutex lock_;
    std::vector<T> notes_;
};

using block = std::pair<std::uint64_t, std::uint64_t>;

std::vector<block> blocks_of(std::uint64_t n, grain g, unsigned workers, unsigned period) {
    notes<block> seen;
    now_and_then steal(period);
    const scripted_workers pool(workers);
    parallel_for_blocks(
        std::uint64_t{0}, n,
        [&](std::uint64_t b, std::uint64_t e) {
            steal();
            seen.add({b, e});
        },
        g);
    return seen.sorted();
}

// --- Blocks ---

TEST(parallel_for_blocks, are_consecutive_and_as_long_as_wanted) {
    for (const std::size_t n : sizes())
        for (const std::uint64_t least : {1u, 2u, 10u, 100u, 100'000u}) {
            const std::vector<block> all =
                blocks_of(n, grain{least}, 3, static_cast<unsigned>(1 + n / 20));
            std::uint64_t next = 0;
            for (const auto &[b, e] : all) {
                EXPECT_EQ(b, next);
                EXPECT_TRUE(e - b >= least || all.size() == 1) << n << " by " << least;
                EXPECT_LT(e - b, 2 * least);
                next = e;
            }
            EXPECT_EQ(next, n);
        }
}

TEST(parallel_for_blocks, do_not_depend_on_the_workers) {
    for (const std::uint64_t n : {100u, 5000u, 1'000'000u})
        EXPECT_EQ(blocks_of(n, {}, 1, 100'000), blocks_of(n, {}, 4, 3));
    EXPECT_EQ(blocks_of(100, {}, 1, 1).size(), 100u);
}

TEST(parallel_for_blocks, by_default_are_enough_for_many_workers) {
    const auto count = [](std::uint64_t n) { return blocks_of(n, {}, 1, 100'000).size(); };
    EXPECT_EQ(count(1), 1u);
    EXPECT_EQ(count(2000), 2000u) << "few iterations may be long ones";
    EXPECT_EQ(count(10'240), 1024u);
    EXPECT_EQ(count(64'000), 4000u) << "16 iterations a block";
    EXPECT_EQ(count(1'024'000), 4096u);
    EXPECT_EQ(count(10'240'000), 10'000u) << "1024 iterations a block";
}

TEST(parallel_for_blocks, a_worker_runs_its_own_in_order) {
    std::vector<int> order;
    const scripted_workers workers(2);
    parallel_for_blocks(
        -50, 50,
        [&](int b, int e) {
            for (; b != e; ++b)
                order.push_back(b);
        },
        grain{7});
    std::vector<int> ascending(100);
    std::iota(ascending.begin(), ascending.end(), -50);
    EXPECT_EQ(order, ascending);
    EXPECT_EQ(saguaro::stats().steals, 0u);
}

TEST(parallel_for_blocks, iterators_and_bounds_of_two_types) {
    std::vector<int> list(1000, 1);
    std::atomic<std::int64_t> sum{0};
    const free_workers workers(2);
    parallel_for_blocks(list.begin(), list.end(),
                        [&](auto b, auto e) { sum += std::accumulate(b, e, 0); });
    EXPECT_EQ(sum, 1000);
    parallel_for_blocks(-10, 1000L, [&](long b, long e) { sum += e - b; });
    EXPECT_EQ(sum, 2010);
}

TEST(parallel_for_blocks, the_first_exception_leaves) {
    const nothing_leaks check;
    for (int thrower = 0; thrower < 30; ++thrower) {
        now_and_then steal(2);
        const scripted_workers workers(3);
        EXPECT_EQ(who_throws([&] {
                      parallel_for_blocks(
                          0, 30,
                          [&](int b, int e) {
                              steal();
                              for (; b != e; ++b)
                                  if (b >= thrower)
                                      throw thrown(b);
                          },
                          grain{3});
                  }),
                  thrower);
    }
}

// --- parallel_for with a grain ---

TEST(parallel_for_grain, every_index_once) {
    for (const std::size_t n : sizes())
        for (const std::uint64_t g : {0u, 1u, 5u, 5000u}) {
            std::vector<std::atomic<int>> seen(n);
            now_and_then steal(static_cast<unsigned>(1 + n / 20));
            const scripted_workers workers(3);
            parallel_for(
                std::size_t{0}, n,
                [&](std::size_t i) {
                    ++seen[i];
                    steal();
                },
                grain{g});
            EXPECT_TRUE(
                std::all_of(seen.begin(), seen.end(), [](const auto &x) { return x == 1; }));
        }
}

TEST(parallel_for_grain, narrow_types_and_iterators) {
    using limits = std::numeric_limits<std::int8_t>;
    std::atomic<int> sum{0};
    std::deque<int> queue(300, 1);
    const free_workers workers(2);
    parallel_for(limits::min(), limits::max(), [&](std::int8_t i) { sum += i; }, grain{10});
    EXPECT_EQ(sum, -128 - 127);
    parallel_for(short{-5}, 6L, [&](long i) { sum += static_cast<int>(i) + 1; }, grain{4});
    EXPECT_EQ(sum, -128 - 127 + 11);
    parallel_for(queue.begin(), queue.end(), [](int &x) { ++x; }, grain{20});
    EXPECT_EQ(queue, std::deque<int>(300, 2));
}

// A thief that comes in the first iteration of a block takes none of the block.
TEST(parallel_for_grain, a_block_is_not_split) {
    std::vector<unsigned> ran(30);
    const scripted_workers workers(2);
    parallel_for(
        std::size_t{0}, ran.size(),
        [&](std::size_t i) {
            if (i == 0)
                while (force_steal())
                    ;
            ran[i] = me();
        },
        grain{10});
    EXPECT_EQ(std::vector<unsigned>(ran.begin(), ran.begin() + 10),
              std::vector<unsigned>(10, ran[0]));
    EXPECT_EQ(std::vector<unsigned>(ran.begin() + 10, ran.end()),
              std::vector<unsigned>(20, 1 - ran[0]));
}

// --- Rows and columns ---

using bounds = std::tuple<int, int, int, int>;

bounds bounds_of(const range_2d<int> &r) {
    return {r.first_row, r.last_row, r.first_column, r.last_column};
}

TEST(parallel_for_2d, every_cell_once) {
    for (const auto &[rows, columns] :
         {std::pair(0, 5), {5, 0}, {1, 1}, {1, 100}, {100, 1}, {17, 31}, {64, 64}})
        for (const std::uint64_t g : {0u, 1u, 10u, 100'000u}) {
            const auto cells = static_cast<std::size_t>(rows * columns);
            std::vector<std::atomic<int>> seen(cells);
            now_and_then steal(23);
            const scripted_workers workers(3);
            parallel_for(
                range_2d(-3, rows - 3, 7, columns + 7),
                [&](int r, int c) {
                    ++seen[static_cast<std::size_t>((r + 3) * columns + c - 7)];
                    steal();
                },
                grain{g});
            EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](const auto &x) { return x == 1; }))
                << rows << " by " << columns;
        }
}

TEST(parallel_for_2d, tiles_are_halves_of_the_longer_side) {
    std::vector<bounds> order;
    const scripted_workers workers(1);
    parallel_for_tiles(
        range_2d(4, 10), [&](const range_2d<int> &t) { order.push_back(bounds_of(t)); }, grain{8});
    EXPECT_EQ(order,
              (std::vector<bounds>{{0, 4, 0, 2}, {0, 4, 2, 5}, {0, 4, 5, 7}, {0, 4, 7, 10}}));
    order.clear();
    parallel_for_tiles(
        range_2d(9, 4), [&](const range_2d<int> &t) { order.push_back(bounds_of(t)); }, grain{7});
    EXPECT_EQ(order, (std::vector<bounds>{{0, 2, 0, 4}, {2, 4, 0, 4}, {4, 6, 0, 4}, {6, 9, 0, 4}}));
}

TEST(parallel_for_2d, tiles_do_not_depend_on_the_workers) {
    const auto tiles = [](unsigned workers, unsigned period) {
        notes<bounds> seen;
        now_and_then steal(period);
        const scripted_workers pool(workers);
        parallel_for_tiles(range_2d(100, 300), [&](const range_2d<int> &t) {
            steal();
            seen.add(bounds_of(t));
        });
        return seen.sorted();
    };
    const std::vector<bounds> serial = tiles(1, 1000);
    EXPECT_EQ(tiles(4, 3), serial);
    for (const auto &[row, end_row, column, end_column] : serial)
        EXPECT_GE((end_row - row) * (end_column - column), 16);
}

TEST(parallel_for_2d, sizes_beyond_all_numbers) {
    using wide = range_2d<std::int64_t>;
    const std::int64_t huge = std::int64_t{1} << 40;
    EXPECT_EQ(wide(huge, huge).cells(), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(wide(5, -5, 0, 10).cells(), 0u);
    EXPECT_EQ(range_2d<std::int8_t>(-128, 127, -128, 127).cells(), 255u * 255u);
}

TEST(parallel_for_2d, the_exception_of_the_first_tile_leaves) {
    const nothing_leaks check;
    // Tiles of one cell: rows 0 and 1 of a 4 by 4 range come before rows 2 and 3.
    std::vector<std::pair<int, int>> order;
    {
        const scripted_workers workers(1);
        parallel_for(range_2d(4, 4), [&](int r, int c) { order.emplace_back(r, c); }, grain{1});
    }
    for (std::size_t thrower = 0; thrower < order.size(); ++thrower) {
        now_and_then steal(2);
        const scripted_workers workers(3);
        const auto number = [&](int r, int c) {
            return std::find(order.begin(), order.end(), std::pair(r, c)) - order.begin();
        };
        EXPECT_EQ(who_throws([&] {
                      parallel_for(
                          range_2d(4, 4),
                          [&](int r, int c) {
                              steal();
                              if (number(r, c) >= static_cast<std::ptrdiff_t>(thrower))
                                  throw thrown(static_cast<int>(number(r, c)));
                          },
                          grain{1});
                  }),
                  static_cast<int>(thrower));
    }
}

// --- parallel_transform ---

TEST(parallel_transform, as_the_serial_one_at_all_sizes) {
    std::vector<std::size_t> all = sizes();
    all.push_back(big);
    for (unsigned count = 1; count <= 8; count += 3) {
        const free_workers workers(count);
        for (const std::size_t n : all) {
            const std::vector<int> a = random_ints(n, 1000, 1), b = random_ints(n, 1000, 2);
            std::vector<int> serial(n), ours(n);
            const auto negate = [](int x) { return 3 - x; };
            std::transform(a.begin(), a.end(), serial.begin(), negate);
            EXPECT_EQ(parallel_transform(a.begin(), a.end(), ours.begin(), negate), ours.end());
            EXPECT_EQ(ours, serial) << n;
            std::transform(a.begin(), a.end(), b.begin(), serial.begin(), std::minus<>());
            EXPECT_EQ(
                parallel_transform(a.begin(), a.end(), b.begin(), ours.begin(), std::minus<>()),
                ours.end());
            EXPECT_EQ(ours, serial) << n;
        }
    }
}

TEST(parallel_transform, in_place_however_it_is_stolen_from) {
    std::vector<std::string> list = words(500), other = words(500), expected = list;
    for (std::string &w : expected)
        w = "<" + w + ">" + w;
    now_and_then steal(3);
    const scripted_workers workers(4);
    parallel_transform(
        list.begin(), list.end(), list.begin(),
        [&](const std::string &w) {
            steal();
            return "<" + w + ">";
        },
        grain{1});
    parallel_transform(list.begin(), list.end(), other.begin(), list.begin(),
                       [&](const std::string &w, const std::string &o) {
                           steal();
                           return w + o;
                       });
    EXPECT_EQ(list, expected);
    EXPECT_GT(saguaro::stats().steals, 0u);
}

TEST(parallel_transform, results_that_only_move) {
    const nothing_leaks check;
    const std::vector<int> in = random_ints(300, 100, 3);
    std::vector<std::unique_ptr<counted>> out(in.size());
    const free_workers workers(2);
    parallel_transform(in.begin(), in.end(), out.begin(),
                       [owned = std::make_unique<int>(1)](int x) {
                           return std::make_unique<counted>(x + *owned);
                       });
    for (std::size_t i = 0; i < in.size(); ++i)
        EXPECT_EQ(out[i]->value, in[i] + 1);
}

TEST(parallel_transform, the_first_exception_leaves) {
    const nothing_leaks check;
    std::vector<int> list(20);
    std::iota(list.begin(), list.end(), 0);
    std::vector<int> out(20);
    for (int thrower = 0; thrower < 20; ++thrower) {
        now_and_then steal(2);
        const scripted_workers workers(3);
        EXPECT_EQ(who_throws([&] {
                      parallel_transform(
                          list.begin(), list.end(), out.begin(),
                          [&](int x) {
                              steal();
                              if (x >= thrower)
                                  throw thrown(x);
                              return x;
                          },
                          grain{2});
                  }),
                  thrower);
    }
}

TEST(parallel_transform, within_other_constructs) {
    const std::vector<int> in = random_ints(400, 100, 5);
    std::vector<std::vector<int>> outs(8, std::vector<int>(in.size()));
    now_and_then steal(17);
    const scripted_workers workers(3);
    parallel_for(std::size_t{0}, outs.size(), [&](std::size_t i) {
        parallel_transform(in.begin(), in.end(), outs[i].begin(), [&](int x) {
            steal();
            return x;
        });
    });
    EXPECT_EQ(outs, std::vector<std::vector<int>>(8, in));
}

} // namespace
