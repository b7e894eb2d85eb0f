// SPDX-License-Identifier: MIT
// Tests that each strand has a holder's value to itself.
#include "saguaro/holder.hpp"

#include "forced.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

namespace saguaro {
namespace {

using namespace saguaro::test;

TEST(holder, is_a_variable_outside) {
    holder<std::vector<int>> scratch;
    scratch->push_back(1);
    EXPECT_EQ(scratch.view(), std::vector<int>{1});
    holder made([] { return 7; });
    static_assert(std::is_same_v<decltype(made)::value_type, int>);
    EXPECT_EQ(*made, 7);
    *made = 8;
    EXPECT_EQ(*made, 8);
}

// Scratch space that cannot move, and notices whether two strands use it at once.
struct alignas(256) bench {
    bench() { ++made; }
    ~bench() { --made; }
    bench(const bench &) = delete;
    bench &operator=(const bench &) = delete;

    std::atomic<int> users{0};
    static inline std::atomic<int> made{0};
};

TEST(holder, no_two_strands_share_one) {
    on_any_number_of_workers(
        200, [] { return std::make_unique<holder<bench>>(); },
        [](holder<bench> &h, int) {
            bench &own = *h;
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&own) % 256, 0u);
            EXPECT_EQ(own.users.fetch_add(1), 0);
            sched_yield();
            own.users.fetch_sub(1);
        },
        [](holder<bench> &) { EXPECT_EQ(bench::made, 1) << "all others have ended"; });
    EXPECT_EQ(bench::made, 0);
}

TEST(holder, the_first_strands_value_stays) {
    const int first = 1;
    holder<int> h;
    scripted_workers workers(2);
    saguaro::run([&] {
        *h = first;
        std::atomic<bool> taken{false};
        parallel_for(0, 2, [&](int i) {
            if (i == 0) {
                EXPECT_TRUE(force_steal());
                wait_until([&] { return taken.load(); });
                EXPECT_EQ(*h, first);
            } else {
                EXPECT_EQ(*h, 0) << "a stolen part begins with a new one";
                *h = 2;
                taken = true;
            }
        });
        EXPECT_EQ(*h, first);
    });
}

TEST(holder, one_is_made_for_each_strand_and_no_more) {
    std::atomic<int> made{0};
    holder h([&made] { return made.fetch_add(1); });
    scripted_workers workers(3);
    forced_loop(200, 3, [&](int) { h.view(); });
    EXPECT_LE(static_cast<std::uint64_t>(made.load()), saguaro::stats().steals + 1);
    EXPECT_GT(made.load(), 1);
}

TEST(holder, exception_of_make_leaves_the_lookup) {
    const nothing_leaks check;
    std::atomic<bool> fails{false};
    holder h([&fails] {
        if (fails)
            throw thrown(5);
        return counted(1);
    });
    scripted_workers workers(2);
    const int who = who_throws([&] {
        saguaro::run([&] {
            fails = true;
            parallel_for(0, 2, [&](int i) {
                if (i == 0)
                    EXPECT_TRUE(force_steal());
                else
                    h.view();
            });
        });
    });
    EXPECT_EQ(who, 5);
    fails = false;
    EXPECT_EQ(h->value, 1);
}

} // namespace
} // namespace saguaro
