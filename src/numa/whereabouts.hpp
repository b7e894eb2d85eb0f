// SPDX-License-Identifier: MIT
// Looking up where an address lies, for recordings: a simulated machine has to place the memory as
// the program did.
#pragma once

#include <saguaro/place.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace saguaro::numa {

// How the pages of a block follow each other over the nodes.
// local: on the node of whoever allocates it, as sg_malloc_local has it.
enum class spread : unsigned char { one_node, round_robin, blocked, local, otherwise };

// Pages that follow each other are cut into blocks, of which the first ones have a page more than
// the others if they must: the block of a page. page < pages; blocks > 0.
inline std::size_t block_of_page(std::size_t page, std::size_t pages, std::size_t blocks) {
    const std::size_t each = pages / blocks;
    const std::size_t longer = pages % blocks;
    const std::size_t in_longer = longer * (each + 1);
    return page < in_longer ? page / (each + 1) : longer + (page - in_longer) / each;
}

// Of a layout: `otherwise` if it does not name all nodes, or has a function of the program's.
spread spread_of(const sg_layout &layout);

// A piece of memory around an address. The whole block if it has a mapping of its own and a spread
// with a name; a page of it otherwise; of a pool, the unit of 64 KB.
struct whereabouts {
    std::uintptr_t begin;
    std::uintptr_t end;
    spread how; // `otherwise`: of a page, and the kernel does not tell its node
    int node;   // of one_node and local: where it is in this run
};

// Nothing: the address is not in memory of place.h. Takes all locks of the floor, one after the
// other, and looks at all segments. Leaves errno as it is.
std::optional<whereabouts> find(const void *p);

// Called with the mapping of each block above 1 MB, or with a layout, that is freed. Null: nobody
// wants to know. Relaxed, all: who wants to know it may be told later.
extern std::atomic<void (*)(const void *begin, const void *end)> told_of_freed;

} // namespace saguaro::numa
