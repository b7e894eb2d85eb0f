// SPDX-License-Identifier: MIT
// The first calls of a process that has no memory left for what the library wants to know of the
// machine: they fail and leave nothing half made.
#include "numa/emulated.hpp"

#include <gtest/gtest.h>
#include <saguaro/place.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <new>

SG_BEFORE_CASES(emulated::install)

namespace {

// How often operator new still gives memory.
constinit int left = INT_MAX;

// Not inlined: gcc would take what it returns for new's own, which nobody may free.
[[gnu::noinline]] void *take(std::size_t bytes) noexcept {
    return left-- > 0 ? std::malloc(bytes) : nullptr;
}

// What `call` returns with memory for so many requests.
void *with_memory_for(int requests, void *(*call)()) {
    errno = 0;
    left = requests;
    void *const block = call();
    left = INT_MAX;
    EXPECT_TRUE(block != nullptr || errno == ENOMEM) << requests << " requests: " << errno;
    return block;
}

} // namespace

void *operator new(std::size_t bytes) {
    if (void *const block = take(bytes))
        return block;
    throw std::bad_alloc();
}
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
    return take(bytes);
}
void operator delete(void *block) noexcept {
    std::free(block);
}
void operator delete(void *block, std::size_t) noexcept {
    std::free(block);
}
void operator delete(void *block, const std::nothrow_t &) noexcept {
    std::free(block);
}

TEST(first_calls, without_memory_fail_until_there_is_some) {
    void *local = nullptr, *placed = nullptr;
    std::size_t failed_places = 0;
    int requests = 0;
    for (; local == nullptr || placed == nullptr; ++requests) {
        if (local == nullptr)
            local = with_memory_for(requests, [] { return sg_malloc_local(100); });
        if (placed == nullptr) {
            placed = with_memory_for(
                requests, [] { return sg_malloc_place(1, sg_layout_round_robin(nullptr, 0)); });
            failed_places += placed == nullptr;
        }
    }
    EXPECT_GT(requests, 2);
    sg_place_counts counts;
    sg_place_statistics(&counts);
    EXPECT_EQ(counts.failed_placements, failed_places);
    sg_free_place(local);
    sg_free_place(placed);
}
