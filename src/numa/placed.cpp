// SPDX-License-Identifier: MIT
// Mapping a block with a layout and binding each run of its pages to its node.
#include "numa/placed.hpp"

#include "numa/machine.hpp"
#include "numa/segment.hpp"
#include "platform/available_memory.hpp"
#include "platform/memory.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

namespace saguaro::numa {

namespace {

// Relaxed, both: they count, and nothing else is told by them.
std::atomic<std::uint64_t> unverified{0};
std::atomic<std::uint64_t> failed{0};

// Binds the run of pages and touches them: only then they are anywhere.
int fill_run(char *begin, std::size_t bytes, unsigned node_index) {
    if (const int refused = bind(begin, bytes, node_index); refused != 0)
        return refused;
    for (std::size_t at = 0; at < bytes; at += platform::page_size())
        *static_cast<volatile char *>(begin + at) = 0;
    survey seen;
    look_at(begin, bytes, node_index, &seen);
    if (!machine::here().has_one_node()) // with one there is nowhere else to be
        unverified.fetch_add(seen.unknown, std::memory_order_relaxed);
    return seen.elsewhere == 0 ? 0 : ENOSPC;
}

// Pages beside each other on one node are one request.
int fill(char *begin, std::size_t pages, const sg_layout &layout) {
    const machine &here = machine::here();
    const std::size_t page = platform::page_size();
    const auto index_of_page = [&](std::size_t i) {
        return here.index_of(layout.node_of_page(&layout, i, pages));
    };
    int index = index_of_page(0);
    for (std::size_t first = 0; first < pages;) {
        if (index < 0)
            return EINVAL;
        const int of_run = index;
        std::size_t end = first + 1;
        while (end < pages && (index = index_of_page(end)) == of_run)
            ++end;
        if (const int error =
                fill_run(begin + first * page, (end - first) * page, static_cast<unsigned>(of_run));
            error != 0)
            return error;
        first = end;
    }
    return 0;
}

// The question takes 0.3 ms, a twentieth of what it takes to touch so much (two virtual cores, gcc
// 12). Smaller blocks go without it.
constexpr std::size_t least_asked_for = std::size_t{16} << 20;

// Every page is going to be touched, and for the one too many the kernel ends a process. It refuses
// to map too much in time only if it keeps strict account (vm.overcommit_memory=2). By its
// heuristics (0) a mapping may be as large as all memory and swap, whatever others hold; 1 refuses
// nothing, and none of the three knows the limits of control groups or the nodes that take part.
bool can_be_had(std::size_t bytes) {
    if (bytes < least_asked_for)
        return true;
    const platform::available now = platform::available_memory("");
    const std::uint64_t in_memory = std::min(now.in_memory, machine::here().free_bytes());
    return bytes <= in_memory || bytes - in_memory <= now.in_swap;
}

struct unmapper {
    void operator()(segment *mapped) const { platform::release(mapped, mapped->bytes); }
};

// 0, or the errno of the failure.
int place(std::size_t bytes, const sg_layout &layout, void **block) {
    if (!is_valid(layout))
        return EINVAL;
    if (bytes > PTRDIFF_MAX / 2 || !can_be_had(bytes))
        return ENOMEM;
    const std::size_t rounded = platform::round_to_pages(bytes == 0 ? 1 : bytes);
    const std::size_t header = platform::page_size();
    // Goes back if the layout's function throws, too.
    std::unique_ptr<segment, unmapper> whole(map_segment(header + rounded, 0));
    if (whole == nullptr)
        return ENOMEM;
    std::memset(whole->class_of_unit, whole_segment, units);
    whole->is_placed = true;
    if (const int error = fill(block_of(whole.get()), rounded / header, layout); error != 0)
        return error;
    whole->how = spread_of(layout);
    whole->node = layout.node;
    const std::lock_guard guard(placed_lock());
    *block = block_of(whole.get());
    placed_blocks.add(whole.release());
    return 0;
}

} // namespace

segment_list placed_blocks;

platform::spin_lock &placed_lock() {
    static constinit platform::spin_lock lock;
    return lock;
}

void give_placed_back(segment *placed) {
    {
        const std::lock_guard guard(placed_lock());
        placed_blocks.remove(placed);
    }
    platform::release(placed, placed->bytes);
}

void *take_placed(std::size_t bytes, const sg_layout &layout, int *error) {
    void *block = nullptr;
    try {
        *error = place(bytes, layout, &block);
    } catch (const std::bad_alloc &) { // what is known of the machine takes memory, too
        *error = ENOMEM;
    }
    if (block == nullptr)
        failed.fetch_add(1, std::memory_order_relaxed);
    return block;
}

placed_counts count_placed() {
    return {unverified.load(std::memory_order_relaxed), failed.load(std::memory_order_relaxed)};
}

} // namespace saguaro::numa
