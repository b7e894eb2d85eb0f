// SPDX-License-Identifier: MIT
// Synchronous sends: who is told of which match, and when. ../../README.md, "Bounds" and "A receive
// that is cancelled".
#include "mpi/core/rank.hpp"

#include <algorithm>
#include <utility>

namespace saguaro::mpi {

void rank::send_synchronously(request_object &send) {
    synchronous_sends &all = synchronous_[send.peer];
    send.number = ++all.sent;
    send.next = nullptr;
    (all.first == nullptr ? all.first : all.last->next) = &send;
    all.last = &send;
    ++unmatched_sends_;
    this->send(send.peer, send.context, send.tag, send.buffer, send.posted, send.number);
}

void rank::was_matched(std::uint32_t by, std::uint32_t number, clock_value when) {
    synchronous_sends &all = synchronous_[by];
    request_object *before = nullptr;
    request_object *at = all.first;
    while (at->number != number) {
        before = at;
        at = at->next;
    }
    (before == nullptr ? all.first : before->next) = at->next;
    if (all.last == at)
        all.last = before;
    --unmatched_sends_;
    at->completed = std::max(at->posted, when + latency);
    at->is_complete = true;
}

// The sender learns of the match when the clock, or the bound of the blocked rank, has come to its
// time: a receive that is cancelled before takes the match back. Others know meanwhile that the
// message has been read, and when it was matched: they derive the sender's bound from that.
void rank::hold_reply(const reply &what) {
    held_replies_.push_back(what);
    first_held_ = std::min(first_held_, what.when);
    has_synchronous_ = true;
    synchronous_from_[what.to] = std::max(synchronous_from_[what.to], what.number);
    has_untold_to_tell_ = has_unmatched_to_tell_ = true;
}

void rank::tell_matches_until(clock_value bound) {
    first_held_ = forever;
    std::erase_if(held_replies_, [&](const reply &each) {
        if (each.when > bound) {
            first_held_ = std::min(first_held_, each.when);
            return false;
        }
        replies_.push_back(each);
        return true;
    });
    has_untold_to_tell_ = true;
    settle();
}

// The rank is about to look whether it may go on, and may not cancel anything at these bounds.
void rank::tell_matches(const clock_bounds &known) {
    const clock_value bound = bound_of(me_, known);
    if (first_held_ <= bound)
        tell_matches_until(bound);
    if (first_held_ != forever)
        wants(first_held_);
}

// What follows from matches and is told to others: not before the list of receives and the queues
// of messages are consistent, for a reply may have to wait for room, and reads rings meanwhile.
void rank::settle_now() {
    if (is_settling_)
        return;
    is_settling_ = true;
    while (!replies_.empty() || has_unmatched_to_tell_ || has_untold_to_tell_) {
        send_replies();
        // Behind the records of matches, and before what counts on it.
        if (std::exchange(has_untold_to_tell_, false))
            for (std::uint32_t s = 0; s < size(); ++s)
                if (synchronous_from_[s] != 0)
                    tell_untold(s);
        if (std::exchange(has_unmatched_to_tell_, false))
            for (std::uint32_t s = 0; s < size(); ++s)
                if (synchronous_from_[s] != 0)
                    tell_unmatched(s);
    }
    is_settling_ = false;
}

void rank::send_replies() {
    for (std::size_t i = 0; i < replies_.size(); ++i) {
        const reply r = replies_[i];
        if (begin_record({0, me_, r.context, 0, r.number, 0}, r.to, kind::matched, 0) != nullptr)
            end_record(r.to, r.when, true);
    }
    replies_.clear();
}

// Tells a rank whether its synchronous sends wait for a receive that is still to be posted. Before
// the clock of the call that posted one is published, and behind the record of a match.
void rank::tell_unmatched(std::uint32_t source) {
    bool may_be_taken = false;
    for (const parked_message *m = parked_[source].first;
         m != nullptr && wild_ != 0 && !may_be_taken; m = m->next)
        may_be_taken = m->head.number != 0 && is_contested(nullptr, m->head);
    const std::uint32_t now = may_be_taken ? 0 : synchronous_from_[source];
    std::atomic<std::uint32_t> &told = world_.unmatched(world_.rank(me_))[source];
    if (told.load(std::memory_order_relaxed) == now)
        return;
    // Release pairs with the acquire in `last_to_await_a_post`.
    told.store(now, std::memory_order_release);
    bounds_.say_changed();
}

// Tells a rank when the first of its synchronous sends was matched of which it does not know.
void rank::tell_untold(std::uint32_t source) {
    clock_value first = forever;
    for (const reply &each : held_replies_)
        if (each.to == source)
            first = std::min(first, each.when);
    const clock_value now = first != forever ? first : 0;
    std::atomic<clock_value> &told = world_.untold(world_.rank(me_))[source];
    if (told.load(std::memory_order_relaxed) == now)
        return;
    // Release pairs with the acquire in `first_untold_match`: who finds a match here no more finds
    // its record, unless it was taken back.
    told.store(now, std::memory_order_release);
    bounds_.say_changed();
}

void rank::learn_unmatched() {
    if (unmatched_sends_ == 0)
        return;
    for (std::uint32_t r = 0; r < size(); ++r) {
        synchronous_sends &to = synchronous_[r];
        if (to.first == nullptr)
            continue;
        to.await_posts = last_to_await_a_post(world_, r, me_);
        to.untold = first_untold_match(world_, r, me_);
    }
}

} // namespace saguaro::mpi
