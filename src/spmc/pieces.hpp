// SPDX-License-Identifier: MIT
// The parts of regions that this space has mapped: pieces of tables, by address.
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
    // The number of the mapping that it is a part of: one that comes later at its address has
    // another.
    std::uint64_t made;

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

    // The lowest piece within these addresses, as `find`.
    bool find_within(std::uintptr_t address, std::uint64_t bytes, piece &out);

    // Holds the list as it is, so that no other thread of this space maps pages, or makes them
    // fixed or extended, while this one decides what may be done with them. Does not hold it if the
    // piece that was found at `address` is no longer there; otherwise brings its bounds up to date.
    // The caller touches no region until it lets go.
    [[nodiscard]] std::unique_lock<std::mutex> hold(piece &found, std::uintptr_t address);

    // Takes away what is mapped there, in whole or in part, and its references.
    void unmap(std::uintptr_t address, std::uint64_t bytes);

    // What this space produces there it consumes from now on; it still counts among the producers,
    // until the caller hands that on. False, and nothing has changed, if it does not produce all of
    // it. Ends this space with a line if the system refuses.
    bool become_consumer(std::uintptr_t address, std::uint64_t bytes);

    // When a space is about to end: it fixes nothing any more.
    void fix_no_more();

    // When a space ends by itself: gives up all that it has.
    void unmap_all();

    // Around a fork. The kernel does not copy the mappings, so a child has none.
    void before_fork();
    void after_fork(bool in_child);
};

} // namespace saguaro::spmc
