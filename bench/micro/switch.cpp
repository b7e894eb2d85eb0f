// SPDX-License-Identifier: MIT
//
// switch: two flows on one thread that take turns. The floating-point environment is the worker's
// here, while Boost's fcontext and swapcontext save it (and swapcontext the signal mask).
#include "driver/measure.hpp"
#include "driver/registry.hpp"
#include "stacks/pool.hpp"

#include <ucontext.h>

#if SG_BENCH_FCONTEXT
#include <boost/context/detail/fcontext.hpp>
#endif

namespace saguaro::bench {

namespace {

/// A stack for the second flow; it has the same in each variant.
class second_stack {
public:
    second_stack() : stack_(pool_.take()) {}
    ~second_stack() { pool_.give(stack_); }
    second_stack(const second_stack &) = delete;
    second_stack &operator=(const second_stack &) = delete;

    stacks::stack &operator*() const { return *stack_; }
    stacks::stack *operator->() const { return stack_; }
    std::size_t size() const { return static_cast<std::size_t>(stack_->high() - stack_->low); }

private:
    stacks::pool pool_{stacks::shape::within(std::size_t{64} << 10, 0)};
    stacks::stack *stack_;
};

/// The seconds of n switches, half of them there and half of them back. The second flow counts its
/// turns in `turns`; it has had one, in which it began.
template <typename There>
double measure_turns(long n, const long &turns, There there_and_back) {
    const double seconds = measure<no_runtime>(1, [&] {
        for (long i = 0; i < n / 2; ++i)
            there_and_back();
    });
    expect_equal(n / 2 + 1, turns);
    return seconds;
}

struct two_flows {
    stacks::context first, second;
    long turns = 0;
};

stacks::context *answer(void *argument) {
    auto &flows = *static_cast<two_flows *>(argument);
    // For ever: the stack is given back with the flow on it, which has nothing to clean up.
    for (;;) {
        ++flows.turns;
        stacks::switch_to(flows.second, flows.first);
    }
}

outcome switch_saguaro(long n, int) {
    const second_stack stack;
    two_flows flows;
    stacks::start_on(flows.first, *stack, answer, &flows);
    return measure_turns(n, flows.turns, [&] { stacks::switch_to(flows.first, flows.second); });
}

#if SG_BENCH_FCONTEXT

namespace fcontext = boost::context::detail;

void answer_fcontext(fcontext::transfer_t from) {
    long &turns = *static_cast<long *>(from.data);
    for (;;) {
        ++turns;
        from = fcontext::jump_fcontext(from.fctx, nullptr);
    }
}

outcome switch_fcontext(long n, int) {
    const second_stack stack;
    long turns = 0;
    fcontext::fcontext_t second =
        fcontext::make_fcontext(stack->high(), stack.size(), answer_fcontext);
    second = fcontext::jump_fcontext(second, &turns).fctx;
    return measure_turns(n, turns, [&] { second = fcontext::jump_fcontext(second, nullptr).fctx; });
}

#endif

struct two_ucontexts {
    ucontext_t first, second;
    long turns;
};

void answer_ucontext(unsigned high, unsigned low) {
    auto &flows = *reinterpret_cast<two_ucontexts *>(std::uintptr_t{high} << 32 | low);
    for (;;) {
        ++flows.turns;
        swapcontext(&flows.second, &flows.first);
    }
}

outcome switch_ucontext(long n, int) {
    const second_stack stack;
    two_ucontexts flows{};
    getcontext(&flows.second);
    flows.second.uc_stack.ss_sp = stack->low;
    flows.second.uc_stack.ss_size = stack.size();
    const auto address = reinterpret_cast<std::uintptr_t>(&flows);
    makecontext(&flows.second, reinterpret_cast<void (*)()>(answer_ucontext), 2,
                static_cast<unsigned>(std::uint64_t{address} >> 32),
                static_cast<unsigned>(address));
    swapcontext(&flows.first, &flows.second);
    return measure_turns(n, flows.turns, [&] { swapcontext(&flows.first, &flows.second); });
}

} // namespace

registry_entry switch_bench() {
    const kernel problem = {.name = "switch",
                            .meaning = "n times from one flow to another, on one thread",
                            .base = "saguaro",
                            .sizes = {10'000'000},
                            .greatest_peer_size = 0,
                            .least_n = 2,
                            .greatest_n = 1'000'000'000'000,
                            .parallel = false,
                            .operations = n_operations};
    const std::vector<variant> variants = {
        fixed("saguaro", switch_saguaro),
#if SG_BENCH_FCONTEXT
        fixed("fcontext", switch_fcontext),
#endif
        fixed("swapcontext", switch_ucontext),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
