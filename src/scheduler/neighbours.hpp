// SPDX-License-Identifier: MIT
// The other workers by their distance: what the policies that know the machine draw from.
#pragma once

#include "platform/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace saguaro::scheduler {

// xorshift64: a victim need not be unpredictable, only evenly spread.
class generator {
public:
    explicit generator(unsigned worker) : state_(0x9e3779b97f4a7c15u * (worker + 1u)) {}

    std::uint64_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_;
    }

private:
    std::uint64_t state_;
};

// A number below `choices`, from 32 random bits: even, and without a division.
inline std::uint32_t scale(std::uint64_t bits, std::uint32_t choices) {
    return static_cast<std::uint32_t>(((bits & 0xffffffffu) * choices) >> 32);
}

// Workers at the same distance.
struct distance_group {
    int distance;
    std::uint32_t first; // in neighbours::workers
    std::uint32_t count;
};

// The group that `nearest` tries after so many failures: the next one each time, and behind the
// farthest the nearest again. There is a group at least.
inline std::size_t group_in_turn(const std::vector<distance_group> &groups, unsigned failed) {
    return failed % groups.size();
}

// All workers but one, the nearest first, in groups.
struct neighbours {
    std::vector<std::uint32_t> workers;
    std::vector<distance_group> groups;
};

// Where the workers are in a machine.
class seating {
public:
    // `machine` null: this one, worker i on cpus[i]; workers of which one is on any processor are
    // all equally near. Otherwise worker i is thought on the i-th processor of `machine`, and
    // beyond its last one on the first again.
    void start(std::shared_ptr<const platform::topology> machine, const std::vector<int> &cpus);

    // Where each worker is, or is thought; all -1: nobody knows.
    const std::vector<int> &cpus() const { return cpus_; }

    // Of one worker. Takes n log n steps for n workers.
    neighbours around(std::uint32_t worker) const;

private:
    std::shared_ptr<const platform::topology> machine_;
    std::vector<int> cpus_;
};

} // namespace saguaro::scheduler
