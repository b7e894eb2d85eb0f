// SPDX-License-Identifier: MIT
// The parts of a rank that messages, receives and synchronous sends are in, and the rule over them.
#pragma once

#include "mpi/core/matching/match_replies.hpp"
#include "mpi/core/matching/matching_rule.hpp"
#include "mpi/core/matching/parked_messages.hpp"
#include "mpi/core/matching/posted_receives.hpp"
#include "mpi/core/matching/synchronous_sends.hpp"

#include <cstdint>

namespace saguaro::mpi {

struct matching_state {
    matching_state(const world &of, std::uint32_t me, outbox &out, known_bounds &bounds)
        : parked(of.capacity()), sends(of, me), replies(of, me, out, bounds, posted, parked),
          rule(of, me, bounds, posted, parked, sends) {}

    posted_receives posted;
    parked_messages parked;
    synchronous_sends sends;
    match_replies replies;
    matching_rule rule;

    bool is_valid() const {
        return posted.is_valid() && parked.is_valid() && sends.is_valid() && replies.is_valid();
    }
};

} // namespace saguaro::mpi
