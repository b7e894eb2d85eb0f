// SPDX-License-Identifier: MIT
// Tests of the stacks' pool: sizes, reuse, limits and memory.
#include "stacks/pool.hpp"

#include "small_stacks.hpp"
#include "support/things.hpp"

#include "platform/memory.hpp"
#include "stacks/slab.hpp"
#include "stacks/stack_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <sys/mman.h>
#include <thread>
#include <vector>

using namespace saguaro::stacks;
using saguaro::platform::page_size;

namespace {

// Whether frames are as large as in a program: sanitizers enlarge them, and ucontext needs more.
#if defined(SG_GENERIC)
constexpr bool usual_frames = false;
#else
constexpr bool usual_frames = !SG_ANNOTATE_STACKS;
#endif

// No test finds what others have left.
struct fresh_start : testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo &) override { drop_unused(); }
};

SG_BEFORE_CASES([] { testing::UnitTest::GetInstance()->listeners().Append(new fresh_start); })

std::vector<stack *> take_many(pool &stacks, std::size_t count) {
    std::vector<stack *> taken;
    while (taken.size() < count)
        taken.push_back(stacks.take());
    return taken;
}

// The pages of a stack from its lowest frame on that are in memory.
std::size_t resident_pages(const stack &s, std::size_t bytes) {
    // No further than there is memory: an emulator does not look behind it.
    const shape &form = s.home->form;
    const std::size_t looked_at =
        std::min(bytes + 2 * page_size(), form.used_bytes(block_of(s.low, form.block_bytes)));
    std::vector<unsigned char> resident(looked_at / page_size());
    EXPECT_EQ(mincore(s.low, looked_at, resident.data()), 0);
    return static_cast<std::size_t>(std::count_if(resident.begin(), resident.end(),
                                                  [](unsigned char each) { return each & 1; }));
}

} // namespace

TEST(pool, maps_nothing_before_the_first_take) {
    pool stacks(small_stack, 0);
    EXPECT_EQ(stacks.mapped(), 0u);
    EXPECT_EQ(stacks.stack_bytes(), small_stack);
}

TEST(pool, rounds_sizes_to_pages) {
    pool stacks(small_stack + 1, 0);
    EXPECT_EQ(stacks.stack_bytes(), small_stack + page_size());
}

TEST(pool, gives_stacks_of_the_size_asked_for_that_can_be_written_all_over) {
    constexpr std::size_t extra = 100'000;
    pool stacks(small_stack, extra);
    stack *const s = stacks.take();
    ASSERT_NE(s, nullptr);
    EXPECT_GE(s->high() - s->low, static_cast<std::ptrdiff_t>(small_stack));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(s->high()) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(s->extra()) % 64, 0u);
    char *const more = static_cast<char *>(s->extra());
    EXPECT_TRUE(std::all_of(more, more + extra, [](char each) { return each == 0; }));
    std::fill(more, more + extra, 'x');
    std::fill(s->low, s->high(), 'x');
    EXPECT_EQ(s->low[0], 'x');
    stacks.give(s);
}

TEST(pool, gives_the_last_one_back_first) {
    pool stacks(small_stack, 0);
    const std::vector<stack *> taken = take_many(stacks, 3);
    EXPECT_EQ(std::set<stack *>(taken.begin(), taken.end()).size(), 3u);
    give_all(stacks, taken);
    EXPECT_EQ(stacks.take(), taken[2]);
    EXPECT_EQ(stacks.take(), taken[1]);
    EXPECT_EQ(stacks.take(), taken[0]);
    EXPECT_EQ(stacks.mapped(), 3u);
    give_all(stacks, taken);
}

