// SPDX-License-Identifier: MIT
// A carrier's knowledge of all ranks of the job, and the bounds that follow from it: README.md,
// "Reports".
#pragma once

#include "mpi/core/clock/wait_graph.hpp"
#include "mpi/transport/bytes.hpp"
#include "mpi/transport/shares.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::mpi::transport {

// The number of a synchronous send to a rank of another host.
struct numbered_send {
    std::uint32_t peer;
    std::uint32_t number;
    bool operator==(const numbered_send &) const = default;
};

// What a rank tells one of another host of that one's synchronous sends: `rank_record::unmatched`
// and `untold`.
struct told_sender {
    std::uint32_t peer;
    std::uint32_t unmatched;
    clock_value untold;
    bool operator==(const told_sender &) const = default;
};

// A rank as its own host saw it.
struct rank_state {
    clock_value bound = 0;
    clock_value least = 0;
    clock_value candidate = forever;
    std::uint32_t hop = 0;
    std::uint32_t is_blocked = 0; // with nothing on its way that had come to its host
    std::uint32_t life = life::outside;
    std::vector<std::uint64_t> waits_for; // bits, if it is blocked
    std::vector<numbered_send> sends;     // to ranks of other hosts, whose matches it waits for
    std::vector<told_sender> tells;       // where it is not 0

    // Zeros if it tells that one nothing.
    told_sender told_to(std::uint32_t peer) const;

    bool operator==(const rank_state &) const = default;

    void pack(packer &to) const;
    static rank_state unpack(unpacker &from);
};

// Records that one host has exchanged with each other one when its ranks were seen.
struct host_counts {
    std::vector<std::uint64_t> sent;     // in the streams, before the report
    std::vector<std::uint64_t> received; // in the rings of the readers
    bool operator==(const host_counts &) const = default;
};

struct picture {
    explicit picture(const shares &of)
        : ranks(of.ranks()), hosts(of.hosts(), {std::vector<std::uint64_t>(of.hosts()),
                                                std::vector<std::uint64_t>(of.hosts())}) {}

    // Of each rank: all messages of its that its host's report was not behind have stamps above
    // this. `in` is used for its memory.
    void derive(const shares &of, wait_graph &in, clock_bounds &out) const;

    std::vector<rank_state> ranks;
    std::vector<host_counts> hosts;

private:
    bool is_blocked(const shares &of, const wait_graph &in, std::uint32_t which) const;
    bool await_posts(std::uint32_t sender, clock_value &first) const;
};

} // namespace saguaro::mpi::transport
