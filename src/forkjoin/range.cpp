// SPDX-License-Identifier: MIT
// The frames of parallel_for: the owner counts up, a thief takes the upper half of what is left.
//
// The owner announces the iteration that it enters (next) and then reads how far it may go without
// asking (limit). While thieves are about, the owner keeps the limit in the middle of what is left,
// so that a thief can take the upper half at once. Otherwise the limit is the end, and a thief asks
// by a limit of 0. An iteration costs its owner one store and one load.
#include "platform/arch.hpp"
#include "saguaro/detail/first_error.hpp"
#include "saguaro/detail/stealable.hpp"
#include "scheduler/join.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/steal.hpp"
#include "scheduler/worker.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <new>

namespace saguaro::forkjoin {

namespace {

using namespace scheduler;
using detail::range_frame;
using detail::range_loop;

// Made by the first thief, freed by the owner.
struct range_record : in_steal_memory {
    join meeting;
};

// The upper part that a thief has.
struct piece : child, in_steal_memory {
    piece(join &j, range_loop &l, std::uint64_t from, std::uint64_t to)
        : child(j), loop(l), first(from), last(to) {}

    range_loop &loop;
    const std::uint64_t first;
    const std::uint64_t last;
};

// The blocks of the thief's steal_memory.
enum block_of : unsigned { for_piece, for_record };

// Relaxed, all: what orders them is the lock, or a heavy fence; see where_cut_begins.
std::uint64_t limit_of(const range_frame &range) {
    return __atomic_load_n(&range.limit, __ATOMIC_RELAXED);
}

void set_limit(range_frame &range, std::uint64_t limit) {
    __atomic_store_n(&range.limit, limit, __ATOMIC_RELAXED);
}

std::uint64_t where_is_owner(const range_frame &range) {
    // Only the number counts; what the iterations wrote is handed over by the join.
    return __atomic_load_n(&range.next, __ATOMIC_RELAXED);
}

// The middle of what is left behind iteration `now`.
std::uint64_t middle_behind(std::uint64_t now, std::uint64_t end) {
    const std::uint64_t next = now + 1;
    return next + (end - next) / 2;
}

// Where the part begins that a thief can take, the owner having been seen in iteration `seen`; the
// range's end if the thief cannot take any now.
//
// The owner asks before it enters an iteration from `limit` on, which it announces in `next` first.
// So what is above the limit can be taken if the owner is certain to see this limit. It is if the
// owner has written it, which is where the limit is not 0. A thief writes 0 and nothing else, and
// with that a request that lasts until the owner has held the lock, or until all processors have
// passed a fence.
std::uint64_t where_cut_begins(const theft &theft, const range_frame &range, std::uint64_t seen) {
    const std::uint64_t middle = middle_behind(seen, range.end);
    if (theft.at_rest || detail::ask_at_each_step)
        return middle;
    const std::uint64_t limit = limit_of(range);
    if (limit == 0)
        return theft.victim.is_asked() ? range.end : middle;
    return std::min(std::max(limit, middle), range.end);
}

// The owner shall let something go: it asks before its next iteration. The slot is public, so the
// owner cannot end the loop and use the frame's memory for something else without the lock.
void ask_owner(const theft &theft, range_frame &range) {
    if (limit_of(range) == 0)
        return; // it has been asked
    set_limit(range, 0);
    theft.victim.ask_anew(platform::ticks());
}

take_result take_half(const theft &theft, sg_frame *head, work &stolen) {
    range_frame &range = *reinterpret_cast<range_frame *>(head);
    // One reading for both: the owner may go on between two.
    const std::uint64_t seen = where_is_owner(range);
    if (range.end - seen <= 1)
        return take_result::exhausted;
    const std::uint64_t from = where_cut_begins(theft, range, seen);
    if (from == range.end) {
        ask_owner(theft, range);
        return take_result::asked;
    }
    steal_memory &spare_memory = theft.thief.spare_memory;
    if (!spare_memory.have(sizeof(piece), range.taken == nullptr ? sizeof(range_record) : 0))
        return take_result::lacking;
    if (range.taken == nullptr)
        range.taken = new (spare_memory.take(for_record)) range_record;
    join &meeting = static_cast<range_record *>(range.taken)->meeting;
    auto *const part =
        new (spare_memory.take(for_piece)) piece(meeting, *range.loop, from, range.end);
    range.end = from;
    if (limit_of(range) > from)
        set_limit(range, from); // the owner is suspended
    meeting.add_after_owner(*part);
    stolen.body = head->site->kind->resume;
    stolen.argument = part;
    return take_result::shared;
}

void resume_half(void *argument) {
    piece &part = *static_cast<piece *>(argument);
    try {
        part.loop.run(part.loop, part.first, part.last);
    } catch (...) {
        part.parent->error.offer(part.first, detail::caught_error());
    }
    end_child(part);
}

const sg_frame_kind range_frames{"range", take_half, resume_half};

} // namespace

} // namespace saguaro::forkjoin

const sg_site sg_range_site{
    &saguaro::forkjoin::range_frames, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, nullptr, nullptr};

namespace saguaro::detail {

bool range_goes_on(sg_deque *deque, range_frame &range, std::uint64_t next) {
    scheduler::deque &d = *static_cast<scheduler::deque *>(deque);
    scheduler::answer_for_parents(*scheduler::current_worker());
    std::unique_lock guard(d.lock);
    d.answer(d.head.load(std::memory_order_relaxed));
    if (next >= range.end)
        return false;
    if (scheduler::spawn_observer *const o = scheduler::spawn_observer::now()) {
        guard.unlock(); // it may do input or output, and there is no thief
        forkjoin::set_limit(range, o->loop_goes_on(d.tail - 1, next, range.end));
        return true;
    }
    if (!ask_at_each_step)
        forkjoin::set_limit(range, d.expects_thieves() ? forkjoin::middle_behind(next, range.end)
                                                       : range.end);
    return true;
}

void join_range(void *taken, bool drop_error) {
    // In a handler. Where the C library unwinds to end the thread, the flow may not wait: it could
    // go on in another thread, which would be ended instead.
    if (drop_error)
        static_cast<void>(caught_error());
    const std::unique_ptr<forkjoin::range_record> record(
        static_cast<forkjoin::range_record *>(taken));
    scheduler::sync_owner(record->meeting);
    if (!drop_error)
        record->meeting.error.rethrow();
}

} // namespace saguaro::detail
