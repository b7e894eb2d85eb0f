// SPDX-License-Identifier: MIT
// Receives, sends and messages that tests of matching make by hand.
#pragma once

#include "mpi/core/matching/parked_messages.hpp"
#include "mpi/core/requests/requests.hpp"

#include <cstdint>

namespace saguaro::mpi {

inline constexpr context_value test_context = 40;

// Of 8 bytes. From any source if `source` is `any_rank`.
inline void make_receive(request_object &out, std::uint32_t source, std::int32_t tag,
                         clock_value posted, std::uint64_t *into = nullptr) {
    out.what = action::receive;
    out.context = test_context;
    out.peer = source;
    out.tag = tag;
    out.posted = posted;
    out.buffer = {into, 8, nullptr, into != nullptr ? 8 : 0};
}

inline envelope head_of(std::uint32_t source, std::int32_t tag, clock_value stamp,
                        std::uint32_t number = 0) {
    return {stamp, source, test_context, tag, number, 0};
}

inline parked_message &park(parked_messages &in, const envelope &head) {
    parked_message &made = *make_parked(head, nullptr);
    in.add(made);
    return made;
}

} // namespace saguaro::mpi