TEST(pool, stops_at_its_limit) {
    pool stacks(small_stack, 0);
    stacks.limit(2);
    const std::vector<stack *> taken = take_many(stacks, 2);
    EXPECT_EQ(stacks.take(), nullptr);
    stacks.give(taken[0]);
    EXPECT_EQ(stacks.take(), taken[0]);
    EXPECT_EQ(stacks.take(), nullptr);
    stacks.limit(3);
    stack *const third = stacks.take();
    EXPECT_NE(third, nullptr);
    EXPECT_EQ(stacks.mapped(), 3u);
    stacks.give(third);
    give_all(stacks, taken);
}

TEST(pool, gives_null_when_the_system_has_no_more) {
    pool stacks(std::size_t{1} << 60, 0);
    stacks.limit(2);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(stacks.take(), nullptr);
    EXPECT_EQ(stacks.mapped(), 0u);
    // What was refused does not count as taken.
    EXPECT_EQ(stacks.in_use(), 0u);
    EXPECT_EQ(stacks.most_out(), 0u);
    EXPECT_FALSE(stacks.is_at_limit());
}

TEST(pool, initializes_each_stack_once) {
    static int calls;
    calls = 0;
    static constexpr purpose counting{"", "", [](stack *s) {
                                          ++calls;
                                          *static_cast<int *>(s->extra()) = 42;
                                      }};
    pool stacks(small_stack, sizeof(int), counting);
    stack *const s = stacks.take();
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(*static_cast<int *>(s->extra()), 42);
    *static_cast<int *>(s->extra()) = 43;
    stacks.give(s);
    ASSERT_EQ(stacks.take(), s);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(*static_cast<int *>(s->extra()), 43);
    stacks.give(s);
}

TEST(pool, has_a_guard_below_each_stack_that_can_be_found) {
    auto stacks = std::make_unique<pool>(small_stack, 0);
    const std::vector<stack *> taken = take_many(*stacks, 3);
    for (stack *each : taken) {
        EXPECT_EQ(find_guard(each->low - 1).which, each);
        EXPECT_EQ(find_guard(each->low - each->home->form.guard_bytes).which, each);
        EXPECT_EQ(find_guard(each->low).which, nullptr);
        EXPECT_EQ(find_guard(each->high()).which, nullptr);
    }
    char *const guard = taken[0]->low - 1;
    EXPECT_DEATH(*static_cast<volatile char *>(guard) = 1, "");
    give_all(*stacks, taken);
    stacks.reset();
    drop_unused();
    EXPECT_EQ(find_guard(guard).which, nullptr);
}

TEST(pool, a_stack_that_is_used_a_little_takes_one_page) {
    if (!usual_frames)
        GTEST_SKIP() << "frames are larger in this build";
    constexpr std::size_t extra = 256 * 1024;
    pool stacks(8 * 1024 * 1024, extra);
    stack *const s = stacks.take();
    static context here;
    start_on(here, *s, [](void *argument) { return static_cast<context *>(argument); }, &here);
    *static_cast<char *>(s->extra()) = 1;
    EXPECT_EQ(resident_pages(*s, stacks.stack_bytes() + extra), 1u);
    stacks.give(s);
}

TEST(pool, never_gives_a_stack_to_two_threads) {
    constexpr int threads = 4;
    constexpr int turns = 2'000;
    pool stacks(small_stack, sizeof(int));
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i)
        all.emplace_back([&stacks] {
            cache mine(stacks);
            std::vector<stack *> held;
            const auto give_last = [&] {
                --*static_cast<int *>(held.back()->extra());
                mine.give(held.back());
                held.pop_back();
            };
            for (int turn = 0; turn < turns; ++turn) {
                held.push_back(mine.take());
                // Plain, so that ThreadSanitizer checks that taking synchronizes with giving.
                EXPECT_EQ((*static_cast<int *>(held.back()->extra()))++, 0);
                if (turn % 3 == 0)
                    give_last();
                // Often enough more than a cache holds.
                while (held.size() > 150 || (turn % 400 == 0 && !held.empty()))
                    give_last();
            }
            while (!held.empty())
                give_last();
        });
    for (std::thread &each : all)
        each.join();
    EXPECT_LE(stacks.mapped(), static_cast<std::size_t>(threads) * (151 + cache::capacity));
}

