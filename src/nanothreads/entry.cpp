// SPDX-License-Identifier: MIT
// The functions of nanothreads.h.
#include "nanothreads/processor.hpp"
#include "nanothreads/runs.hpp"
#include "nanothreads/runtime.hpp"
#include "nanothreads/settings.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <system_error>

namespace saguaro::nanothreads {

namespace {

[[noreturn]] void refuse_caller(const char *function) {
    give_up((std::string(function) + " was called by a thread that is no nano-thread").c_str());
}

[[noreturn]] [[gnu::cold]] void refuse_null(const char *function, const char *what) {
    give_up((std::string(function) + " was given a null " + what).c_str());
}

[[noreturn]] [[gnu::cold]] void refuse_foreign(const char *function, const thread &t) {
    char line[160];
    std::snprintf(line, sizeof(line), "%s was given %p, which is no nano-thread of its run",
                  function, static_cast<const void *>(&t));
    give_up(line);
}

// Ends the program with a line if `t` is null or, as far as can be seen, a nano-thread of another
// run, which may have ended.
[[gnu::always_inline]] inline void check_handle(const processor &here, thread *t,
                                                const char *function, const char *what) {
    if (t == nullptr) [[unlikely]]
        refuse_null(function, what);
    // Relaxed: in the caller's run it was written before the caller had the handle.
    if (std::atomic_ref(t->run).load(std::memory_order_relaxed) != here.number_of_run) [[unlikely]]
        refuse_foreign(function, *t);
}

[[noreturn]] [[gnu::cold]] void refuse_count(const char *function, std::uint64_t count) {
    give_up((std::string(function) + ": " + std::to_string(count) +
             " dependences are outstanding: less than 2147483648 are accepted")
                .c_str());
}

processor &processor_of_caller(const char *function) {
    if (this_processor == nullptr) [[unlikely]]
        refuse_caller(function);
    return *this_processor;
}

// What a program says instead of the environment. Throws bad_setting.
void apply(settings &s, const sg_nt_options &o) {
    if (o.processors != 0)
        s.set_processors(o.processors);
    if (o.stack_bytes != 0)
        s.set_stack_bytes(o.stack_bytes);
    if (o.design != nullptr)
        s.set_design(o.design);
}

int run_to_the_end(const settings &chosen, void (*function)(void *), void *argument,
                   sg_nt_statistics *out) {
    try {
        runtime run(chosen);
        const run_under_way under_way(run);
        if (!under_way.is_accepted())
            return EBUSY;
        run.run(function, argument);
        if (out != nullptr)
            *out = run.statistics();
        return run.report_deadlock() ? EDEADLK : 0;
    } catch (const std::system_error &refused) {
        return refused.code().value();
    } catch (const std::bad_alloc &) {
        return ENOMEM;
    }
}

// Ends the program with a line if one of them, or all, are null, or of another run.
void check_successors(const processor &here, thread *const *successors, std::size_t count) {
    if (successors == nullptr)
        refuse_null("sg_nt_create", "array of successors");
    for (std::size_t i = 0; i < count; ++i)
        check_handle(here, successors[i], "sg_nt_create", "successor");
}

// Whether `t` was blocked, and the caller has it in hand.
[[gnu::always_inline]] inline bool add_permit(thread &t) {
    // Release pairs with the acquire of the block, acquire with the release of the processor that
    // the thread has left: it is off its stack.
    return t.permits.fetch_add(1, std::memory_order_acq_rel) == -1;
}

[[noreturn]] [[gnu::cold]] void refuse_outside(const thread &t, const char *why) {
    char line[160];
    std::snprintf(line, sizeof(line), "sg_nt_unblock was called from outside for %p, %s",
                  static_cast<const void *>(&t), why);
    give_up(line);
}

// By a thread that is none of the run of `t`.
[[gnu::noinline, gnu::cold]] void unblock_from_outside(thread &t) {
    // Relaxed: if there is a hold, as there has to be, it was written before that.
    const std::uint16_t number = std::atomic_ref(t.run).load(std::memory_order_relaxed);
    constexpr const char *no_hold = "and its run has no hold for that (sg_nt_hold)";
    const bool is_there = with_run(number, [&t](runtime &run) {
        if (run.parked().holds() == 0)
            refuse_outside(t, no_hold);
        platform::hand_over(&t);
        const bool was_blocked = add_permit(t);
        if (was_blocked)
            t.now = state::left;
        // Two may have come at once for one hold.
        if (!run.parked().arrive(was_blocked ? &t : nullptr))
            refuse_outside(t, no_hold);
    });
    if (!is_there)
        refuse_outside(t, "which is no nano-thread of a run");
}

// What has arrived from outside may be what the caller waits for, with yields. Apart: a yield is
// shorter without.
[[gnu::noinline, gnu::cold]] void yield_to_arrived(processor &here, thread &self) {
    look_outside(here);
    here.yield(self);
}

// Null without memory.
successor_list *list_of(const processor &here, thread *const *successors, std::size_t count) {
    void *const memory = std::malloc(sizeof(successor_list) + count * sizeof(thread *));
    if (memory == nullptr)
        return nullptr;
    check_successors(here, successors, count);
    auto *const list = new (memory) successor_list{count};
    std::copy_n(successors, count, list->threads());
    return list;
}

} // namespace

void join(thread &t) {
    // Acquire: pairs with the releases of those who satisfied.
    if (t.pending.load(std::memory_order_acquire) == not_waiting - t.expected) {
        // Relaxed: nothing is outstanding, so nobody else touches it.
        t.pending.store(not_waiting, std::memory_order_relaxed);
        t.expected = 0;
    } else {
        // Not this_processor: in run_on_stack, where a build of one translation unit inlines this,
        // the user's function came before, which may have left one processor and gone on on
        // another.
        processor_after_leaving()->leave(t, state::joining);
    }
}

void give_up_satisfied(const thread &t, std::uint32_t times) {
    char line[160];
    std::snprintf(line, sizeof(line),
                  "nano-thread %p was satisfied %u time%s more often than it has dependences or "
                  "expects (sg_nt_expect)",
                  static_cast<const void *>(&t), times, times == 1 ? "" : "s");
    give_up(line);
}

void give_up(const char *why) {
    std::fprintf(stderr, "saguaro: nano-threads: %s\n", why);
    std::_Exit(2);
}

} // namespace saguaro::nanothreads

