// SPDX-License-Identifier: MIT
// Tests that scans over blocks write each block once, with all that precedes it.
#include "algorithm_inputs.hpp"

#include "saguaro/cancellable_scope.hpp"
#include "saguaro/parallel_scan.hpp"
#include "saguaro/pedigree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::grain;
using saguaro::parallel_scan_blocks;

// What a scan of words did: the text before each block, by the block's first word, and how often
// each word was summed up and written.
struct text_scan {
    explicit text_scan(std::size_t n) : in(words(n)), summed(n), written(n), before(n) {}

    std::vector<std::string> in;
    std::vector<std::atomic<int>> summed, written;
    std::vector<std::string> before;

    std::string text(std::size_t b, std::size_t e) const {
        std::string all;
        for (; b != e; ++b)
            all += in[b];
        return all;
    }

    template <class Steal>
    std::string run(Steal &&steal, grain g) {
        return parallel_scan_blocks(
            std::size_t{0}, in.size(), std::string("first:"),
            [&](const std::string &a, const std::string &b) {
                steal();
                return a + b;
            },
            [&](std::size_t b, std::size_t e) {
                for (std::size_t i = b; i != e; ++i)
                    ++summed[i];
                steal();
                return text(b, e);
            },
            [&](std::size_t b, std::size_t e, std::string so_far) {
                for (std::size_t i = b; i != e; ++i)
                    ++written[i];
                before[b] = so_far;
                steal();
                return so_far + text(b, e);
            },
            g);
    }
};

TEST(parallel_scan_blocks, each_block_has_what_precedes_it_however_it_is_cut) {
    std::uint64_t steals = 0;
    for (const std::size_t n : {0u, 1u, 2u, 3u, 10u, 97u})
        for (const unsigned period : {2u, 3u, 31u})
            for (const grain g : {grain{}, grain{1}, grain{7}}) {
                text_scan scan(n);
                now_and_then steal(period);
                const scripted_workers workers(4);
                EXPECT_EQ(scan.run(steal, g), "first:" + scan.text(0, n));
                for (std::size_t i = 0; i != n; ++i) {
                    EXPECT_EQ(scan.written[i], 1) << i << " of " << n;
                    EXPECT_LE(scan.summed[i], 1) << i << " of " << n;
                    if (!scan.before[i].empty())
                        EXPECT_EQ(scan.before[i], "first:" + scan.text(0, i));
                }
                steals += saguaro::stats().steals;
            }
    EXPECT_GT(steals, 0u);
}

TEST(parallel_scan_blocks, one_worker_sums_nothing_up) {
    text_scan scan(500);
    const free_workers workers(1);
    const std::string all = scan.run([] {}, grain{3});
    EXPECT_EQ(all, "first:" + scan.text(0, 500));
    for (const auto &times : scan.summed)
        EXPECT_EQ(times, 0);
}

// The owner writes what it kept at once; the other half is summed up first and then written.
TEST(parallel_scan_blocks, only_what_was_stolen_is_visited_twice) {
    text_scan scan(20);
    bool stolen = false, asked = false;
    const scripted_workers workers(2);
    scan.run(
        [&] {
            if (!asked) {
                asked = true;
                stolen = force_steal();
            }
        },
        grain{1});
    ASSERT_TRUE(stolen);
    for (std::size_t i = 0; i != 20; ++i)
        EXPECT_EQ(scan.summed[i], i < 10 ? 0 : 1) << i;
}

TEST(parallel_scan_blocks, keeps_some_elements) {
    for (unsigned count = 1; count <= 4; ++count) {
        const free_workers workers(count);
        const std::vector<int> in = random_ints(big, 1000, count);
        const auto wanted = [](int x) { return x % 3 == 0; };
        std::vector<int> serial, out(in.size());
        std::copy_if(in.begin(), in.end(), std::back_inserter(serial), wanted);
        const std::ptrdiff_t kept = parallel_scan_blocks(
            in, std::ptrdiff_t{0}, std::plus<>(),
            [&](auto b, auto e) { return std::count_if(b, e, wanted); },
            [&](auto b, auto e, std::ptrdiff_t before) {
                return std::copy_if(b, e, out.begin() + before, wanted) - out.begin();
            });
        out.resize(static_cast<std::size_t>(kept));
        EXPECT_EQ(out, serial);
    }
}

TEST(parallel_scan_blocks, the_first_exception_leaves) {
    const nothing_leaks check;
    const int n = 24;
    for (int thrower = 0; thrower < n; ++thrower) {
        now_and_then steal(2);
        const scripted_workers workers(3);
        const auto visit = [&](int b) {
            steal();
            if (b == thrower || b == thrower + 8)
                throw thrown(b);
        };
        const auto sum = [&](int b, int) {
            visit(b);
            return counted(b);
        };
        const auto write = [&](int b, int, const counted &) {
            visit(b);
            return counted(b);
        };
        EXPECT_EQ(who_throws([&] {
                      parallel_scan_blocks(
                          0, n, counted(-1), [](const counted &, const counted &r) { return r; },
                          sum, write, grain{1});
                  }),
                  thrower);
    }
}

TEST(parallel_scan_blocks, an_exception_of_the_second_visit_leaves) {
    const nothing_leaks check;
    bool stolen = false;
    const scripted_workers workers(2);
    EXPECT_EQ(who_throws([&] {
                  parallel_scan_blocks(
                      0, 20, 0, std::plus<>(), [](int, int) { return 1; },
                      [&](int b, int, int before) {
                          if (b == 0)
                              stolen = force_steal();
                          if (b >= 13)
                              throw thrown(b);
                          return before + 1;
                      },
                      grain{1});
              }),
              13);
    EXPECT_TRUE(stolen);
}

// The loop over stolen blocks must not count as an event of its own.
TEST(parallel_scan_blocks, pedigrees_do_not_depend_on_steals) {
    const auto after_scan = [](bool wanted) {
        bool stolen = false;
        std::vector<std::uint64_t> found;
        const scripted_workers workers(2);
        saguaro::run([&] {
            const saguaro::pedigree_root root;
            parallel_scan_blocks(
                0, 20, 0, std::plus<>(), [](int, int) { return 1; },
                [&](int b, int, int before) {
                    if (wanted && b == 0)
                        stolen = force_steal();
                    return before + 1;
                },
                grain{1});
            found = saguaro::pedigree();
        });
        EXPECT_EQ(stolen, wanted);
        return found;
    };
    EXPECT_EQ(after_scan(true), after_scan(false));
}

TEST(parallel_scan_blocks, ends_when_it_is_cancelled) {
    const scripted_workers workers(3);
    saguaro::run([&] {
        saguaro::cancellable_scope scope;
        now_and_then steal(2);
        std::atomic<int> visits{0}, late{0};
        std::atomic<bool> cancelled{false};
        const auto visit = [&] {
            steal();
            late += cancelled ? 1 : 0;
            if (++visits == 10) {
                scope.cancel();
                cancelled = true;
            }
        };
        parallel_scan_blocks(
            0, 1000, 0, std::plus<>(),
            [&](int, int) {
                visit();
                return 1;
            },
            [&](int, int, int before) {
                visit();
                return before + 1;
            },
            grain{1});
        EXPECT_LE(late, 2) << "more than what the two other workers had begun";
        scope.sync();
    });
}

} // namespace
