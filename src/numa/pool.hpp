// SPDX-License-Identifier: MIT
// A node's memory: free blocks of each class, and the segments that they are cut from. Threads take
// and return blocks by the chain, under the pool's lock; single blocks go through their caches
// (cache.hpp). What a pool has taken from the system it keeps, but of blocks above `largest_block`
// no more than `most_kept_large` bytes when they are free: the last ones that were freed, but none
// that is larger by itself.
#pragma once

#include "numa/classes.hpp"
#include "numa/segment.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace saguaro::numa {

// A recursion that takes a large temporary at each level, as Strassen's product does, would
// otherwise map, clear and unmap its memory again and again, which takes longer than its additions.
inline constexpr std::size_t most_kept_large = std::size_t{64} << 20;

struct free_block {
    free_block *next;
};

// Blocks of one class and node.
struct chain {
    free_block *first = nullptr;
    unsigned count = 0;

    void push(free_block *block) {
        block->next = first;
        first = block;
        ++count;
    }
    free_block *pop() {
        free_block *const block = first;
        first = block->next;
        --count;
        return block;
    }
    // Moves blocks to `to` until it has `enough` or this is empty.
    void move_to(chain *to, unsigned enough);
};

class pool {
public:
    // Puts up to `enough` blocks into an empty chain: what is there, or else fresh ones. It stays
    // empty when the system gives no more memory.
    void take(unsigned block_class, unsigned enough, chain *into);

    // Puts all blocks of a chain back.
    void put(unsigned block_class, chain *from);

    // One block of its own segment, for sizes above `largest_block`: one that was freed and is as
    // large, or else a fresh one. Null: no memory.
    void *take_large(std::size_t bytes);
    void put_large(segment *whole);

    struct counts {
        std::uint64_t bytes = 0;         // address space of all segments
        std::uint64_t refused_bytes = 0; // of those whose binding the kernel refused
        survey pages;
    };
    void count(counts *into);

    // Calls visit(segment) for the one of this pool that the address lies in, under the lock.
    template <class Visit>
    void visit(std::uintptr_t address, Visit visit) {
        const std::lock_guard guard(lock_);
        segments_.visit_at(address, visit);
    }

    // All pools, one for each of the machine's nodes, by index.
    static pool &of(unsigned node_index);

private:
    friend struct all_pools;

    segment *add_segment(std::size_t bytes);
    segment *take_kept(std::size_t bytes);
    segment *remove_oldest_kept();
    void cut_slab(unsigned block_class, unsigned enough, chain *into);

    std::mutex lock_;
    unsigned index_ = 0;
    segment_list segments_;
    segment *kept_ = nullptr; // free large ones, what was freed last in front; of `segments_` too
    std::size_t kept_bytes_ = 0;
    char *uncut_ = nullptr; // of the newest segment of slabs
    char *end_ = nullptr;
    struct supply {
        chain free;
        char *uncut = nullptr; // of the newest slab
        char *end = nullptr;
    } supplies_[block_classes];
};

} // namespace saguaro::numa
