// SPDX-License-Identifier: MIT
// What a rank says of its collective call, by which others see that theirs do not fit: with every
// message the call itself, and with -check all that has to be the same at all ranks.
#pragma once

#include "mpi/core/collectives/calls.hpp"
#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/core/rings/message.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace saguaro::mpi {

// detmpiexec -check: collectives compare their calls before they do anything.
extern bool compares_calls; // by this process
void begin_comparing_calls();

// A call with its arguments, so far as they have to agree.
struct described_call {
    collective_call call;
    int root = no_root; // as the program says it
    op operation = op::null;
    datatype type = datatype::null; // of a reduction's or a broadcast's elements
    std::int64_t count = no_count;

    static constexpr int no_root = INT32_MIN;
    static constexpr std::int64_t no_count = -1; // it may differ from rank to rank
};

// The same as a message to the first rank.
struct call_message {
    std::uint64_t signature; // of the elements; 0: they may be anything
    std::uint32_t root;      // in the world
    std::uint32_t operation;
    std::uint16_t mark;
    std::array<char, 94> text; // in words

    static constexpr std::uint32_t any_root = UINT32_MAX; // this rank does not know it
};
call_message message_of(const described_call &what, const comm_object &on);

// Waits until all ranks of the communicator have come, and ends the job with a line if their calls
// do not fit.
void compare_calls(comm_object &on, const described_call &what);

// Ends the job with a line unless the call of this rank of the world fits the other's.
void compare_calls(const comm_object &on, std::uint32_t rank, const call_message &mine,
                   std::uint32_t other, const call_message &others, const char *function);

// With -check: what the number of a message has below for these elements.
std::uint16_t hash_of_elements(const typed_buffer &what);

// A message that a collective has got, and what belongs in its place.
struct got_message {
    std::uint32_t from; // in the world
    std::uint32_t number;
    std::uint64_t bytes;
    bool is_cut; // it was longer
};
// Whether the message belongs there. Else it notes a text about it for the handler of the error.
bool fits_collective(const got_message &got, const comm_object &on, collective_call call,
                     std::uint32_t number, const typed_buffer &to);

// "MPI_COMM_WORLD", or what the program calls it, or "a communicator of 4 ranks".
std::string name_of(const comm_object &which);

} // namespace saguaro::mpi
