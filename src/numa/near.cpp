// SPDX-License-Identifier: MIT
// Finding the node of the current processor, and moving pages to a node.
#include "numa/near.hpp"

#include "numa/machine.hpp"
#include "numa/segment.hpp"
#include "numa/system.hpp"
#include "platform/memory.hpp"

#include <saguaro/place.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <new>

namespace saguaro::numa {

constinit std::atomic<unsigned> counted_nodes{0};

unsigned count_nodes() {
    const auto count = static_cast<unsigned>(machine::here().nodes().size());
    // Relaxed: see node_count.
    counted_nodes.store(count, std::memory_order_relaxed);
    return count;
}

unsigned node_index_here() {
    const machine &here = machine::here();
    return here.has_one_node() ? 0 : here.near_index(calls.current_cpu());
}

int node_number(unsigned node_index) {
    return machine::here().nodes()[node_index];
}

int cpu_of_node(int number) {
    const machine &here = machine::here();
    for (const int cpu : here.cpus())
        if (here.node_of_cpu(cpu) == number)
            return cpu;
    return -1;
}

void bring(void *p, std::size_t bytes, unsigned node_index) {
    const machine &here = machine::here();
    if (here.has_one_node())
        return;
    std::array<void *, most_moved_at_once> pages{};
    const std::size_t page = platform::page_size();
    const auto begin = reinterpret_cast<std::uintptr_t>(p);
    std::uintptr_t at = begin & ~(page - 1);
    while (at < begin + bytes) {
        std::size_t count = 0;
        for (; count < pages.size() && at < begin + bytes; at += page)
            pages[count++] = reinterpret_cast<void *>(at);
        // Refused, they stay where they are, which is slower to use and no less right.
        const int refused = calls.move_to(count, pages.data(), here.nodes()[node_index]);
        if (refused == EPERM || refused == ENOSYS)
            return;
    }
}

void *take_near(std::size_t bytes, std::size_t alignment) noexcept {
    try {
        if (machine::here().has_one_node())
            return ::operator new(bytes, std::nothrow);
    } catch (const std::bad_alloc &) {
        return nullptr; // the first call of all reads what the machine is like
    }
    // Blocks of a power of two are aligned to their size, and all above 64 KB to 4 KB.
    return sg_malloc_local(alignment <= alignof(std::max_align_t) || bytes > unit_bytes
                               ? bytes
                               : std::bit_ceil(std::max(bytes, alignment)));
}

void give_near(void *p) noexcept {
    if (machine::here().has_one_node())
        ::operator delete(p);
    else
        sg_free_place(p);
}

} // namespace saguaro::numa
