// SPDX-License-Identifier: MIT
// A virtual processor: what plug-ins see of it (struct sg_vp) and the rest.
#pragma once

#include "saguaro/vms.h"
#include "stacks/stack.hpp"

#include <cstdint>

namespace saguaro::vms {

struct core;

// The states of a VP in virtual time. Each change is made by the Master.
enum class vp_state : std::uint8_t { blocked, ready, animated, dissipated };

struct vp : sg_vp {
    vp_state state = vp_state::blocked;

    // Of the request that was made last: whether the function has returned, and where it was
    // queued. Written by the VP while it runs, by the Master otherwise.
    bool has_returned = false;

    core *on = nullptr;      // where it was animated last
    void *request = nullptr; // what it waits for, while blocked; null: the function has returned

    // Null before it is first animated and after it has ended. Holds where it was suspended.
    stacks::stack *stack = nullptr;

    sg_vms_function function;
    void *argument;

    // In a queue of VPs that are ready.
    vp *before = nullptr;
    vp *after = nullptr;
    unsigned queued_at = SG_VMS_ANYWHERE;
    std::uint64_t since = 0; // the virtual time at which it became ready; 0: ahead of all
};

// For printf.
inline unsigned long long number_of(const vp &v) {
    return static_cast<unsigned long long>(v.number);
}

inline vp &self_of(sg_vp *v) {
    return *static_cast<vp *>(v);
}

inline const vp &self_of(const sg_vp *v) {
    return *static_cast<const vp *>(v);
}

// The VPs that are ready with one place, in the order in which they are to be offered.
class ready_queue {
public:
    vp *first() const { return first_; }

    void add_last(vp &v) {
        v.before = last_;
        v.after = nullptr;
        (last_ ? last_->after : first_) = &v;
        last_ = &v;
    }

    void add_first(vp &v) {
        v.before = nullptr;
        v.after = first_;
        (first_ ? first_->before : last_) = &v;
        first_ = &v;
    }

    void remove(vp &v) {
        (v.before ? v.before->after : first_) = v.after;
        (v.after ? v.after->before : last_) = v.before;
    }

    // `v` is the first one.
    void remove_first(vp &v) {
        first_ = v.after;
        (first_ != nullptr ? first_->before : last_) = nullptr;
    }

private:
    vp *first_ = nullptr;
    vp *last_ = nullptr;
};

} // namespace saguaro::vms
