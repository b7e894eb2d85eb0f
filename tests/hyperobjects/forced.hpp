// SPDX-License-Identifier: MIT
// Checks for every monoid: the laws, and the serial result under forced steals.
#pragma once

#include "forkjoin/forcing.hpp"

#include "saguaro/reducer.hpp"
#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <utility>

namespace saguaro::test {

// a*(b*c) = (a*b)*c and e*a = a = a*e for random values. make(random) makes one, the same one from
// the same state; result(value) is what is compared.
template <class M, class Make, class Result>
void expect_laws(const M &m, Make make, Result result) {
    using value = typename M::value_type;
    const auto times = [&](value left, value right) {
        m.reduce(left, std::move(right));
        return left;
    };
    for (unsigned seed = 0; seed < 300; ++seed) {
        const auto at = [&](unsigned i) {
            std::mt19937 random(3 * seed + i);
            return make(random);
        };
        EXPECT_EQ(result(times(at(0), times(at(1), at(2)))),
                  result(times(times(at(0), at(1)), at(2))))
            << "seed " << seed;
        EXPECT_EQ(result(times(m.identity(), at(0))), result(at(0))) << "seed " << seed;
        EXPECT_EQ(result(times(at(0), m.identity())), result(at(0))) << "seed " << seed;
    }
}

// body(i) for all i in [0, n) on so many workers, with a steal after the first step for certain,
// and after a fifth of the others if a thief comes in time. Loops are nested, so that not only the
// first strand's views are joined.
template <class Body>
void forced_loop(int n, unsigned workers, Body body) {
    constexpr int rows = 5;
    const auto begin_of = [n](int row) { return n * row / rows; };
    saguaro::run([&] {
        parallel_for(0, rows, [&](int row) {
            parallel_for(begin_of(row), begin_of(row + 1), [&](int i) {
                body(i);
                if (i == 0)
                    force_steal_if(workers > 1);
                else if (std::minstd_rand(workers + static_cast<unsigned>(i))() % 5 == 0)
                    force_steal(std::chrono::milliseconds(1));
            });
        });
    });
}

// forced_loop on 1 to 8 workers. Each time prepare() makes what the loop works on, a
// std::unique_ptr, which outlives the workers; step(*object, i) is an iteration, and check(*object)
// follows when the workers have ended.
template <class Prepare, class Step, class Check>
void on_any_number_of_workers(int n, Prepare prepare, Step step, Check check) {
    for (unsigned count = 1; count <= 8; ++count) {
        SCOPED_TRACE(testing::Message() << count << " workers");
        const auto object = prepare();
        {
            scripted_workers workers(count);
            forced_loop(n, count, [&](int i) { step(*object, i); });
        }
        check(*object);
    }
}

// update(view, i) for i from 0 to n-1 gives the serial result on 1 to 8 workers. result(value) is
// what is compared; it may take its argument apart.
template <class M, class Update, class Result>
void expect_serial_result(const M &m, int n, Update update, Result result) {
    using value = typename M::value_type;
    value serial = [&]() -> value {
        if constexpr (requires { m.first(); })
            return m.first();
        else
            return m.identity();
    }();
    for (int i = 0; i < n; ++i)
        update(serial, i);
    const auto expected = result(std::move(serial));
    on_any_number_of_workers(
        n, [&] { return std::make_unique<reducer<M>>(m); },
        [&](reducer<M> &r, int i) { update(*r, i); },
        [&](reducer<M> &r) { EXPECT_EQ(result(r.take()), expected); });
}

} // namespace saguaro::test
