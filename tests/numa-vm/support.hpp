// SPDX-License-Identifier: MIT
// Helpers of the programs for the machine of four nodes. They ask the kernel themselves where pages
// are, not by way of the library.
#pragma once

#include "platform/memory.hpp"
#include "platform/thread.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace four_nodes {

inline constexpr int nodes = 4;
inline constexpr int cpus_of_node = 2;

// The node of a page, or a negative errno: -ENOENT if nobody has touched it.
inline int node_of(const void *p) {
    void *page = reinterpret_cast<void *>(reinterpret_cast<std::uintptr_t>(p) &
                                          ~(saguaro::platform::page_size() - 1));
    int status = -1;
    EXPECT_EQ(syscall(SYS_move_pages, 0, 1UL, &page, nullptr, &status, 0), 0);
    return status;
}

// Calls what() in a new thread on a processor of the node.
inline void on_node(int node, auto &&what) {
    std::thread([&] {
        ASSERT_TRUE(saguaro::platform::pin_to_cpu(node * cpus_of_node));
        what();
    }).join();
}

} // namespace four_nodes
