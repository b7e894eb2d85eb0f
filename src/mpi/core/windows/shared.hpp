// SPDX-License-Identifier: MIT
// The synchronization of a window that its ranks share in the control area: README.md. All of it
// begins as zeros. Ranks are those of the window's group.
#pragma once

#include "mpi/core/world/layout.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::mpi {

// The turn of an origin. Behind it its targets, a bit each.
struct turn_record {
    // The clock of the origin's operations that wait for their turn or take effect; 0: of none.
    // Stored before the origin publishes that clock, so whoever knows that clock to be published
    // sees it, or 0 if all of it has taken effect.
    std::atomic<clock_value> clock;
};

// The lock of an origin at a target. Behind it the origins that wait for its release, a bit each.
struct lock_record {
    // The clock at which it was asked for, twice, and 1 more if it is exclusive; 0: it is not held
    // and not asked for.
    std::atomic<std::uint64_t> asked;
    // The clock of the origin's last release there, of either type.
    std::atomic<clock_value> released_shared;
    std::atomic<clock_value> released_exclusive;
};

// The records of a window of so many ranks, in a piece of memory.
class shared_records {
public:
    shared_records() = default;
    shared_records(void *memory, std::uint32_t ranks)
        : base_(static_cast<char *>(memory)), ranks_(ranks) {}

    static std::size_t bytes_for(std::uint32_t ranks) {
        const std::size_t n = ranks;
        return n * turn_bytes(ranks) + n * n * lock_bytes(ranks);
    }

    static std::uint32_t words(std::uint32_t ranks) { return (ranks + 63) / 64; }
    std::uint32_t words() const { return words(ranks_); }

    turn_record &turn(int origin) const {
        return *reinterpret_cast<turn_record *>(base_ + static_cast<std::size_t>(origin) *
                                                            turn_bytes(ranks_));
    }
    std::atomic<std::uint64_t> *targets(int origin) const {
        return reinterpret_cast<std::atomic<std::uint64_t> *>(&turn(origin) + 1);
    }

    lock_record &lock(int target, int origin) const {
        const std::size_t at =
            static_cast<std::size_t>(target) * ranks_ + static_cast<std::size_t>(origin);
        return *reinterpret_cast<lock_record *>(base_ + ranks_ * turn_bytes(ranks_) +
                                                at * lock_bytes(ranks_));
    }
    std::atomic<std::uint64_t> *waiters(int target, int origin) const {
        return reinterpret_cast<std::atomic<std::uint64_t> *>(&lock(target, origin) + 1);
    }

private:
    static std::size_t in_lines(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
    static std::size_t turn_bytes(std::uint32_t ranks) {
        return in_lines(sizeof(turn_record) + words(ranks) * sizeof(std::uint64_t));
    }
    static std::size_t lock_bytes(std::uint32_t ranks) {
        return sizeof(lock_record) + words(ranks) * sizeof(std::uint64_t);
    }

    char *base_ = nullptr;
    std::uint32_t ranks_ = 0;
};

} // namespace saguaro::mpi
