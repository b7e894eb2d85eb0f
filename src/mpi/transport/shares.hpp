// SPDX-License-Identifier: MIT
// Which ranks are on which machine: hosts are numbered from 0, and each has a range of the ranks.
#pragma once

#include "mpi/core/world/world.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::mpi::transport {

class shares {
public:
    // So many ranks on each host.
    shares(const std::vector<std::uint32_t> &counts, std::uint32_t me);

    // Shares of `ranks` ranks that differ by 1 at most; the first hosts have the larger ones.
    static std::vector<std::uint32_t> even(std::uint32_t ranks, std::uint32_t hosts);

    std::uint32_t hosts() const { return static_cast<std::uint32_t>(firsts_.size()) - 1; }
    std::uint32_t me() const { return me_; }
    std::uint32_t ranks() const { return firsts_.back(); }

    std::uint32_t begin(std::uint32_t host) const { return firsts_[host]; }
    std::uint32_t end(std::uint32_t host) const { return firsts_[host + 1]; }
    std::uint32_t here() const { return end(me_) - begin(me_); }
    std::uint32_t host_of(std::uint32_t rank) const;
    bool is_here(std::uint32_t rank) const { return rank >= begin(me_) && rank < end(me_); }

    // Makes the world, which this machine has just made, one of several machines: other ranks'
    // records are what the carrier knows of them, and no snapshot takes them for blocked.
    void divide(const world &all) const;

private:
    std::vector<std::uint32_t> firsts_; // of each host; and the end
    std::uint32_t me_;
};

} // namespace saguaro::mpi::transport
