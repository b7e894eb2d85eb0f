// SPDX-License-Identifier: MIT
// The shortest way through the Master, which most requests take, inline.
#pragma once

#include "platform/forced_unwind.hpp"
#include "vms/instance.hpp"

namespace saguaro::vms {

// An exception has left the handler. Apart, so that calls of handlers are as short as any.
[[gnu::cold, gnu::noinline]] void fail_by_handler(instance &in, const vp &v, const void *request);

// The rest of `visit`, once the handler has had its calls.
void finish_visit(core &c);

[[gnu::always_inline]] inline void call_handler(instance &in, vp &v, void *request) {
    try {
        platform::call_until_return("handler", [&] { in.plugin.handle(in.state, &v, request); });
    } catch (...) {
        fail_by_handler(in, v, request);
    }
}

inline vp *first_come(instance &in, core &c) {
    vp *const here = c.ready.first();
    vp *const anywhere = in.anywhere.first();
    if (here == nullptr || anywhere == nullptr)
        return here != nullptr ? here : anywhere;
    return here->since <= anywhere->since ? here : anywhere;
}

// `visit` for a request of the VP `v`, the only one in the slots of `c`, where the scheduler is the
// first come and nothing is recorded (`is_plain`). The VP to go on with; null: the slots say which,
// as after a `visit`.
[[gnu::always_inline]] inline vp *visit_plainly(core &c, vp &v, void *request) {
    instance &in = c.owner;
    begin_as_master(c);
    vp *next = nullptr;
    if (!in.has_stopped) [[likely]] {
        v.state = vp_state::blocked;
        ++in.time;
        call_handler(in, v, request);
        next = in.has_stopped ? nullptr : first_come(in, c);
        if (next == nullptr || in.waiting != nullptr) [[unlikely]] {
            next = nullptr;
            --in.animated;
        }
    }
    if (next == nullptr) [[unlikely]] {
        finish_visit(c);
        return nullptr;
    }
    // One VP leaves the slot and one takes it: `filled` and `animated` stay as they are.
    (next->queued_at == SG_VMS_ANYWHERE ? in.anywhere : c.ready).remove_first(*next);
    --in.ready;
    next->state = vp_state::animated;
    ++in.time;
    next->on = &c;
    c.slots[0] = next;
    end_as_master(c);
    return next;
}

} // namespace saguaro::vms
