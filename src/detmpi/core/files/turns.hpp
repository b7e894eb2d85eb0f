// SPDX-License-Identifier: MIT
// Steps of several ranks that must not overlap and whose order is the rule's: by clock, then by
// rank. README.md, "Turns", has the protocol.
#pragma once

#include "detmpi/core/communicators.hpp"
#include "detmpi/core/rank.hpp"

#include <atomic>
#include <cstdint>

namespace saguaro::detmpi {

// What the ranks that have a file open share, as it lies in a block of the control area.
struct shared_file {
    // Of the shared file pointer, in etypes.
    std::atomic<std::int64_t> position;
    // Of each rank of the file's group: the clock of the step that it wants to make, or makes; 0.
    std::atomic<clock_value> wanted[1];

    static std::size_t bytes(int ranks) {
        return sizeof(shared_file) +
               static_cast<std::size_t>(ranks) * sizeof(std::atomic<clock_value>);
    }
};

// While it lives, this rank makes its step, and no other rank of the group makes one. Adds 1 to the
// clock.
class file_turn {
public:
    file_turn(const comm_object &among, shared_file &shared, const char *call);
    ~file_turn();
    file_turn(const file_turn &) = delete;
    file_turn &operator=(const file_turn &) = delete;

private:
    const comm_object &among_;
    shared_file &shared_;
};

} // namespace saguaro::detmpi
