// SPDX-License-Identifier: MIT
// The memory of a worker before it has done anything, without the stacks of its flows.
#include "scheduler/runtime.hpp"

#include <saguaro/saguaro.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <malloc.h>
#include <string>
#include <thread>

namespace {

// Bytes of this process's pages that are written to, from the kernel.
std::size_t dirty_bytes() {
    std::ifstream rollup("/proc/self/smaps_rollup");
    std::string word;
    while (rollup >> word)
        if (word == "Private_Dirty:") {
            std::size_t kilobytes = 0;
            rollup >> kilobytes;
            return kilobytes * 1024;
        }
    return 0;
}

// Bytes that the program has from malloc, written to or not.
std::size_t heap_bytes() {
    const struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}

// Waits until each worker has looked for work and gone to sleep, but for the first, which belongs
// to the threads that enter.
void wait_for_sleep(unsigned workers) {
    saguaro::run([] {});
    for (unsigned i = 1; i < workers; ++i)
        while (saguaro::scheduler::running()->worker_at(i).count.sleeps.load() == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(worker_memory, is_at_most_64_kilobytes) {
    constexpr unsigned many = 64;
    // What the first start costs once, whatever the number of workers.
    saguaro::start({.workers = 1});
    wait_for_sleep(1);
    saguaro::stop();
    const std::size_t heap_before = heap_bytes();
    const std::size_t dirty_before = dirty_bytes();
    ASSERT_GT(dirty_before, 0U) << "no Private_Dirty in /proc/self/smaps_rollup";

    saguaro::start({.workers = many});
    wait_for_sleep(many);
    const std::size_t heap = (heap_bytes() - heap_before) / many;
    const std::size_t dirty = (dirty_bytes() - dirty_before) / many;
    saguaro::stop();

    std::printf("a worker: %zu bytes written to, %zu bytes of malloc\n", dirty, heap);
    EXPECT_GT(dirty, 0U);
    EXPECT_GT(heap, 0U);
    // What is from malloc and written to counts twice: more than there is. So does the thread's own
    // stack, which runs the loop that looks for work.
    EXPECT_LE(dirty + heap, 64U * 1024);
}

} // namespace
