// SPDX-License-Identifier: MIT
// The frames of parallel_invoke: the thief takes the second closure where it stands, on the stack
// of the flow that runs the first, which waits for it parked.
#include "saguaro/detail/first_error.hpp"
#include "saguaro/detail/stealable.hpp"
#include "scheduler/join.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/steal.hpp"
#include "scheduler/worker.hpp"

#include <exception>
#include <memory>
#include <new>

namespace saguaro::forkjoin {

namespace {

using namespace scheduler;
using detail::closure_frame;

// The strand of a closure that was taken: a part of the record, which the owner ends.
struct closure_strand final : child {
    using child::child;
    void discard() override {}
};

// Made by the thief in the frame, ended by the owner.
struct closure_record {
    join meeting;
    closure_strand strand{meeting};
};

static_assert(sizeof(closure_record) <= sizeof(closure_frame::taken));

closure_record &record_of(closure_frame &frame) {
    return *std::launder(reinterpret_cast<closure_record *>(frame.taken));
}

take_result take_closure(const theft &, sg_frame *head, work &stolen) {
    closure_frame &frame = *reinterpret_cast<closure_frame *>(head);
    auto *const record = new (frame.taken) closure_record;
    record->meeting.add_after_owner(record->strand);
    stolen.body = head->site->kind->resume;
    stolen.argument = head;
    return take_result::taken;
}

void resume_closure(void *argument) {
    sg_frame *const head = static_cast<sg_frame *>(argument);
    closure_record &record = record_of(*reinterpret_cast<closure_frame *>(head));
    try {
        head->site->code(nullptr, nullptr, head);
    } catch (...) {
        record.meeting.error.offer(0, detail::caught_error());
    }
    end_child(record.strand);
}

// In place of a thief: the end of the invocation is then heard, in join_closure.
void run_here(closure_frame &frame) {
    auto *const record = new (frame.taken) closure_record;
    try {
        frame.head.site->code(nullptr, nullptr, &frame.head);
    } catch (...) {
        record->meeting.error.offer(0, detail::caught_error());
    }
}

} // namespace

} // namespace saguaro::forkjoin

const sg_frame_kind sg_closure_frames{"closure", saguaro::forkjoin::take_closure,
                                      saguaro::forkjoin::resume_closure};

namespace saguaro::detail {

bool frame_is_gone(sg_deque *deque, sg_frame **tail) {
    scheduler::deque &d = *static_cast<scheduler::deque *>(deque);
    scheduler::spawn_observer *const o = scheduler::spawn_observer::now();
    if (o == nullptr) [[likely]]
        return scheduler::frame_is_gone(d, tail);
    closure_frame *const frame = o->popped(tail);
    const bool gone = !o->is_only_heard(d, tail) && scheduler::frame_is_gone(d, tail);
    if (frame != nullptr)
        forkjoin::run_here(*frame);
    return gone || frame != nullptr;
}

bool join_closure(void *taken, bool drop_error) {
    // In a handler. Where the C library unwinds to end the thread, the flow may not wait: it could
    // go on in another thread, which would be ended instead.
    if (drop_error)
        static_cast<void>(caught_error());
    auto *const record = std::launder(static_cast<forkjoin::closure_record *>(taken));
    struct ended {
        forkjoin::closure_record *record;
        ~ended() { std::destroy_at(record); }
    } const at_end{record};
    scheduler::spawn_observer *const o = scheduler::spawn_observer::now();
    if (o != nullptr) [[unlikely]]
        o->invocation_ends(taken);
    if (o == nullptr || !record->meeting.is_owners_alone())
        scheduler::sync_owner(record->meeting);
    if (!drop_error)
        record->meeting.error.rethrow();
    return !record->meeting.error.any();
}

} // namespace saguaro::detail
