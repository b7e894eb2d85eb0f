// SPDX-License-Identifier: MIT
// Tests of switching stacks: registers, unwinding and exceptions.
#include "stacks/context.hpp"

#include "stacks/pool.hpp"
#include "stacks/surviving_values.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <unwind.h>
#include <vector>

using namespace saguaro::stacks;
using namespace saguaro::test;

namespace {

// A program of two flows: the test's own, and `body` on a pooled stack, which calls `yield` to let
// the test go on.
class two_flows {
public:
    using function = void (*)(two_flows &);

    explicit two_flows(function body, std::size_t stack_bytes = 256 * 1024)
        : pool_(stack_bytes, 0), stack_(pool_.take()), body_(body) {}

    ~two_flows() { pool_.give(stack_); }

    // Runs the second flow until it yields or ends.
    void begin() { start_on(first_, *stack_, enter, this); }
    void resume() { switch_to(first_, second_); }

    void yield() { switch_to(second_, first_); }
    [[noreturn]] void leave() {
        ended_ = true;
        leave_to(*stack_, first_);
    }

    bool ended() const { return ended_; }
    bool on_stack(const void *address) const {
        const char *const at = static_cast<const char *>(address);
        return at >= stack_->low && at < stack_->high();
    }

    std::vector<std::string> log;

private:
    static context *enter(void *argument) {
        two_flows &flows = *static_cast<two_flows *>(argument);
        flows.body_(flows);
        flows.ended_ = true;
        return &flows.first_;
    }

    pool pool_;
    stack *stack_;
    function body_;
    context first_;
    context second_;
    bool ended_ = false;
};

// Yields with every register spoiled.
void spoil_and_yield(two_flows &flows) {
    for (int round = 0; round < 3; ++round) {
        spoil_registers();
        flows.yield();
    }
}

struct trace {
    std::vector<std::uintptr_t> addresses;
};

_Unwind_Reason_Code note_frame(_Unwind_Context *frame, void *to) {
    trace &frames = *static_cast<trace *>(to);
    // The outermost frame has no address: it is only there to say that the stack ends.
    if (const std::uintptr_t address = _Unwind_GetIP(frame))
        frames.addresses.push_back(address);
    return frames.addresses.size() < 100 ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

} // namespace

TEST(start_on, runs_on_the_stack_and_comes_back) {
    two_flows flows([](two_flows &me) {
        EXPECT_TRUE(me.on_stack(__builtin_frame_address(0)));
        me.log.push_back("second");
    });
    flows.log.push_back("first");
    flows.begin();
    flows.log.push_back("first again");
    EXPECT_TRUE(flows.ended());
    EXPECT_EQ(flows.log, (std::vector<std::string>{"first", "second", "first again"}));
}

TEST(start_on, aligns_the_stack_as_the_convention_says) {
    two_flows flows([](two_flows &) {
        alignas(16) volatile char aligned[16] = {};
        aligned[0] = 1;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&aligned) % 16, 0u);
        // printf of floating-point numbers saves vector registers with aligned stores.
        char text[32];
        std::snprintf(text, sizeof(text), "%.2f", static_cast<double>(aligned[0]) / 4);
        EXPECT_STREQ(text, "0.25");
    });
    flows.begin();
    EXPECT_TRUE(flows.ended());
}

TEST(start_on, preserves_the_starters_values) {
    two_flows flows(spoil_and_yield);
    expect_values_survive([&] { flows.begin(); });
    EXPECT_FALSE(flows.ended());
    while (!flows.ended())
        flows.resume();
}

TEST(start_on, goes_on_with_its_starter_after_null) {
    pool stacks(64 * 1024, 0);
    stack *const s = stacks.take();
    context here;
    int ran = 0;
    const auto enter = [](void *argument) -> context * {
        ++*static_cast<int *>(argument);
        return nullptr;
    };
    for (int i = 0; i < 3; ++i)
        expect_values_survive([&] { start_on(here, *s, enter, &ran); });
    EXPECT_EQ(ran, 3);
    stacks.give(s);
}

