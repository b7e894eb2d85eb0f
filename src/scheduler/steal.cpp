// SPDX-License-Identifier: MIT
// One attempt to steal: choose a victim, take its oldest frame, pay for the fence.
#include "scheduler/steal.hpp"

#include "platform/arch.hpp"
#include "platform/fence.hpp"
#include "platform/no_memory.hpp"
#include "platform/sanitizer.hpp"
#include "scheduler/arena.hpp"
#include "scheduler/continuation.hpp"
#include "scheduler/idle.hpp"
#include "scheduler/merging.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/runtime.hpp"

#include <algorithm>
#include <mutex>
#include <new>

namespace saguaro::scheduler {

namespace {

// A thief that has asked looks for the answer for this part of a fence's time before it tries
// elsewhere: an owner whose steps take 1 µs answers within it.
constexpr std::uint64_t look_part = 4;

// A thief tries again at once if something has changed, but not for ever at one victim.
constexpr int most_tries = 4;

// Whether `d` is where the oldest work of `victim` is: thieves must not take from a newer stack
// while an older one has something, or a flow could stop with unfinished business below it.
//
// Asked with a frame of `d` in hand that cannot be popped: the flow on `d` is running or suspended
// with this frame outstanding. The acquire load that found the frame sees the chain as it was when
// the frame was pushed, and a parent below is popped only after the frame.
bool is_oldest(const worker &victim, const deque &d) {
    const deque *const parent = victim.parents.oldest();
    // A thief that has just moved the chain's head may not have told the child, which must know
    // before anything of the child's own is taken, be it running or suspended itself. That thief
    // holds the lock until it has told. The acquire load of the head in `oldest` pairs with the
    // release in `pass_to`: who sees the head moved sees the lock held, or the child told.
    if (victim.parents.lock.is_held())
        return false;
    if (parent != nullptr)
        return parent == &d;
    // If the stack has gone to another worker since, the frame's push came after that, and so did
    // the store that took `d` from here.
    return victim.active() == &d;
}

// `thief` has something of the flow `from`, which works for `whose`.
void note_theft(worker &thief, worker &victim, const deque &from, const cause &whose) {
    thief.last_robbed = &from;
    begin_for(thief, whose);
    // A read-modify-write would wait for all that this thief has stored.
    counters::bump(victim.count.robbed);
}

// Makes all processors pass a fence, and notes what that takes.
void pay_fence(worker &thief) {
    const std::uint64_t begin = platform::ticks();
    platform::heavy_fence();
    const std::uint64_t taken = platform::ticks() - begin;
    thief.fence_ticks = average_fence(thief.fence_ticks, taken);
}

// For a row of slots whose owner has to see something before more can be taken; `guard` holds the
// row's lock. Asks the owner and looks for its answer for a moment. Pays a fence in place of the
// answer once the owner has had as much time for it as a fence takes, if it is the thief's turn.
// Returns without the lock: whether another try is worth while now.
template <class Row>
bool wait_for_owner(worker &thief, Row &row, std::unique_lock<platform::spin_lock> &guard) {
    const std::uint64_t now = platform::ticks();
    if (row.is_asked() && row.request.is_overdue(now, thief.fence_ticks) &&
        thief.rt.fence_turns.take(now, thief.fence_ticks)) {
        const unsigned request = row.request.begin_fence();
        guard.unlock();
        pay_fence(thief);
        const std::lock_guard again(row.lock);
        row.end_fence(request);
        return true;
    }
    row.ask(now);
    guard.unlock();
    while (row.request.waits() && platform::ticks() - now < thief.fence_ticks / look_part)
        platform::cpu_relax();
    return !row.request.waits();
}

// Tries to win something from a row: `take` is called under its lock.
template <class Row, class Take>
bool try_to_steal(worker &thief, Row &row, Take take) {
    for (int tries = 0; tries < most_tries && row.oldest() != nullptr; ++tries) {
        std::unique_lock guard(row.lock, std::try_to_lock);
        // Another thief is at it, or the owner: there are other victims.
        if (!guard)
            return false;
        switch (take()) {
        case take_result::taken:
        case take_result::shared:
            return true;
        case take_result::asked:
            if (!wait_for_owner(thief, row, guard))
                return false;
            break;
        case take_result::lacking:
            guard.unlock();
            if (!thief.spare_memory.fetch())
                return false;
            break;
        case take_result::exhausted:
        case take_result::refused:
            return false;
        }
    }
    return false;
}

// Takes from the oldest frame of a deque that has any to give. The deque's lock is held.
take_result take_frame(const theft &theft, worker &victim, work &stolen) {
    deque &d = theft.victim;
    for (;;) {
        sg_frame *const frame = d.oldest();
        if (frame == nullptr)
            return take_result::refused;
        if (is_pushed_in_merge(d, frame))
            return take_result::refused;
        // Relaxed: only holders of the lock write it.
        sg_frame **const slot = d.head.load(std::memory_order_relaxed);
        if (!theft.at_rest) {
            if (!d.is_public(slot))
                return take_result::asked;
            if (!is_oldest(victim, d))
                return take_result::refused;
        }
        const cause whose = victim.whose();
        if (!works_for(theft.thief.guest, whose) || !take_place(theft.thief, whose))
            return take_result::refused;
        platform::take_over(slot); // handed over by the program's own sg_push
        const take_result result = frame->site->kind->take(theft, frame, stolen);
        if (result == take_result::exhausted) {
            d.pass_to(slot + 1);
            continue;
        }
        if (result == take_result::taken || result == take_result::shared) {
            d.take_up_to(slot + (result == take_result::taken ? 1 : 0));
            note_theft(theft.thief, victim, d, whose);
        }
        return result;
    }
}

// Takes the continuation of `parent`, the oldest in the victim's chain, which cannot go on by
// itself and has no frames. The chain's lock is held.
take_result take_parent(worker &thief, worker &victim, deque &parent, work &stolen) {
    chain &parents = victim.parents;
    // Relaxed: it was suspended after the mark.
    if (parent.merge_frame.load(std::memory_order_relaxed) != nullptr)
        return take_result::refused;
    // Before it is taken: then the child may end, and the victim work for another root.
    const cause whose = victim.whose();
    if (!works_for(thief.guest, whose) || !take_place(thief, whose))
        return take_result::refused;
    deque &child = *parent.spawned_deque();
    if (!take_continuation(parent, thief.spare_memory))
        return take_result::lacking;
    // Handed over by the program's own publish_parent.
    platform::take_over(parents.head.load(std::memory_order_relaxed));
    parents.take_up_to(parents.head.load(std::memory_order_relaxed) + 1);
    // Not before the chain's head has moved: from now on the child may end without the lock, and
    // its worker push the next parent. Release: pairs with the acquire loads in end_child_by_lock
    // and fail_child.
    child.strand.is_out.store(true, std::memory_order_release);
    stolen.suspended = parent.home();
    note_theft(thief, victim, parent, whose);
    return take_result::taken;
}

// What the thief that takes `parent` will touch was written by the victim, line by line: fetches
// all of them at once, the deque's first slots included.
void prefetch(deque &parent) {
    const char *const home = reinterpret_cast<const char *>(parent.home());
    const char *const end = reinterpret_cast<const char *>(parent.slots() + 1);
    for (const char *line = home; line < end; line += 64)
        __builtin_prefetch(line, 1);
}

// The same for the top of its stack.
void prefetch_frames(deque &parent) {
    const char *const sp = static_cast<const char *>(parent.home()->ctx.sp);
    for (int line = 0; line < 5; ++line)
        __builtin_prefetch(sp + 64 * line, 1);
}

// Lock order: chain, then deque.
bool steal_from_chain(worker &thief, worker &victim, work &stolen) {
    chain &parents = victim.parents;
    if (deque *const parent = parents.oldest())
        prefetch(*parent);
    return try_to_steal(thief, parents, [&] {
        deque *const parent = parents.oldest();
        if (parent == nullptr)
            return take_result::refused;
        if (!parents.is_public(parents.head.load(std::memory_order_relaxed))) {
            // The child may be long in coming to its end; its next pop answers as well.
            if (!parents.is_asked())
                make_ask(victim);
            return take_result::asked;
        }
        prefetch_frames(*parent);
        // As long as the lock is held the parent cannot go on. What it pushed and popped before
        // this spawn is visible.
        if (parent->oldest() != nullptr) {
            const std::lock_guard guard(parent->lock); // against thieves that come late
            const take_result result = take_frame({thief, *parent, true}, victim, stolen);
            if (parent->oldest() != nullptr || result != take_result::refused)
                return result;
        }
        return take_parent(thief, victim, *parent, stolen);
    });
}

// Whom `w` will steal from next, where that is certain.
const worker *only_victim(const worker &w) {
    return w.rt.size() == 2 && w.id < 2 && w.rt.callers().others() == 0 ? &w.rt.worker_at(1 - w.id)
                                                                        : nullptr;
}

// Whom `thief` tries now; null: nobody.
worker *choose_victim(worker &thief) {
    runtime &rt = thief.rt;
    if (!is_shared(rt.size(), rt.seating())) [[unlikely]]
        return nullptr;
    const unsigned callers = rt.callers().others();
    // Then work of any root may be with one of the callers' workers.
    const bool may_be_anywhere = rt.seating().stand_ins.all() != 0 || rt.seating().inside() != 0;
    if (thief.id >= rt.size() && may_be_anywhere) {
        const unsigned chosen = thief.failed_tries++ % (rt.size() + callers);
        return chosen < rt.size() ? &rt.worker_at(chosen)
                                  : rt.callers().other_at(chosen - rt.size());
    }
    if (thief.id >= rt.size()) {
        // It has entered while others were inside: policies do not know it. What it may take is
        // with the runtime's threads.
        const unsigned threads = rt.size() - 1;
        return threads == 0 ? nullptr : &rt.worker_at(1 + thief.failed_tries++ % threads);
    }
    if (callers != 0 && (thief.guest == nullptr || may_be_anywhere) &&
        (thief.tries_caller = !thief.tries_caller))
        return rt.callers().other_at(thief.next_caller++ % callers);
    const int chosen = rt.policy().choose_victim(thief.id, thief.failed_tries++);
    return chosen < 0 ? nullptr : &rt.worker_at(static_cast<unsigned>(chosen));
}

bool steal_from_active(worker &thief, worker &victim, work &stolen) {
    deque *const d = victim.active();
    return d != nullptr &&
           try_to_steal(thief, *d, [&] { return take_frame({thief, *d, false}, victim, stolen); });
}

// Whom to steal from, and the priority of that work, where it is known.
struct chosen_victim {
    worker *who;
    int priority;
};

// Where arenas have priorities: the victim whose work has the highest priority of the work that
// `thief` may take. Of several such victims, it is `first`, the policy's choice, if that is one of
// them. Looks at all workers.
chosen_victim most_urgent(worker &thief, worker *first) {
    chosen_victim best{first, SG_PRIORITY_LOW};
    if (first == nullptr)
        return best;
    unsigned seen = 0;
    thief.rt.any_worker([&](worker &w) {
        const cause whose = w.whose();
        const int priority = priority_of(whose);
        if (&w == &thief || (seen != 0 && priority < best.priority) || !looks_rich(w) ||
            !works_for(thief.guest, whose) || !may_take(&thief, whose))
            return false;
        if (seen == 0 || priority > best.priority) {
            best = {&w, priority};
            seen = 1;
        } else if (&w == first || (best.who != first && thief.failed_tries % ++seen == 0)) {
            best.who = &w;
        }
        return false;
    });
    return best;
}

// Something that is ready and in no deque, of `least` priority or more.
bool take_ready(worker &thief, work &out, int least) {
    cause whose;
    const bool found = thief.rt.ready.take(thief, out, whose, least);
    if (found)
        begin_for(thief, whose);
    finish_move(thief);
    if (found)
        go_to_node(thief);
    return found;
}

// Takes what is oldest in the chain of the calling worker, whose flow is about to park. Nothing of
// it can be popped meanwhile, so it makes no difference whether its slot is public. False: there is
// nothing.
bool take_own_oldest(worker &w, work &out) {
    chain &parents = w.parents;
    for (;;) {
        {
            const std::lock_guard guard(parents.lock);
            deque *const parent = parents.oldest();
            if (parent == nullptr)
                return false;
            take_result result = take_result::refused;
            if (parent->oldest() != nullptr) {
                const std::lock_guard other(parent->lock); // against thieves that come late
                result = take_frame({w, *parent, true}, w, out);
            }
            if (result == take_result::refused && parent->oldest() == nullptr)
                result = take_parent(w, w, *parent, out);
            if (result == take_result::taken || result == take_result::shared)
                return true;
            if (result != take_result::lacking)
                // The function that lies there runs an inlet, or merges views, and must not go on
                // before that has ended.
                refuse_wait(w);
        }
        if (!w.spare_memory.fetch())
            platform::end_without_memory("what a waiting flow leaves to others");
    }
}

// Whether a thread has entered here with a root that nobody has begun.
bool has_root_to_begin(const worker &w) {
    return w.guest != nullptr && !w.guest->begun;
}

} // namespace

std::uint64_t average_fence(std::uint64_t before, std::uint64_t taken) {
    // A fence during which the thief lost its processor says nothing about fences.
    constexpr std::uint64_t most_growth = 2;
    const std::uint64_t allowed = std::min(taken, most_growth * before);
    // Rounded towards what was measured: small numbers would never change.
    const std::uint64_t rounding = allowed > before ? 3 : 0;
    return std::max<std::uint64_t>((3 * before + allowed + rounding) / 4, 1);
}

bool looks_rich(const worker &victim) {
    if (victim.parents.oldest() != nullptr)
        return true;
    const deque *const d = victim.active();
    return d != nullptr && d->oldest() != nullptr;
}

namespace {

// There may be more where `thief` has found something: wakes another thread, if one sleeps; in an
// arena without a free place only if that thread could take something.
void call_another(worker &thief) {
    if (!detail::pushes_are_heard()) [[likely]]
        return;
    if (nodes_matter() && wake_for_what_there_is(thief.rt)) [[unlikely]]
        return;
    if (may_take(nullptr, thief.whose())) [[likely]]
        sg_wake();
    else if (!nodes_matter() && thief.rt.anything_to_do(nullptr, nullptr))
        thief.rt.seating().wake();
}

} // namespace

work find_work(worker &thief) {
    work found;
    make_room(thief);
    const bool begins = has_root_to_begin(thief);
    if (!begins && thief.rt.root_lacks_stack()) [[unlikely]] {
        // That a root begins comes before what a thief might find.
        thief.lacks_stack = true;
        thief.give_stacks();
        return found;
    }
    // Before anything is taken: what is taken must be able to run.
    thief.lacks_stack = !thief.has_stack();
    if (thief.lacks_stack) [[unlikely]] {
        if (!begins)
            return found;
        thief.rt.wait_for_stack(thief);
        thief.lacks_stack = false;
    }
    if (thief.rt.take_root(thief, found))
        return found;
    int least = SG_PRIORITY_LOW;
    worker *urgent = nullptr;
    // A victim may look rich and give nothing, for long: then the policy chooses, every second
    // time.
    if (ranks_matter() && !std::exchange(thief.missed_urgent, false)) [[unlikely]] {
        const chosen_victim best = most_urgent(thief, choose_victim(thief));
        urgent = best.who;
        least = best.priority;
    }
    if (take_ready(thief, found, least))
        return found;
    worker *const chosen = urgent != nullptr ? urgent : choose_victim(thief);
    if (chosen == nullptr)
        return found;
    counters::bump(thief.count.tries);
    worker &victim = *chosen;
    if (&victim == &thief || !looks_rich(victim) || !works_for(thief.guest, victim.whose()) ||
        !may_take(&thief, victim.whose()))
        return found;
    thief.spare_memory.refill();
    bool has_found = steal_from_chain(thief, victim, found);
    finish_move(thief);
    if (!has_found) {
        has_found = steal_from_active(thief, victim, found);
        finish_move(thief);
    }
    if (has_found) {
        counters::bump(thief.count.steals);
        thief.failed_tries = 0;
        if (observer *const o = observer::now())
            o->steals(thief, victim, *thief.last_robbed);
        // Where there was something there may be more, and whoever sleeps does not look.
        call_another(thief);
        go_to_node(thief);
    } else {
        thief.missed = true;
        thief.missed_urgent = urgent != nullptr;
    }
    return found;
}

void leave_parents_to_others() {
    worker &w = *current_worker();
    work found;
    while (take_own_oldest(w, found)) {
        auto *const one = new (std::nothrow) ready_work;
        if (one == nullptr)
            platform::end_without_memory("what a waiting flow leaves to others");
        one->what = found;
        one->of = w.whose();
        one->is_heaped = true;
        one->is_runtimes = w.guest == nullptr;
        make_ready(w.rt, *one);
        w.spare_memory.refill();
        found = {};
    }
}

void fetch_slot_of_only_victim(const worker &w) {
    if (const worker *const victim = only_victim(w))
        // Relaxed: a hint.
        __builtin_prefetch(victim->parents.head.load(std::memory_order_relaxed));
}

void fetch_parent_of_only_victim(const worker &w) {
    if (const worker *const victim = only_victim(w))
        if (deque *const parent = victim->parents.oldest())
            prefetch(*parent);
}

void answer_for_parents(worker &w) {
    chain &parents = w.parents;
    if (!parents.request.waits())
        return;
    const std::lock_guard guard(parents.lock);
    parents.answer(reinterpret_cast<deque **>(SG_REGION_GET(void **, chain)));
}

bool frame_is_gone(deque &d, sg_frame **tail) {
    worker &w = *current_worker();
    bool gone, more;
    {
        const std::lock_guard guard(d.lock);
        gone = d.head.load(std::memory_order_relaxed) > tail;
        if (gone)
            // Thieves take the oldest first, so everything below is gone as well.
            d.restart_at(tail);
        else
            d.answer(tail);
        more = d.oldest() != nullptr;
    }
    answer_for_parents(w);
    if (w.rt.counts)
        counters::bump(w.count.spawns);
    // What an observer hears as a push is one.
    if (more && spawn_observer::now() == nullptr)
        wake_if_any_sleeps();
    return gone;
}

void make_ask(worker &victim) {
    deque *const d = victim.active();
    // Where each spawn is observed, the one worker writes the mark without the lock, and there is
    // no thief.
    if (d == nullptr || spawn_observer::now() != nullptr)
        return;
    const std::lock_guard guard(d->lock);
    d->insist();
}

} // namespace saguaro::scheduler
