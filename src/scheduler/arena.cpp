// SPDX-License-Identifier: MIT
// Arenas: taking places and giving them back, and the functions of arena.h.
#include "scheduler/arena.hpp"

#include "scheduler/runtime.hpp"
#include "scheduler/stand_ins.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace saguaro::scheduler {

namespace {

// Guards the lists. A leaf. Constant initializers: static arenas of the program's may be made
// before ours.
constinit platform::spin_lock lists;
sg_arena *free_arenas = nullptr;
sg_arena *newest_arena = nullptr;

[[noreturn]] void refuse_arena(const char *what) {
    std::fprintf(stderr, "saguaro: %s\n", what);
    std::abort();
}

// A place is free again. One was too few before: a thread that found none may sleep. `mine`: how
// many of the calls that are under way are the caller's, and over.
void give_back(runtime &rt, sg_arena &there, unsigned mine) {
    // Sequentially consistent, all: pairs with idleness::stop_working, as a push does. A thread
    // that falls asleep is counted in sg_hear_pushes, makes all pass a fence, and looks: either it
    // sees the place, or it is seen here. Where no other call is under way there is nothing to
    // take; one that begins afterwards finds the place.
    const unsigned before = there.here.fetch_sub(1, std::memory_order_seq_cst);
    if (before == there.most.load(std::memory_order_relaxed) &&
        there.calls.load(std::memory_order_seq_cst) > mine &&
        __atomic_load_n(&sg_hear_pushes, __ATOMIC_SEQ_CST) != 0)
        rt.seating().wake();
}

// More threads are there than places: one of them leaves, and no more than have to. No place is
// free then.
bool leaves_a_crowd(sg_arena &there) {
    // Relaxed, all: a count.
    unsigned now = there.here.load(std::memory_order_relaxed);
    while (now > there.most.load(std::memory_order_relaxed))
        if (there.here.compare_exchange_weak(now, now - 1, std::memory_order_relaxed))
            return true;
    return false;
}

} // namespace

bool has_place(const worker &w, const sg_arena &there) {
    for (const worker *each = &w; each != nullptr; each = each->around)
        if (each->place == &there || (each->guest != nullptr && each->guest->home == &there))
            return true;
    return false;
}

bool take_place(worker &thief, const cause &whose) {
    sg_arena *const there = arena_of(whose);
    if (thief.place == there)
        return true;
    if (thief.left != nullptr)
        return false; // one move at a time
    if (there == nullptr || has_place(thief, *there))
        return true;
    // Relaxed, all: a count. The work itself is taken under a lock.
    unsigned now = there->here.load(std::memory_order_relaxed);
    do {
        if (now >= there->most.load(std::memory_order_relaxed))
            return false;
    } while (!there->here.compare_exchange_weak(now, now + 1, std::memory_order_relaxed));
    thief.left = std::exchange(thief.place, there);
    return true;
}

void begin_for(worker &thief, const cause &whose) {
    if (thief.place != nullptr && thief.place != arena_of(whose))
        thief.left = std::exchange(thief.place, nullptr);
    thief.work_for(whose);
}

void finish_move(worker &thief) {
    if (thief.left != nullptr) [[unlikely]]
        give_back(thief.rt, *std::exchange(thief.left, nullptr), 0);
}

void make_room(worker &thief) {
    if (thief.place == nullptr) [[likely]]
        return;
    if (leaves_a_crowd(*thief.place))
        thief.place = nullptr;
    else if (thief.guest != nullptr)
        leave_arena(thief);
}

void give_place(worker &w) {
    // Sequentially consistent: see give_back.
    if (w.place != nullptr) [[unlikely]]
        std::exchange(w.place, nullptr)->here.fetch_sub(1, std::memory_order_seq_cst);
}

void leave_arena(worker &w) {
    // In the child of a fork no place counts that it had before.
    if (w.place != nullptr && !w.rt.alone()) [[unlikely]]
        give_back(w.rt, *std::exchange(w.place, nullptr), 0);
}

void add_caller(sg_arena &there) {
    there.here.fetch_add(1, std::memory_order_seq_cst); // see give_back
}

void remove_caller(runtime &rt, sg_arena &there) {
    give_back(rt, there, 1);
}

platform::spin_lock &arenas_lock() {
    return lists;
}

void forget_places() {
    // Relaxed: there is one thread.
    for (sg_arena *each = newest_arena; each != nullptr; each = each->older) {
        each->here.store(0, std::memory_order_relaxed);
        each->calls.store(0, std::memory_order_relaxed);
    }
}

namespace {

// A call of sg_arena_run.
class call_in {
public:
    explicit call_in(sg_arena *there) : there_(there) {
        if (there == nullptr)
            refuse_arena("sg_arena_run: the arena is null");
        // Sequentially consistent, both: pairs with sg_arena_destroy, one of the two sees the
        // other; and see give_back.
        there->calls.fetch_add(1, std::memory_order_seq_cst);
        if (!there->exists.load(std::memory_order_seq_cst))
            refuse_arena("sg_arena_run: the arena is destroyed");
    }
    ~call_in() {
        // Release: pairs with sg_arena_destroy.
        if (forks_so_far() == forks_)
            there_->calls.fetch_sub(1, std::memory_order_release);
    }
    call_in(const call_in &) = delete;
    call_in &operator=(const call_in &) = delete;

private:
    sg_arena *const there_;
    const unsigned forks_ = forks_so_far();
};

} // namespace

} // namespace saguaro::scheduler

using namespace saguaro::scheduler;

extern "C" {

sg_arena *sg_arena_create(unsigned workers) {
    if (workers == 0) {
        std::fputs("saguaro: an arena for 0 workers; 1 or more\n", stderr);
        errno = EINVAL;
        return nullptr;
    }
    sg_arena *made = nullptr;
    {
        const std::lock_guard guard(lists);
        made = free_arenas;
        if (made != nullptr)
            free_arenas = made->next;
    }
    if (made == nullptr) {
        made = new (std::nothrow) sg_arena;
        if (made == nullptr) {
            errno = ENOMEM;
            return nullptr;
        }
        const std::lock_guard guard(lists);
        made->older = std::exchange(newest_arena, made);
    }
    made->most.store(workers, std::memory_order_relaxed);
    made->exists.store(true, std::memory_order_seq_cst);
    return made;
}

void sg_arena_run(sg_arena *arena, void (*function)(void *), void *argument) {
    if (function == nullptr)
        refuse_arena("sg_arena_run: the function is null");
    const call_in this_call(arena);
    worker *const w = current_worker();
    if (w == nullptr) {
        const held_runtime workers;
        workers->isolated.enter_from_outside(function, argument, *arena, workers.is_alone());
        return;
    }
    refuse_if_blocking(*w);
    if (!w->rt.isolated.enter(*w, function, argument, arena))
        function(argument);
}

unsigned sg_arena_workers(const sg_arena *arena) {
    return arena == nullptr ? 0 : arena->most.load(std::memory_order_relaxed);
}

void sg_arena_destroy(sg_arena *arena) {
    if (arena == nullptr)
        return;
    // Sequentially consistent, both: pairs with call_in.
    if (!arena->exists.exchange(false, std::memory_order_seq_cst))
        refuse_arena("sg_arena_destroy: the arena is destroyed already");
    if (arena->calls.load(std::memory_order_seq_cst) != 0)
        refuse_arena(
            "an arena is destroyed while something runs in it; wait until sg_arena_run, or "
            "saguaro::arena::run, has returned");
    const std::lock_guard guard(lists);
    arena->next = std::exchange(free_arenas, arena);
}
}
