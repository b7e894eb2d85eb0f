// SPDX-License-Identifier: MIT
// Reducers whose value is a variable of the program: by Cilk Plus's macros (c_reducers.c), and as
// what cilk_reducer becomes.
#include "c_reducers.h"
#include "forkjoin/algorithm_inputs.hpp"

#include "saguaro/detail/c_reducer.h"
#include "saguaro/saguaro.hpp"

#include <string>

namespace saguaro::test {
namespace {

struct values {
    long sum;
    double product;
    int greatest;
    long at;
    std::string text;

    bool operator==(const values &) const = default;
};

// Steps 0 to 199; the greatest number comes twice.
template <class Loop>
values of_two_hundred(Loop loop) {
    values v{};
    char text[256] = {};
    c_reducers_begin();
    loop([](int i) { c_reducers_step(i, i == 60 || i == 150 ? 999 : i % 50); });
    c_reducers_end(&v.sum, &v.product, &v.greatest, &v.at, text);
    v.text = text;
    return v;
}

TEST(c_reducers, have_the_serial_values) {
    const values serial = of_two_hundred([](auto step) {
        for (int i = 0; i < 200; ++i)
            step(i);
    });
    EXPECT_EQ(serial.sum, 1001 + 199 * 100);
    EXPECT_EQ(serial.greatest, 999);
    EXPECT_EQ(serial.at, 60);
    const scripted_workers workers(3);
    for (const unsigned period : {1u, 2u, 5u}) {
        now_and_then steal(period);
        const values parallel = of_two_hundred([&](auto step) {
            run([&] {
                parallel_for(0, 200, [&](int i) {
                    step(i);
                    steal();
                });
            });
        });
        EXPECT_NEAR(parallel.product, serial.product, 1e-9 * serial.product);
        EXPECT_EQ(parallel.sum, serial.sum);
        EXPECT_EQ(parallel.greatest, serial.greatest);
        EXPECT_EQ(parallel.at, serial.at);
        EXPECT_EQ(parallel.text, serial.text);
    }
    EXPECT_GT(saguaro::stats().views, 0u);
}

// A local variable of a strand: registered, updated in parallel and unregistered there.
TEST(c_reducers, of_a_strand) {
    const scripted_workers workers(2);
    struct sum {
        sg_hyper base;
        long value;
    };
    now_and_then steal(3);
    const auto count = [&] {
        sum s{};
        s.base.size = sizeof s.value;
        s.base.alignment = alignof(long);
        s.base.plain_identity = [](void *view) { *static_cast<long *>(view) = 0; };
        s.base.plain_reduce = [](void *left, void *right) {
            *static_cast<long *>(left) += *static_cast<long *>(right);
        };
        s.value = 5;
        EXPECT_EQ(sg_hyper_value(&s.base), &s.value);
        EXPECT_EQ(sg_hyper_view(&s.base), &s.value);
        sg_hyper_unregister(&s.base); // nothing yet
        sg_hyper_register(&s.base);
        parallel_for(0, 100, [&](int i) {
            *static_cast<long *>(sg_hyper_view(&s.base)) += i;
            steal();
        });
        EXPECT_EQ(s.value, 4955);
        sg_hyper_unregister(&s.base);
        *static_cast<long *>(sg_hyper_view(&s.base)) += 1;
        return s.value;
    };
    run([&] {
        const auto [a, b] = parallel_invoke(count, count);
        EXPECT_EQ(a, 4956);
        EXPECT_EQ(b, 4956);
    });
    EXPECT_GT(saguaro::stats().steals, 0u);
}

// Without thieves an unregistered one is a plain variable, inside of a run as outside.
TEST(c_reducers, unregistered_without_steals) {
    const scripted_workers workers(2);
    const long before = *c_reducers_forgotten();
    run([] { parallel_for(0, 100, [](int i) { *c_reducers_forgotten() += i; }); });
    EXPECT_EQ(*c_reducers_forgotten(), before + 4950);
    EXPECT_EQ(saguaro::stats().steals, 0u);
}

// The process that dies begins threads of its own, which ThreadSanitizer refuses behind a fork.
class c_reducers_death : public testing::Test {
protected:
    void SetUp() override {
#ifdef SG_TEST_EMULATED
        GTEST_SKIP() << "a program begun anew does not run in the emulator";
#endif
        GTEST_FLAG_SET(death_test_style, "threadsafe");
    }
    void TearDown() override { GTEST_FLAG_SET(death_test_style, "fast"); }
};

// With the first steal updates could be lost.
TEST_F(c_reducers_death, unregistered_in_parallel) {
    EXPECT_DEATH(
        {
            const scripted_workers workers(2);
            now_and_then steal(3);
            run([&] {
                parallel_for(0, 100, [&](int i) {
                    *c_reducers_forgotten() += i;
                    steal();
                });
            });
        },
        "^saguaro: reducer at 0x[0-9a-f]+ is updated in parallel but not registered: updates would "
        "be lost; call CILK_C_REGISTER_REDUCER before the first spawn that uses it\n$");
}

// The continuation of a spawn is a strand of its own, although the child is done with it. One try
// to steal may come to nothing.
TEST_F(c_reducers_death, unregistered_in_a_stolen_continuation) {
    EXPECT_DEATH(
        {
            const scripted_workers workers(2);
            now_and_then steal(1);
            run([&] {
                for (int i = 0; i < 100; ++i)
                    parallel_invoke([&] { steal(); }, [] { ++*c_reducers_forgotten(); });
            });
        },
        "not registered");
}

} // namespace
} // namespace saguaro::test
