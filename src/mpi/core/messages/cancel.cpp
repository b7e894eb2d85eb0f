// SPDX-License-Identifier: MIT
// MPI_Cancel: ../../README.md, "A receive that is cancelled".
#include "mpi/core/clock/order.hpp"
#include "mpi/core/clock/parked_memory.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/core/requests/generalized_requests.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace saguaro::mpi {

// Receives of the same context that took messages which the rule lets arrive later than now, or in
// a replay, later than when it was recorded. The rule knows of none of these matches so far, and
// nobody has been told of one: a match stands of which its sender has been told, in a replay or
// because another thread waits.
void rank::take_back_matches(request_object &of) {
    const bool is_replay = order::by == order::rule::replay;
    const auto is_told = [&](const request_object &r) {
        return r.got_number != 0 &&
               std::none_of(held_replies_.begin(), held_replies_.end(), [&](const reply &each) {
                   return each.to == r.source && each.number == r.got_number;
               });
    };
    parked_vector<request_object *> early;
    process::mine->requests.for_each([&](request_object &r) {
        if (r.what == action::receive && r.is_active && r.is_complete && r.context == of.context &&
            (is_early(r) || (is_replay && r.can_be_taken_back)) && !is_told(r))
            early.push_back(&r);
    });
    for (request_object *const r : early)
        take_back(*r);
}

void rank::take_back(request_object &receive) {
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
    if (receive.got_number != 0) {
        std::erase_if(held_replies_, [&](const reply &each) {
            return each.to == receive.source && each.number == receive.got_number;
        });
        has_untold_to_tell_ = has_unmatched_to_tell_ = true;
    }
    queue &q = parked_[receive.source];
    parked_message **at = &q.first;
    while (*at != nullptr &&
           (is_collective((*at)->head.context) || (*at)->head.stamp < receive.got_stamp))
        at = &(*at)->next;
    message->next = *at;
    *at = message;
    if (message->next == nullptr)
        q.last = message;
    receive.is_complete = false;
    request_object **link = &posted_;
    while (*link != nullptr && (*link)->posted < receive.posted)
        link = &(*link)->next;
    receive.next = *link;
    *link = &receive;
    if (receive.next == nullptr)
        posted_end_ = &receive.next;
    wild_ += receive.is_wild() ? 1 : 0;
}

void rank::cancel(request_object &receive) {
    take_back_matches(receive);
    if (receive.is_complete && order::by == order::rule::replay)
        fail("-order replay: the message of a synchronous send came before MPI_Cancel, and behind "
             "it when this was recorded");
    if (!receive.is_complete) {
        remove_posted(receive);
        receive.is_complete = true;
        receive.is_cancelled = true;
        receive.completed = clock_;
    }
    // A message that the wildcard contested may wait for another receive now.
    has_unmatched_to_tell_ = has_unmatched_to_tell_ || has_synchronous_;
    match_posted(known_);
}

namespace core {

int cancel(request *which) {
    request_object *const found = process::mine->requests.find(*which);
    if (found == nullptr || !found->is_active || found->partitions != nullptr)
        return abi::err_request;
    if (found->what == action::generalized)
        return ask_program_to_cancel(*found);
    // Of a collective the program has to learn the end.
    if (found->what == action::joint)
        return abi::err_request;
    // An error of the request is one of the wait for it.
    if (!is_complete_now(*found, "MPI_Cancel") && found->what == action::receive)
        rank::mine->cancel(*found);
    rank::mine->publish();
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
