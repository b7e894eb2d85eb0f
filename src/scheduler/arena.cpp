// SPDX-License-Identifier: MIT
// Arenas: taking places and giving them back, and the functions of arena.h.
#include "scheduler/arena.hpp"

#include "numa/near.hpp"
#include "platform/thread.hpp"
#include "saguaro/place.h"
#include "scheduler/runtime.hpp"
#include "scheduler/settings.hpp"
#include "scheduler/stand_ins.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace saguaro::scheduler {

constinit special_calls arena_calls;

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
        rt.seating().wake(0, there.node.load(std::memory_order_relaxed));
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

int node_of(const worker &w) {
    if (outermost(w).stands_in)
        return everywhere;
    return w.thought_node != SG_ANY_NODE
               ? w.thought_node
               : numa::node_number(w.node.load(std::memory_order_relaxed));
}

namespace {

bool may_help(const worker &w, const sg_arena &there) {
    if (!there.has_node())
        return true;
    const int node = node_of(w);
    return node == everywhere || node == there.node.load(std::memory_order_relaxed);
}

} // namespace

bool may_take_in(const sg_arena &there, const taker &one) {
    if (one.who != nullptr && has_place(*one.who, there))
        return true;
    if (there.is_full())
        return false;
    if (one.who != nullptr)
        return may_help(*one.who, there);
    return one.node == SG_ANY_NODE || one.node == everywhere || !there.has_node() ||
           one.node == there.node.load(std::memory_order_relaxed);
}

bool wake_for_what_there_is(runtime &rt) {
    seats &all = rt.seating();
    for (std::optional<int> node = all.next_node_asleep({}); node;
         node = all.next_node_asleep(node))
        if (rt.anything_to_do(nullptr, taker::on(*node)) && all.wake(0, *node))
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
    if (!may_help(thief, *there))
        return false;
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

void go_to_node(const worker &thief) {
    if (!thief.stands_in || thief.thought_node != SG_ANY_NODE) [[likely]]
        return;
    const int wanted = wanted_node(thief.whose());
    if (wanted != SG_ANY_NODE && wanted != numa::node_number(numa::node_index_here()))
        platform::start_on_cpu(numa::cpu_of_node(wanted));
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
    arena_calls.on_nodes.store(0, std::memory_order_relaxed);
    arena_calls.ranked.store(0, std::memory_order_relaxed);
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
        count_special(1);
    }
    ~call_in() {
        if (forks_so_far() != forks_)
            return;
        count_special(-1U);
        // Release: pairs with sg_arena_destroy.
        there_->calls.fetch_sub(1, std::memory_order_release);
    }
    call_in(const call_in &) = delete;
    call_in &operator=(const call_in &) = delete;

private:
    void count_special(unsigned by) {
        // Sequentially consistent: see nodes_matter.
        if (there_->has_node())
            arena_calls.on_nodes.fetch_add(by, std::memory_order_seq_cst);
        if (there_->has_priority())
            arena_calls.ranked.fetch_add(by, std::memory_order_relaxed);
    }

    sg_arena *const there_;
    const unsigned forks_ = forks_so_far();
};

// The nodes that arenas may name, ascending: those of the machine that is described, or else those
// that take part.
std::vector<int> known_nodes() {
    std::vector<int> nodes;
    if (const auto machine = machine_of(settings_or_defaults())) {
        for (const int cpu : machine->cpus())
            if (const int node = machine->node_of(cpu); node >= 0)
                nodes.push_back(node);
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        return nodes;
    }
    nodes.resize(sg_place_nodes(nullptr, 0));
    sg_place_nodes(nodes.data(), nodes.size());
    return nodes;
}

bool is_known_node(int node) {
    if (node == SG_ANY_NODE)
        return true;
    const std::vector<int> nodes = known_nodes();
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

} // namespace

} // namespace saguaro::scheduler

using namespace saguaro::scheduler;

extern "C" {

sg_arena *sg_arena_create(unsigned workers) {
    return sg_arena_create_for(workers, SG_ANY_NODE, SG_PRIORITY_NORMAL);
}

sg_arena *sg_arena_create_for(unsigned workers, int node, int priority) {
    const char *const wrong =
        workers == 0 ? "an arena for 0 workers; 1 or more"
        : priority < SG_PRIORITY_LOW || priority > SG_PRIORITY_HIGH
            ? "an arena's priority is SG_PRIORITY_LOW, SG_PRIORITY_NORMAL or SG_PRIORITY_HIGH"
            : nullptr;
    if (wrong != nullptr) {
        std::fprintf(stderr, "saguaro: %s\n", wrong);
        errno = EINVAL;
        return nullptr;
    }
    try {
        if (!is_known_node(node)) {
            std::fprintf(stderr,
                         "saguaro: an arena on node %d; sg_arena_nodes lists those there are\n",
                         node);
            errno = EINVAL;
            return nullptr;
        }
    } catch (const std::bad_alloc &) {
        errno = ENOMEM;
        return nullptr;
    }
    sg_arena *made = nullptr;
    {
        // Not one where a thread still has a place, which it took by the former node.
        const std::lock_guard guard(lists);
        sg_arena **at = &free_arenas;
        while (*at != nullptr && (*at)->here.load(std::memory_order_relaxed) != 0)
            at = &(*at)->next;
        made = *at;
        if (made != nullptr)
            *at = made->next;
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
    made->node.store(node, std::memory_order_relaxed);
    made->priority.store(priority, std::memory_order_relaxed);
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

int sg_arena_node(const sg_arena *arena) {
    return arena == nullptr ? SG_ANY_NODE : arena->node.load(std::memory_order_relaxed);
}

int sg_arena_priority(const sg_arena *arena) {
    return arena == nullptr ? SG_PRIORITY_NORMAL : arena->priority.load(std::memory_order_relaxed);
}

size_t sg_arena_nodes(int *nodes, size_t room) {
    try {
        const std::vector<int> all = known_nodes();
        std::copy_n(all.begin(), std::min(room, all.size()), nodes);
        return all.size();
    } catch (const std::bad_alloc &) {
        return 0;
    }
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