TEST(pool, gives_the_memory_of_stacks_back_that_rest) {
    constexpr std::size_t kept = 5000; // of the second page, so that page is kept
    constexpr std::size_t extra = 64 * 1024;
    shape form = shape::within(2 * 1024 * 1024, extra); // the last word of a block is memory
    form.kept_bytes = kept;
    const std::size_t stack_bytes = form.stack_bytes;
    pool stacks(form);
    const std::vector<stack *> taken = take_many(stacks, 2);
    for (stack *each : taken) {
        std::fill(each->low, each->high(), 'x');
        char *const more = static_cast<char *>(each->extra());
        std::fill(more, more + kept, 'x');
        std::fill(more + kept, more + extra, 0);
        top_word(each, stacks.block_bytes()) = each;
    }
    stack *const busy = taken[0];
    stack *const resting = taken[1];
    const std::size_t whole = resident_pages(*resting, stack_bytes + extra);
    EXPECT_GE(whole, (stack_bytes + extra) / page_size());

    // Time goes by; one of them is used now and then.
    std::int64_t now = 1;
    const auto use_one = [&] {
        stacks.give(busy);
        EXPECT_EQ(stacks.trim(now), rest_period);
        EXPECT_EQ(stacks.trim(now + rest_period / 2), rest_period / 2);
        EXPECT_EQ(stacks.take(), busy);
    };
    stacks.give(resting);
    use_one();
    EXPECT_EQ(resident_pages(*resting, stack_bytes + extra), whole);
    now += rest_period;
    use_one();
    EXPECT_EQ(resident_pages(*busy, stack_bytes + extra), whole);
    // The descriptor's page, the one after it, of which some is to be kept, and that of the word.
    EXPECT_LE(resident_pages(*resting, stack_bytes + extra), 3u);

    EXPECT_EQ(stacks.trim(now + 5 * rest_period), -1);
    ASSERT_EQ(stacks.take(), resting);
    EXPECT_EQ(stacks.mapped(), 2u);
    const char *const more = static_cast<char *>(resting->extra());
    EXPECT_TRUE(std::all_of(more, more + kept, [](char each) { return each == 'x'; }));
    EXPECT_TRUE(std::all_of(more + kept, more + extra, [](char each) { return each == 0; }));
    EXPECT_EQ(top_word(resting, stacks.block_bytes()), resting);
    EXPECT_EQ(find_guard(resting->low - 1).which, resting);
    give_all(stacks, taken);
}

TEST(pool, trims_some_at_a_time) {
    pool stacks(small_stack, 0);
    const std::vector<stack *> taken = take_many(stacks, 100);
    for (stack *each : taken)
        each->low[0] = 'x';
    give_all(stacks, taken);
    EXPECT_EQ(stacks.trim(1), rest_period);
    EXPECT_EQ(stacks.trim(1 + rest_period), 0);
    // What has not been trimmed yet is taken first.
    stack *const s = stacks.take();
    EXPECT_EQ(s->low[0], 'x');
    EXPECT_EQ(stacks.trim(1 + rest_period), -1);
    EXPECT_EQ(s->low[0], 'x');
    EXPECT_EQ(
        std::count_if(taken.begin(), taken.end(), [](stack *each) { return each->low[0] != 0; }),
        1);
    EXPECT_EQ(stacks.in_use(), 1u);
    stacks.give(s);
}

// Slabs with stacks that have just been given back are unmapped for a user that gets none; what
// comes later rests as ever.
TEST(pool, keeps_what_rests_after_others_took_its_addresses) {
    pool stacks(small_stack, 0);
    give_all(stacks, take_many(stacks, 10));
    pool greedy(std::size_t{1} << 60, 0);
    EXPECT_EQ(greedy.take(), nullptr);
    EXPECT_EQ(stacks.mapped(), 0u);
    give_all(stacks, take_many(stacks, 5));
    for (std::int64_t now = 1; now < 4 * rest_period; now += rest_period)
        stacks.trim(now);
    EXPECT_EQ(stacks.mapped(), 5u);
}

