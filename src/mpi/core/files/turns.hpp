// SPDX-License-Identifier: MIT
// Steps of the ranks that have a file open: README.md, "Turns".
#pragma once

#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/waiting/shared_turns.hpp"

#include <atomic>
#include <cstdint>

namespace saguaro::mpi {

// What the ranks that have a file open share, as it lies in a block of the control area.
struct shared_file {
    // Of the shared file pointer, in etypes.
    std::atomic<std::int64_t> position;
    // Of each rank of the file's group: `turn_takers::wanted`.
    std::atomic<clock_value> wanted[1];

    static std::size_t bytes(int ranks) {
        return sizeof(shared_file) +
               static_cast<std::size_t>(ranks) * sizeof(std::atomic<clock_value>);
    }
};

// The ranks of a file's group.
class file_takers final : public turn_takers {
public:
    file_takers(const comm_object &among, shared_file &shared) : among_(among), shared_(shared) {}
    std::uint32_t count() const override { return static_cast<std::uint32_t>(among_.size()); }
    std::uint32_t rank_at(std::uint32_t at) const override {
        return among_.world_rank(static_cast<int>(at));
    }
    std::atomic<clock_value> &wanted(std::uint32_t at) const override { return shared_.wanted[at]; }

private:
    const comm_object &among_;
    shared_file &shared_;
};

// While it lives, this rank makes its step, and no other rank of the group makes one. Adds 1 to the
// clock.
class file_turn {
public:
    file_turn(const comm_object &among, shared_file &shared, const char *call)
        : all_(among, shared), turn_(all_, static_cast<std::uint32_t>(among.rank), call) {}

private:
    const file_takers all_;
    const shared_turn turn_; // which refers to them
};

} // namespace saguaro::mpi
