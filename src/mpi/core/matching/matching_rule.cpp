// SPDX-License-Identifier: MIT
// How a rank decides by the clocks of others: ../../README.md, "The rule".
#include "mpi/core/matching/matching_rule.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/core/communicators/communicators.hpp"

#include <algorithm>

namespace saguaro::mpi {

// each(source) for all ranks that may send what it receives, until one is false.
template <class Each>
bool matching_rule::all_senders(const request_object &receive, Each each) const {
    if (!receive.is_wild())
        return each(receive.peer);
    for (const std::uint32_t source : receive.on->peers().members)
        if (!each(source))
            return false;
    return true;
}

std::uint32_t matching_rule::only_sender(const request_object &receive) {
    if (!receive.is_wild())
        return receive.peer;
    static_assert(order::nobody_yet == any_rank);
    if (order::by == order::rule::replay && receive.wildcard != 0)
        return order::source_of(receive.wildcard, receive.tag);
    return any_rank;
}

const parked_message *matching_rule::best_for(const request_object &receive) const {
    if (order::by == order::rule::replay && receive.wildcard != 0) [[unlikely]] {
        const std::uint32_t source = order::source_of(receive.wildcard, receive.tag);
        return source == order::nobody_yet ? nullptr : parked_.first_from(source, receive);
    }
    const parked_message *best = nullptr;
    all_senders(receive, [&](std::uint32_t source) {
        const parked_message *const m = parked_.first_from(source, receive);
        if (m != nullptr && (best == nullptr || m->head.stamp < best->head.stamp ||
                             (m->head.stamp == best->head.stamp &&
                              comes_before(world_, source, best->head.source))))
            best = m;
        return true;
    });
    return best;
}

bool matching_rule::is_first(const request_object &receive, const envelope &e,
                             const clock_bounds &known) {
    if (!order::is_by_clock()) [[unlikely]]
        return true;
    bool is_certain = true;
    all_senders(receive, [&](std::uint32_t source) {
        // If one of its messages is here, the later ones are later still, and this came before.
        if (source == e.source || parked_.first_from(source, receive) != nullptr)
            return true;
        const clock_value next = bound_of(source, known) + 1;
        if (next < e.stamp || (next == e.stamp && comes_before(world_, source, e.source))) {
            is_certain = false;
            wants(e.stamp - 1);
        }
        return true;
    });
    return is_certain;
}

bool matching_rule::none_until(const request_object &receive, clock_value until,
                               const clock_bounds &known) {
    if (!order::is_by_clock()) [[unlikely]]
        return true;
    bool is_certain = true;
    all_senders(receive, [&](std::uint32_t source) {
        const parked_message *const m = parked_.first_from(source, receive);
        const clock_value arrival =
            (m != nullptr ? m->head.stamp : bound_of(source, known) + 1) + latency;
        if (arrival <= until) {
            is_certain = false;
            wants(until - latency);
        }
        return true;
    });
    return is_certain;
}

matching_rule::answer matching_rule::is_complete_at(const request_object &what, clock_value when,
                                                    const clock_bounds &known) {
    if (!order::is_by_clock()) [[unlikely]]
        return what.is_complete ? answer::yes : answer::no;
    if (what.is_complete)
        return what.completed <= when ? answer::yes : answer::no;
    // Only a later call of this rank ends one of the program's own, or makes the last partition
    // ready.
    if (what.posted > when || what.what == action::generalized ||
        what.what == action::send_partitions)
        return answer::no;
    if (what.what == action::receive)
        return none_until(what, when, known) ? answer::no : answer::undecided;
    if (what.what == action::joint) {
        // One part that is late suffices.
        for (const request_object &part : what.joint->receives)
            if (is_complete_at(part, when, known) == answer::no)
                return answer::no;
        return answer::undecided;
    }
    // A synchronous send: the rank learns of the match 1 later.
    if (sends_.earliest_match(what, bound_of(what.peer, known)) + latency > when)
        return answer::no;
    wants(when - latency);
    return answer::undecided;
}

void matching_rule::describe(const request_object &what, blockage &out) const {
    if (what.what == action::joint) {
        // All parts have to come, so any one that has not come bounds the end.
        const auto &parts = what.joint->receives;
        describe(*std::find_if(parts.begin(), parts.end(),
                               [](const request_object &part) { return !part.is_complete; }),
                 out);
        return;
    }
    if (what.what == action::generalized)
        return; // no other rank ends it
    if (what.what == action::synchronous_send) {
        out.add_match(what.peer, what.number);
        return;
    }
    if (what.what == action::send_partitions)
        return;
    // A sleeping rank reads only what the one rank sends that it heeds. Another rank believes that
    // this one is blocked only if it has read all messages of the ranks that it waits for.
    if (const std::uint32_t only = only_sender(what); only == any_rank)
        all_senders(what, [&](std::uint32_t source) {
            if (source != me_)
                out.waits_for.add(source);
            return true;
        });
    else if (only != me_)
        out.waits_for.add(only);
    if (is_collective(what.context)) {
        out.hop = hop_of_collective;
        return;
    }
    // A named receive that no wildcard contests has taken what has come for it.
    if (!posted_.has_wild() && !what.is_wild())
        return;
    if (const parked_message *const m = best_for(what))
        out.candidate = std::min(out.candidate, m->head.stamp);
}

} // namespace saguaro::mpi
