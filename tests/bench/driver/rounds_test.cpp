// SPDX-License-Identifier: MIT
//
// Rounds beside the machine's ceiling, with variants and a control that take what the test says.
#include "driver/ceiling.hpp"
#include "driver/measure.hpp"
#include "driver/rounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <sched.h>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace saguaro::bench;
using seconds_list = std::vector<double>;
using rounds_list = std::vector<std::size_t>;

/// Gives the numbers in turn.
std::function<double()> in_turn(seconds_list numbers) {
    return [numbers = std::move(numbers), next = std::make_shared<std::size_t>(0)] {
        return numbers.at((*next)++);
    };
}

variant taking(const std::string &name, bool parallel, seconds_list seconds) {
    return {.bench = "work",
            .name = name,
            .parallel = parallel,
            .greatest_size = any_size,
            .run = [next = in_turn(std::move(seconds))](long, int) { return next(); }};
}

variant fake_ceiling(seconds_list seconds) {
    variant made = taking("ceiling", true, std::move(seconds));
    made.ceiling = true;
    return made;
}

const kernel work = {
    .name = "work", .meaning = "", .base = "serial", .sizes = {1}, .greatest_n = 1};

std::vector<row> run(const std::vector<variant> &variants, int workers, int repeat,
                     std::function<double()> control) {
    return run_rounds(
        work, 1, variants,
        {.workers = workers, .repeat = repeat, .n = 1, .control = std::move(control)});
}

TEST(marked_rounds, are_those_beside_a_control_that_moved) {
    EXPECT_EQ(marked_rounds({1.0, 1.05, 0.95, 1.0}), rounds_list{});
    EXPECT_EQ(marked_rounds({1.0, 1.0, 1.2, 1.0, 1.0}), (rounds_list{1, 2}));
    EXPECT_EQ(marked_rounds({0.8, 1.0, 1.0, 1.0, 1.15}), (rounds_list{0, 3}));
    EXPECT_EQ(marked_rounds({1.0, 1.5}), rounds_list{0});
    EXPECT_EQ(marked_rounds({}), rounds_list{});
}

TEST(rounds, medians_leave_marked_rounds_out) {
    variant parallel = taking("parallel", true, {});
    parallel.run = [one = in_turn({3, 3, 3}), two = in_turn({2, 7, 2.5})](long, int workers) {
        outcome result = workers == 1 ? one() : two();
        result.parts = {{"part", result.seconds / 2}};
        result.uses = {{"use", result.seconds * 2}};
        return result;
    };
    const std::vector<row> rows =
        run({taking("serial", false, {4, 40, 4.5}), fake_ceiling({2, 20, 2}), parallel}, 2, 3,
            in_turn({1, 1, 1, 1.3}));
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[1].variant, "ceiling");
    EXPECT_EQ(rows[1].workers, 2);
    ASSERT_TRUE(rows[1].machine);
    EXPECT_EQ(rows[1].machine->control, (seconds_list{1, 1, 1, 1.3}));
    EXPECT_EQ(rows[1].machine->marked, rounds_list{3});
    EXPECT_EQ(rows[0].seconds, 22);
    EXPECT_EQ(rows[0].samples, (seconds_list{4, 40, 4.5}));
    EXPECT_EQ(rows[1].seconds, 11);
    EXPECT_EQ(rows[3].workers, 2);
    EXPECT_EQ(rows[3].seconds, 4.5);
    EXPECT_EQ(rows[3].ratio, 4.5 / 22);
    EXPECT_EQ(rows[3].parts.front().second, 2.25);
    EXPECT_EQ(rows[3].uses.front().second, 9);
    EXPECT_EQ(rows[3].of_ceiling, 4.5 / 11);
    // A ceiling of two workers says nothing of one.
    EXPECT_FALSE(rows[0].of_ceiling || rows[1].of_ceiling || rows[2].of_ceiling);
    EXPECT_FALSE(rows[0].machine || rows[2].machine || rows[3].machine);
}

TEST(rounds, all_count_if_all_are_marked) {
    variant parallel = taking("parallel", true, {});
    parallel.run = [one = in_turn({4, 4}), two = in_turn({2, 3})](long, int workers) {
        return workers == 1 ? one() : two();
    };
    const std::vector<row> rows =
        run({taking("serial", false, {4, 5}), fake_ceiling({2, 2}), parallel}, 2, 2,
            in_turn({1, 2, 1.2}));
    EXPECT_EQ(rows[1].machine->marked, (rounds_list{1, 2}));
    EXPECT_EQ(rows[0].seconds, 4.5);
    EXPECT_EQ(rows[3].seconds, 2.5);
}

TEST(rounds, have_orders_of_their_own) {
    constexpr int repeat = 40;
    std::string order;
    const auto noting = [&](const char *name) {
        variant made = taking(name, false, {});
        made.run = [&order, name](long, int) -> outcome {
            order += name[0];
            return 1;
        };
        return made;
    };
    const std::vector<row> rows =
        run({noting("serial"), noting("a"), noting("b")}, 1, repeat, in_turn({}));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].variant + rows[1].variant + rows[2].variant, "serialab");
    std::set<std::string> orders;
    for (int round = 0; round < repeat; round++) {
        const std::string one = order.substr(static_cast<std::size_t>(round) * 3, 3);
        EXPECT_TRUE(std::ranges::is_permutation(one, std::string("sab"))) << one;
        orders.insert(one);
    }
    EXPECT_EQ(orders.size(), 6u);
}

TEST(rounds, have_no_ceiling_without_rows_of_several_workers) {
    // Neither the ceiling nor the control has anything to give.
    const auto no_control = in_turn({});
    const std::vector<row> one_worker =
        run({taking("serial", false, {4}), fake_ceiling({}), taking("parallel", true, {4})}, 1, 1,
            no_control);
    EXPECT_EQ(one_worker.size(), 2u);
    const std::vector<row> serial =
        run({taking("serial", false, {4}), fake_ceiling({})}, 2, 1, no_control);
    EXPECT_EQ(serial.size(), 1u);
}

TEST(ceiling, is_of_copies_that_run_at_once) {
    constexpr int copies = 3;
    std::atomic<int> running{0};
    variant base = taking("serial", false, {});
    base.run = [&](long n, int workers) -> outcome {
        EXPECT_EQ(n, 7);
        EXPECT_EQ(workers, 1);
        cpu_set_t mine;
        EXPECT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
        EXPECT_EQ(CPU_COUNT(&mine), 1);
        const int number = ++running;
        const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (running < copies && std::chrono::steady_clock::now() < patience)
            std::this_thread::yield();
        EXPECT_EQ(running, copies);
        return number == 1 ? 2.0 : 4.0;
    };
    // Half a problem a second and two quarters.
    EXPECT_DOUBLE_EQ(ceiling_of(base).run(7, copies).seconds, 1.0);
}

TEST(ceiling, passes_on_what_a_copy_throws) {
    variant base = taking("serial", false, {});
    base.run = [](long, int) -> outcome { throw wrong_answer(1, 2); };
    EXPECT_THROW(ceiling_of(base).run(1, 2), wrong_answer);
}

TEST(control, takes_its_time) {
    EXPECT_GT(control_seconds(), 0);
}

} // namespace
