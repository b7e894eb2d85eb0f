// SPDX-License-Identifier: MIT
// The frames of parallel_invoke: the thief takes the second closure where it stands, on the stack
// of the flow that runs the first, which waits for it parked.
#include "saguaro/stealable.hpp"
#include "scheduler/join.hpp"
#include "scheduler/steal.hpp"
#include "scheduler/worker.hpp"

#include <exception>
#include <memory>
#include <new>

namespace saguaro::cilk {

namespace {

using namespace scheduler;
using detail::closure_frame;

// Made by the thief, freed by the owner.
struct closure_record {
    closure_record(closure_frame &taken) : frame(taken) {}

    join meeting;
    closure_frame &frame;
    child *strand = nullptr;
};

take_result take(worker &, deque &, sg_frame *head, work &loot) {
    closure_frame &frame = *reinterpret_cast<closure_frame *>(head);
    std::unique_ptr<closure_record> record(new (std::nothrow) closure_record(frame));
    if (record == nullptr)
        return take_result::refused;
    record->strand = new (std::nothrow) child(record->meeting);
    if (record->strand == nullptr)
        return take_result::refused;
    record->meeting.add_after_owner(*record->strand);
    loot.body = head->site->kind->resume;
    loot.argument = record.get();
    frame.taken = record.release();
    return take_result::taken;
}

void resume(void *argument) {
    closure_record &record = *static_cast<closure_record *>(argument);
    try {
        record.frame.head.site->code(nullptr, nullptr, &record.frame.head);
    } catch (...) {
        record.meeting.error.offer(0, std::current_exception());
    }
    end_child(*record.strand);
}

} // namespace

} // namespace saguaro::cilk

const sg_frame_kind sg_closure_frames{"closure", saguaro::cilk::take, saguaro::cilk::resume};

namespace saguaro::detail {

bool frame_is_gone(sg_deque *deque, sg_frame **tail) {
    return scheduler::frame_is_gone(*static_cast<scheduler::deque *>(deque), tail);
}

bool join_closure(void *taken, bool drop_error) {
    const std::unique_ptr<cilk::closure_record> record(static_cast<cilk::closure_record *>(taken));
    scheduler::sync_owner(record->meeting);
    if (!drop_error)
        record->meeting.error.rethrow();
    return !record->meeting.error.any();
}

} // namespace saguaro::detail