TEST(pool, aligns_blocks_to_their_size) {
    for (const std::size_t block :
         {std::size_t{32} << 10, std::size_t{64} << 10, std::size_t{256} << 10,
          std::size_t{1} << 20, std::size_t{64} << 20}) {
        pool stacks(shape::within(block, 64));
        EXPECT_GE(stacks.block_bytes(), block);
        const std::vector<stack *> taken = take_many(stacks, 20);
        for (stack *each : taken) {
            char *const begin = block_of(each, stacks.block_bytes());
            EXPECT_EQ(block_of(each->low - each->home->form.guard_bytes, stacks.block_bytes()),
                      begin);
            void **const word = &top_word(each->low, stacks.block_bytes());
            EXPECT_EQ(reinterpret_cast<char *>(word + 1), begin + stacks.block_bytes());
            // It is beyond what the user has asked for.
            EXPECT_GE(reinterpret_cast<char *>(word), static_cast<char *>(each->extra()) + 64);
            EXPECT_EQ(*word, nullptr);
            *word = each;
        }
        for (stack *each : taken)
            EXPECT_EQ(top_word(each, stacks.block_bytes()), each);
        give_all(stacks, taken);
    }
}

TEST(pool, prepares_stacks_side_by_side) {
    pool stacks(shape::within(std::size_t{32} << 10, 64));
    ASSERT_TRUE(stacks.prepare(7));
    EXPECT_EQ(stacks.mapped(), 7u);
    EXPECT_EQ(stacks.in_use(), 0u);
    const std::vector<stack *> taken = take_many(stacks, 7);
    EXPECT_EQ(stacks.mapped(), 7u);
    EXPECT_EQ(stacks.in_use(), 7u);
    std::set<char *> blocks;
    for (stack *each : taken)
        blocks.insert(block_of(each, stacks.block_bytes()));
    ASSERT_EQ(blocks.size(), 7u);
    EXPECT_EQ(*blocks.rbegin() - *blocks.begin(),
              static_cast<std::ptrdiff_t>(6 * stacks.block_bytes()));
    give_all(stacks, taken);
}

TEST(pool, refuses_to_prepare_what_there_cannot_be) {
    pool stacks(small_stack, 0);
    EXPECT_FALSE(stacks.prepare(std::size_t{1} << 40));
    EXPECT_FALSE(stacks.prepare(std::size_t{1} << 60));
    EXPECT_EQ(stacks.mapped(), 0u);
    EXPECT_TRUE(stacks.prepare(0));
    stacks.limit(3);
    EXPECT_FALSE(stacks.prepare(4));
    EXPECT_EQ(stacks.mapped(), 0u);
    EXPECT_TRUE(stacks.prepare(3));
    EXPECT_EQ(stacks.mapped(), 3u);
}

TEST(pool, counts_what_is_in_use) {
    pool stacks(small_stack, 0);
    const std::vector<stack *> taken = take_many(stacks, 3);
    {
        cache mine(stacks);
        stack *const fourth = mine.take();
        EXPECT_EQ(stacks.in_use(), 4u);
        mine.give(fourth);
        EXPECT_EQ(stacks.in_use(), 3u);
        mine.give(taken[0]);
        EXPECT_EQ(stacks.in_use(), 2u);
        EXPECT_EQ(stacks.most_out(), 4u);
    }
    EXPECT_EQ(stacks.in_use(), 2u);
    stacks.give(taken[1]);
    stacks.give(taken[2]);
    EXPECT_EQ(stacks.in_use(), 0u);
    EXPECT_EQ(stacks.most_out(), 4u);
    EXPECT_EQ(stacks.mapped(), 4u);
}

