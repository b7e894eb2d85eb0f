// SPDX-License-Identifier: MIT
// The cache of memory for views, and which times are kept of them.
#include "hyperobjects/view_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <set>
#include <vector>

#include "hyperobjects/strand.hpp"
#include "platform/arch.hpp"
#include "saguaro/detail/sanitizers.h"
#include "saguaro/monoids.hpp"
#include "saguaro/reducer.hpp"

// The sanitizers have operators of their own.
#define SG_COUNTS_FREES (!SG_ADDRESS_SANITIZER && !SG_THREAD_SANITIZER)

#if SG_COUNTS_FREES

namespace {

// How often this program has given memory back to operator delete, on all threads.
std::atomic<std::size_t> frees{0};

} // namespace

// The C++ library's other forms, but for those with an alignment, call these.
void *operator new(std::size_t bytes) {
    if (void *const memory = std::malloc(bytes))
        return memory;
    throw std::bad_alloc();
}

void operator delete(void *memory) noexcept {
    frees += memory != nullptr;
    std::free(memory);
}

void operator delete(void *memory, std::size_t) noexcept {
    operator delete(memory);
}

#endif

namespace saguaro::hyperobjects {
namespace {

sg_monoid of_size(std::size_t bytes, std::size_t alignment = 8) {
    return {nullptr, nullptr, nullptr, bytes, alignment, nullptr, nullptr};
}

TEST(view_cache, memory_is_large_enough_and_nobody_elses) {
    view_cache cache;
    // Sizes of one granule share a list: what one gives another may take.
    for (int turn = 0; turn < 3; ++turn) {
        std::vector<std::pair<sg_monoid, unsigned char *>> taken;
        std::set<void *> places;
        for (std::size_t bytes = 1; bytes <= 3 * small_view_bytes; ++bytes) {
            const sg_monoid monoid = of_size(bytes, bytes % 64 == 0 ? 64 : 8);
            auto *const view = static_cast<unsigned char *>(cache.take(monoid));
            ASSERT_NE(view, nullptr);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view) % monoid.alignment, 0U) << bytes;
            EXPECT_TRUE(places.insert(view).second) << "given out twice";
            std::memset(view, static_cast<int>(bytes), bytes);
            taken.emplace_back(monoid, view);
        }
        for (const auto &[monoid, view] : taken) {
            for (std::size_t at = 0; at < monoid.size; ++at)
                ASSERT_EQ(view[at], static_cast<unsigned char>(monoid.size));
            cache.give(monoid, view);
        }
    }
}

// The rest is freed, or the leak checker says so.
TEST(view_cache, takes_back_more_than_it_keeps) {
    view_cache giver;
    const sg_monoid monoid = of_size(sizeof(long));
    for (int i = 0; i < 5000; ++i) {
        // From elsewhere: as the views of another worker that are merged here.
        void *const view = allocate_view(monoid);
        ASSERT_NE(view, nullptr);
        giver.give(monoid, view);
    }
    // What it gave out can be freed elsewhere as well.
    free_view(monoid, giver.take(monoid));
}

#if SG_COUNTS_FREES
// Beyond a number that it has, whatever that is.
TEST(view_cache, frees_all_that_it_is_given_too_much) {
    view_cache cache;
    const sg_monoid monoid = of_size(sizeof(long));
    const auto give = [&](int count) {
        std::vector<void *> views;
        for (int i = 0; i < count; ++i)
            views.push_back(allocate_view(monoid));
        const std::size_t freed_before = frees;
        for (void *const each : views)
            cache.give(monoid, each);
        return frees - freed_before;
    };
    EXPECT_LT(give(5000), 5000U);
    EXPECT_EQ(give(1000), 1000U);
}

TEST(view_cache, keeps_what_it_is_given_however_often) {
    view_cache cache;
    const sg_monoid monoid = of_size(sizeof(long));
    void *view = cache.take(monoid);
    const std::size_t freed_before = frees;
    for (int i = 0; i < 5000; ++i) {
        cache.give(monoid, view);
        view = cache.take(monoid);
    }
    EXPECT_EQ(frees, freed_before);
    cache.give(monoid, view);
}
#endif

TEST(view_cache, a_view_that_is_used_again_starts_as_the_identity) {
    constexpr std::size_t count = 300;
    auto sums = std::make_unique<reducer<add<long>>[]>(count);
    local worker;
    for (int turn = 0; turn < 3; ++turn)
        run_on(worker, [&] {
            const auto add_to_all = [&] {
                for (std::size_t i = 0; i < count; ++i)
                    *sums[i] += 5;
            };
            add_to_all();
            const view_set right = strand(worker, add_to_all);
            worker.append(right);
        });
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(sums[i].get(), 3 * 2 * 5);
}

void identity_of_long(void *view, void *) {
    *static_cast<long *>(view) = 0;
}

// Says how far the processor's counter goes meanwhile.
std::uint64_t ticks_of_the_reduce = 0;

void reduce_and_count(void *left, void *right, void *) {
    const std::uint64_t before = platform::ticks();
    *static_cast<long *>(left) += *static_cast<long *>(right);
    while ((ticks_of_the_reduce = platform::ticks() - before) == 0)
        ;
}

class times_of_views : public testing::Test {
protected:
    // One strand makes a view and is merged with one that has one.
    counters after_a_merge(bool keeps_times) {
        sg_reducer sum;
        EXPECT_EQ(sg_reducer_create(&sum, &monoid_), 0);
        local worker;
        worker.keep_times(keeps_times);
        run_on(worker, [&] {
            const auto add_one = [&] { ++*static_cast<long *>(sg_reducer_view(&sum)); };
            add_one();
            const view_set right = strand(worker, add_one);
            worker.append(right);
        });
        EXPECT_EQ(*static_cast<long *>(sg_reducer_view(&sum)), 2);
        sg_reducer_destroy(&sum);
        return worker.count();
    }

private:
    const sg_monoid monoid_ = {identity_of_long, reduce_and_count, nullptr, sizeof(long),
                               alignof(long),    nullptr,          nullptr};
};

TEST_F(times_of_views, are_kept_if_they_are_wanted) {
    const counters count = after_a_merge(true);
    EXPECT_EQ(count.views, 1U);
    EXPECT_EQ(count.creation.laps, views_a_sample) << "the first view is looked at";
    EXPECT_EQ(count.insertion.laps, views_a_sample);
    EXPECT_GT(count.transferal.laps, 0U);
    EXPECT_EQ(count.merging.laps, 1U);
    EXPECT_GE(count.merging.ticks, ticks_of_the_reduce) << "the reduce operation belongs to it";
}

TEST_F(times_of_views, are_not_kept_otherwise) {
    const counters count = after_a_merge(false);
    EXPECT_EQ(count.reduces, 1U);
    for (const account &one : {count.creation, count.insertion, count.transferal, count.merging})
        EXPECT_EQ(one.laps + one.ticks, 0U);
}

} // namespace
} // namespace saguaro::hyperobjects
