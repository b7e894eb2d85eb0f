// SPDX-License-Identifier: MIT
// One processor's stacks, as each of the three designs has them.
#pragma once

#include "stacks/pool.hpp"

#include <array>
#include <cstddef>

namespace saguaro::nanothreads {

// The designs of the paper.
enum class design : unsigned char {
    dsr, // direct stack reuse: who ends leaves its stack to the next that begins
    lsa, // lazy stack allocation: a stack when a thread begins; recycled in a queue
    dos, // descriptor on stack: a stack when a thread is created
};

// The stacks that are allocated before the first thread begins (section 5). Two for each processor
// (DSR), three for all but the first (LSA): of these the one that the processor itself runs on
// comes from the system, and so do not count here P - 1; and one for the main thread.
constexpr std::size_t stacks_at_start(design d, std::size_t processors) {
    const std::size_t all = d == design::dsr   ? 2 * processors
                            : d == design::lsa ? 3 * processors - 1
                                               : processors;
    return all - (processors - 1);
}

// Called by the processor's own thread.
class stack_supply {
public:
    stack_supply(stacks::pool &pool, design d, unsigned processor)
        : cache_(pool, d == design::dos ? stacks::cache::capacity : least_cached), pool_(pool),
          rotates_(d == design::lsa), most_resting_(processor == 0 ? 1 : 2) {}

    ~stack_supply() {
        while (resting_ > 0)
            pool_.give(take());
    }

    stack_supply(const stack_supply &) = delete;
    stack_supply &operator=(const stack_supply &) = delete;

    // Takes from the pool what the design gives the processor from the start.
    void fill() {
        while (rotates_ && resting_ < most_resting_) {
            stacks::stack *const s = pool_.take();
            if (s == nullptr)
                return;
            rest(s);
        }
    }

    // A stack on which nothing runs. Null if the system gives no more.
    stacks::stack *take() {
        if (!rotates_)
            return cache_.take();
        if (resting_ == 0)
            return pool_.take();
        stacks::stack *const oldest = queue_[0];
        queue_[0] = queue_[1];
        --resting_;
        return oldest;
    }

    // Takes back a stack on which nothing runs.
    void give(stacks::stack *s) {
        if (!rotates_)
            cache_.give(s);
        else if (resting_ == most_resting_)
            pool_.give(s);
        else
            rest(s);
    }

private:
    // The smallest cache, so that no processor keeps the stacks that another was to have.
    static constexpr unsigned least_cached = 2;

    void rest(stacks::stack *s) { queue_[resting_++] = s; }

    stacks::cache cache_;
    stacks::pool &pool_;
    const bool rotates_;
    // LSA's recycling queue, oldest first: the stack of a thread that ended rests while the next
    // one runs on another. The first processor has only one, for which it does not wait: its stack
    // is back before it takes one.
    const unsigned most_resting_;
    unsigned resting_ = 0;
    std::array<stacks::stack *, 2> queue_{};
};

} // namespace saguaro::nanothreads
