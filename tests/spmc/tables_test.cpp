// SPDX-License-Identifier: MIT
// The lists of free objects, which processes use at once, and what becomes of tables.
#include "spmc/tables.hpp"

#include "pages.hpp"
#include "spmc/shared_list.hpp"
#include "support/job.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <set>

namespace saguaro::spmc_test {

namespace {

using spmc::grant;
using spmc::job;
using spmc::place;
using spmc::table;

// ---- Lists ----

grant *fresh_grant(const job &all) {
    return all.at<grant>(spmc::take_control(all, sizeof(grant)));
}

TEST(spmc_lists, an_object_that_comes_back_makes_another_head) {
    const outcome seen = run_job([] {
        const job &all = job::mine();
        spmc::list_head &head = all.header().free_grants;
        spmc::put_back(all, head, *fresh_grant(all));
        spmc::put_back(all, head, *fresh_grant(all));
        const std::uint64_t before = head.load();
        grant *const first = spmc::take_first<grant>(all, head);
        spmc::put_back(all, head, *first);
        return head.load() != before &&
                       static_cast<place>(head.load()) == static_cast<place>(before)
                   ? 0
                   : 1;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// Takes some, writes its number on each, and gives them back if nobody else wrote.
bool take_and_put_back(const job &all, std::uint64_t me) {
    constexpr int rounds = 200'000;
    spmc::list_head &head = all.header().free_grants;
    for (int i = 0; i < rounds; ++i) {
        grant *taken[3];
        for (grant *&each : taken)
            if ((each = spmc::take_first<grant>(all, head)) != nullptr)
                *const_cast<volatile std::uint64_t *>(&each->pages) = me;
        for (grant *const each : taken) {
            if (each == nullptr)
                continue;
            if (*const_cast<volatile std::uint64_t *>(&each->pages) != me)
                return false;
            spmc::put_back(all, head, *each);
        }
    }
    return true;
}

int share_a_list() {
    constexpr std::size_t objects = 5; // fewer than are wanted at once
    constexpr std::uint64_t processes = 3;
    const job &all = job::mine();
    spmc::list_head &head = all.header().free_grants;
    for (std::size_t i = 0; i < objects; ++i)
        spmc::put_back(all, head, *fresh_grant(all));
    for (std::uint64_t p = 1; p <= processes; ++p)
        if (fork() == 0)
            _exit(take_and_put_back(all, p) ? 0 : 1);
    int bad = 0;
    for (int status = 0; wait(&status) > 0;)
        bad += status != 0;
    std::set<grant *> found;
    while (grant *const each = spmc::take_first<grant>(all, head))
        found.insert(each);
    return bad * 10 + (found.size() == objects ? 0 : 1);
}

TEST(spmc_lists, processes_never_take_the_same_object) {
    const outcome seen = run_job(share_a_list);
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(spmc_lists, what_nobody_used_is_handed_out_once_and_ends) {
    const outcome seen = run_job([] {
        const job &all = job::mine();
        const place first = spmc::take_control(all, 100);
        const place second = spmc::take_control(all, 64);
        const place aligned = spmc::take_control(all, 5000);
        if (second != first + 2 || aligned < second + 1 || aligned % 64 != 0)
            return 1;
        if (spmc::take_control(all, all.control_bytes()) != 0 ||
            spmc::take_control(all, ~std::size_t{0} - 63) != 0)
            return 2;
        return spmc::take_control(all, 64) == aligned + 79 ? 0 : 3;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// ---- Tables ----

TEST(spmc_tables, are_used_again_without_what_they_held) {
    const outcome seen = run_job([] {
        job &all = job::mine();
        table *const first = spmc::new_table(all, 6);
        table *const other = spmc::new_table(all, 8);
        for (std::uint64_t i = 0; i < 6; ++i)
            all.entry_of(*first, i).state.store(spmc::page::fixed | spmc::page::waiters);
        spmc::release(all, *first);
        table *const again = spmc::new_table(all, 5);
        if (again != first || again == other || again->pages != 5 || again->references != 1 ||
            again->producers != 1 || again->dirty != 0)
            return 1;
        for (std::uint64_t i = 0; i < 8; ++i)
            if (all.entry_of(*again, i).state.load() != 0)
                return 2;
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

std::size_t memory_of(const job &all) {
    struct stat seen;
    return fstat(all.writable(), &seen) == 0 ? static_cast<std::size_t>(seen.st_blocks) * 512 : 0;
}

// A region of 8 GB: its entries and pages are given back, not cleared.
int uses_a_large_region_twice() {
    constexpr std::size_t pages = std::size_t{1} << 21;
    const job &all = job::mine();
    std::size_t before = 0;
    for (int round = 0; round < 3; ++round) {
        word *const region = region_of(pages);
        for (std::size_t i = 0; i < pages; i += 2048) {
            if (on_page(region, i) != 0)
                return 1;
            on_page(region, i) = 1;
            fix(region, i);
        }
        MUST(spmc_free(page_at(region, 0), pages * page));
        if (round == 0)
            before = memory_of(all);
    }
    return memory_of(all) < (4 << 20) && memory_of(all) <= before ? 0 : 2;
}

TEST(spmc_tables, large_ones_give_their_memory_back) {
    const outcome seen = run_job(uses_a_large_region_twice);
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// An endless stream that nobody has read: each table's only page was expanded to the next one.
void *release_a_chain(void *) {
    constexpr int generations = 1'000'000;
    job &all = job::mine();
    table *const first = spmc::new_table(all, 1);
    table *last = first;
    for (int i = 1; i < generations; ++i) {
        table *const next = spmc::new_table(all, 1);
        all.entry_of(*last, 0).other.store(all.place_of(next));
        all.entry_of(*last, 0).state.store(spmc::page::extended);
        last = next;
    }
    spmc::release(all, *first);
    int free = 0;
    while (spmc::take_first<table>(all, all.header().free_tables[0]) != nullptr)
        ++free;
    return reinterpret_cast<void *>(static_cast<std::intptr_t>(free != generations));
}

TEST(spmc_tables, a_chain_of_a_million_needs_no_stack) {
    const outcome seen = run_job([] {
        pthread_attr_t small;
        pthread_attr_init(&small);
        MUST(pthread_attr_setstacksize(&small, 256 * 1024));
        pthread_t thread;
        MUST(pthread_create(&thread, &small, release_a_chain, nullptr));
        void *bad = nullptr;
        MUST(pthread_join(thread, &bad));
        return static_cast<int>(reinterpret_cast<std::intptr_t>(bad));
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

} // namespace

} // namespace saguaro::spmc_test
