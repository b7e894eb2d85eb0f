// SPDX-License-Identifier: MIT
// Setting up a run of nano-threads, and telling a deadlock from an end.
#include "nanothreads/runtime.hpp"

#include "platform/arch.hpp"
#include "platform/fence.hpp"
#include "platform/lent_threads.hpp"
#include "platform/sanitizer.hpp"
#include "saguaro/saguaro.h"
#include "scheduler/stand_ins.hpp"

#include <cerrno>
#include <cstdio>
#include <new>
#include <string>
#include <system_error>

namespace saguaro::nanothreads {

namespace {

design design_called(const std::string &name) {
    return name == "dos" ? design::dos : name == "lsa" ? design::lsa : design::dsr;
}

// Of DOS, whose descriptors lie there.
void clear_descriptor(stacks::stack *s) {
    new (s->extra()) thread{};
}

// In a handler of signals. Not known if the fault is another's, which only points there.
stacks::runner who_runs_on(const stacks::stack &s) {
    if (this_processor == nullptr)
        return {};
    return {true, true, reinterpret_cast<std::uintptr_t>(stacks::top_word(&s, sg_nt_mask + 1))};
}

const stacks::stack *current_stack() {
    return this_processor != nullptr ? this_processor->last_stack : nullptr;
}

constexpr stacks::purpose for_threads{
    variables::stack_size.name, "nano-thread", clear_descriptor, false, who_runs_on, current_stack};

std::uintptr_t running_thread() {
    return processor_after_leaving() != nullptr ? reinterpret_cast<std::uintptr_t>(sg_nt_self())
                                                : 0;
}

constexpr hyperobjects::flows of_threads{"a nano-thread", running_thread, set_processor_aside,
                                         bring_processor_back};

// Whether the kernel has no asymmetric fence. The fork-join runtime may have chosen already.
bool prepare_fences() {
    return !platform::fence_is_asymmetric() && !platform::fence_init(true);
}

std::string name_of(unsigned processor) {
    return "saguaro-nt/" + std::to_string(processor);
}

void run_loop(void *which) {
    static_cast<processor *>(which)->loop(nullptr);
}

// The first processor, and what it begins with: not by its queue, because it takes the stack that
// is counted for it.
struct beginning {
    processor &first;
    thread &main_thread;
};

void begin_loop(void *what) {
    const beginning &b = *static_cast<const beginning *>(what);
    b.first.loop(&b.main_thread);
}

[[noreturn]] void refuse_memory(const char *what) {
    throw std::system_error(ENOMEM, std::generic_category(), what);
}

} // namespace

runtime::runtime(const settings &chosen)
    : float_mode(platform::float_mode()), design_(design_called(chosen.design)),
      real_fences_(prepare_fences() || platform::is_handing_over_watched()),
      spin_ns_(chosen.spin_ns), region_(of_threads),
      // Behind the stack's own descriptor there is room for the thread's (DOS).
      stacks_(stacks::shape::within(chosen.stack_bytes, sizeof(thread)), for_threads),
      parking_(chosen.processors) {
    if (!stacks_.prepare(stacks_at_start(design_, chosen.processors)))
        refuse_memory("stacks");
    for (unsigned i = 0; i < chosen.processors; ++i)
        processors_.push_back(std::make_unique<processor>(*this, i));
}

void runtime::set_number(std::uint16_t number) {
    number_ = number;
    for (const std::unique_ptr<processor> &p : processors_)
        p->number_of_run = number;
}

void runtime::run(void (*function)(void *), void *argument) {
    processor &first = *processors_.front();
    thread *const main_thread = first.create(function, argument);
    if (main_thread == nullptr)
        refuse_memory("the main thread");
    main_thread->successor = nullptr;
    beginning b{first, *main_thread};
    // A worker is no processor: spawns on it would be the task's, which a thief takes away.
    const bool is_worker = sg_worker_id() >= 0;
    const scheduler::task_waits wait;
    platform::lent_threads lent;
    unsigned started = 1;
    try {
        for (; started < size(); ++started)
            lent.start(name_of(started), run_loop, &at(started));
        if (is_worker)
            lent.start(name_of(0), begin_loop, &b);
    } catch (...) {
        parking_.end(started - 1);
        throw;
    }
    if (!is_worker)
        begin_loop(&b);
}

bool runtime::anything_ready(const processor *but) const {
    for (const std::unique_ptr<processor> &p : processors_)
        if (p.get() != but && !p->ready.looks_empty())
            return true;
    return false;
}

bool runtime::report_deadlock() const {
    std::uint64_t left = 0;
    for (const std::unique_ptr<processor> &p : processors_)
        left += p->created - p->ended;
    if (left == 0)
        return false;
    std::fprintf(stderr,
                 "saguaro: nano-threads: deadlock: %llu left and none can run: %zu "
                 "blocked, %zu joining, %zu with dependences that nobody satisfies\n",
                 static_cast<unsigned long long>(left), count_threads(state::blocked),
                 count_threads(state::joining), count_threads(state::fresh));
    return true;
}

std::size_t runtime::count_threads(state in) const {
    std::size_t count = 0;
    const auto look = [&](const thread &t) { count += t.now == in ? 1 : 0; };
    if (design_ == design::dos)
        stacks_.for_each_taken([&](stacks::stack &s) { look(*static_cast<thread *>(s.extra())); });
    else
        descriptors_.for_each(look);
    return count;
}

sg_nt_statistics runtime::statistics() const {
    sg_nt_statistics sum{};
    const std::size_t of_the_system = size() - 1;
    sum.stacks_at_start = of_the_system + stacks_at_start(design_, size());
    sum.stacks = of_the_system + stacks_.most_out();
    for (const std::unique_ptr<processor> &p : processors_) {
        sum.created += p->created;
        sum.descriptors += p->dealt();
        sum.steals += p->steals;
        sum.sleeps += p->sleeps;
    }
    return sum;
}

} // namespace saguaro::nanothreads
