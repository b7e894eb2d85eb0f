// SPDX-License-Identifier: MIT
// The rule as it stands for this rank: which message goes first, and what is certain at which
// bounds.
#pragma once

#include "mpi/core/clock/known_bounds.hpp"
#include "mpi/core/matching/parked_messages.hpp"
#include "mpi/core/matching/posted_receives.hpp"
#include "mpi/core/matching/synchronous_sends.hpp"
#include "mpi/core/world/world.hpp"

#include <cstdint>

namespace saguaro::mpi {

// It changes nothing but the bound that is wanted. ../../README.md, "Which receive takes a
// message".
class matching_rule {
public:
    matching_rule(const world &of, std::uint32_t me, known_bounds &bounds,
                  const posted_receives &posted, const parked_messages &parked,
                  const synchronous_sends &sends)
        : world_(of), me_(me), bounds_(bounds), posted_(posted), parked_(parked), sends_(sends) {}

    // The receive's message of least stamp and source that has come and fits; null.
    const parked_message *best_for(const request_object &receive) const;
    // The rank whose message alone can complete it: the named source, in a replay the recorded one.
    // `any_rank`: others can as well.
    static std::uint32_t only_sender(const request_object &receive);
    // As `posted_receives` has it.
    bool is_contested(const request_object *before, const envelope &e) const {
        return posted_.is_contested(before, e);
    }
    // Whether no message that fits can come that is earlier than this.
    bool is_first(const request_object &receive, const envelope &e, const clock_bounds &known);
    // Whether no message that fits arrives at this clock or before, those that have come included.
    bool none_until(const request_object &receive, clock_value until, const clock_bounds &known);

    // Whether the request is complete at this clock; undecided if more has to be known.
    enum class answer { no, yes, undecided };
    answer is_complete_at(const request_object &what, clock_value when, const clock_bounds &known);

    // What a request that is not complete waits for.
    void describe(const request_object &what, blockage &out) const;

    // As `known_bounds` has them.
    clock_value bound_of(std::uint32_t source, const clock_bounds &known) const {
        return bounds_.of(source, known);
    }
    void wants(clock_value bound) { bounds_.wants(bound); }

private:
    template <class Each>
    bool all_senders(const request_object &receive, Each each) const;

    const world world_;
    const std::uint32_t me_;
    known_bounds &bounds_;
    const posted_receives &posted_;
    const parked_messages &parked_;
    const synchronous_sends &sends_;
};

} // namespace saguaro::mpi
