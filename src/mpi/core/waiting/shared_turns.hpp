// SPDX-License-Identifier: MIT
// Steps of several ranks that must not overlap and whose order is the rule's: by clock, then by
// rank. ../files/README.md, "Turns", has the protocol.
#pragma once

#include "mpi/core/rank.hpp"

#include <atomic>
#include <cstdint>

namespace saguaro::mpi {

// The ranks that take turns, by their places from 0.
class turn_takers {
public:
    virtual ~turn_takers() = default;
    // It grows while a rank waits for its turn if other ranks spawn new ones.
    virtual std::uint32_t count() const = 0;
    virtual std::uint32_t rank_at(std::uint32_t at) const = 0; // in the world
    // Memory that all of them share: the clock of the step that the rank wants to make, or makes;
    // 0: of none.
    virtual std::atomic<clock_value> &wanted(std::uint32_t at) const = 0;
};

// While it lives, the rank at place `me` makes its step, and no other of the takers makes one; nor
// does another thread of this rank come in while it waits. Adds 1 to the clock.
class shared_turn {
public:
    shared_turn(const turn_takers &all, std::uint32_t me, const char *call);
    ~shared_turn();
    shared_turn(const shared_turn &) = delete;
    shared_turn &operator=(const shared_turn &) = delete;

private:
    const turn_takers &all_;
    const std::uint32_t me_;
};

} // namespace saguaro::mpi
