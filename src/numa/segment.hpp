// SPDX-License-Identifier: MIT
// All memory of this floor lies in segments: mappings that begin at a multiple of 16 MB, so that
// any block's address gives its segment, and the segment gives its node and its size.
//
//     a pool's segment            | header | slab | slab | ... |     256 units of 64 KB
//     one large or placed block   | header | the block, page by page ...
#pragma once

#include "numa/classes.hpp"
#include "numa/whereabouts.hpp"

#include <cstddef>
#include <cstdint>

namespace saguaro::numa {

inline constexpr std::size_t segment_bytes = std::size_t{16} << 20;
inline constexpr std::size_t unit_bytes = std::size_t{64} << 10;
inline constexpr std::size_t units = segment_bytes / unit_bytes;

// Instead of a class: the segment is one block.
inline constexpr std::uint8_t whole_segment = 0xff;

struct segment {
    unsigned node_index;
    bool is_bound;  // to that node: the kernel has taken the request
    bool is_placed; // page by page, by a layout
    spread how;     // of a placed one: over the nodes, or on the one `node`
    int node;
    std::size_t bytes;
    segment *before; // in the list of the node's segments, or of the placed ones
    segment *after;
    segment *next_kept; // of the free large ones
    std::uint8_t class_of_unit[units];
};

// A list of segments. Whoever has it guards it.
struct segment_list {
    segment *first = nullptr;

    void add(segment *one) {
        one->before = nullptr;
        one->after = first;
        if (first != nullptr)
            first->before = one;
        first = one;
    }
    void remove(segment *one) {
        (one->before != nullptr ? one->before->after : first) = one->after;
        if (one->after != nullptr)
            one->after->before = one->before;
    }
    // Calls visit(segment) for the one that the address lies in.
    template <class Visit>
    void visit_at(std::uintptr_t address, Visit &visit) const {
        for (const segment *each = first; each != nullptr; each = each->after)
            if (address - reinterpret_cast<std::uintptr_t>(each) < each->bytes)
                visit(*each);
    }
};

inline segment *segment_of(const void *block) {
    return reinterpret_cast<segment *>(reinterpret_cast<std::uintptr_t>(block) &
                                       ~std::uintptr_t{segment_bytes - 1});
}

inline unsigned class_in(const segment *from, const void *block) {
    const auto offset = static_cast<std::size_t>(static_cast<const char *>(block) -
                                                 reinterpret_cast<const char *>(from));
    return from->class_of_unit[offset / unit_bytes];
}

// Maps a segment with room for `bytes`, its header included. Null: no more memory.
segment *map_segment(std::size_t bytes, unsigned node_index);

// Where a whole segment's block begins: the header has a page of its own.
char *block_of(segment *whole);

// The errno of the refusal, 0: bound. Nothing is asked of the kernel where there is but one node.
int bind(void *p, std::size_t bytes, unsigned node_index);

// How many of these pages, of those that are in memory, are elsewhere than on the node, and of
// how many the kernel does not tell.
struct survey {
    std::uint64_t present = 0;
    std::uint64_t elsewhere = 0;
    std::uint64_t unknown = 0;
};
void look_at(char *p, std::size_t bytes, unsigned node_index, survey *seen);

} // namespace saguaro::numa