TEST(cache, keeps_no_more_than_its_bound) {
    pool stacks(small_stack, 0);
    ASSERT_TRUE(stacks.prepare(8));
    cache mine(stacks, 2);
    cache other(stacks, 2);
    std::vector<stack *> taken;
    for (int i = 0; i < 4; ++i) {
        taken.push_back(mine.take());
        taken.push_back(other.take());
    }
    // Neither has taken what the other needs.
    EXPECT_EQ(stacks.mapped(), 8u);
    for (stack *each : taken)
        mine.give(each);
    EXPECT_EQ(stacks.take(), taken[5]);
    stacks.give(taken[5]);
}

TEST(cache, takes_what_was_given_last) {
    pool stacks(small_stack, 0);
    cache mine(stacks);
    stack *const a = mine.take();
    stack *const b = mine.take();
    mine.give(a);
    mine.give(b);
    EXPECT_EQ(mine.take(), b);
    EXPECT_EQ(mine.take(), a);
    mine.give(a);
    mine.give(b);
    EXPECT_EQ(stacks.mapped(), 2u);
}

TEST(cache, spills_the_oldest_and_keeps_the_newest) {
    pool stacks(small_stack, 0);
    cache mine(stacks);
    const std::vector<stack *> taken = take_many(stacks, cache::capacity + 1);
    for (stack *each : taken)
        mine.give(each);
    // Half of the capacity went to the pool, in the order in which it was given.
    EXPECT_EQ(stacks.take(), taken[cache::capacity / 2 - 1]);
    stacks.give(taken[cache::capacity / 2 - 1]);
    // All come back, the newest first.
    for (std::size_t i = taken.size(); i > 0; --i)
        ASSERT_EQ(mine.take(), taken[i - 1]) << i;
    EXPECT_EQ(stacks.mapped(), taken.size());
    give_all(stacks, taken);
}

TEST(cache, gives_everything_back_at_its_end) {
    pool stacks(small_stack, 0);
    stack *s = nullptr;
    {
        cache mine(stacks);
        s = mine.take();
        mine.give(s);
        stacks.limit(1);
        EXPECT_EQ(stacks.take(), nullptr);
    }
    EXPECT_EQ(stacks.take(), s);
    stacks.give(s);
}

TEST(cache, a_worker_that_rests_leaves_its_stacks_to_others) {
    pool stacks(small_stack, 0);
    cache mine(stacks);
    const std::vector<stack *> taken = take_many(stacks, 40);
    for (stack *each : taken)
        mine.give(each);
    mine.rest();
    mine.rest();
    EXPECT_EQ(stacks.in_use(), 0u);
    // Those that it gave last are taken first.
    for (std::size_t i = 40; i > 0; --i)
        EXPECT_EQ(stacks.take(), taken[i - 1]);
    EXPECT_EQ(stacks.mapped(), 40u);
    give_all(stacks, taken);
}

TEST(cache, leaves_the_pool_half_of_what_it_has) {
    pool stacks(small_stack, 0);
    ASSERT_TRUE(stacks.prepare(9));
    cache mine(stacks);
    cache other(stacks);
    // Each has more at hand.
    const std::vector<stack *> taken{mine.take(), other.take(), stacks.take(), stacks.take()};
    EXPECT_EQ(stacks.mapped(), 9u);
    EXPECT_EQ(stacks.in_use(), 4u);
    give_all(stacks, taken);
}

TEST(cache, takes_half_of_what_was_prepared_for_its_user) {
    pool stacks(small_stack, 0);
    ASSERT_TRUE(stacks.prepare(8));
    cache mine(stacks);
    stack *const s = mine.take();
    EXPECT_EQ(stacks.most_out(), 4u);
    mine.give(s);
}

TEST(cache, has_no_more_than_the_pool) {
    pool stacks(small_stack, 0);
    stacks.limit(1);
    cache mine(stacks);
    stack *const s = mine.take();
    ASSERT_NE(s, nullptr);
    EXPECT_EQ(mine.take(), nullptr);
    mine.give(s);
}
