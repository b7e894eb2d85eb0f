// SPDX-License-Identifier: MIT
// Outcomes that are forced: see tests/detmpi/launcher/order_test.py for whole programs.
#include "detmpi/core/order.hpp"
#include "ranks.hpp"

#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace saguaro::detmpi {
namespace {

// Over at once, as a wait for room may be.
class inner_event final : public awaited_event {
public:
    bool is_over(const clock_bounds &) override { return true; }
    bool describe(blockage &) const override { return false; }
};

// Waits for another event the first time that somebody looks.
class outer_event final : public awaited_event {
public:
    outer_event() { call = "MPI_Outer"; }
    bool is_over(const clock_bounds &) override {
        found = -1;
        return true;
    }
    bool describe(blockage &) const override { return false; }
    bool outcome(std::vector<int> &out) const override {
        out.assign(1, found);
        return true;
    }
    bool force(const std::vector<int> &to) override {
        if (found != 0) {
            found = to[0];
            return true;
        }
        inner_event inner;
        rank::mine->wait(inner);
        found = -2;
        return false;
    }

    int found = 0;
};

TEST(replay, forces_a_wait_that_has_another_inside) {
    const std::string name = testing::TempDir() + "replayed";
    std::FILE *const file = std::fopen((name + ".0").c_str(), "w");
    ASSERT_NE(file, nullptr);
    std::fputs("ranks 1\npoll 1 MPI_Outer 5\n", file);
    std::fclose(file);
    setenv(order::variable, ("replay:" + name).c_str(), 1);
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        outer_event outer;
        rank::mine->wait(outer);
        return outer.found == 5 ? 0 : 1;
    })));
    unsetenv(order::variable);
    std::remove((name + ".0").c_str());
}

} // namespace
} // namespace saguaro::detmpi