using namespace saguaro;
using namespace saguaro::nanothreads;

extern "C" {

// No function from sg_nt_create on is inlined, into what optimizes a whole program either: two of
// them in one function would share the address of this_processor, and between the two calls the
// thread may have gone on on another processor.

int sg_nt_run(const sg_nt_options *options, void (*function)(void *), void *argument,
              sg_nt_statistics *out) {
    if (function == nullptr) {
        std::fputs("saguaro: sg_nt_run: the main nano-thread's function is null\n", stderr);
        return EINVAL;
    }
    nanothreads::settings chosen;
    try {
        chosen = settings_from_environment();
    } catch (const platform::bad_setting &bad) {
        platform::exit_if_linked(("nano-threads: " + std::string(bad.what())).c_str());
        std::fprintf(stderr, "saguaro: sg_nt_run: %s\n", bad.what());
        return EINVAL;
    }
    try {
        if (options != nullptr)
            apply(chosen, *options);
        if (const char *const why = platform::refusal_of_sanitizer())
            throw platform::bad_setting(why);
    } catch (const platform::bad_setting &bad) {
        std::fprintf(stderr, "saguaro: sg_nt_run: %s\n", bad.what());
        return EINVAL;
    }
    return run_to_the_end(chosen, function, argument, out);
}

[[gnu::noinline]] sg_nt *sg_nt_create(void (*function)(void *), void *argument,
                                      unsigned dependences, sg_nt *const *successors,
                                      size_t successor_count) {
    processor &here = processor_of_caller("sg_nt_create");
    if (function == nullptr) [[unlikely]]
        refuse_null("sg_nt_create", "function");
    if (dependences >= not_waiting) [[unlikely]]
        refuse_count("sg_nt_create", dependences);
    // Checked before there is another nano-thread, which may have the memory of one that has ended.
    if (successor_count == 1)
        check_successors(here, successors, 1);
    successor_list *const many =
        successor_count > 1 ? list_of(here, successors, successor_count) : nullptr;
    thread *const t =
        successor_count > 1 && many == nullptr ? nullptr : here.create(function, argument);
    if (t == nullptr) [[unlikely]] {
        std::free(many);
        errno = ENOMEM;
        return nullptr;
    }
    if (many != nullptr) {
        t->successors = many;
        t->has_many = true;
    } else {
        t->successor = successor_count == 1 ? successors[0] : nullptr;
    }
    if (dependences == 0)
        here.make_ready(*t);
    else
        // Relaxed: whoever gets the handle gets it from here.
        t->pending.store(dependences, std::memory_order_relaxed);
    return t;
}

[[gnu::noinline]] sg_nt *sg_nt_fork(void (*function)(void *), void *argument) {
    processor &here = processor_of_caller("sg_nt_fork");
    if (function == nullptr) [[unlikely]]
        refuse_null("sg_nt_fork", "function");
    thread *const t = here.create(function, argument);
    if (t == nullptr) [[unlikely]] {
        errno = ENOMEM;
        return nullptr;
    }
    thread *const self = sg_nt_self();
    check_satisfied(*self);
    ++self->expected;
    t->successor = self;
    here.make_ready(*t);
    return t;
}

[[gnu::noinline]] void sg_nt_expect(unsigned count) {
    processor_of_caller("sg_nt_expect");
    thread &self = *sg_nt_self();
    const std::uint64_t outstanding = std::uint64_t{self.expected} + count;
    if (outstanding >= not_waiting)
        refuse_count("sg_nt_expect", outstanding);
    self.expected += count;
    check_satisfied(self); // what is expected only now may be satisfied by now
}

[[gnu::noinline]] void sg_nt_satisfy(sg_nt *t) {
    processor &here = processor_of_caller("sg_nt_satisfy");
    check_handle(here, t, "sg_nt_satisfy", "nano-thread");
    here.satisfy(*t, 1);
}

[[gnu::noinline]] void sg_nt_join(void) {
    processor_of_caller("sg_nt_join");
    if (sg_nt_self()->expected != 0)
        join(*sg_nt_self());
    else
        check_satisfied(*sg_nt_self());
}

[[gnu::noinline]] void sg_nt_yield(void) {
    processor &here = processor_of_caller("sg_nt_yield");
    if (here.parked.any_arrived()) [[unlikely]]
        yield_to_arrived(here, *sg_nt_self());
    else
        here.yield(*sg_nt_self());
}

[[gnu::noinline]] void sg_nt_block(void) {
    processor &here = processor_of_caller("sg_nt_block");
    thread &t = *sg_nt_self();
    // Acquire pairs with the release in sg_nt_unblock. Only the thread itself takes permits.
    if (t.permits.load(std::memory_order_acquire) > 0)
        t.permits.fetch_sub(1, std::memory_order_relaxed);
    else
        here.leave(t, state::blocked);
    platform::take_over(&t);
}

[[gnu::noinline]] void sg_nt_hold(void) {
    parking &run = processor_of_caller("sg_nt_hold").parked;
    if (run.holds() >= not_waiting) [[unlikely]]
        give_up("sg_nt_hold: less than 2147483648 holds are accepted");
    run.hold();
}

[[gnu::noinline]] void sg_nt_unblock(sg_nt *t) {
    if (t == nullptr) [[unlikely]]
        refuse_null("sg_nt_unblock", "nano-thread");
    processor *const here = this_processor;
    // Relaxed: as in check_handle.
    if (here == nullptr || std::atomic_ref(t->run).load(std::memory_order_relaxed) !=
                               here->number_of_run) [[unlikely]] {
        unblock_from_outside(*t);
        return;
    }
    platform::hand_over(t);
    if (!add_permit(*t))
        return;
    t->now = state::left;
    here->make_ready_last(*t);
}

[[gnu::noinline]] int sg_nt_processor(void) {
    const processor *const here = this_processor;
    return here == nullptr ? -1 : static_cast<int>(here->number);
}

} // extern "C"
