// SPDX-License-Identifier: MIT
// How spaces wait: what they ask of the kernel meanwhile.
#include "pages.hpp"
#include "support/forbidden_call.hpp"
#include "support/job.hpp"
#include "support/scheduling.hpp"

#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace saguaro::spmc_test {

namespace {

using test_support::scheduling_of_thread;

constexpr std::int64_t shortest_slice_ns = 100'000; // of Linux

word *shared = nullptr; // copied into each space by its fork

// Says how long its slices are, before it waits and behind that.
int report_slices(void *) {
    std::printf("%ld", static_cast<long>(scheduling_of_thread().runtime));
    const std::int64_t number = on_page(shared, 0);
    std::printf(" %ld\n", static_cast<long>(scheduling_of_thread().runtime));
    return number == 7 ? 0 : 1;
}

// The caller writes a page when the space has waited for it until it sleeps.
int hand_over_late() {
    shared = region_of(1);
    const spmc_space reader = begin(report_slices);
    MUST(spmc_copy_consumer(reader, page_at(shared, 0), page_at(shared, 0), page));
    usleep(20'000);
    on_page(shared, 0) = 7;
    MUST(spmc_fix(page_at(shared, 0), page));
    return end_of(reader);
}

} // namespace

// Its waits beside programs that compute would else be as long as their slices.
TEST(waiting_space, has_short_slices) {
    const auto usual = static_cast<std::int64_t>(scheduling_of_thread().runtime);
    if (usual == 0)
        GTEST_SKIP() << "this kernel has no slices of a thread's own";
    const outcome seen = run_job(hand_over_late);
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    EXPECT_EQ(seen.out, std::to_string(usual) + " " + std::to_string(shortest_slice_ns) + "\n");
}

TEST(waiting_space, waits_with_usual_slices_if_the_kernel_refuses) {
    if (!test_support::can_forbid_calls())
        GTEST_SKIP() << "no filters of system calls here";
    const auto usual = static_cast<std::int64_t>(scheduling_of_thread().runtime);
    const outcome seen = run_job([] {
        test_support::forbid_call(SYS_sched_setattr);
        return hand_over_late();
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status;
    EXPECT_EQ(seen.err, "");
    EXPECT_EQ(seen.out, std::to_string(usual) + " " + std::to_string(usual) + "\n");
}

// A thread that waits may have been begun before any other thread of its space has waited.
TEST(waiting_space, has_short_slices_in_each_of_its_threads) {
    if (scheduling_of_thread().runtime == 0)
        GTEST_SKIP() << "this kernel has no slices of a thread's own";
    const outcome seen = run_job([] {
        shared = region_of(1);
        const spmc_space reader = begin([](void *) {
            std::int64_t slices[2] = {};
            const auto wait = [&](int number) {
                usleep(1000); // both have begun
                if (on_page(shared, 0) == 7)
                    slices[number] = static_cast<std::int64_t>(scheduling_of_thread().runtime);
            };
            std::thread first(wait, 0);
            std::thread second(wait, 1);
            first.join();
            second.join();
            return slices[0] == shortest_slice_ns && slices[1] == shortest_slice_ns ? 0 : 1;
        });
        MUST(spmc_copy_consumer(reader, page_at(shared, 0), page_at(shared, 0), page));
        usleep(20'000);
        on_page(shared, 0) = 7;
        MUST(spmc_fix(page_at(shared, 0), page));
        return end_of(reader);
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

} // namespace saguaro::spmc_test
