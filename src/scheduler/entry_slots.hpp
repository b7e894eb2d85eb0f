// SPDX-License-Identifier: MIT
// Where ordinary entries of C functions stand on a stack. An abort does not pass them: below an
// entry there is plain C, which cannot be unwound.
//
// An entry says when it begins, not when it ends. It has ended for sure when a function pops a slot
// below its first, or another entry begins there; until then it may still be on the stack.
#pragma once

#include "saguaro/detail/frame.h"

#include <array>
#include <atomic>

namespace saguaro::scheduler {

// Owner: the flow on the stack. Thieves ask about slots in which they have found a frame: what is
// at or below such a slot does not change while it is there, and was written before the push.
class entry_slots {
public:
    // Owner.
    void clear() { count_.store(0, std::memory_order_relaxed); }

    // Owner: an entry is about to push from `slot` on.
    void enter(sg_frame **slot) {
        const unsigned below = up_to(slot);
        // The last place stands for its slot and all above.
        if (below == capacity || (below != 0 && at(below - 1) == slot)) {
            count_.store(below, std::memory_order_relaxed);
            return;
        }
        slots_[below].store(slot, std::memory_order_relaxed);
        // Release: a thief that sees the count sees the slot.
        count_.store(below + 1, std::memory_order_release);
    }

    // Owner: a function pops `slot`.
    void leave_above(sg_frame **slot) { count_.store(up_to(slot), std::memory_order_relaxed); }

    // The highest slot from which an entry may have pushed that is not above `slot`; null: none.
    sg_frame **at_or_below(sg_frame **slot) const {
        const unsigned below = up_to(slot);
        if (below == 0)
            return nullptr;
        return below == capacity ? slot : at(below - 1);
    }

private:
    // More entries than this are not told apart.
    static constexpr unsigned capacity = 8;

    sg_frame **at(unsigned i) const { return slots_[i].load(std::memory_order_relaxed); }

    // How many are not above `slot`.
    unsigned up_to(sg_frame **slot) const {
        // Acquire: pairs with `enter`.
        unsigned n = count_.load(std::memory_order_acquire);
        while (n != 0 && at(n - 1) > slot)
            --n;
        return n;
    }

    std::atomic<unsigned> count_{0};
    std::array<std::atomic<sg_frame **>, capacity> slots_{};
};

} // namespace saguaro::scheduler
