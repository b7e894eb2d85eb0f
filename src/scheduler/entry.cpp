// SPDX-License-Identifier: MIT
// The way in: the one runtime of a process, and the functions of saguaro.h.
#include "hyperobjects/ending.hpp"
#include "platform/forks.hpp"
#include "platform/lent_threads.hpp"
#include "platform/process.hpp"
#include "platform/processors.hpp"
#include "platform/sanitizer.hpp"
#include "platform/variables.hpp"
#include "saguaro/detail/spawn.hpp"
#include "saguaro/detail/stealable.hpp"
#include "saguaro/run.hpp"
#include "scheduler/fork.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/profile.hpp"
#include "scheduler/runtime.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

namespace saguaro::scheduler {

namespace {

// Guards the starting of runtimes and which one there is. Not held while one ends: destructors of
// the program's thread_local objects run then.
std::mutex lock;

// The one that ends; the next one starts after it. Written under the lock.
std::atomic<runtime *> the_ending{nullptr};

// Whether this thread was a runtime's own and has left it.
thread_local bool thread_ends = false;

// Written under the lock. Who enters holds it without: see held_runtime.
std::atomic<runtime *> the_runtime{nullptr};

// What the end of the process has left as it was: may_be_left. Written under the lock.
std::atomic<runtime *> the_left{nullptr};

// Who holds it, in the lower half, and how many ever did, in the upper one.
std::atomic<std::uint64_t> holders{0};
constexpr std::uint64_t one_holder = (std::uint64_t{1} << 32) + 1;

// In the child of a fork: the runtimes whose threads exist in the parent only. They cannot be
// destroyed, because the forking flow may run on one of their stacks.
runtime *left_behind = nullptr;

// Written where there is one thread.
unsigned forks = 0;

// What the region outside shows as the deque: its first slot looks full, so that code which pushes
// asks where the free one is, and learns that there is no worker. A branch that is needed anyway.
sg_frame *outside_slot = reinterpret_cast<sg_frame *>(&outside_slot);
// A constant initializer: constructors of the program's may run before ours.
sg_frame **const above_all = reinterpret_cast<sg_frame **>(UINTPTR_MAX);
detail::spawn_deque outside_deque{
    {above_all, nullptr, &outside_slot}, nullptr, nullptr, &detail::no_task, nullptr, 0};

} // namespace

// Not of this file alone: what contains a displaced copy may have its constructors called before
// those of the copy that it uses, and this is that one's.
[[gnu::noinline]] void show_outside_deque() {
    hyperobjects::outside_head()->header.deque = &outside_deque;
}

namespace {

// Before any constructor of the program's that might be parallel.
[[gnu::constructor(101)]] void show_outside_deque_first() {
    show_outside_deque();
}

void print_statistics(const sg_statistics &s, unsigned workers) {
    std::fprintf(
        stderr,
        "saguaro: %u workers: %llu spawns, %llu steals of %llu tries, %llu full frames, "
        "%llu parks, %llu sleeps, %llu stacks\n"
        "saguaro: reducers: %llu views, %llu transferals, %llu merges, %llu reduces\n"
        "saguaro: seconds, all workers: %.3f working, %.3f stealing, %.3f sleeping\n"
        "saguaro: seconds for reducers: %.6f creation, %.6f insertion, %.6f transferal, "
        "%.6f merge\n",
        workers, static_cast<unsigned long long>(s.spawns),
        static_cast<unsigned long long>(s.steals), static_cast<unsigned long long>(s.tries),
        static_cast<unsigned long long>(s.full_frames), static_cast<unsigned long long>(s.parks),
        static_cast<unsigned long long>(s.sleeps), static_cast<unsigned long long>(s.stacks),
        static_cast<unsigned long long>(s.views), static_cast<unsigned long long>(s.transferals),
        static_cast<unsigned long long>(s.merges), static_cast<unsigned long long>(s.reduces),
        s.work_seconds, s.steal_seconds, s.sleep_seconds, s.creation_seconds, s.insertion_seconds,
        s.transferal_seconds, s.merge_seconds);
}

// Nothing in a program that does not measure it.
void print_profile() {
    const profile_totals p = totals_of_profile();
    if (p.work != 0)
        std::fprintf(stderr, "saguaro: seconds: %.6f work, %.6f critical path; parallelism %.3f\n",
                     static_cast<double>(p.work) * 1e-9, static_cast<double>(p.path) * 1e-9,
                     p.parallelism());
}

bool prints_statistics() {
    const char *const value = platform::value_of(variables::stats);
    return value != nullptr && std::strcmp(value, "1") == 0;
}

// Takes the lock where no runtime ends.
std::unique_lock<std::mutex> lock_between_runtimes() {
    for (;;) {
        std::unique_lock guard(lock);
        // Acquire: pairs with the release in stop_the_runtime; the old one is gone.
        runtime *const ending = the_ending.load(std::memory_order_acquire);
        if (ending == nullptr)
            return guard;
        guard.unlock();
        the_ending.wait(ending, std::memory_order_acquire);
    }
}

// Whether the calling thread may neither start workers nor stop them. It may be that none run: in
// the child of a fork that a task has made, the task goes on without.
bool belongs_to_workers() {
    return current_worker() != nullptr || thread_ends;
}

// Whether the workers need not end before the process does. Where the library is not the program's
// it may be about to be unloaded, with the code that the threads run.
bool may_be_left(const runtime &ending) {
    return have_done_nothing(ending) && !prints_statistics() &&
           !platform::is_looked_at_in_the_end() && platform::program_uses_this_library();
}

int stop_the_runtime(bool at_exit) {
    if (belongs_to_workers())
        return EBUSY;
    std::unique_lock guard = lock_between_runtimes();
    if (roots_under_way() != 0)
        return EBUSY;
    // Sequentially consistent, both: pairs with held_runtime. Either that sees that there is none
    // any more and waits for the lock, or it is counted here.
    runtime *ending = the_runtime.exchange(nullptr, std::memory_order_seq_cst);
    if (roots_under_way() != 0) {
        the_runtime.store(ending, std::memory_order_release);
        return EBUSY;
    }
    if (at_exit && ending != nullptr && may_be_left(*ending))
        the_left.store(std::exchange(ending, nullptr), std::memory_order_relaxed);
    else if (!at_exit && ending == nullptr)
        ending = the_left.exchange(nullptr, std::memory_order_relaxed);
    if (ending == nullptr)
        return 0;
    if (prints_statistics()) {
        print_statistics(ending->statistics(), ending->size());
        print_profile();
    }
    the_ending.store(ending, std::memory_order_relaxed);
    guard.unlock();
    delete ending;
    // Release: pairs with lock_between_runtimes.
    the_ending.store(nullptr, std::memory_order_release);
    the_ending.notify_all();
    return 0;
}

// For reducers that are destroyed while the process ends. In the child of a fork there is no
// runtime, but the task that forked may go on.
bool any_run_is_under_way() {
    if (current_worker() != nullptr)
        return true;
    // Whoever holds the lock starts or stops the workers, or forks.
    const std::unique_lock guard(lock, std::try_to_lock);
    // Relaxed: under the lock.
    return !guard.owns_lock() || roots_under_way() != 0 ||
           the_ending.load(std::memory_order_relaxed) != nullptr;
}

// Whether stop_at_exit is going to be called. Guarded by the lock.
bool stops_at_exit = false;

// A program that ends while a worker runs it (exit in a task) leaves the workers to the kernel.
void stop_at_exit(void *) {
    {
        const std::lock_guard guard(lock);
        // Exit handlers that were registered earlier run later, and may start workers once more.
        stops_at_exit = false;
    }
    stop_the_runtime(true);
    // A run is under way.
    if (observer *const o = observer::now())
        o->process_ends(current_worker() != nullptr);
}

void before_fork() {
    lock.lock();
    lock_for_fork();
}

void after_fork_in_parent() {
    unlock_after_fork();
    lock.unlock();
}

// The next sg_run starts workers of the child's own.
void after_fork_in_child() {
    ++forks;
    unlock_after_fork();
    forget_observers();
    forget_others();
    // Relaxed: there is one thread.
    for (std::atomic<runtime *> *const each : {&the_runtime, &the_ending, &the_left})
        if (runtime *const old = each->exchange(nullptr, std::memory_order_relaxed)) {
            old->left_behind = left_behind;
            left_behind = old;
        }
    holders.store(0, std::memory_order_relaxed);
    lock.unlock();
}

// Before anybody can hold the lock: a fork that begins without these handlers, while another thread
// starts the workers, would leave it locked in the child.
// After the stacks' handlers (102): what is registered later is called first, so that these locks
// are taken before the stacks'.
[[gnu::constructor(103)]] void handle_forks() {
    platform::at_forks(before_fork, after_fork_in_parent, after_fork_in_child);
}

// The lock is held: destructors of the program's do not run on the threads of what was left. Throws
// what the constructor throws.
void start_locked(const settings &chosen, std::unique_ptr<steal_policy> policy) {
    delete the_left.exchange(nullptr, std::memory_order_relaxed);
    // Release: pairs with held_runtime.
    the_runtime.store(new runtime(chosen, std::move(policy)), std::memory_order_release);
    hyperobjects::ask_for_runs(any_run_is_under_way);
    if (!stops_at_exit)
        stops_at_exit = platform::at_exit(stop_at_exit);
}

// What the program was compiled with, and what it wants. Throws bad_setting.
void check(const settings &s) {
    if (const char *const why = platform::refusal_of_sanitizer())
        throw bad_setting(why);
    platform::check_processors(s);
}

[[noreturn]] void give_up_starting(const char *why) {
    std::fprintf(stderr, "saguaro: cannot start one worker: %s\n", why);
    std::_Exit(2);
}

// What a program says instead of the environment. Throws bad_setting.
void apply(settings &s, const sg_options &o) {
    if (o.workers != 0)
        set(s, variables::workers.name, std::to_string(o.workers));
    if (o.stack_bytes != 0)
        set(s, variables::stack_size.name, std::to_string(o.stack_bytes));
    if (o.policy != nullptr)
        set(s, variables::policy.name, o.policy);
    if (o.statistics != 0)
        set(s, variables::stats.name, std::to_string(o.statistics));
    if (o.cpus != nullptr)
        set(s, platform::variables::cpus.name, o.cpus);
}

} // namespace

unsigned roots_under_way() {
    return static_cast<std::uint32_t>(holders.load(std::memory_order_seq_cst));
}

std::uint32_t roots_so_far() {
    return static_cast<std::uint32_t>(holders.load(std::memory_order_seq_cst) >> 32);
}

namespace {

// If check() does not accept a setting, the default stands in, or the program ends.
template <class Check>
void check_or_default(settings &s, const platform::setting &which, Check check) {
    try {
        check();
    } catch (const bad_setting &bad) {
        platform::exit_or_warn(bad.what());
        set(s, which.name, which.fallback);
    }
}

// The sanitizer's own reports tell the rest, if the program is not ours to end.
void warn_of_sanitizer(const char *why) {
    platform::exit_if_linked(why);
    std::fprintf(stderr, "saguaro: %s\n", why);
}

// The lock is held. Where the system refuses threads or memory, fewer workers do, with a warning:
// half of what could be had, since the program needs some itself. Without even one it ends.
void start_as_many_as_possible(settings s) {
    const unsigned wanted = s.workers;
    unsigned possible = wanted;
    std::array<char, 200> why{}; // needs no memory
    const auto keep = [&](const char *reason) {
        std::snprintf(why.data(), why.size(), "%s", reason);
    };
    for (;; s.workers = std::max(possible / 2, 1U)) {
        possible = s.workers;
        try {
            start_locked(s, make_policy(s.policy, machine_of(s)));
            break;
        } catch (const refused_thread &refused) {
            possible = refused.workers;
            keep(refused.what());
        } catch (const std::bad_alloc &) { // whose text is the type's name
            keep("no memory for what they need");
        } catch (const std::exception &refused) {
            keep(refused.what());
        }
        if (s.workers == 1)
            give_up_starting(why.data());
    }
    if (s.workers != wanted)
        std::fprintf(stderr, "saguaro: only %u of %u workers (SAGUARO_WORKERS): %s\n", s.workers,
                     wanted, why.data());
}

// For a thread that ends.
std::unique_ptr<runtime> start_alone() {
    try {
        settings s = settings_or_defaults();
        s.workers = 1;
        s.cpus.clear();
        s.is_observed = false;
        return std::make_unique<runtime>(s, make_policy(s.policy, machine_of(s)));
    } catch (const std::exception &refused) {
        give_up_starting(refused.what());
    }
}

runtime *start_and_hold() {
    const std::unique_lock guard = lock_between_runtimes();
    if (the_runtime.load(std::memory_order_relaxed) == nullptr) {
        if (const char *const why = platform::refusal_of_sanitizer())
            warn_of_sanitizer(why);
        try {
            settings s = settings_or_defaults();
            check_or_default(s, platform::variables::cpus, [&] { platform::check_processors(s); });
            check_or_default(s, variables::record, [&] { prepare_observers(s); });
            start_as_many_as_possible(s);
        } catch (const std::bad_alloc &) {
            give_up_starting("no memory for the settings");
        }
    }
    holders.fetch_add(one_holder, std::memory_order_relaxed);
    return the_runtime.load(std::memory_order_relaxed);
}

} // namespace

held_runtime::held_runtime() {
    // Sequentially consistent, both: pairs with stop_the_runtime, and with idleness.
    const std::uint64_t before = holders.fetch_add(one_holder, std::memory_order_seq_cst);
    is_alone_ = static_cast<std::uint32_t>(before) == 0;
    runtime_ = the_runtime.load(std::memory_order_seq_cst);
    if (runtime_ != nullptr) [[likely]]
        return;
    holders.fetch_sub(1, std::memory_order_relaxed);
    if (thread_ends)
        own_ = start_alone();
    runtime_ = thread_ends ? own_.get() : start_and_hold();
}

held_runtime::~held_runtime() {
    // Nobody holds what a fork has left behind, and what a thread that ends has of its own.
    if (!runtime_->alone() && own_ == nullptr)
        // Release: pairs with stop_the_runtime; nothing of the runtime is touched after it ends.
        holders.fetch_sub(1, std::memory_order_release);
}

namespace {

// Throws bad_setting in a program that was not linked with the library.
settings environment_or_exit() {
    try {
        return settings_from_environment();
    } catch (const bad_setting &bad) {
        platform::exit_if_linked(bad.what());
        throw;
    }
}

} // namespace

int start_with(const settings &chosen, std::unique_ptr<steal_policy> policy) {
    const std::unique_lock guard = lock_between_runtimes();
    if (running() != nullptr)
        return EBUSY;
    try {
        start_locked(chosen, std::move(policy));
    } catch (const std::exception &) {
        return EAGAIN;
    }
    return 0;
}

int start_with(const char *function, const sg_options *options,
               std::unique_ptr<steal_policy> policy) {
    if (belongs_to_workers())
        return EBUSY;
    try {
        settings s = environment_or_exit();
        const std::unique_lock guard = lock_between_runtimes();
        if (options != nullptr)
            apply(s, *options);
        check(s);
        if (running() != nullptr)
            return EBUSY;
        prepare_observers(s);
        if (policy == nullptr)
            policy = make_policy(s.policy, machine_of(s));
        start_locked(s, std::move(policy));
    } catch (const bad_setting &bad) {
        std::fprintf(stderr, "saguaro: %s: %s\n", function, bad.what());
        return EINVAL;
    } catch (const std::exception &) {
        return EAGAIN;
    }
    return 0;
}

void note_that_thread_ends() {
    thread_ends = true;
}

bool this_thread_ends() {
    return thread_ends;
}

unsigned forks_so_far() {
    return forks;
}

runtime *running() {
    // Acquire: pairs with start_locked.
    return the_runtime.load(std::memory_order_acquire);
}

} // namespace saguaro::scheduler

