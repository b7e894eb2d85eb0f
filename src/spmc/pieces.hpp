// SPDX-License-Identifier: MIT
// What this space has mapped of regions: pieces of tables, by address.
//
// Application code never sees a piece. Its own threads may use regions at the same time, and a
// fault may come at any instruction of them, so a lock guards the list; nobody touches a region
// while it holds the lock.
#pragma once

#include "spmc/job.hpp"
#include "spmc/layout.hpp"

#include <cstdint>
#include <mutex>

namespace saguaro::spmc {

// Addresses of regions: [window_begin, window_end), the same in each space, and used for nothing
// else: the system's own choices lie far above, and programs far above or below.
inline constexpr std::uintptr_t window_begin = 0x2000'0000'0000;
inline constexpr std::uintptr_t window_end = 0x4000'0000'0000;

inline bool in_window(std::uintptr_t address, std::uint64_t bytes) {
    return address >= window_begin && address < window_end && bytes <= window_end - address;
}

// Consecutive pages of one table, mapped at consecutive addresses.
struct piece {
    std::uintptr_t address;
    std::uint64_t pages;
    std::uint64_t first; // its first page in the table
    table *of;
    bool produces;
    std::uint64_t made; // a number of its own: a piece that comes later at its address has another

    std::uintptr_t end() const { return address + pages * page_bytes; }
    std::uint64_t page_at(std::uintptr_t where) const {
        return first + (where - address) / page_bytes;
    }
};

// Its functions are called by any thread of the space, also while it handles a fault: an access to
// a region, of which nobody makes one while it holds the lock.
class pieces {
public:
    static pieces &mine();

    // The piece at that address; false if there is none. A copy, with a reference to its table that
    // `done_with` gives back.
    bool find(std::uintptr_t address, piece &out);
    void done_with(const piece &p);

    // Maps pages of a table, instead of whatever was mapped there, for accesses of that kind (as
    // mprotect). Takes over one reference to the table, and one of its producers' if the
    // piece produces. False, with the pieces as they were, if the system refuses.
    bool map(const piece &p, int protection);

    // Whether anything is mapped there.
    bool any_in(std::uintptr_t address, std::uint64_t bytes);

    // Takes away what is mapped there, in whole or in part, and its references.
    void unmap(std::uintptr_t address, std::uint64_t bytes);

    // What this space produces there, and nothing else is there, it consumes from now on. False if
    // the system refuses.
    bool become_consumer(std::uintptr_t address, std::uint64_t bytes);

    // Nothing is mapped, unmapped or given away while the caller has this. Who changes what may be
    // done with pages holds it, and looks whether the piece that it knows is still there as it was.
    std::unique_lock<std::mutex> hold();
    bool is_current(const piece &p) const;

    // When a space is about to end: it fixes nothing any more.
    void fix_no_more();

    // When a space ends by itself: gives up all that it has.
    void unmap_all();

    // Around a fork. The kernel does not copy the mappings, so a child has none.
    void before_fork();
    void after_fork(bool in_child);
};

} // namespace saguaro::spmc
