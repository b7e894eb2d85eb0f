// SPDX-License-Identifier: MIT
// The loop of a processor, and what it does when a nano-thread starts, waits, yields or ends.
#include "nanothreads/processor.hpp"

#include "nanothreads/runtime.hpp"
#include "platform/arch.hpp"
#include "platform/clock.hpp"
#include "platform/exception_text.hpp"
#include "platform/forced_unwind.hpp"
#include "platform/sanitizer.hpp"
#include "stacks/exceptions.hpp"
#include "stacks/float_mode.hpp"
#include "stacks/overflow.hpp"

#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <utility>

namespace saguaro::nanothreads {

namespace {

// Tries between two offers of the system's processor to somebody else.
constexpr unsigned tries_before_yield = 16;

// Whether nothing is left that `t` waits for, and the caller has it in hand.
bool is_last_for(thread &t, std::uint32_t count) {
    // Release pairs with the acquire of the thread that satisfies the last one, acquire with the
    // releases before it: what came before each is visible to `t` when it goes on.
    const std::uint32_t before = t.pending.fetch_sub(count, std::memory_order_acq_rel);
    if (before > count)
        return false;
    if (before < count)
        give_up_satisfied(t, count - before);
    return true;
}

inline void make_satisfied_ready(processor &here, thread &t) {
    // Relaxed: no other thread has it in hand.
    t.pending.store(not_waiting, std::memory_order_relaxed);
    if (t.now == state::joining)
        t.now = state::left;
    here.make_ready(t);
}

} // namespace

[[gnu::tls_model("initial-exec")]] constinit thread_local processor *this_processor = nullptr;

[[gnu::noinline]] processor *processor_after_leaving() {
    return this_processor;
}

[[gnu::noinline]] void *set_processor_aside() {
    return std::exchange(this_processor, nullptr);
}

[[gnu::noinline]] void bring_processor_back(void *aside) {
    this_processor = static_cast<processor *>(aside);
}

namespace {

thread_local unsigned loops = 0; // of processors, one inside the other, on the calling thread

} // namespace

bool is_in_a_run() {
    return loops > 0;
}

processor::processor(runtime &run, unsigned which)
    : number(which), float_mode(run.float_mode), ready(run.real_fences()), parked(run.parked()),
      run_(run), design_(run.chosen_design()), real_fences_(run.real_fences()),
      free_(run.all_descriptors()), stacks_(run.stacks(), design_, which),
      random_(which * 2654435769U + 1) {
    stacks_.fill();
}

void processor::loop(thread *first) {
    const stacks::alternate_stack for_overflow_reports;
    const hyperobjects::flows_region::attachment for_lookups(run_.region());
    // A nano-thread of another run may be what starts this one.
    processor *const outer = std::exchange(this_processor, this);
    ++loops;
    exceptions = stacks::exceptions_of_this_thread();
    platform::set_float_mode(float_mode); // the first one has it
    // The caller of sg_nt_run may be in a handler of its own.
    const stacks::kept_exceptions callers = stacks::take_exceptions(exceptions);
    for (thread *t = first != nullptr ? first : next(); t != nullptr; t = next()) {
        if (t->now == state::fresh)
            begin(*t);
        else
            resume(*t);
        take_care_of_who_came_back();
    }
    stacks::give_exceptions(exceptions, callers);
    --loops;
    this_processor = outer;
}

namespace {

// Apart: the calls would take registers from `satisfy`.
[[gnu::noinline, gnu::cold]] void satisfy_announced(processor &here, thread &t,
                                                    std::uint32_t count) {
    platform::hand_over(&t);
    if (is_last_for(t, count)) {
        platform::take_over(&t);
        make_satisfied_ready(here, t);
    }
}

} // namespace

void processor::satisfy(thread &t, std::uint32_t count) {
    if (real_fences_) [[unlikely]]
        satisfy_announced(*this, t, count);
    else if (is_last_for(t, count))
        make_satisfied_ready(*this, t);
}

namespace {

// For a thread that goes on: it came after the loop, or after one that yielded.
inline void take_care_of_who_yielded(processor &here) {
    thread *const before = std::exchange(here.came_back, nullptr);
    if (before == nullptr)
        return;
    before->now = state::left;
    here.make_ready_last(*before);
}

// Switches from a stack that is left. Returns the processor that goes on with it.
[[gnu::always_inline]] inline processor &switch_from(stacks::stack &s, stacks::context &to) {
    s.next = &s; // debuggers find it so
    stacks::switch_to(s.ctx, to);
    s.next = nullptr;
    return *processor_after_leaving();
}

// Apart: what is kept across the switch would take registers from those that have nothing to keep.
[[gnu::noinline, gnu::cold]] void go_on_keeping(processor &from, stacks::stack &s,
                                                stacks::context &with) {
    const stacks::kept_exceptions exceptions = stacks::take_exceptions(from.exceptions);
    const std::uint64_t mode = stacks::take_float_mode(from.float_mode);
    processor &here = switch_from(s, with);
    stacks::give_exceptions(here.exceptions, exceptions);
    stacks::give_float_mode(here.float_mode, mode);
    take_care_of_who_yielded(here);
}

// Leaves `t`, and goes on with the loop or with another thread that was left. A thread that is in
// no handler, and has the common mode, finds the system's thread without exceptions as well: all
// others take theirs with them.
[[gnu::always_inline]] inline void go_on(processor &from, thread &t, stacks::context &with) {
    from.came_back = &t;
    if (stacks::has_exceptions(from.exceptions) || platform::float_mode() != from.float_mode)
        [[unlikely]]
        go_on_keeping(from, *t.on, with);
    else
        take_care_of_who_yielded(switch_from(*t.on, with));
}

} // namespace

void processor::leave(thread &t, state in) {
    as_ = in;
    go_on(*this, t, loop_);
}

void processor::yield(thread &t) {
    // Not pop_if: as a rule there is one.
    thread *const next =
        ready.pop_any_if([](const thread &first) { return first.now == state::left; });
    if (next == nullptr) [[unlikely]] {
        if (!ready.looks_empty())
            leave(t, state::left);
        return;
    }
    pay_before(*next, false);
    next->now = state::running;
    last_stack = next->on;
    go_on(*this, t, next->on->ctx);
}

namespace {

// Apart, so that who owes nothing, as who only yields, looks and goes on.
[[gnu::noinline]] void satisfy_owed(processor &here, thread &successor, std::uint32_t owed) {
    here.satisfy(successor, owed);
}

} // namespace

inline void processor::pay() {
    if (owed_ != 0)
        satisfy_owed(*this, *std::exchange(owed_to_, nullptr), std::exchange(owed_, 0));
}

inline void processor::owe(thread &successor) {
    if (owed_to_ != &successor) [[unlikely]]
        pay();
    owed_to_ = &successor;
    ++owed_;
}

// A thread with the same successor goes first: the successor waits for it anyway.
// Several successors are in a list, which is at no thread's address.
inline void processor::pay_before(const thread &next, bool is_fresh) {
    if (owed_ != 0 && (!is_fresh || next.successor != owed_to_))
        pay();
}

// What is to be done for others when `t` has ended. Its stack, and in DOS the descriptor with it,
// is still in use.
inline void processor::finish(thread &t) {
    if (t.has_many) {
        successor_list *const list = t.successors;
        for (std::size_t i = 0; i < list->count; ++i)
            satisfy(*list->threads()[i], 1);
        std::free(list);
    } else if (t.successor != nullptr) {
        owe(*t.successor);
    }
    ++ended;
    t.now = state::none;
    // Relaxed: nothing is outstanding. Whoever satisfies it once more finds none left.
    t.pending.store(0, std::memory_order_relaxed);
    if (design_ != design::dos)
        free_.give(&t);
}

inline void processor::place(thread &t, stacks::stack &s) {
    t.on = &s;
    t.now = state::running;
    // Where sg_nt_self looks.
    *reinterpret_cast<thread **>((reinterpret_cast<std::uintptr_t>(&s) | sg_nt_mask) + 1 -
                                 sizeof(thread *)) = &t;
}

// DSR: the next thread, if it is one that has not begun.
inline thread *processor::reuse_stack_for_next(stacks::stack &s) {
    if (design_ != design::dsr)
        return nullptr;
    thread *const t = ready.pop_fresh();
    if (t != nullptr) {
        // The newest is first, and as a rule those created before it lie below it.
        __builtin_prefetch(t - descriptors::ahead / 2, 1);
        pay_before(*t, true);
        place(*t, s);
    }
    return t;
}

// A thread to run, for the loop. Null: the run is over.
thread *processor::next() {
    for (;;) {
        if (thread *const t = ready.pop()) {
            pay_before(*t, t->now == state::fresh);
            return t;
        }
        pay(); // which may make somebody ready
        if (ready.looks_empty() && !find_more())
            return nullptr;
    }
}

// Looks around for a while, then sleeps. True: look again; false: the run is over.
bool processor::find_more() {
    if (look_outside(*this))
        return true;
    if (run_.size() > 1) {
        const std::int64_t since = platform::now_ns();
        for (unsigned tries = 1;; ++tries) {
            if (steal() || look_outside(*this))
                return true;
            platform::cpu_relax();
            if (tries % tries_before_yield != 0)
                continue;
            if (parked.over() || platform::now_ns() - since >= run_.spin_ns())
                break;
            sched_yield();
        }
        ++sleeps;
    }
    return parked.sleep([this] { return run_.anything_ready(); });
}

bool look_outside(processor &here) {
    if (!here.parked.any_arrived())
        return false;
    chain arrived;
    // The latest is first: the first to arrive is to run first.
    for (thread *t = here.parked.take_arrived(); t != nullptr;) {
        thread *const earlier = t->next;
        t->next = arrived.first;
        (arrived.first != nullptr ? arrived.first->previous : arrived.last) = t;
        arrived.first = t;
        ++arrived.count;
        t = earlier;
    }
    if (arrived.count == 0)
        return false;
    here.ready.push_back(arrived);
    here.pass_on(arrived.count);
    return true;
}

bool processor::steal() {
    // xorshift (Marsaglia)
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    const unsigned first = random_ % run_.size();
    for (unsigned i = 0; i < run_.size(); ++i) {
        processor &victim = run_.at((first + i) % run_.size());
        if (&victim != this && !victim.ready.looks_empty() && steal_from(victim))
            return true;
    }
    return false;
}

bool processor::steal_from(processor &victim) {
    const chain taken = victim.ready.steal();
    if (taken.count == 0)
        return false;
    ++steals;
    platform::take_over(&victim.ready); // handed over by each push
    ready.push_back(taken);
    pass_on(taken.count);
    return true;
}

// Who has looked around while what was taken was in no queue sleeps, or is about to. One that was
// woken for several, and has taken some, wakes the next: nobody else would.
void processor::pass_on(std::size_t taken) {
    near_fence(real_fences_); // as in `offer`
    if (parked.any_idle() && (taken > 1 || run_.anything_ready(this)))
        parked.wake_one();
}

void processor::begin(thread &t) {
    stacks::stack *const s = t.on != nullptr ? t.on : stacks_.take();
    if (s == nullptr)
        give_up("no memory for the stack of a nano-thread that is to begin: too many others have "
                "begun and wait");
    place(t, *s);
    last_stack = s;
    stacks::start_on(loop_, *s, run_on_stack, &t);
}

void processor::resume(thread &t) {
    t.now = state::running;
    last_stack = t.on;
    stacks::switch_to(loop_, t.on->ctx);
}

namespace {

// An exception has left the function of `t`.
[[noreturn, gnu::cold, gnu::noinline]] void abort_by_exception(const thread &t) {
    std::fprintf(stderr, "saguaro: nano-threads: the function %p of nano-thread %p threw %s\n",
                 reinterpret_cast<void *>(t.function), static_cast<const void *>(&t),
                 platform::current_exception_text().c_str());
    std::abort();
}

[[gnu::cold, gnu::noinline]] void join_or_give_up(thread &t) {
    check_satisfied(t);
    join(t);
}

[[gnu::always_inline]] inline void call_function(thread &t) {
    try {
        platform::call_until_return("nano-thread", [&t] { t.function(t.argument); });
    } catch (...) {
        abort_by_exception(t);
    }
}

// What a function's return waits for. A thread that expects nothing and was satisfied nonetheless
// ends the program with a line.
inline void join_at_end(thread &t) {
    // Acquire: as in `join`. No more and no less than is expected: most often both are 0.
    if (t.pending.load(std::memory_order_acquire) + t.expected == not_waiting) [[likely]]
        return;
    join_or_give_up(t);
}

} // namespace

// The first function on each stack.
stacks::context *processor::run_on_stack(void *first) {
    thread *t = static_cast<thread *>(first);
    stacks::stack &s = *t->on;
    processor *here;
    do {
        call_function(*t);
        join_at_end(*t);
        here = processor_after_leaving();
        stacks::take_float_mode(here->float_mode);
        here->finish(*t);
        t = here->reuse_stack_for_next(s);
    } while (t != nullptr);
    here->dead_ = &s;
    return &here->loop_;
}

// Nobody runs on its stack now: it may be continued elsewhere from the moment that it is ready.
void processor::take_care_of_who_came_back() {
    if (dead_ != nullptr) {
        stacks_.give(std::exchange(dead_, nullptr));
        return;
    }
    thread &t = *std::exchange(came_back, nullptr);
    t.now = as_; // before the operations below, which tell others
    switch (as_) {
    case state::left: // it yields
        make_ready_last(t);
        break;
    case state::blocked:
        // Release pairs with the acquire in sg_nt_unblock: who takes it from -1 finds it left.
        // Acquire: if it was unblocked meanwhile, pairs with the release there.
        if (t.permits.fetch_sub(1, std::memory_order_acq_rel) > 0) {
            t.now = state::left;
            make_ready(t);
        }
        break;
    case state::joining:
        // What it forked counts from here on. The rest is as in satisfy.
        satisfy(t, not_waiting - std::exchange(t.expected, 0));
        break;
    default:
        std::abort();
    }
}

} // namespace saguaro::nanothreads
