// SPDX-License-Identifier: MIT
// place.h: arguments, errno, and which part of the floor answers.
#include <saguaro/place.h>

#include "numa/cache.hpp"
#include "numa/checked.hpp"
#include "numa/machine.hpp"
#include "numa/placed.hpp"
#include "numa/pool.hpp"
#include "numa/system.hpp"
#include "numa/whereabouts.hpp"
#include "platform/memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <new>
#include <vector>

namespace numa = saguaro::numa;

namespace {

std::size_t copy(const std::vector<int> &from, int *to, std::size_t room) {
    std::copy_n(from.begin(), std::min(room, from.size()), to);
    return from.size();
}

int listed(const sg_layout *layout, std::size_t at, std::size_t count) {
    return layout->nodes != nullptr ? layout->nodes[at % count]
                                    : numa::machine::here().nodes()[at % count];
}

std::size_t length(const sg_layout *layout) {
    return layout->nodes != nullptr ? layout->count : numa::machine::here().nodes().size();
}

int on_node(const sg_layout *layout, std::size_t, std::size_t) {
    return layout->node;
}

// Of valid layouts, whose lists are not empty: see is_valid.
int round_robin(const sg_layout *layout, std::size_t page, std::size_t) {
    return listed(layout, page, length(layout));
}

int blocked(const sg_layout *layout, std::size_t page, std::size_t pages) {
    const std::size_t count = length(layout);
    return listed(layout, saguaro::numa::block_of_page(page, pages, count), count);
}

int by_page(const sg_layout *layout, std::size_t page, std::size_t) {
    return layout->function(layout->context, page);
}

sg_layout made(int (*node_of_page)(const sg_layout *, std::size_t, std::size_t)) {
    sg_layout layout{};
    layout.node_of_page = node_of_page;
    return layout;
}

[[gnu::noinline]] void *large_local(std::size_t size) {
    const unsigned index = numa::machine::here().near_index(numa::calls.current_cpu());
    return size <= PTRDIFF_MAX / 2 ? numa::pool::of(index).take_large(size) : nullptr;
}

[[gnu::noinline]] void give_mapping_back(numa::segment *whole) {
    if (const auto tell = numa::told_of_freed.load(std::memory_order_relaxed))
        tell(whole, reinterpret_cast<const char *>(whole) + whole->bytes);
    if (whole->is_placed)
        numa::give_placed_back(whole);
    else
        numa::pool::of(whole->node_index).put_large(whole);
}

bool names_all_nodes(const sg_layout &layout) {
    const std::vector<int> &all = numa::machine::here().nodes();
    return layout.nodes == nullptr ||
           std::equal(layout.nodes, layout.nodes + layout.count, all.begin(), all.end());
}

} // namespace

numa::spread numa::spread_of(const sg_layout &layout) {
    if (layout.node_of_page == on_node)
        return spread::one_node;
    if (layout.node_of_page == round_robin && names_all_nodes(layout))
        return spread::round_robin;
    if (layout.node_of_page == blocked && names_all_nodes(layout))
        return spread::blocked;
    return spread::otherwise;
}

bool numa::is_valid(const sg_layout &layout) {
    const auto takes_part = [](int node) { return machine::here().index_of(node) >= 0; };
    if (layout.node_of_page == on_node)
        return takes_part(layout.node);
    if (layout.node_of_page == by_page)
        return layout.function != nullptr;
    if (layout.node_of_page != round_robin && layout.node_of_page != blocked)
        return layout.node_of_page != nullptr;
    if (layout.nodes == nullptr)
        return layout.count == 0;
    return layout.count > 0 && std::all_of(layout.nodes, layout.nodes + layout.count, takes_part);
}

sg_layout sg_layout_on_node(int node) {
    sg_layout layout = made(on_node);
    layout.node = node;
    return layout;
}

sg_layout sg_layout_round_robin(const int *nodes, size_t count) {
    sg_layout layout = made(round_robin);
    layout.nodes = nodes;
    layout.count = count;
    return layout;
}

sg_layout sg_layout_blocked(const int *nodes, size_t count) {
    sg_layout layout = made(blocked);
    layout.nodes = nodes;
    layout.count = count;
    return layout;
}

sg_layout sg_layout_by_page(int (*function)(void *context, size_t page), void *context) {
    sg_layout layout = made(by_page);
    layout.function = function;
    layout.context = context;
    return layout;
}

void *sg_malloc_place(size_t size, sg_layout layout) {
    int error = 0;
    void *const p = numa::take_placed(size, layout, &error);
    if (p == nullptr)
        errno = error;
    return p;
}

void *sg_malloc_local(size_t size) {
    void *p = nullptr;
    try {
        p = numa::is_checked                 ? numa::take_checked(size)
            : size - 1 < numa::largest_block ? numa::take(size)
            : size == 0                      ? numa::take(1)
                                             : large_local(size);
    } catch (const std::bad_alloc &) { // of the first call, which reads the machine
    }
    if (p == nullptr) [[unlikely]]
        errno = ENOMEM;
    return p;
}

void sg_free_place(void *p) {
    if (p == nullptr || (numa::is_checked && numa::give_back_checked(p)))
        return;
    numa::segment *const from = numa::segment_of(p);
    const unsigned block_class = numa::class_in(from, p);
    if (block_class != numa::whole_segment) [[likely]]
        numa::give_back(p, from, block_class);
    else
        give_mapping_back(from);
}

int sg_node_of(const void *p) {
    const auto page = reinterpret_cast<std::uintptr_t>(p) & ~(saguaro::platform::page_size() - 1);
    void *address = reinterpret_cast<void *>(page);
    int node = 0;
    const int refused = numa::calls.nodes_of(1, &address, &node);
    const numa::machine &here = numa::machine::here();
    if (refused == ENOSYS || refused == EPERM) {
        if (here.has_one_node())
            return here.nodes().front();
    }
    if (refused == 0 && node >= 0)
        return node;
    errno = refused != 0 ? refused : -node;
    return -1;
}

int sg_self_cpu(void) {
    return numa::calls.current_cpu();
}

int sg_self_node(void) {
    return numa::machine::here().node_of_cpu(numa::calls.current_cpu());
}

size_t sg_place_nodes(int *nodes, size_t room) {
    return copy(numa::machine::here().nodes(), nodes, room);
}

size_t sg_place_cpus(int *cpus, size_t room) {
    return copy(numa::machine::here().cpus(), cpus, room);
}

void sg_place_statistics(sg_place_counts *counts) {
    numa::pool::counts of_pools;
    const numa::machine &here = numa::machine::here();
    for (unsigned index = 0; index < here.nodes().size(); ++index)
        numa::pool::of(index).count(&of_pools);
    const numa::placed_counts placed = numa::count_placed();
    *counts = {of_pools.bytes,         of_pools.refused_bytes,
               of_pools.pages.present, of_pools.pages.elsewhere,
               of_pools.pages.unknown, placed.unverified_pages,
               placed.failed,          here.cpus_without_memory()};
}
