// SPDX-License-Identifier: MIT
// The runtime's own memory, for the worker that is going to use it. Where there is one node nothing
// here asks the system for anything, and memory is operator new's.
#pragma once

#include <atomic>
#include <cstddef>

namespace saguaro::numa {

// What node_count has found; 0: nobody has asked yet.
extern std::atomic<unsigned> counted_nodes;
unsigned count_nodes();

// How many nodes take part, 1 or more. The first call reads the machine: some 0.1 ms. The others
// are a load.
inline unsigned node_count() {
    // Relaxed: pairs with the store in count_nodes, which writes the same number each time, and
    // nothing else is read for it.
    const unsigned counted = counted_nodes.load(std::memory_order_relaxed);
    return counted != 0 ? counted : count_nodes();
}

// The node that the calling thread runs on, or the nearest that takes part, as an index below
// `node_count`.
unsigned node_index_here();

// The kernel's number of a node.
int node_number(unsigned node_index);

// A processor of the node with this number that the process may use; -1: there is none.
int cpu_of_node(int number);

// Moves those of the pages that have any of these bytes to the node, as far as they are in memory
// and the kernel can: some microseconds for each. For memory that somebody else has touched. Where
// the kernel lets nobody move pages, that is one system call.
void bring(void *p, std::size_t bytes, unsigned node_index);

// Memory on the calling thread's node, aligned as malloc's or more, up to a page; null: there is
// none. Where there is one node it is operator new's, which a program may have replaced, and not
// aligned to more.
inline constexpr std::size_t most_near_alignment = 4096;
void *take_near(std::size_t bytes, std::size_t alignment = 1) noexcept;

// Frees it, on any thread: it is used again on its own node.
void give_near(void *p) noexcept;

} // namespace saguaro::numa
