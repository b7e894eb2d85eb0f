// SPDX-License-Identifier: MIT
// Messages in the picture of SAGUARO_TRACE (spmc/trace/record.hpp): detmpiexec -trace. The way from
// one rank to another is a channel there.
#pragma once

#include "spmc/trace/record.hpp"

#include <cstdint>

namespace saguaro::mpi::message_trace {

// This rank writes or has read a record. There are never more than `ranks`.
void note_sent(std::uint32_t to, std::uint32_t me, std::uint32_t ranks, std::uint64_t bytes);
void note_received(std::uint32_t from, std::uint32_t me, std::uint32_t ranks, std::uint64_t bytes);

inline bool is_on() {
    return spmc::trace::mine != nullptr;
}

} // namespace saguaro::mpi::message_trace
