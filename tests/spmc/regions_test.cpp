// SPDX-License-Identifier: MIT
// Tests of the primitives' promises: which space sees what, and when.
#include "saguaro/spmc.h"
#include "support/job.hpp"
#include "support/kernel_calls.hpp"

#include <cstdio>
#include <gtest/gtest.h>

namespace saguaro {

namespace {

using test_support::has;
using test_support::job_memory;
using test_support::outcome;
using test_support::run_job;

constexpr std::size_t page = SPMC_PAGE;
using word = volatile std::int64_t;

// The pages of the tests' regions, as arrays of words; copied into each space by its fork.
word *shared = nullptr;
word *result = nullptr;

word &on_page(word *region, std::size_t number) {
    return region[number * (page / sizeof(word))];
}

void *page_at(word *region, std::size_t number) {
    return const_cast<std::int64_t *>(&on_page(region, number));
}

word *region_of(std::size_t pages) {
    return static_cast<word *>(spmc_alloc(nullptr, pages * page));
}

#define ACCEPTED(call)                                                                             \
    do                                                                                             \
        if (const int refused = (call); refused != 0) {                                            \
            std::fprintf(stderr, "%s: %d\n", #call, refused);                                      \
            return 90;                                                                             \
        }                                                                                          \
    while (false)

int adds_four_pages(void *) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < 4; ++i)
        sum += on_page(shared, i);
    result[0] = sum;
    ACCEPTED(spmc_fix(page_at(result, 0), page));
    return 7;
}

int four_pages_there_and_one_back() {
    shared = region_of(4);
    result = region_of(1);
    spmc_space other;
    ACCEPTED(spmc_space_create(&other, adds_four_pages, nullptr));
    ACCEPTED(spmc_copy_consumer(other, page_at(shared, 0), page_at(shared, 0), 4 * page));
    ACCEPTED(spmc_transfer_ownership(other, page_at(result, 0), page_at(result, 0), page));
    for (std::size_t i = 0; i < 4; ++i) {
        usleep(2000); // so that the other waits for each of them
        on_page(shared, i) = static_cast<std::int64_t>(10 + i);
        ACCEPTED(spmc_fix(page_at(shared, i), page));
    }
    std::printf("%ld\n", static_cast<long>(result[0]));
    int status = 0;
    ACCEPTED(spmc_space_wait(other, &status));
    std::printf("%d\n", WEXITSTATUS(status));
    return 0;
}

TEST(spmc_regions, pages_go_there_and_back) {
    const outcome seen = run_job(four_pages_there_and_one_back);
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    EXPECT_EQ(seen.out, "46\n7\n");
    EXPECT_EQ(seen.err, "");
}

constexpr std::size_t window = 16;
constexpr std::int64_t generations = 3000;

// Nothing keeps a producer from being ahead of its consumers, so the reader says how far it is:
// page k of `result` when it has read so many generations k + 1 times.
constexpr std::int64_t ahead = 50;

int writes_a_stream(void *) {
    for (std::int64_t g = 0; g < generations; ++g) {
        if (g >= 2 * ahead && g % ahead == 0 &&
            on_page(result, static_cast<std::size_t>(g / ahead - 2)) != 1)
            return 5;
        for (std::size_t i = 0; i < window - 1; ++i) {
            if (on_page(shared, i) != 0)
                return 3; // a fresh page is zeros, whatever it was before
            on_page(shared, i) = g * 100 + static_cast<std::int64_t>(i) + 1;
        }
        ACCEPTED(spmc_fix(page_at(shared, 0), (window - 1) * page));
        ACCEPTED(spmc_extend(page_at(shared, window - 1), page_at(shared, 0), window * page));
    }
    return 0;
}

int reads_a_stream() {
    constexpr std::size_t said = generations / ahead;
    shared = region_of(window);
    result = region_of(said);
    spmc_space other;
    ACCEPTED(spmc_space_create(&other, writes_a_stream, nullptr));
    ACCEPTED(spmc_transfer_ownership(other, page_at(shared, 0), page_at(shared, 0), window * page));
    ACCEPTED(spmc_copy_consumer(other, page_at(result, 0), page_at(result, 0), said * page));
    for (std::int64_t g = 0; g < generations; ++g) {
        for (std::size_t i = 0; i < window - 1; ++i)
            if (on_page(shared, i) != g * 100 + static_cast<std::int64_t>(i) + 1)
                return 4;
        if ((g + 1) % ahead == 0) {
            const auto k = static_cast<std::size_t>(g / ahead);
            on_page(result, k) = 1;
            ACCEPTED(spmc_fix(page_at(result, k), page));
        }
        ACCEPTED(spmc_extend(page_at(shared, window - 1), page_at(shared, 0), window * page));
    }
    ACCEPTED(spmc_space_wait(other, nullptr));
    ACCEPTED(spmc_free(page_at(shared, 0), window * page));
    std::printf("%zu\n", job_memory() >> 20);
    return 0;
}

TEST(spmc_regions, a_stream_without_end_reuses_its_pages) {
    const outcome seen = run_job(reads_a_stream);
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    // The writer may be ahead by 100 generations of 60 KB, and all of them would be 187 MB.
    EXPECT_LT(std::atoi(seen.out.c_str()), 12) << seen.out;
}

// A terabyte; 16 GB in an emulator, which notes something for each page.
#ifdef SG_TEST_EMULATED
constexpr std::size_t many_pages = std::size_t{1} << 22, touched_page = 1'234'567;
#else
constexpr std::size_t many_pages = std::size_t{1} << 28, touched_page = 123'456'789;
#endif

int touches_one_page_of_many() {
    const std::size_t before = (spmc_space_self(), job_memory());
    shared = region_of(many_pages);
    on_page(shared, touched_page) = 5;
    ACCEPTED(spmc_fix(page_at(shared, touched_page), page));
    std::printf("%ld %d\n", static_cast<long>(on_page(shared, touched_page)),
                job_memory() - before <= 100'000);
    return 0;
}

TEST(spmc_regions, a_large_one_costs_what_is_touched) {
    const outcome seen = run_job(touches_one_page_of_many);
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    EXPECT_EQ(seen.out, "5 1\n");
}

constexpr std::size_t turns = 40;

int answers_turns(void *) {
    for (std::size_t i = 0; i < turns; ++i) {
        usleep(2000);
        on_page(shared, i) = on_page(result, i);
        ACCEPTED(spmc_fix(page_at(shared, i), page));
    }
    return 0;
}

// Each of the two sleeps until the other has fixed a page, and does not look again by itself.
int a_space_that_sleeps_is_woken() {
    test_support::sleeps.ignore_limits = true;
    shared = region_of(turns);
    result = region_of(turns);
    spmc_space other;
    ACCEPTED(spmc_space_create(&other, answers_turns, nullptr));
    ACCEPTED(spmc_transfer_ownership(other, page_at(shared, 0), page_at(shared, 0), turns * page));
    ACCEPTED(spmc_copy_consumer(other, page_at(result, 0), page_at(result, 0), turns * page));
    for (std::size_t i = 0; i < turns; ++i) {
        on_page(result, i) = 7;
        ACCEPTED(spmc_fix(page_at(result, i), page));
        if (on_page(shared, i) != 7)
            return 3;
    }
    test_support::sleeps.ignore_limits = false;
    return 0;
}

TEST(spmc_regions, who_sleeps_is_woken) {
    const outcome seen = run_job(a_space_that_sleeps_is_woken);
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// Pages that nobody will map go back.
int gives_pages_to_spaces_that_have_ended() {
    constexpr std::size_t pages = 256;
    const std::size_t before = (spmc_space_self(), job_memory());
    for (int i = 0; i < 30; ++i) {
        spmc_space other;
        ACCEPTED(spmc_space_create(&other, [](void *) { return 0; }, nullptr));
        ACCEPTED(spmc_space_wait(other, nullptr));
        shared = region_of(pages);
        for (std::size_t k = 0; k < pages; ++k)
            on_page(shared, k) = 1;
        ACCEPTED(spmc_copy_consumer(other, page_at(shared, 0), page_at(shared, 0), pages * page));
        ACCEPTED(spmc_free(page_at(shared, 0), pages * page));
    }
    std::printf("%zu\n", (job_memory() - before) >> 20);
    return 0;
}

TEST(spmc_regions, pages_for_a_space_that_has_ended_go_back) {
    const outcome seen = run_job(gives_pages_to_spaces_that_have_ended);
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    EXPECT_LT(std::atoi(seen.out.c_str()), 4) << seen.out;
}

// ---- What a parent shares with its children to be read ----

constexpr std::size_t fixed_pages = 512;

int adds_what_the_parent_fixed(void *) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < fixed_pages; ++i)
        sum += on_page(shared, i);
    return sum == fixed_pages * 3 ? 7 : 1;
}

int shares_with_children() {
    const std::size_t before = (spmc_space_self(), job_memory());
    shared = region_of(fixed_pages);
    for (std::size_t i = 0; i < fixed_pages; ++i)
        on_page(shared, i) = 3;
    ACCEPTED(spmc_fix(page_at(shared, 0), fixed_pages * page));
    const auto writes = [](void *) {
        shared[0] = 1;
        return 0;
    };
    for (int i = 0; i < 4; ++i) {
        spmc_space other;
        int (*const function)(void *) = i < 3 ? adds_what_the_parent_fixed : writes;
        ACCEPTED(spmc_space_create(&other, function, nullptr));
        ACCEPTED(
            spmc_copy_consumer(other, page_at(shared, 0), page_at(shared, 0), fixed_pages * page));
        int status = 0;
        ACCEPTED(spmc_space_wait(other, &status));
        std::printf("%d ", WEXITSTATUS(status));
    }
    std::printf("%zu %ld\n", (job_memory() - before) / (fixed_pages * page),
                static_cast<long>(shared[0]));
    return 0;
}

TEST(spmc_regions, children_read_what_their_parent_fixed_without_a_copy) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "a child of qemu has the mappings that it should not";
#endif
    const outcome seen = run_job(shares_with_children);
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_EQ(seen.out, "7 7 7 2 1 3\n");
    EXPECT_TRUE(has(seen.err, "space 0.4: a write by a consumer: 0x200000000000")) << seen.err;
}

} // namespace

} // namespace saguaro