TEST(switch_to, preserves_values_on_both_sides) {
    two_flows spoiler(spoil_and_yield);
    spoiler.begin();
    expect_values_survive([&] { spoiler.resume(); });
    while (!spoiler.ended())
        spoiler.resume();

    two_flows keeper([](two_flows &me) { expect_values_survive([&] { me.yield(); }); });
    keeper.begin();
    two_flows other(spoil_and_yield);
    other.begin();
    keeper.resume();
    EXPECT_TRUE(keeper.ended());
    while (!other.ended())
        other.resume();
}

TEST(leave_to, ends_a_flow_amid_its_calls_and_the_stack_can_be_used_again) {
    two_flows flows([](two_flows &me) {
        char frame[1000];
        std::memset(opaque(&frame[0]), 1, sizeof(frame));
        me.leave();
    });
    for (int i = 0; i < 100; ++i)
        flows.begin();
    EXPECT_TRUE(flows.ended());
    // With smaller frames over the old ones: AddressSanitizer must not see the old red zones.
    two_flows other([](two_flows &) {
        std::vector<int> numbers(100);
        std::iota(numbers.begin(), numbers.end(), 0);
        EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), 0), 4950);
    });
    other.begin();
    EXPECT_TRUE(other.ended());
}

TEST(context, flows_go_on_where_another_thread_continues_them) {
    two_flows flows([](two_flows &me) {
        me.log.push_back("here");
        me.yield();
        me.log.push_back("there");
        me.yield();
        me.log.push_back("here");
    });
    flows.begin();
    std::thread([&] { flows.resume(); }).join();
    flows.resume();
    EXPECT_TRUE(flows.ended());
    EXPECT_EQ(flows.log, (std::vector<std::string>{"here", "there", "here"}));
}

TEST(context, flows_can_start_flows) {
    static int depth;
    depth = 0;
    two_flows flows([](two_flows &) {
        ++depth;
        two_flows inner([](two_flows &me) {
            ++depth;
            me.yield();
            ++depth;
        });
        inner.begin();
        inner.resume();
        EXPECT_TRUE(inner.ended());
    });
    flows.begin();
    EXPECT_TRUE(flows.ended());
    EXPECT_EQ(depth, 3);
}

TEST(context, exceptions_are_thrown_and_caught_on_a_started_stack) {
    two_flows flows([](two_flows &me) {
        for (int i = 0; i < 3; ++i) {
            try {
                std::string owned(100, 'x'); // destroyed by the unwinder
                throw std::runtime_error("number " + std::to_string(i));
            } catch (const std::runtime_error &thrown) {
                me.log.push_back(thrown.what());
            }
            me.yield();
        }
    });
    flows.begin();
    while (!flows.ended())
        flows.resume();
    EXPECT_EQ(flows.log, (std::vector<std::string>{"number 0", "number 1", "number 2"}));
}

TEST(context_death, an_exception_that_nobody_catches_ends_the_program) {
    EXPECT_EXIT(
        {
            two_flows flows([](two_flows &) { throw std::runtime_error("nobody listens"); });
            flows.begin();
        },
        testing::KilledBySignal(SIGABRT), "nobody listens");
}

TEST(context, backtraces_end_at_the_bottom_of_the_stack) {
    // A stack in the midst of what looks like return addresses.
    alignas(64) static std::uintptr_t memory[16 * 1024];
    for (std::uintptr_t &word : memory)
        word = reinterpret_cast<std::uintptr_t>(&note_frame) + 1;
    __asm__ __volatile__("" ::: "memory"); // or the new descriptor makes the stores superfluous
    stack *const s = new (memory + std::size(memory) / 2) stack;
    s->low = reinterpret_cast<char *>(memory);
    trace frames;
    context here;
    start_on(
        here, *s,
        [](void *to) -> context * {
            EXPECT_EQ(_Unwind_Backtrace(note_frame, to), _URC_END_OF_STACK);
            return nullptr;
        },
        &frames);
    EXPECT_GE(frames.addresses.size(), 2u);
    // The function that called the entry point, and nothing above it.
#if !defined(SG_GENERIC)
    EXPECT_EQ(_Unwind_FindEnclosingFunction(reinterpret_cast<void *>(frames.addresses.back())),
              reinterpret_cast<void *>(sg_stacks_start));
#endif
}
