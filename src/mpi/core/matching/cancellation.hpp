// SPDX-License-Identifier: MIT
// Receives that are cancelled: ../../README.md, "A receive that is cancelled".
#pragma once

#include "mpi/core/clock/known_bounds.hpp"
#include "mpi/core/matching/matcher.hpp"

namespace saguaro::mpi {

class cancellation {
public:
    cancellation(const rank_clock &clock, const known_bounds &bounds, matcher &of)
        : clock_(clock), bounds_(bounds), matcher_(of), state_(of.state()) {}

    // Cancels a receive that is not complete by now, as a test would say.
    void cancel(request_object &receive);

private:
    void take_back_matches(const request_object &of);
    void take_back(request_object &receive);

    const rank_clock &clock_;
    const known_bounds &bounds_;
    matcher &matcher_;
    matching_state &state_;
};

} // namespace saguaro::mpi
