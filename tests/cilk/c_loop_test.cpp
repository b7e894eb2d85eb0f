// SPDX-License-Identifier: MIT
// sg_for: each iteration once, in blocks of the grain, in serial order for reducers, with steals at
// chosen points, from inside and from outside.
#include "forkjoin/algorithm_inputs.hpp"
#include "support/effort.hpp"

#include "saguaro/cilk_abi.h"
#include "saguaro/saguaro.hpp"

#include <cstdint>
#include <numeric>

namespace saguaro::test {
namespace {

// Runs a C loop as a function that has entered would.
void loop_here(void (*body)(void *, std::uint64_t, std::uint64_t), void *captured,
               std::uint64_t count, std::uint64_t grain) {
    sg_frame **tail = nullptr;
    sg_deque *const deque = sg_enter(&tail);
    sg_for(deque, tail, body, captured, count, grain);
}

struct marks {
    explicit marks(std::size_t n) : hits(n) {}

    static void body(void *captured, std::uint64_t first, std::uint64_t last) {
        marks &m = *static_cast<marks *>(captured);
        for (std::uint64_t i = first; i < last; ++i)
            ++m.hits.at(i);
        if (last - first < m.least)
            m.least = last - first;
        if (last - first > m.most)
            m.most = last - first;
        m.steal();
    }

    bool all_once() const {
        return std::all_of(hits.begin(), hits.end(), [](int n) { return n == 1; });
    }

    std::vector<int> hits;
    std::atomic<std::uint64_t> least{UINT64_MAX}, most{0};
    now_and_then steal{3};
};

TEST(c_loop, runs_each_iteration_once) {
    const scripted_workers workers(3);
    unsigned turn = 0;
    for (const std::size_t n : sizes())
        for (const std::uint64_t grain : {0u, 1u, 7u, 4096u}) {
            // The sizes take turns at the grains where not each meets all.
            if (++turn % 3 != 0 && !test_support::is_thorough())
                continue;
            marks m(n);
            run([&] { loop_here(marks::body, &m, n, grain); });
            ASSERT_TRUE(m.all_once()) << n << " by " << grain;
            if (n == 0)
                continue;
            const std::uint64_t least = grain == 0 ? saguaro::detail::blocks::default_size(n)
                                                   : std::min<std::uint64_t>(grain, n);
            EXPECT_GE(m.least, least) << n << " by " << grain;
            EXPECT_LT(m.most, 2 * std::max<std::uint64_t>(least, 1)) << n << " by " << grain;
        }
}

TEST(c_loop, enters_a_worker_from_outside) {
    const scripted_workers workers(2);
    marks m(1000);
    loop_here(marks::body, &m, 1000, 0);
    EXPECT_TRUE(m.all_once());
}

TEST(c_loop, is_stolen_and_parks) {
    const scripted_workers workers(2);
    struct two {
        std::atomic<unsigned> worker[2]{};
        std::uint64_t parks = 0; // of the worker that begins, before the steal
        static void body(void *captured, std::uint64_t first, std::uint64_t) {
            two &t = *static_cast<two *>(captured);
            t.worker[first] = me();
            if (first == 0) {
                t.parks = parks_of(me());
                EXPECT_TRUE(force_steal());
            } else {
                wait_for_the_owner_to_park(t.parks);
            }
        }
    } halves;
    run([&] {
        loop_here(two::body, &halves, 2, 1);
        EXPECT_NE(halves.worker[0], halves.worker[1]);
    });
    EXPECT_EQ(saguaro::stats().parks, 1u);
}

// Loops in loops, with a reducer that keeps the serial order.
TEST(c_loop, nests_and_keeps_the_order) {
    const free_workers workers(4);
    struct nest {
        reducer<vector_append<int>> order;
        now_and_then steal{5};
        int outer = 0;

        static void inner(void *captured, std::uint64_t first, std::uint64_t last) {
            auto &[self, i] = *static_cast<std::pair<nest *, int> *>(captured);
            for (std::uint64_t k = first; k < last; ++k)
                self->order->push_back(100 * i + static_cast<int>(k));
        }
        static void body(void *captured, std::uint64_t first, std::uint64_t last) {
            for (std::uint64_t i = first; i < last; ++i) {
                std::pair<nest *, int> part(static_cast<nest *>(captured), static_cast<int>(i));
                loop_here(inner, &part, 100, 3);
            }
        }
    } n;
    run([&] { loop_here(nest::body, &n, 50, 2); });
    std::vector<int> expected(5000);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(n.order.take(), expected);
}

// Steps that are told apart: a C loop is what a parallel_for is to a pedigree.
TEST(c_loop, tells_its_steps_apart) {
    const scripted_workers workers(2);
    std::vector<std::uint64_t> drawn[2];
    for (std::vector<std::uint64_t> &numbers : drawn) {
        numbers.resize(64);
        run([&] {
            const dotmix random(7);
            struct draws {
                const dotmix &random;
                std::vector<std::uint64_t> &numbers;
                now_and_then steal{2};
            } d{random, numbers, now_and_then(2)};
            loop_here(
                [](void *captured, std::uint64_t first, std::uint64_t) {
                    draws &here = *static_cast<draws *>(captured);
                    here.numbers[first] = here.random();
                    here.steal();
                },
                &d, 64, 1);
        });
    }
    EXPECT_EQ(drawn[0], drawn[1]);
    std::sort(drawn[0].begin(), drawn[0].end());
    EXPECT_EQ(std::unique(drawn[0].begin(), drawn[0].end()), drawn[0].end());
}

} // namespace
} // namespace saguaro::test
