// SPDX-License-Identifier: MIT
// What translated C++ functions call off their fast path: entering, frames that end, refused
// spawns.
#include "saguaro/detail/cilk_cxx.hpp"

#include "cilk/c_pedigree.hpp"
#include "saguaro/detail/strand_node.hpp"
#include "saguaro/run.hpp"
#include "scheduler/continuation.hpp"
#include "scheduler/worker.hpp"

#include <memory>

namespace saguaro::detail {

namespace {

// Takes the record from a frame whose children have ended.
class without_record {
public:
    explicit without_record(scope_head &frame) : frame_(frame) {}
    ~without_record() { free_scope(*frame_.take_record()); }
    without_record(const without_record &) = delete;
    without_record &operator=(const without_record &) = delete;

private:
    scope_head &frame_;
};

} // namespace

void enter_by(void (*f)(void *), void *argument) {
    cilk::begin_pedigree();
    run([=] { f(argument); });
}

void end_frame(scope_head &frame) {
    const without_record at_end(frame);
    sync_scope(*frame.record());
}

void leave_frame(scope_head &frame) {
    if (frame.record() != nullptr)
        end_frame(frame);
    throw;
}

stacks::context *refuse_spawn() noexcept {
    scope_head &owner = *scheduler::current_deque()->spawning;
    keep_error(owner, owner.spawned() - 1);
    owner.record()->refused = true;
    return nullptr;
}

void throw_if_refused(scope_head &frame) {
    scope_record &record = *frame.record_of_others();
    if (!record.refused)
        return;
    record.refused = false;
    sync_scope(record);
}

bool begin_here(void *room) noexcept {
    static_assert(sizeof(descend) <= bytes_of_here);
    return !std::construct_at(static_cast<descend *>(room))->cancelled();
}

void end_here(void *room) noexcept {
    std::destroy_at(static_cast<descend *>(room));
}

} // namespace saguaro::detail
