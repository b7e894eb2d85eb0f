// SPDX-License-Identifier: MIT
// This rank's synchronous sends, until it is told of their matches.
#pragma once

#include "mpi/core/requests/requests.hpp"
#include "mpi/core/world/world.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::mpi {

class synchronous_sends {
public:
    synchronous_sends(const world &of, std::uint32_t me)
        : world_(of), me_(me), to_(of.capacity()) {}

    // Gives the send its number, from 1 for each receiver. It must live until it is matched.
    void add(request_object &send);
    // The receiver has matched the send of that number, which is complete then.
    void was_matched(std::uint32_t by, std::uint32_t number, clock_value when);

    // Looks what the receivers have told of sends that they have not matched, or have not told. In
    // the same places as the bounds are read: `earliest_match` needs both.
    void learn() {
        if (unmatched_ != 0)
            learn_of_all();
    }

    // The least clock at which the send may be matched. It is matched when it arrives, at the
    // earliest; or, if it waits for a receive that is still to be posted, at a clock above the
    // receiver's bound.
    clock_value earliest_match(const request_object &send, clock_value bound_of_receiver) const {
        const receiver &to = to_[send.peer];
        return std::max(send.posted + latency, send.number <= to.await_posts
                                                   ? std::min(bound_of_receiver + 1, to.untold)
                                                   : 0);
    }

    // The numbers of the sends to a receiver go up, and as many are not matched as it says.
    bool is_valid() const;

private:
    // Synchronous sends to a rank.
    struct receiver {
        request_object *first = nullptr; // not matched, in their order
        request_object *last = nullptr;
        std::uint32_t sent = 0; // the last number
        // Up to this one they waited for receives that were to be posted above the receiver's
        // bound, as it was learned just before, unless the ring says that they were matched; or one
        // of them was matched at that time, which the receiver has not told.
        std::uint32_t await_posts = 0;
        clock_value untold = forever;
    };
    void learn_of_all();

    const world world_;
    const std::uint32_t me_;
    std::vector<receiver> to_;
    std::size_t unmatched_ = 0; // of all
};

} // namespace saguaro::mpi
