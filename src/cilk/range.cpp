// SPDX-License-Identifier: MIT
// The frames of parallel_for: the owner counts up, a thief takes the upper half of what is left.
//
// The owner announces the iteration that it enters (next) and then reads how far it may go (limit);
// a thief lowers the limit, makes the owner pass a fence, and then reads where the owner is: the
// same exchange as between pop and steal, so an iteration costs its owner one store and one load.
#include "platform/fence.hpp"
#include "saguaro/stealable.hpp"
#include "scheduler/join.hpp"
#include "scheduler/steal.hpp"
#include "scheduler/worker.hpp"

#include <exception>
#include <memory>
#include <mutex>
#include <new>

namespace saguaro::cilk {

namespace {

using namespace scheduler;
using detail::range_frame;
using detail::range_loop;

// Made by the first thief, freed by the owner.
struct range_record {
    join meeting;
};

// The upper part that a thief has.
struct piece : child {
    piece(join &j, range_loop &l) : child(j), loop(l) {}

    range_loop &loop;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};

void set_limit(range_frame &range, std::uint64_t limit) {
    // Relaxed: ordered by the heavy fence that follows, and by the lock for an owner that asks.
    __atomic_store_n(&range.limit, detail::ask_at_each_step ? 0 : limit, __ATOMIC_RELAXED);
}

std::uint64_t where_is_owner(const range_frame &range) {
    // Relaxed: only the number counts; what the iterations wrote is handed over by the join.
    return __atomic_load_n(&range.next, __ATOMIC_RELAXED);
}

// Cuts the range under the deque's lock: at least one iteration was left beyond `seen`, where the
// owner was seen. Returns where the upper part begins; 0 if the owner was quicker.
std::uint64_t cut(range_frame &range, std::uint64_t seen) {
    const std::uint64_t next = seen + 1;
    const std::uint64_t middle = next + (range.end - next) / 2;
    set_limit(range, middle);
    platform::heavy_fence();
    if (where_is_owner(range) < middle)
        return middle;
    // The owner is past it and may not have noticed: it goes on to the old end.
    set_limit(range, range.end);
    return 0;
}

take_result take_half(worker &, deque &, sg_frame *head, work &loot) {
    range_frame &range = *reinterpret_cast<range_frame *>(head);
    const std::uint64_t seen = where_is_owner(range);
    if (range.end - seen <= 1)
        return take_result::exhausted;
    std::unique_ptr<range_record> fresh;
    if (range.taken == nullptr) {
        fresh.reset(new (std::nothrow) range_record);
        if (fresh == nullptr)
            return take_result::refused;
    }
    join &meeting = static_cast<range_record *>(fresh ? fresh.get() : range.taken)->meeting;
    std::unique_ptr<piece> part(new (std::nothrow) piece(meeting, *range.loop));
    if (part == nullptr)
        return take_result::refused;
    const std::uint64_t middle = cut(range, seen);
    if (middle == 0)
        return take_result::refused;
    part->first = middle;
    part->last = range.end;
    range.end = middle;
    if (fresh)
        range.taken = fresh.release();
    meeting.add_after_owner(*part);
    loot.body = head->site->kind->resume;
    loot.argument = part.release();
    return take_result::shared;
}

void resume_half(void *argument) {
    piece &part = *static_cast<piece *>(argument);
    try {
        part.loop.run(part.loop, part.first, part.last);
    } catch (...) {
        part.parent.error.offer(part.first, std::current_exception());
    }
    end_child(part);
}

const sg_frame_kind range_frames{"range", take_half, resume_half};

} // namespace

} // namespace saguaro::cilk

const sg_site sg_range_site{
    &saguaro::cilk::range_frames, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, nullptr, nullptr};

namespace saguaro::detail {

bool range_goes_on(sg_deque *deque, range_frame &range, std::uint64_t next) {
    const std::lock_guard guard(static_cast<scheduler::deque *>(deque)->lock);
    return next < range.end;
}

void join_range(void *taken, bool drop_error) {
    const std::unique_ptr<cilk::range_record> record(static_cast<cilk::range_record *>(taken));
    scheduler::sync_owner(record->meeting);
    if (!drop_error)
        record->meeting.error.rethrow();
}

} // namespace saguaro::detail