namespace saguaro {

void start(const options &chosen) {
    const sg_options plain{chosen.workers, chosen.stack_bytes, chosen.policy, chosen.statistics,
                           chosen.cpus};
    if (const int error = sg_start(&plain))
        throw std::system_error(error, std::generic_category(), "saguaro::start");
}

void start() {
    start(options());
}

void stop() {
    if (const int error = sg_stop())
        throw std::system_error(error, std::generic_category(), "saguaro::stop");
}

namespace detail {

bool ask_at_each_step = false;

SG_BEGIN_STANDARD_LIBRARY
sg_frame **search_free_slot(sg_deque *deque) {
    if (deque == &scheduler::outside_deque)
        return nullptr;
    return static_cast<scheduler::deque *>(deque)->find_tail();
}
SG_END_STANDARD_LIBRARY

} // namespace detail

} // namespace saguaro

using namespace saguaro::scheduler;

extern "C" {

void sg_run(void (*function)(void *), void *argument) {
    if (current_worker() != nullptr) {
        function(argument);
        return;
    }
    const held_runtime workers;
    root r;
    r.function = function;
    r.argument = argument;
    workers->enter(r, workers.is_alone());
}

int sg_start(const sg_options *options) {
    return start_with("sg_start", options, nullptr);
}

int sg_stop(void) {
    const int error = stop_the_runtime(false);
    if (error == 0)
        saguaro::platform::end_resting_threads();
    return error;
}

unsigned sg_workers(void) {
    // Where one worker does everything, and no other can be started.
    const worker *const w = current_worker();
    if (thread_ends || (w != nullptr && w->rt.alone()))
        return 1;
    const std::lock_guard guard(lock);
    const runtime *const rt = running();
    return rt != nullptr ? rt->size() : settings_or_defaults().workers;
}

int sg_worker_id(void) {
    const worker *const w = current_worker();
    return w == nullptr ? -1 : static_cast<int>(w->id);
}

void sg_get_statistics(sg_statistics *out) {
    const std::lock_guard guard(lock);
    const runtime *const rt = running();
    *out = rt != nullptr ? rt->statistics() : sg_statistics{};
}
}
