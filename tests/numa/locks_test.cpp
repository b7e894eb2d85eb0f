// SPDX-License-Identifier: MIT
// The lock of a pool: while one thread asks the system for memory under it, or where the pool's
// pages are, nobody else gets into the pool.
#include "numa/emulated.hpp"

#include "numa/classes.hpp"
#include "numa/pool.hpp"
#include "numa/whereabouts.hpp"

#include <gtest/gtest.h>
#include <saguaro/place.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

SG_BEFORE_CASES(emulated::install)

namespace numa = saguaro::numa;

namespace {

constexpr std::size_t large = numa::largest_block + 1;
const unsigned some_class = numa::class_of(1000);

numa::pool &its_pool() {
    return numa::pool::of(1);
}

// Called within the emulated system's next call.
std::function<void()> meanwhile;

void call_once() {
    if (meanwhile)
        std::exchange(meanwhile, nullptr)();
}

// A thousand times as long as anything takes here that need not wait.
constexpr std::chrono::milliseconds long_enough{100};

// Calls `holder` and, while the system works for it, `other` in another thread. Whether `other` had
// to wait longer than `patience`.
bool waits(const std::function<void()> &holder, const std::function<void()> &other,
           std::chrono::milliseconds patience = long_enough) {
    std::atomic<bool> done{false};
    bool was_called = false, waited = false;
    std::thread second;
    meanwhile = [&] {
        was_called = true;
        second = std::thread([&] {
            other();
            done = true;
        });
        const auto end = std::chrono::steady_clock::now() + patience;
        while (!done && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        waited = !done;
    };
    holder();
    EXPECT_TRUE(was_called);
    if (second.joinable())
        second.join();
    return waited;
}

// Of another size each time: the pool keeps what was freed.
void map_more() {
    static std::size_t bytes = large;
    bytes += large;
    its_pool().put_large(numa::segment_of(its_pool().take_large(bytes)));
}

void count_pages() {
    numa::pool::counts counts;
    its_pool().count(&counts);
}

class locks : public testing::Test {
protected:
    static void SetUpTestSuite() {
        saguaro::numa::calls.prefer = [](void *p, std::size_t bytes, int node) {
            call_once();
            return emulated::prefer(p, bytes, node);
        };
        saguaro::numa::calls.nodes_of = [](std::size_t count, void **pages, int *status) {
            call_once();
            return emulated::nodes_of(count, pages, status);
        };
    }

    // Both that hold it long.
    static void expect_waits(const std::function<void()> &other) {
        EXPECT_TRUE(waits(map_more, other));
        EXPECT_TRUE(waits(count_pages, other));
    }
};

} // namespace

TEST_F(locks, taking_blocks_waits) {
    numa::chain blocks;
    its_pool().take(some_class, 1, &blocks); // so that the pool has a segment to be counted
    its_pool().put(some_class, &blocks);
    expect_waits([&] {
        numa::chain more;
        its_pool().take(some_class, 1, &more);
        more.move_to(&blocks, ~0U);
    });
    its_pool().put(some_class, &blocks);
}

TEST_F(locks, returning_blocks_waits) {
    numa::chain blocks;
    its_pool().take(some_class, 2, &blocks);
    expect_waits([&] {
        numa::chain one;
        blocks.move_to(&one, 1);
        its_pool().put(some_class, &one);
    });
}

TEST_F(locks, mapping_a_large_block_waits) {
    void *block = nullptr;
    for (const auto &holder : {map_more, count_pages}) {
        EXPECT_TRUE(waits(holder, [&] { block = its_pool().take_large(large); }));
        its_pool().put_large(numa::segment_of(block));
    }
}

TEST_F(locks, unmapping_a_large_block_waits) {
    for (const auto &holder : {map_more, count_pages}) {
        void *const block = its_pool().take_large(large);
        EXPECT_TRUE(waits(holder, [&] { its_pool().put_large(numa::segment_of(block)); }));
    }
}

TEST_F(locks, counting_waits) {
    expect_waits(count_pages);
}

// Threads that want memory of another node need not wait.
TEST_F(locks, are_of_one_node) {
    const auto use_another = [] {
        numa::chain blocks;
        numa::pool::of(2).take(some_class, 1, &blocks);
        numa::pool::of(2).put(some_class, &blocks);
    };
    EXPECT_FALSE(waits(map_more, use_another, std::chrono::seconds(60)));
}

// Nor does anybody wait who frees a block with a layout while the kernel tells where another's page
// is.
TEST_F(locks, of_placed_blocks_are_not_held_while_the_system_works) {
    const auto node_of = [](void *, std::size_t) { return 1; };
    void *const asked = sg_malloc_place(1, sg_layout_by_page(node_of, nullptr));
    void *const freed = sg_malloc_place(1, sg_layout_on_node(1));
    EXPECT_FALSE(
        waits([&] { numa::find(asked); }, [&] { sg_free_place(freed); }, std::chrono::seconds(60)));
    sg_free_place(asked);
}
