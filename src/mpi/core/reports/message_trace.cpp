// SPDX-License-Identifier: MIT
// Counting the records to and from each rank, as messages of a trace's channels.
#include "mpi/core/reports/message_trace.hpp"

#include "mpi/core/clock/parked_memory.hpp"

namespace saguaro::mpi::message_trace {

namespace {

// Records to and from each rank. When the first one comes depends on who is faster.
parked_vector<std::uint64_t> sent;
parked_vector<std::uint64_t> received;

// A name for the trace alone. No place in the control area is so large.
spmc::place channel(std::uint32_t from, std::uint32_t to, std::uint32_t ranks) {
    return std::uint32_t{1} << 31 | (from * ranks + to);
}

} // namespace

void note_sent(std::uint32_t to, std::uint32_t me, std::uint32_t ranks, std::uint64_t bytes) {
    sent.resize(ranks);
    if (sent[to] == 0)
        spmc::trace::note_channel(channel(me, to, ranks));
    spmc::trace::note(spmc::trace::kind::send, channel(me, to, ranks), sent[to]++, bytes);
}

void note_received(std::uint32_t from, std::uint32_t me, std::uint32_t ranks, std::uint64_t bytes) {
    received.resize(ranks);
    spmc::trace::note(spmc::trace::kind::receive, channel(from, me, ranks), received[from]++,
                      bytes);
}

} // namespace saguaro::mpi::message_trace
