// SPDX-License-Identifier: MIT
// How synchronous sends are numbered and matched. ../../README.md, "Bounds".
#include "mpi/core/matching/synchronous_sends.hpp"

#include "mpi/core/clock/clock_board.hpp"

namespace saguaro::mpi {

void synchronous_sends::add(request_object &send) {
    receiver &to = to_[send.peer];
    send.number = ++to.sent;
    send.next = nullptr;
    (to.first == nullptr ? to.first : to.last->next) = &send;
    to.last = &send;
    ++unmatched_;
}

void synchronous_sends::was_matched(std::uint32_t by, std::uint32_t number, clock_value when) {
    receiver &to = to_[by];
    request_object *before = nullptr;
    request_object *at = to.first;
    while (at->number != number) {
        before = at;
        at = at->next;
    }
    (before == nullptr ? to.first : before->next) = at->next;
    if (to.last == at)
        to.last = before;
    --unmatched_;
    at->completed = std::max(at->posted, when + latency);
    at->is_complete = true;
}

void synchronous_sends::learn_of_all() {
    for (std::uint32_t r = 0; r < world_.size(); ++r) {
        receiver &to = to_[r];
        if (to.first == nullptr)
            continue;
        to.await_posts = last_to_await_a_post(world_, r, me_);
        to.untold = first_untold_match(world_, r, me_);
    }
}

bool synchronous_sends::is_valid() const {
    std::size_t unmatched = 0;
    for (const receiver &to : to_) {
        std::uint32_t last = 0;
        const request_object *end = nullptr;
        for (const request_object *s = to.first; s != nullptr; s = s->next) {
            if (s->number <= last || s->number > to.sent)
                return false;
            last = s->number;
            end = s;
            ++unmatched;
        }
        if (end != nullptr && end != to.last)
            return false;
    }
    return unmatched == unmatched_;
}

} // namespace saguaro::mpi
