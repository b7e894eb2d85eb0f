// SPDX-License-Identifier: MIT
// How spaces wait: what they ask of the kernel meanwhile, and when they offer their processors.
#include "pages.hpp"
#include "platform/clock.hpp"
#include "platform/cpus.hpp"
#include "platform/thread.hpp"
#include "spmc/job.hpp"
#include "spmc/waiting.hpp"
#include "support/forbidden_call.hpp"
#include "support/job.hpp"
#include "support/kernel_calls.hpp"
#include "support/scheduling.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace saguaro::spmc_test {

// What becomes of this process' yields.
constinit static int yields = 0;
constinit static bool others_compute = false;
constinit static bool one_of_ours_shows_up = false;

static spmc::job_header &header() {
    return spmc::job::mine().header();
}

static void pass_a_millisecond() {
    if (!test_support::frozen_clock::advance(1'000'000))
        usleep(1000);
}

} // namespace saguaro::spmc_test

// Instead of the C library's, for the whole program.
extern "C" int sched_yield() noexcept {
    using namespace saguaro::spmc_test;
    ++yields;
    if (others_compute)
        pass_a_millisecond();
    if (one_of_ours_shows_up)
        for (auto &seen : header().seen_on)
            seen = 77;
    return 0;
}

namespace saguaro::spmc_test {

namespace {

using test_support::scheduling_of_thread;

constexpr std::int64_t shortest_slice_ns = 100'000; // of Linux

// Says how long its slices are, before it waits and behind that.
int report_slices() {
    std::printf("%ld", static_cast<long>(scheduling_of_thread().runtime));
    const std::int64_t number = on_page(shared, 0);
    std::printf(" %ld\n", static_cast<long>(scheduling_of_thread().runtime));
    return number == 7 ? 0 : 1;
}

// The caller writes a page when the space has waited for it until it sleeps.
int hand_over_late() {
    shared = region_of(1);
    static test_support::shared_count its_sleeps;
    const spmc_space reader = begin([](void *) {
        test_support::sleeps.count_in = &its_sleeps;
        return report_slices();
    });
    MUST(spmc_copy_consumer(reader, page_at(shared, 0), page_at(shared, 0), page));
    its_sleeps.await(1);
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
        static test_support::shared_count its_sleeps;
        const spmc_space reader = begin([](void *) {
            std::int64_t slices[2] = {};
            test_support::sleeps.count_threads_in = &its_sleeps;
            const auto wait = [&](int number) {
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
        its_sleeps.await(2);
        on_page(shared, 0) = 7;
        MUST(spmc_fix(page_at(shared, 0), page));
        return end_of(reader);
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// ---- Offers of the processor ----

namespace {

using spmc::offer_processor;

// Runs a job whose yields go to programs that are none of it, or to nobody. Its clock stands still
// but for these yields, unless the job waits for other spaces.
outcome run_beside(bool strangers, const std::function<int()> &root, bool waits = false) {
    return run_job([&] {
        platform::pin_to_cpu(platform::allowed_cpus().front()); // it would lose track if it moved
        others_compute = strangers;
        spmc::begin_to_wait();
        std::optional<test_support::frozen_clock> frozen;
        if (!waits)
            frozen.emplace();
        return root();
    });
}

// Ends the pause now, or so long ago.
void end_pause(std::int64_t ago = 0) {
    header().no_offers_until = platform::now_ns() - ago;
}

// How long the pause is that an offer to a stranger begins.
std::int64_t pause_behind_an_offer() {
    const std::int64_t before = platform::now_ns();
    if (offer_processor())
        return -1;
    const std::int64_t until = header().no_offers_until;
    const std::int64_t length = header().pause_of_offers;
    return until >= before + length && until <= platform::now_ns() + length ? length : -2;
}

} // namespace

TEST(offers, are_made_as_long_as_no_stranger_takes_them) {
    const outcome seen = run_beside(false, [] {
        for (int i = 1; i <= 100; ++i)
            if (!offer_processor() || yields != i)
                return 1;
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(offers, are_made_if_one_of_the_job_takes_them_for_long) {
    const outcome seen = run_beside(true, [] {
        one_of_ours_shows_up = true;
        return offer_processor() && offer_processor() && yields == 2 ? 0 : 1;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(offers, stop_in_the_whole_job_if_a_stranger_takes_one) {
    const auto root = [] {
        if (offer_processor() || yields != 1)
            return 1;
        header().no_offers_until += 3'600'000'000'000; // until the test is over
        const spmc_space other =
            begin([](void *) { return offer_processor() || yields != 1 ? 1 : 0; });
        return end_of(other) != 0 || offer_processor() || yields != 1 ? 2 : 0;
    };
    const outcome seen = run_beside(true, root, true);
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(offers, are_tried_again_later) {
    const outcome seen = run_beside(true, [] {
        if (pause_behind_an_offer() <= 0)
            return 1;
        others_compute = false;
        for (int left = 10'000; left > 0 && !offer_processor(); --left)
            pass_a_millisecond();
        return yields == 2 && platform::now_ns() >= header().no_offers_until ? 0 : 2;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(offers, are_tried_the_more_rarely_the_longer_the_stranger_stays) {
    const outcome seen = run_beside(true, [] {
        const std::int64_t first = pause_behind_an_offer();
        std::int64_t last = first;
        for (int i = 0; i < 4; ++i, last *= 2) {
            end_pause();
            if (pause_behind_an_offer() != 2 * last)
                return 1;
        }
        for (int i = 0; i < 10; ++i) {
            end_pause();
            last = pause_behind_an_offer();
        }
        if (last > 2'000'000'000)
            return 2;
        end_pause(last + 1); // it was away for longer than the last pause
        return pause_behind_an_offer() == first ? 0 : 3;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// What takes long may be what the other space computes.
TEST(offers, are_made_in_any_case_to_a_space_that_wants_the_processor) {
    const outcome seen = run_beside(true, [] {
        for (int i = 1; i <= 5; ++i)
            if (!offer_processor(true) || yields != i)
                return 1;
        return header().no_offers_until == 0 ? 0 : 2;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// What a space would learn from looks in vain is worth less than what another does here meanwhile.
TEST(offers, come_first_where_another_space_wants_the_processor) {
    const outcome seen = run_beside(false, [] {
        int looks = 0;
        const auto looks_in_vain = [&] {
            ++looks;
            return false;
        };
        spmc::look_for_a_while(0, looks_in_vain, true);
        if (looks != spmc::offers || yields != looks)
            return 1;
        spmc::look_for_a_while(0, looks_in_vain, false);
        return looks > 3 * spmc::offers ? 0 : 2;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// ---- Sleep ----

// A wake-up is a chance for the kernel to take the processor from a program that computes.
TEST(naps, are_short_at_first_and_long_later) {
    const outcome seen = run_job([] {
        shared = region_of(1);
        static test_support::shared_count its_sleeps;
        static test_support::shared_count is_given;
        const spmc_space reader = begin([](void *) {
            is_given.await(1);
            test_support::sleeps.count_in = &its_sleeps;
            const std::vector<std::int64_t> &lengths = test_support::pass_limits(10);
            const std::int64_t number = on_page(shared, 0);
            for (const std::int64_t each : lengths)
                std::printf("%ld ", static_cast<long>(each / 1'000'000));
            return number == 7 ? 0 : 1;
        });
        MUST(spmc_copy_consumer(reader, page_at(shared, 0), page_at(shared, 0), page));
        is_given.add();
        its_sleeps.await(11);
        on_page(shared, 0) = 7;
        MUST(spmc_fix(page_at(shared, 0), page));
        return end_of(reader);
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    EXPECT_EQ(seen.out, "1 2 4 8 16 19 50 50 50 50 ") << "milliseconds";
}

} // namespace saguaro::spmc_test
