// SPDX-License-Identifier: MIT
// How a rank tells others of matches, and of synchronous sends that none of its receives can take.
#include "mpi/core/matching/match_replies.hpp"

#include <algorithm>
#include <utility>

namespace saguaro::mpi {

void match_replies::note_parked(std::uint32_t source, std::uint32_t number) {
    has_synchronous_ = true;
    from_[source] = std::max(from_[source], number);
    has_unmatched_to_tell_ = true;
}

void match_replies::hold(const match_reply &what) {
    held_.push_back(what);
    first_held_ = std::min(first_held_, what.when);
    has_synchronous_ = true;
    from_[what.to] = std::max(from_[what.to], what.number);
    has_untold_to_tell_ = has_unmatched_to_tell_ = true;
}

bool match_replies::is_held(std::uint32_t to, std::uint32_t number) const {
    return std::any_of(held_.begin(), held_.end(), [&](const match_reply &each) {
        return each.to == to && each.number == number;
    });
}

void match_replies::drop_held(std::uint32_t to, std::uint32_t number) {
    std::erase_if(held_,
                  [&](const match_reply &each) { return each.to == to && each.number == number; });
    has_untold_to_tell_ = has_unmatched_to_tell_ = true;
}

void match_replies::tell_until(clock_value bound) {
    first_held_ = forever;
    std::erase_if(held_, [&](const match_reply &each) {
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

void match_replies::tell(const clock_bounds &known) {
    const clock_value bound = bounds_.of(me_, known);
    if (first_held_ <= bound)
        tell_until(bound);
    if (first_held_ != forever)
        bounds_.wants(first_held_);
}

void match_replies::settle_now() {
    if (is_settling_)
        return;
    is_settling_ = true;
    while (!replies_.empty() || has_unmatched_to_tell_ || has_untold_to_tell_) {
        send_replies();
        // After the records of matches, and before what counts on it.
        if (std::exchange(has_untold_to_tell_, false))
            for (std::uint32_t s = 0; s < world_.size(); ++s)
                if (from_[s] != 0)
                    tell_untold(s);
        if (std::exchange(has_unmatched_to_tell_, false))
            for (std::uint32_t s = 0; s < world_.size(); ++s)
                if (from_[s] != 0)
                    tell_unmatched(s);
    }
    is_settling_ = false;
}

void match_replies::send_replies() {
    for (std::size_t i = 0; i < replies_.size(); ++i) {
        const match_reply r = replies_[i];
        if (out_.begin({0, me_, r.context, 0, r.number, 0}, r.to, kind::matched, 0) != nullptr)
            out_.end(r.to, r.when, true);
    }
    replies_.clear();
}

// Tells a rank whether its synchronous sends wait for a receive that is still to be posted. Before
// the clock of the call that posted one is published, and after the record of a match.
void match_replies::tell_unmatched(std::uint32_t source) {
    const bool may_be_taken =
        posted_.has_wild() && parked_.any_of(source, [&](const envelope &head) {
            return head.is_synchronous() && posted_.is_contested(nullptr, head);
        });
    const std::uint32_t now = may_be_taken ? 0 : from_[source];
    std::atomic<std::uint32_t> &told = world_.unmatched(world_.rank(me_))[source];
    if (told.load(std::memory_order_relaxed) == now)
        return;
    // Release pairs with the acquire in `last_to_await_a_post`.
    told.store(now, std::memory_order_release);
    bounds_.board.say_changed();
}

// Tells a rank when the first of its synchronous sends was matched of which it does not know.
void match_replies::tell_untold(std::uint32_t source) {
    clock_value first = forever;
    for (const match_reply &each : held_)
        if (each.to == source)
            first = std::min(first, each.when);
    const clock_value now = first != forever ? first : 0;
    std::atomic<clock_value> &told = world_.untold(world_.rank(me_))[source];
    if (told.load(std::memory_order_relaxed) == now)
        return;
    // Release pairs with the acquire in `first_untold_match`: a rank that finds a match here no
    // more finds its record, unless it was taken back.
    told.store(now, std::memory_order_release);
    bounds_.board.say_changed();
}

bool match_replies::is_valid() const {
    return std::all_of(held_.begin(), held_.end(), [&](const match_reply &each) {
        return each.when >= first_held_ && each.number <= from_[each.to];
    });
}

} // namespace saguaro::mpi
