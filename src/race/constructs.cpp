// SPDX-License-Identifier: MIT
// What the constructs tell: children, calls, syncs.
#include "race/accesses.hpp"
#include "race/detector.hpp"
#include "race/views.hpp"
#include "saguaro/detail/race.h"

using namespace saguaro::race;

namespace {

// The child's frames are gone: whoever has that part of the stack next comes upon no accesses.
void forget_stack_below(address high) {
    if (now.stack_touched >= high || high > now.stack_high)
        return;
    forget(now.stack_touched, high - now.stack_touched);
    now.stack_touched = high;
}

} // namespace

extern "C" {

void sg_race_begin_child(const void *spawned_at) {
    if (now.tree->next() == atomic_bit) [[unlikely]]
        give_up("the program has more than 2147483646 children: give it a smaller input");
    const strand parent = now.self;
    now.self = now.tree->begin_child();
    now.forget_kin();
    now.births[now.self] = {parent, static_cast<std::uint32_t>(address_of(spawned_at))};
    pass_views_down(now.tree->depth());
}

void sg_race_end_child(const void *stack) {
    pass_views_up(now.tree->depth(), true);
    forget_stack_below(address_of(stack));
    now.tree->end_child();
    now.self = now.tree->current();
    now.forget_kin();
}

void sg_race_begin_call() {
    now.tree->begin_call();
    now.forget_kin();
    pass_views_down(now.tree->depth());
}

void sg_race_end_call() {
    pass_views_up(now.tree->depth(), false);
    now.tree->end_call();
    now.forget_kin();
}

void sg_race_sync() {
    sync_views(now.tree->depth());
    now.tree->sync();
    now.forget_kin();
}

[[gnu::noinline]] void sg_race_read(const void *at, size_t bytes) {
    SG_READS(at, bytes);
}

[[gnu::noinline]] void sg_race_write(const void *at, size_t bytes) {
    SG_WRITES(at, bytes);
}

void sg_race_forget(const void *at, size_t bytes) {
    if (shadow_begin != nullptr)
        forget(address_of(at), bytes);
}

void sg_race_off() {
    ++now.off;
}

void sg_race_on() {
    --now.off;
}
}
