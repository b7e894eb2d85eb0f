// SPDX-License-Identifier: MIT
// Guards without end, and what is said where there is one: vm.max_map_count, RLIMIT_AS.
#include "platform/memory.hpp"

#include "small_stacks.hpp"
#include "stacks/pool.hpp"
#include "stacks/shortage.hpp"
#include "stacks/stack_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace saguaro::stacks;
namespace platform = saguaro::platform;

namespace {

constexpr std::size_t small_block = 32 * 1024;

std::size_t most_mappings() {
    std::size_t most = 0;
    std::ifstream("/proc/sys/vm/max_map_count") >> most;
    return most;
}

struct mapped_pages {
    char *begin;
    std::size_t bytes;
};

// Leaves the process some 100 mappings: pages of which every other one is protected.
mapped_pages use_up_mappings() {
    std::ifstream maps("/proc/self/maps");
    const auto there = static_cast<std::size_t>(
        std::count(std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>(), '\n'));
    const std::size_t page = platform::page_size();
    const std::size_t pairs = (most_mappings() - there - 100) / 2;
    char *const pages = static_cast<char *>(platform::reserve(2 * pairs * page));
    for (std::size_t i = 0; i < pairs; ++i)
        if (!platform::protect_none(pages + 2 * i * page, page))
            std::_Exit(9);
    return {pages, 2 * pairs * page};
}

// Takes stacks until there are no more or `enough`. How many.
std::size_t take_all(pool &stacks, std::size_t enough) {
    std::size_t taken = 0;
    while (taken < enough && stacks.take() != nullptr)
        ++taken;
    return taken;
}

bool few_mappings_can_be_left() {
    // An emulator or a sanitizer has mappings of its own, of which it must not have too few.
#if defined(SG_TEST_EMULATED)
    return false;
#else
    const std::size_t most = most_mappings();
    return !SG_ANNOTATE_STACKS && most > 1000 && most < 200'000;
#endif
}

} // namespace

TEST(guards_death, take_no_mappings_where_the_kernel_knows_light_ones) {
    if (!few_mappings_can_be_left() || !platform::light_guards())
        GTEST_SKIP() << "needs Linux 6.13, and the usual vm.max_map_count";
    EXPECT_EXIT(
        {
            use_up_mappings();
            pool stacks(shape::within(small_block, 0));
            std::fprintf(stderr, "%zu stacks\n", take_all(stacks, 5000));
            std::_Exit(0);
        },
        testing::ExitedWithCode(0), "^5000 stacks");
}

TEST(guards_death, end_with_the_mappings_where_it_does_not_and_that_is_said) {
    if (!few_mappings_can_be_left())
        GTEST_SKIP() << "needs the usual vm.max_map_count";
    EXPECT_EXIT(
        {
            platform::forbid_light_guards(true);
            use_up_mappings();
            pool stacks(shape::within(small_block, 0));
            const std::size_t taken = take_all(stacks, 5000);
            const bool as_many_as_can_be = taken > 20 && taken < 100 && stacks.mapped() == taken;
            std::fprintf(stderr, "%d: %s\n", as_many_as_can_be, shortage(stacks).c_str());
            // One that is given back serves again; what failed is tried again.
            std::fprintf(stderr, "%d\n", stacks.take() == nullptr);
            std::_Exit(0);
        },
        testing::ExitedWithCode(0),
        "^1: no more stacks: there are [0-9]+ of [0-9]+ bytes, and the process has as many "
        "mappings as vm.max_map_count=" +
            std::to_string(most_mappings()) +
            " allows \\(raise it: sysctl vm.max_map_count=N, up to 2147483647\\)\n1\n");
}

// What was refused a guard is no memory any more when its slab is not.
TEST(guards_death, that_were_refused_are_forgotten_with_their_slab) {
    if (!few_mappings_can_be_left())
        GTEST_SKIP() << "needs the usual vm.max_map_count";
    EXPECT_EXIT(
        {
            platform::forbid_light_guards(true);
            const mapped_pages others = use_up_mappings();
            pool stacks(shape::within(small_block, 0));
            std::vector<stack *> taken;
            while (stack *const s = stacks.take())
                taken.push_back(s);
            for (stack *each : taken)
                stacks.give(each);
            platform::release(others.begin, others.bytes);
            // Who gets nothing has the slabs of all others unmapped on which nothing runs.
            pool greedy(std::size_t{1} << 60, 0);
            greedy.take();
            const bool dropped = stacks.mapped() == 0;
            stack *const s = stacks.take();
            s->low[0] = 'x';
            std::fprintf(stderr, "%d %d\n", taken.size() > 20, dropped);
            std::_Exit(0);
        },
        testing::ExitedWithCode(0), "^1 1\n");
}

TEST(guards_death, of_both_kinds_stop_accesses_and_survive_what_stacks_go_through) {
    for (const bool forbidden : {false, true}) {
        platform::forbid_light_guards(forbidden);
        drop_unused();
        pool stacks(shape::within(small_block, 0));
        stack *const s = stacks.take();
        s->low[0] = 'x';
        stacks.give(s);
        for (std::int64_t now = 1; now < 4 * rest_period; now += rest_period)
            stacks.trim(now);
        EXPECT_EQ(s->low[0], 0) << "trimmed";
        // The first and the last byte, in a child of this process.
        EXPECT_DEATH(*static_cast<volatile char *>(s->low - 1) = 1, "");
        EXPECT_DEATH(*static_cast<volatile char *>(s->low - s->home->form.guard_bytes) = 1, "");
    }
    platform::forbid_light_guards(false);
}

TEST(shortage_death, names_the_limit_of_addresses) {
#if SG_ANNOTATE_STACKS || defined(SG_TEST_EMULATED)
    GTEST_SKIP() << "a sanitizer or an emulator takes more addresses than any limit";
#endif
    EXPECT_EXIT(
        {
            limit_addresses(std::size_t{4} << 30);
            pool stacks(8 * 1024 * 1024, 16 * 1024 * 1024);
            const std::size_t taken = take_all(stacks, 1000);
            // What the slabs grow by does not keep from using what is left.
            std::fprintf(stderr, "%d: %s\n", taken > 122, shortage(stacks).c_str());
            std::_Exit(0);
        },
        testing::ExitedWithCode(0),
        "^1: no more stacks: there are [0-9]+ of 8388608 bytes, and RLIMIT_AS allows the process "
        "4294967296 bytes of addresses, of which each takes 33554432 \\(raise it: ulimit -v, or "
        "lower SAGUARO_STACK_SIZE\\)\n");
}

TEST(shortage, names_what_no_system_has) {
    pool stacks(std::size_t{1} << 60, 0);
    EXPECT_EQ(stacks.take(), nullptr);
    EXPECT_EQ(
        shortage(stacks),
        "no more stacks: there are 0 of 1152921504606846976 bytes, and the system has no room "
        "for another 2305843009213693952 bytes (lower SAGUARO_STACK_SIZE)");
}
