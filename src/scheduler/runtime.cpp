// SPDX-License-Identifier: MIT
#include "scheduler/runtime.hpp"

#include "platform/arch.hpp"
#include "platform/cpus.hpp"
#include "platform/fence.hpp"
#include "platform/futex.hpp"
#include "platform/thread.hpp"
#include "saguaro/stealable.hpp"
#include "scheduler/idle.hpp"
#include "scheduler/steal.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

namespace saguaro::scheduler {

namespace {

stacks::runner this_worker(const stacks::stack &) {
    const int id = sg_worker_id();
    return {id >= 0, false, static_cast<std::uintptr_t>(id)};
}

// Thieves that come too late look at the deques. Whether pops always ask, these know from when they
// were built or last used: what another runtime has left is not for one that differs.
constexpr stacks::purpose for_flows{"SAGUARO_STACK_SIZE", "worker", deque::build, true,
                                    this_worker};
constexpr stacks::purpose for_flows_that_ask = for_flows;

// Worker i's processor, or -1: with more workers than processors the kernel places them.
std::vector<int> places(const settings &s) {
    std::vector<int> cpus = platform::allowed_cpus();
    if (!s.pin || s.workers > cpus.size())
        return std::vector<int>(s.workers, -1);
    cpus.resize(s.workers);
    return cpus;
}

// What must be decided before the first stack is mapped. Returns whether all pops ask.
bool prepare_fences(const settings &s) {
    const bool asymmetric = platform::fence_init(s.asymmetric_fences);
    const bool always = !asymmetric || s.statistics;
    ask_at_every_pop(always);
    detail::ask_at_each_step = !asymmetric;
    return always;
}

// Of a heavy fence when other workers run, from one while they do not.
std::uint64_t estimate_fence() {
    constexpr std::uint64_t dearer = 8;
    const std::uint64_t since = platform::ticks();
    platform::heavy_fence();
    return dearer * (platform::ticks() - since) + 1;
}

} // namespace

runtime::runtime(const settings &chosen, std::unique_ptr<steal_policy> policy)
    : settings_(chosen), asks_always_(prepare_fences(chosen)), first_fence_ticks_(estimate_fence()),
      policy_(std::move(policy)),
      stacks_(stacks::shape::for_frames(chosen.stack_bytes, deque::bytes(chosen.stack_bytes),
                                        sizeof(deque)),
              asks_always_ ? for_flows_that_ask : for_flows) {
    // Without one stack nothing could be begun, and nobody would say so.
    stacks::stack *const first = stacks_.take();
    if (first == nullptr)
        throw std::system_error(ENOMEM, std::generic_category(),
                                "a stack of " + std::to_string(chosen.stack_bytes) +
                                    " bytes (SAGUARO_STACK_SIZE)");
    stacks_.give(first);
    const std::vector<int> cpus = places(settings_);
    policy_->start(settings_.workers, cpus);
    // All workers before the first thread: thieves look at all of them.
    for (unsigned i = 0; i < settings_.workers; ++i)
        workers_.push_back(std::make_unique<worker>(*this, i));
    try {
        for (const std::unique_ptr<worker> &w : workers_) {
            w->thread = std::thread([&w = *w, cpu = cpus[w->id]] {
                const stacks::alternate_stack for_overflow_reports;
                if (cpu >= 0)
                    platform::pin_to_cpu(cpu);
                worker_loop(w);
            });
            platform::set_thread_name(w->thread, "saguaro/" + std::to_string(w->id));
        }
    } catch (...) {
        join_threads();
        throw;
    }
}

runtime::~runtime() {
    join_threads();
    policy_->stop();
}

void runtime::join_threads() {
    stopping_.store(true, std::memory_order_relaxed);
    // Pairs with the fence of a worker that goes to sleep: either it is counted below, or it sees
    // the end when it looks around once more.
    platform::real_fence();
    wake_all();
    for (const std::unique_ptr<worker> &w : workers_)
        if (w->thread.joinable())
            w->thread.join();
}

void runtime::submit(root &r) {
    // Relaxed: only keeps sleepers from sleeping for ever; the wake-up below comes after it.
    under_way_.fetch_add(1, std::memory_order_relaxed);
    {
        const std::lock_guard guard(roots_lock_);
        *last_ = &r;
        last_ = &r.next;
        // Sequentially consistent with the look at sg_sleepers in sg_wake: a worker that goes to
        // sleep either is counted there or sees this.
        any_root_.store(true, std::memory_order_seq_cst);
    }
    platform::real_fence();
    // Two: one runs it, one looks around for what it spawns.
    sg_wake();
    sg_wake();
}

bool runtime::take_root(work &out) {
    // Relaxed: a hint; a worker that misses it looks again.
    if (!any_root_.load(std::memory_order_relaxed))
        return false;
    const std::lock_guard guard(roots_lock_);
    if (first_ == nullptr)
        return false;
    root *const r = first_;
    first_ = r->next;
    if (first_ == nullptr) {
        last_ = &first_;
        any_root_.store(false, std::memory_order_relaxed);
    }
    out.body = run_root;
    out.argument = r;
    return true;
}

void runtime::run_root(void *argument) {
    root &r = *static_cast<root *>(argument);
    current_worker()->views.begin_run(r.run);
    SG_REGION_SET(heritage, r.heritage);
    r.function(r.argument);
    worker &w = *current_worker();
    w.views.finish_run(r.run);
    w.rt.under_way_.fetch_sub(1, std::memory_order_relaxed);
    // Release: pairs with the acquire in sg_run; the results are visible. From here on `r` may be
    // gone: the futex only needs its address.
    r.done.store(1, std::memory_order_release);
    platform::futex_wake(r.done, 1);
}

bool runtime::anything_to_do(const worker &asking) {
    if (stopping() || any_root_.load(std::memory_order_seq_cst))
        return true;
    return std::any_of(workers_.begin(), workers_.end(), [&](const std::unique_ptr<worker> &w) {
        return w.get() != &asking && looks_rich(*w);
    });
}

sg_statistics runtime::statistics() const {
    sg_statistics sum{};
    const auto read = [](const auto &counter) { return counter.load(std::memory_order_relaxed); };
    for (const std::unique_ptr<worker> &w : workers_) {
        const counters &c = w->count;
        sum.spawns += read(c.spawns);
        sum.tries += read(c.tries);
        sum.steals += read(c.steals);
        sum.full_frames += read(c.full_frames);
        sum.parks += read(c.parks);
        sum.sleeps += read(c.sleeps);
        const stopwatch::times t = w->clock.read();
        sum.work_seconds += 1e-9 * static_cast<double>(t[stopwatch::working]);
        sum.steal_seconds += 1e-9 * static_cast<double>(t[stopwatch::searching]);
        sum.sleep_seconds += 1e-9 * static_cast<double>(t[stopwatch::sleeping]);
        const hyperobjects::counters &v = w->views.count();
        sum.views += v.views;
        sum.transferals += v.transferals;
        sum.merges += v.merges;
        sum.reduces += v.reduces;
        sum.creation_seconds += hyperobjects::seconds_of(v.creation);
        sum.insertion_seconds += hyperobjects::seconds_of(v.insertion);
        sum.transferal_seconds += hyperobjects::seconds_of(v.transferal);
        sum.merge_seconds += hyperobjects::seconds_of(v.merging);
    }
    sum.stacks = stacks_.most_out();
    return sum;
}

} // namespace saguaro::scheduler
