// SPDX-License-Identifier: MIT
// Starting and stopping the workers, and running a root for a thread that enters.
#include "scheduler/runtime.hpp"

#include "numa/near.hpp"
#include "platform/arch.hpp"
#include "platform/clock.hpp"
#include "platform/copy_table.hpp"
#include "platform/fence.hpp"
#include "platform/futex.hpp"
#include "platform/sanitizer.hpp"
#include "platform/thread.hpp"
#include "saguaro/detail/stealable.hpp"
#include "scheduler/arena.hpp"
#include "scheduler/idle.hpp"
#include "scheduler/merging.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/steal.hpp"
#include "stacks/exceptions.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <sched.h>
#include <string>
#include <system_error>

namespace saguaro::scheduler {

namespace {

stacks::runner this_worker(const stacks::stack &) {
    const int id = sg_worker_id();
    return {id >= 0, false, static_cast<std::uintptr_t>(id)};
}

const stacks::stack *current_stack() {
    deque *const d = current_worker() != nullptr ? current_deque() : nullptr;
    return d != nullptr ? d->home() : nullptr;
}

// Thieves that come too late look at the deques. Whether pops always ask, these know from when they
// were built or last used: what another runtime has left is not for one that differs.
constexpr stacks::purpose for_flows{"SAGUARO_STACK_SIZE", "worker",     deque::build, true,
                                    this_worker,          current_stack};
constexpr stacks::purpose for_flows_that_ask = for_flows;

// What the threads are told when all workers are there, or one is not.
constexpr std::uint32_t all_are_there = 1;
constexpr std::uint32_t one_is_not = 2;

void tell(std::atomic<std::uint32_t> &verdict, std::uint32_t what) {
    verdict.store(what, std::memory_order_release); // pairs with run_thread
    platform::futex_wake(verdict, platform::everybody);
}

// What must be decided before the first stack is mapped. Returns whether all pops ask.
bool prepare_fences(const settings &s) {
    const bool asymmetric = platform::fence_init(s.asymmetric_fences);
    const observer_kind *const kind = wanted_observer(s);
    const bool each_spawn = kind != nullptr && kind->each_spawn;
    const bool always = !asymmetric || s.statistics || each_spawn;
    ask_at_every_pop(always);
    detail::ask_at_each_step = !asymmetric || each_spawn;
    return always;
}

std::vector<int> nodes_thought_of(const settings &chosen) {
    std::vector<int> nodes;
    if (const auto machine = machine_of(chosen))
        for (const int cpu : machine->cpus())
            nodes.push_back(machine->node_of(cpu));
    return nodes;
}

// Whether the thread that starts the workers builds them: then it does not wait until the system
// lets the others run, which takes milliseconds on a machine that does much else. Not for many,
// which they build at the same time, and not where their memory would be far from them.
bool builds_all(unsigned workers, const steal_policy &policy) {
    constexpr unsigned few = 8;
    return workers <= few && policy.may_start_elsewhere() && numa::node_count() == 1;
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
    : counts(chosen.statistics), asks_always(prepare_fences(chosen)),
      first_fence_ticks(estimate_fence()), spin_ns(chosen.spin_ns),
      thought_nodes(nodes_thought_of(chosen)), stand_ins(*this), isolated(*this), settings_(chosen),
      policy_(std::move(policy)),
      stacks_(stacks::shape::for_frames(chosen.stack_bytes, deque::bytes(chosen.stack_bytes),
                                        sizeof(deque)),
              asks_always ? for_flows_that_ask : for_flows),
      workers_(chosen.workers), participants_(chosen.workers - 1), callers_(*this, chosen.workers),
      built_(chosen.workers), threads_build_(!builds_all(chosen.workers, *policy_)),
      through_(chosen.workers - 1) {
    // Without one stack nothing could be begun, and nobody would say so.
    stacks::stack *const first = stacks_.take();
    if (first == nullptr)
        throw std::system_error(ENOMEM, std::generic_category(),
                                "a stack of " + std::to_string(chosen.stack_bytes) +
                                    " bytes (SAGUARO_STACK_SIZE)");
    stacks_.give(first);
    const std::vector<int> cpus = platform::cpus_of_workers(settings_, platform::current_cpu());
    policy_->start(settings_.workers, cpus);
    unsigned made = 0; // the first workers, by this thread
    try {
        if (threads_build_)
            start_threads(cpus);
        while (made < (threads_build_ ? 1 : size()) && build_worker(made))
            ++made;
        if (threads_build_)
            built_.wait(); // the workers are visible
        if (refused_ != nullptr)
            std::rethrow_exception(refused_);
        if (!threads_build_)
            start_threads(cpus);
        open_seats(cpus.front());
    } catch (...) {
        tell(verdict_, one_is_not);
        join_threads();
        while (made > 0)
            policy_->stop_worker(--made);
        policy_->stop();
        throw;
    }
    tell(verdict_, all_are_there);
}

void runtime::open_seats(int first_cpu) {
    callers_.open(*workers_.front());
    const observer_kind *const kind = wanted_observer(settings_);
    const bool each_spawn = kind != nullptr && kind->each_spawn;
    assert(!each_spawn || size() == 1);
    seats_.open(size(), first_cpu, each_spawn);
    callers::give(*workers_.front());
    if (kind != nullptr) {
        observer_ = kind->make(settings_);
        observer::install(*observer_);
    }
}

runtime::~runtime() {
    join_threads();
    platform::tell_other_copies(0);
    if (observer_ != nullptr)
        observer::remove();
    policy_->stop_worker(0);
    policy_->stop();
}

// Each waits for the verdict, since thieves look at all workers.
void runtime::start_threads(const std::vector<int> &cpus) {
    for (unsigned i = 1; i < settings_.workers; ++i) {
        try {
            threads_.emplace_back([this, i, cpu = cpus[i]] { run_thread(i, cpu); });
        } catch (const std::system_error &refused) {
            throw refused_thread(refused, i);
        }
    }
}

// By the thread that will work there, on its processor: its memory is near. Or see builds_all.
// Returns whether it is there.
bool runtime::build_worker(unsigned number) noexcept {
    bool is_there = true;
    try {
        workers_[number] = std::make_unique<worker>(*this, number);
        // What malloc keeps for the thread may be older than its place.
        numa::bring(workers_[number].get(), sizeof(worker), numa::node_index_here());
        policy_->start_worker(number);
    } catch (...) {
        is_there = false;
        const std::lock_guard guard(refused_lock_);
        if (refused_ == nullptr)
            refused_ = std::current_exception();
    }
    built_.count_down();
    return is_there;
}

namespace {

// Whoever starts a thread writes to what lies at the top of its stack: the thread's variables and
// what the C library knows of it. Where the frames begin is not far below.
void bring_thread_here() {
    thread_local const char one_of_its_variables = 0;
    const char *const first = static_cast<const char *>(__builtin_frame_address(0));
    const auto bytes = &one_of_its_variables - first;
    constexpr std::ptrdiff_t most = 256 << 10;
    if (bytes > 0 && bytes < most)
        numa::bring(const_cast<char *>(first), static_cast<std::size_t>(bytes),
                    numa::node_index_here());
}

} // namespace

void runtime::run_thread(unsigned number, int cpu) {
    platform::name_this_thread("saguaro/" + std::to_string(number));
    platform::home_cpu place(cpu);
    bring_thread_here();
    const stacks::alternate_stack for_overflow_reports;
    const bool is_there = threads_build_ && build_worker(number);
    // Acquire: pairs with `tell`; all workers are visible.
    while (verdict_.load(std::memory_order_acquire) == 0)
        platform::futex_wait(verdict_, 0);
    if (verdict_.load(std::memory_order_relaxed) == one_is_not) {
        if (is_there)
            policy_->stop_worker(number);
        return;
    }
    participant &me = participants_[number - 1];
    me.seat = workers_[number].get();
    me.place = &place;
    place.leave();
    begin_working(me);
    work_until_over(me, *this);
    if (me.at != nullptr)
        end_working(me);
    // Until no thread chooses a victim any more: another one may have sat at this worker last.
    through_.arrive_and_wait();
    policy_->stop_worker(number);
    note_that_thread_ends();
}

void runtime::join_threads() {
    // Relaxed: a thread that goes to sleep takes the lock of the seats before it looks around once
    // more. Either it is told below, under that lock, or it took the lock later and sees the end.
    stopping_.store(true, std::memory_order_relaxed);
    seats_.dismiss();
    for (std::thread &each : threads_)
        each.join();
    stand_ins.join_threads();
}

bool have_done_nothing(const runtime &rt) {
    // A policy that may not start elsewhere is the program's, or may be.
    return rt.observer_ == nullptr && rt.policy_->may_start_elsewhere() &&
           !rt.stand_ins.any_was_made() &&
           std::none_of(rt.participants_.begin(), rt.participants_.end(),
                        [](const participant &each) {
                            return each.has_worked.load(std::memory_order_relaxed); // see there
                        });
}

// ---- A thread that enters ----

namespace {

// How long a run takes, if that is worth a wake-up. The processor's ticks are worth half of the
// time of an empty run where a virtual machine computes them: so where the last run was short they
// are read at the end alone, and the run is short for certain if the last one has ended lately.
class run_length {
public:
    explicit run_length(worker &w)
        : w_(w), is_exact_(w.is_worth_help || w.ended == 0),
          since_(is_exact_ ? platform::ticks() : w.ended) {}

    // At the end. Without the beginning a run that may have been short counts as long here, where a
    // wake-up in vain costs little, but not for the next run's beginning; and that is measured.
    bool may_be_long() const {
        const std::uint64_t now = platform::ticks();
        const bool is_long = now - since_ > platform::ticks_worth_a_wake;
        w_.is_worth_help = is_long && is_exact_;
        w_.ended = is_long && !is_exact_ ? 0 : now;
        return is_long;
    }

private:
    worker &w_;
    const bool is_exact_;
    const std::uint64_t since_;
};

} // namespace

void runtime::enter(root &r, bool alone) {
    // An observer of spawns follows one flow.
    std::unique_lock<std::mutex> turn;
    if (spawn_observer::now() != nullptr) [[unlikely]]
        turn = std::unique_lock(observed_);
    r.strand_node = detail::strand_node();
    r.thread.mine = &r;
    participant &me = r.thread;
    const platform::other_copies_left in_no_other_run;
    platform::hand_over(&r);
    stacks::lend_alternate_stack();
    // What it handles just now is its own business.
    void **const exceptions = stacks::exceptions_of_this_thread();
    const stacks::kept_exceptions kept = stacks::take_exceptions(exceptions);
    worker &w = callers_.take(alone);
    me.seat = &w;
    const run_length length(w);
    begin_working(me);
    work_until_over(me, *this);
    platform::take_over(&r);
    const bool was_long = length.may_be_long();
    const bool sleeps = me.at == nullptr;
    tidy_up(w);
    if (!sleeps)
        end_working(me);
    stacks::give_exceptions(exceptions, kept);
    if (alone_) {
        turn.release(); // it may have been another thread's, when this process was forked
        return;
    }
    if (sleeps)
        seats_.leave(me, 1);
    callers::give(w);
    // There is a processor for a thread that gave way, or slept because there was none.
    if (was_long && seats_.roots() > 1)
        seats_.wake(1);
}

// A root that is going to push frames is heard by sleepers at the first push in C++, and at a later
// pop in C, or when somebody's nap ends. Where runs take long it is worth more to have one awake
// from the beginning; and one must be there to nap, or, when nothing runs any more, to give memory
// back.
void runtime::call_for_help(worker &w) {
    // Sequentially consistent: pairs with the addition in idleness::falls_asleep_for_good, after
    // which the sleeper looks for roots; this one was counted before.
    const std::size_t threads = threads_.size() + seats_.stand_ins.all();
    const bool nobody_watches =
        deep_sleepers.load(std::memory_order_seq_cst) == threads && threads != 0;
    if (w.is_worth_help || nobody_watches)
        wake_if_any_sleeps();
    // There was no processor for any.
    if (nobody_watches)
        see_to_watch(*this);
}

void see_to_watch(runtime &rt) {
    // Sequentially consistent, both: pairs with idleness::falls_asleep_for_good. Either the thread
    // that falls asleep is seen here, or it sees that nobody watches.
    if (rt.deep_sleepers.load(std::memory_order_seq_cst) != 0 && !rt.seating().watch.is_kept())
        rt.seating().call_one();
}

// Without another thread nobody gives back, later on, what the stacks at hand have of memory. More
// than a few of them lose it here; looked at now and then, because runs may be short.
void runtime::tidy_up(worker &w) {
    constexpr unsigned kept = 4;
    constexpr std::int64_t now_and_then_ns = 10'000'000;
    w.is_untidy = true;
    if (!threads_.empty() || (w.at_hand.count() <= kept && callers_.others() == 0))
        return;
    const std::int64_t now = platform::now_ns();
    if (now - w.thinned_ns < now_and_then_ns)
        return;
    w.thinned_ns = now;
    if (w.at_hand.count() > kept)
        w.at_hand.thin_out(kept);
    // Threads that were inside at the same time have left.
    callers_.visit_free([](worker &free) {
        if (std::exchange(free.is_untidy, false))
            free.at_hand.thin_out(0);
    });
}

// Workers that look for work give back what they have, those that sleep have done so, and for those
// that nobody has it is done here. So what is not to be had is with flows, or with workers that run
// them.
void runtime::wait_for_stack(worker &w) {
    using namespace std::chrono_literals;
    constexpr std::chrono::nanoseconds patience = 1s, shortest = 50us, longest = 8ms;
    // Relaxed, here and below: see root_lacks_stack.
    lacks_stack_.fetch_add(1, std::memory_order_relaxed);
    {
        // One at a time, or each would take the other's try for a flow.
        const std::lock_guard guard(next_stack_);
        std::int64_t since = platform::now_ns();
        for (std::chrono::nanoseconds nap = shortest; !w.has_stack();
             nap = std::min(nap * 2, longest)) {
            callers_.visit_free([](worker &free) { free.give_stacks(); });
            const std::int64_t now = platform::now_ns();
            if (stacks_.in_use() != 0)
                since = now;
            else if (now - since > patience.count())
                w.end_without_stack();
            std::this_thread::sleep_for(nap);
        }
    }
    lacks_stack_.fetch_sub(1, std::memory_order_relaxed);
}

namespace {

void run_root(void *argument) {
    root &r = *static_cast<root *>(argument);
    platform::take_over(&r);
    current_worker()->views.begin_run(r.run);
    SG_REGION_SET(strand_node, r.strand_node);
    if (observer *const o = observer::now())
        o->root_begins(*current_worker(), *current_deque());
    r.function(r.argument);
    if (current_deque()->scopes != nullptr) [[unlikely]]
        sync_all_scopes();
    if (observer *const o = observer::now())
        o->root_ends(*current_worker());
    worker &w = *current_worker();
    {
        const merging here(w);
        w.views.finish_run(r.run);
    }
    platform::hand_over(&r);
    if (w.guest == &r) [[likely]]
        tell_over_of_itself(r.thread);
    else
        tell_over(r.thread);
}

} // namespace

bool runtime::take_root(worker &w, work &out) {
    root *const r = w.guest;
    if (r == nullptr || r->begun)
        return false;
    w.work_for({r->nested != nullptr ? r->entered : r, r->nested});
    call_for_help(w);
    r->begun = true;
    // A root inside another one begins in that one's task.
    out.body = r->task != nullptr ? isolation::run : run_root;
    out.argument = r;
    return true;
}

bool runtime::anything_to_do(const root *mine, const taker &who) const {
    if (mine == nullptr && stopping())
        return true;
    const bool steals = is_shared(size(), seats_);
    if (ready.any_for(mine, who, steals))
        return true;
    return steals && any_worker([&](const worker &w) {
               return looks_rich(w) && works_for(mine, w.whose()) && may_take(who, w.whose());
           });
}

sg_statistics runtime::statistics() const {
    sg_statistics sum{};
    const auto read = [](const auto &counter) { return counter.load(std::memory_order_relaxed); };
    any_worker([&](const worker &w) {
        const counters &c = w.count;
        sum.spawns += read(c.spawns);
        sum.tries += read(c.tries);
        sum.steals += read(c.steals);
        sum.full_frames += read(c.full_frames);
        sum.parks += read(c.parks);
        sum.sleeps += read(c.sleeps);
        const stopwatch::times t = w.clock.read();
        sum.work_seconds += 1e-9 * static_cast<double>(t[stopwatch::working]);
        sum.steal_seconds += 1e-9 * static_cast<double>(t[stopwatch::searching]);
        sum.sleep_seconds += 1e-9 * static_cast<double>(t[stopwatch::sleeping]);
        const hyperobjects::counters &v = w.views.count();
        sum.views += v.views;
        sum.transferals += v.transferals;
        sum.merges += v.merges;
        sum.reduces += v.reduces;
        sum.creation_seconds += hyperobjects::seconds_of(v.creation);
        sum.insertion_seconds += hyperobjects::seconds_of(v.insertion);
        sum.transferal_seconds += hyperobjects::seconds_of(v.transferal);
        sum.merge_seconds += hyperobjects::seconds_of(v.merging);
        return false;
    });
    sum.stacks = stacks_.most_out();
    return sum;
}

} // namespace saguaro::scheduler
