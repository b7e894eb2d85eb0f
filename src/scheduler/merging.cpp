// SPDX-License-Identifier: MIT
// The mark of a merge, and a deque for the loop that merges.
#include "scheduler/merging.hpp"

namespace saguaro::scheduler {

merging::merging(worker &w) : w_(w), at_(w.active()) {
    if (at_ == nullptr) {
        stacks::stack *const empty = w.at_hand.take();
        if (empty == nullptr)
            return; // a monoid's function that spawns finds no deque
        at_ = deque_of(empty);
        at_->reset();
        is_lent_ = true;
        activate(w, at_);
    }
    // Relaxed: pairs with is_pushed_in_merge.
    before_ = at_->merge_frame.exchange(this, std::memory_order_relaxed);
}

merging::~merging() {
    if (at_ == nullptr)
        return;
    at_->merge_frame.store(before_, std::memory_order_relaxed);
    if (!is_lent_)
        return;
    activate(w_, nullptr);
    give_spares(w_, *at_);
    w_.at_hand.give(at_->home());
}

} // namespace saguaro::scheduler
