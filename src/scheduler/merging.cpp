// SPDX-License-Identifier: MIT
// The mark of a merge, and a deque for the loop that merges.
#include "scheduler/merging.hpp"

#include "hyperobjects/flows.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

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
    // Relaxed, both: this flow alone writes it; pairs with is_pushed_in_merge.
    before_ = at_->merge_frame.load(std::memory_order_relaxed);
    at_->merge_frame.store(this, std::memory_order_relaxed);
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

void refuse_wait(const worker &w) {
    const sg_reducer *const joined = w.views.joined;
    const std::string who = joined == nullptr ? "an inlet"
                                              : "a monoid's function, called for " +
                                                    hyperobjects::description_of(joined) + ",";
    std::fprintf(stderr,
                 "saguaro: %s waits for a task_group or for a scope made outside of any run; wait "
                 "elsewhere\n",
                 who.c_str());
    std::abort();
}

} // namespace saguaro::scheduler
