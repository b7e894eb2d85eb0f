// SPDX-License-Identifier: MIT
// How a rank takes back the matches that the rule does not know of so far.
#include "mpi/core/matching/cancellation.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/core/clock/parked_memory.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/reports/diagnostics.hpp"

#include <cstring>

namespace saguaro::mpi {

// Receives of the same context that took messages which the rule lets arrive later than now, or in
// a replay, later than when it was recorded. The rule knows of none of these matches so far, and no
// rank has been told of one: a match stands of which its sender has been told, in a replay or
// because another thread waits.
void cancellation::take_back_matches(const request_object &of) {
    const bool is_replay = order::by == order::rule::replay;
    const auto is_told = [&](const request_object &r) {
        return r.got_number != 0 && !state_.replies.is_held(r.source, r.got_number);
    };
    parked_vector<request_object *> early;
    process::mine->requests.for_each([&](request_object &r) {
        if (r.what == action::receive && r.is_active && r.is_complete && r.context == of.context &&
            r.can_be_taken_back && (r.completed > clock_.now() || is_replay) && !is_told(r))
            early.push_back(&r);
    });
    for (request_object *const r : early)
        take_back(*r);
}

void cancellation::take_back(request_object &receive) {
    const std::size_t bytes =
        receive.uncut.empty() ? static_cast<std::size_t>(receive.got_bytes) : receive.uncut.size();
    parked_message *const message = make_parked({receive.got_stamp, receive.source, receive.context,
                                                 receive.got_tag, receive.got_number, bytes},
                                                nullptr);
    if (receive.uncut.empty())
        receive.buffer.read(message + 1, bytes);
    else
        std::memcpy(message + 1, receive.uncut.data(), bytes);
    receive.uncut.clear();
    receive.error = 0;
    if (receive.got_number != 0)
        state_.replies.drop_held(receive.source, receive.got_number);
    state_.parked.put_back(*message);
    receive.is_complete = false;
    state_.posted.put_back(receive);
}

void cancellation::cancel(request_object &receive) {
    take_back_matches(receive);
    if (receive.is_complete && order::by == order::rule::replay)
        fail("-order replay: the message of a synchronous send came before MPI_Cancel, and behind "
             "it when this was recorded");
    if (!receive.is_complete) {
        state_.posted.remove(receive);
        receive.is_complete = true;
        receive.is_cancelled = true;
        receive.completed = clock_.now();
    }
    // A message that the wildcard contested may wait for another receive now.
    state_.replies.receives_changed();
    matcher_.match_posted(bounds_.known());
}

} // namespace saguaro::mpi
