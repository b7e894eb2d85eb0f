// SPDX-License-Identifier: MIT
// Roots inside others, and in arenas: a thread works for one part of its root only, until that is
// done.
#pragma once

#include "platform/spin_lock.hpp"
#include "scheduler/cause.hpp"

namespace saguaro::scheduler {

class runtime;
struct worker;

// The roots inside others of one runtime. isolation.md has the protocol.
class isolation {
public:
    explicit isolation(runtime &rt) : rt_(rt) {}
    ~isolation();
    isolation(const isolation &) = delete;
    isolation &operator=(const isolation &) = delete;

    // Calls function(argument) as a root inside that of `w`, the calling worker, and returns on the
    // same thread when it is done. Until then the thread works for this root only. The root is in
    // `arena`; null: where the one around it is. False: it has not been called, for the thread does
    // nothing else in any case. Ends the program with one line if there is no memory or no stack.
    bool enter(worker &w, void (*function)(void *), void *argument, sg_arena *arena);

    // Calls function(argument) in `arena` as the root of a thread that enters: runtime::enter.
    void enter_from_outside(void (*function)(void *), void *argument, sg_arena &arena, bool alone);

    // Begins such a root, on its flow.
    static void run(void *argument);

private:
    nesting *take(const nesting *outer, sg_arena *in);
    void give(nesting &done);

    runtime &rt_;
    platform::spin_lock lock_; // a leaf
    nesting *free_ = nullptr;
};

} // namespace saguaro::scheduler
