// SPDX-License-Identifier: MIT
// While a worker merges views: what the monoids' functions spawn stays with it.
//
// A merge walks through maps that belong to the worker, so it cannot go on on another. Yet the
// functions of a monoid are the program's, and may spawn. Where the merge begins, the flow's deque
// gets a mark, the address of an object in the frame of the merge. Thieves leave alone what was
// pushed below that: frames at lower addresses, and the flow itself where it is suspended in a
// spawn. They may take what is older. So the spawns of a monoid's function are calls, in effect.
//
// The loop of a worker merges as well, where a flow that has parked was the last to arrive; it has
// no deque, and gets that of an empty stack for so long.
#pragma once

#include "scheduler/worker.hpp"

namespace saguaro::scheduler {

// A local variable of the function that merges, on the calling worker.
class merging {
public:
    explicit merging(worker &w);
    ~merging();
    merging(const merging &) = delete;
    merging &operator=(const merging &) = delete;

private:
    worker &w_;
    deque *at_;
    bool is_lent_ = false;
    const void *before_ = nullptr;
};

// Ends the process with one line: a monoid's function that a merge on `w` calls, or an inlet, waits
// for what others run. The line names the reducer.
[[noreturn]] void refuse_wait(const worker &w);

// Does that if the calling worker's loop has called the program's code: no flow could park.
inline void refuse_wait_without_flow() {
    if (current_deque() == nullptr)
        refuse_wait(*current_worker());
}

// Does that if the flow on `d`, which is about to park on `w`, merges.
inline void refuse_wait_in_merge(const worker &w, const deque &d) {
    // Relaxed: this flow has written it.
    if (d.merge_frame.load(std::memory_order_relaxed) != nullptr) [[unlikely]]
        refuse_wait(w);
}

// Whether the frame at this address was pushed by a monoid's function on the flow of `d`. Called
// with the frame in hand, which cannot be popped.
inline bool is_pushed_in_merge(const deque &d, const void *frame) {
    // Relaxed: the push, which was seen, came after the mark.
    const void *const mark = d.merge_frame.load(std::memory_order_relaxed);
    return mark != nullptr && frame < mark;
}

} // namespace saguaro::scheduler
