// SPDX-License-Identifier: MIT
// Tests of the report on an overflowed stack, and of faults that are none.
#include "stacks/overflow.hpp"

#include "platform/memory.hpp"
#include "stacks/pool.hpp"
#include "stacks/stack_groups.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>

using namespace saguaro::stacks;
using testing::ExitedWithCode;
using testing::KilledBySignal;

namespace {

// On stderr: nothing, or what an emulator says about a program that ended by a signal.
const char *const no_report = "^(qemu: .*)?$";

runner worker_seven(const stack &) {
    return {true, false, 7};
}

runner nobody(const stack &) {
    return {};
}

runner somewhere(const stack &s) {
    return {true, true, reinterpret_cast<std::uintptr_t>(&s)};
}

constexpr purpose for_seven{"SAGUARO_STACK_SIZE", "worker", nullptr, false, worker_seven};
constexpr purpose for_nobody{"SAGUARO_STACK_SIZE", "worker", nullptr, false, nobody};
constexpr purpose for_somebody{"SAGUARO_STACK_SIZE", "somebody at", nullptr, false, somewhere};

// Recursion too deep for any stack, which no compiler turns into a loop.
int descend(volatile char *above, int frames) {
    volatile char frame[512];
    frame[0] = above[0];
    return frames == 0 ? 0 : descend(frame, frames - 1) + frame[0];
}

context *overflow(void *) {
    volatile char top = '\0';
    std::exit(descend(&top, 1'000'000)); // not reached
}

// Overflows a stack in a worker's thread.
void overflow_a_stack(pool &stacks, entry_point how = overflow) {
    const overflow_report reports;
    std::thread([&] {
        const alternate_stack for_handlers;
        context here;
        start_on(here, *stacks.take(), how, nullptr);
    }).join();
}

// Overflows one of 64 KB.
void overflow_a_stack(const purpose &use) {
    pool stacks(64 * 1024, 0, use);
    overflow_a_stack(stacks);
}

// Touches memory that cannot be touched and is no guard of ours.
void fault_elsewhere() {
    const std::size_t bytes = saguaro::platform::page_size();
    volatile char *const p = static_cast<char *>(saguaro::platform::reserve(bytes));
    saguaro::platform::protect_none(const_cast<char *>(p), bytes);
    *p = 1;
}

void set_handler(int number, void (*handler)(int), int flags = 0) {
    struct sigaction action;
    std::memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(number, &action, nullptr);
}

void exit_42(int) {
    _exit(42);
}

sigjmp_buf after_fault;
volatile void *fault_address;

void note_and_jump(int, siginfo_t *info, void *) {
    fault_address = info->si_addr;
    siglongjmp(after_fault, 1);
}

} // namespace

TEST(overflow_death, says_which_worker_and_which_setting) {
    EXPECT_EXIT(overflow_a_stack(for_seven), KilledBySignal(SIGSEGV),
                "saguaro: worker 7 overflowed its stack of 65536 bytes; "
                "SAGUARO_STACK_SIZE=BYTES makes it larger\n");
}

TEST(overflow_death, knows_threads_that_are_no_workers) {
    for (const purpose &use : {for_nobody, plain})
        EXPECT_EXIT(overflow_a_stack(use), KilledBySignal(SIGSEGV),
                    "saguaro: a thread that is no worker overflowed a stack of 65536 bytes");
}

// A function whose frame has 900 KB touches its end alone.
[[gnu::noinline]] int descend_far(int depth) {
    volatile char frame[900 << 10];
    frame[0] = static_cast<char>(depth);
    return depth == 0 ? frame[0] : descend_far(depth - 1) + frame[0];
}

context *overflow_far(void *) {
    std::exit(descend_far(1000)); // not reached
}

TEST(overflow_death, notices_large_frames) {
    pool stacks(8 << 20, 0, for_seven);
    EXPECT_EXIT(overflow_a_stack(stacks, overflow_far), KilledBySignal(SIGSEGV),
                "saguaro: worker 7 overflowed its stack of 8388608 bytes; ");
}

TEST(overflow_death, says_where_one_is_who_has_no_number) {
    pool stacks(64 * 1024, 0, for_somebody);
    stack *const s = stacks.take();
    stacks.give(s);
    char place[32];
    std::snprintf(place, sizeof(place), "%p", static_cast<void *>(s));
    EXPECT_EXIT(overflow_a_stack(stacks), KilledBySignal(SIGSEGV),
                "^saguaro: somebody at " + std::string(place) + " overflowed its stack of 65536");
}

// Each class has a guard of its own size, and the message names what the pool's user can do.
TEST(overflow_death, says_which_setting_its_user_has) {
    static constexpr purpose few_frames{"SMALL_STACKS", "worker", nullptr, false, worker_seven};
    pool small(shape::within(32 * 1024, 64), few_frames);
    const std::string says = "saguaro: worker 7 overflowed its stack of " +
                             std::to_string(small.stack_bytes()) +
                             " bytes; SMALL_STACKS=BYTES makes it larger\n";
    EXPECT_EXIT(overflow_a_stack(small), KilledBySignal(SIGSEGV), says);
    static constexpr purpose many_frames{"LARGE_STACKS", "worker"};
    pool large(shape::within(4 * 1024 * 1024, 64), many_frames);
    EXPECT_EXIT(overflow_a_stack(large), KilledBySignal(SIGSEGV),
                std::to_string(large.stack_bytes()) + " bytes; LARGE_STACKS=BYTES");
}

TEST(overflow_death, is_reported_whichever_way_guards_are_made_and_after_a_fork) {
    for (const bool forbidden : {false, true}) {
        saguaro::platform::forbid_light_guards(forbidden);
        drop_unused();
        pool stacks(64 * 1024, 0, for_seven);
        ASSERT_TRUE(stacks.prepare(2));
        // In a child of this process, as every death test.
        EXPECT_EXIT(overflow_a_stack(stacks), KilledBySignal(SIGSEGV),
                    "worker 7 overflowed its stack of 65536 bytes");
    }
    saguaro::platform::forbid_light_guards(false);
}

TEST(overflow_death, is_reported_while_any_user_wants_it) {
    EXPECT_EXIT(
        {
            set_handler(SIGSEGV, exit_42);
            pool stacks(64 * 1024, 0, for_seven);
            const overflow_report first;
            {
                const overflow_report second;
            }
            overflow_a_stack(stacks);
        },
        KilledBySignal(SIGSEGV), "worker 7 overflowed");
}

TEST(overflow_death, faults_elsewhere_end_the_program_as_ever) {
    EXPECT_EXIT(
        {
            signal(SIGSEGV, SIG_DFL);
            const overflow_report reports;
            fault_elsewhere();
        },
        KilledBySignal(SIGSEGV), no_report);
}

TEST(overflow_death, the_former_handler_gets_faults_elsewhere) {
    EXPECT_EXIT(
        {
            set_handler(SIGSEGV, exit_42);
            const overflow_report reports;
            fault_elsewhere();
        },
        ExitedWithCode(42), no_report);
}

TEST(overflow_death, ignored_signals_stay_ignored_but_ignored_faults_kill) {
    EXPECT_EXIT(
        {
            signal(SIGSEGV, SIG_IGN);
            const overflow_report reports;
            raise(SIGSEGV);
            std::fputs("alive\n", stderr);
            fault_elsewhere();
        },
        KilledBySignal(SIGSEGV), "alive");
}

TEST(overflow_death, a_signal_that_somebody_sent_kills) {
    EXPECT_EXIT(
        {
            signal(SIGBUS, SIG_DFL);
            const overflow_report reports;
            raise(SIGBUS);
        },
        KilledBySignal(SIGBUS), no_report);
}

TEST(overflow_report, hands_address_and_state_to_a_former_handler_of_three_arguments) {
    struct sigaction action;
    std::memset(&action, 0, sizeof(action));
    action.sa_sigaction = note_and_jump;
    action.sa_flags = SA_SIGINFO;
    struct sigaction before;
    sigaction(SIGSEGV, &action, &before);
    auto reports = std::make_unique<overflow_report>();
    fault_address = nullptr;
    if (sigsetjmp(after_fault, 1) == 0)
        fault_elsewhere();
    EXPECT_NE(fault_address, nullptr);
    reports.reset();
    struct sigaction after;
    sigaction(SIGSEGV, &before, &after);
    EXPECT_EQ(after.sa_sigaction, note_and_jump);
}

// A signal that somebody sent may come anywhere, also between a call and the look at its errno.
TEST(overflow_report, errno_stays_what_it_was_whatever_a_former_handler_does) {
    struct sigaction before;
    sigaction(SIGSEGV, nullptr, &before);
    static volatile int calls;
    calls = 0;
    set_handler(SIGSEGV, [](int) {
        calls = calls + 1;
        errno = EIO;
    });
    {
        const overflow_report reports;
        errno = ERANGE;
        raise(SIGSEGV);
        EXPECT_EQ(errno, ERANGE);
    }
    EXPECT_EQ(calls, 1);
    sigaction(SIGSEGV, &before, nullptr);
}

TEST(overflow_report, signals_that_a_former_handler_does_not_want_wait_for_it) {
#if defined(SG_TEST_EMULATED) && defined(__riscv)
    GTEST_SKIP() << "qemu-riscv64 7.2 blocks no signal for any handler";
#endif
    static volatile int is_blocked;
    is_blocked = -1;
    struct sigaction former;
    std::memset(&former, 0, sizeof(former));
    former.sa_handler = [](int) {
        sigset_t blocked;
        sigprocmask(SIG_SETMASK, nullptr, &blocked);
        is_blocked = sigismember(&blocked, SIGUSR1);
    };
    sigaddset(&former.sa_mask, SIGUSR1);
    struct sigaction before;
    sigaction(SIGSEGV, &former, &before);
    {
        const overflow_report reports;
        raise(SIGSEGV);
    }
    EXPECT_EQ(is_blocked, 1);
    sigaction(SIGSEGV, &before, nullptr);
}

TEST(overflow_death, a_handler_installed_on_top_may_go_on_calling_ours) {
    EXPECT_EXIT(
        {
            static struct sigaction ours;
            set_handler(SIGSEGV, exit_42);
            auto reports = std::make_unique<overflow_report>();
            sigaction(SIGSEGV, nullptr, &ours);
            struct sigaction on_top;
            std::memset(&on_top, 0, sizeof(on_top));
            on_top.sa_sigaction = [](int number, siginfo_t *info, void *state) {
                ours.sa_sigaction(number, info, state);
            };
            on_top.sa_flags = SA_SIGINFO;
            sigaction(SIGSEGV, &on_top, nullptr);
            // Neither may lose the handler below or call itself in a circle.
            reports.reset();
            reports = std::make_unique<overflow_report>();
            fault_elsewhere();
        },
        ExitedWithCode(42), no_report);
}

TEST(alternate_stack, puts_back_what_was_there) {
    std::thread([] {
        stack_t before{};
        sigaltstack(nullptr, &before);
        {
            const alternate_stack ours;
            stack_t now{};
            sigaltstack(nullptr, &now);
            EXPECT_NE(now.ss_sp, before.ss_sp);
            EXPECT_EQ(now.ss_flags & SS_DISABLE, 0);
        }
        stack_t after{};
        sigaltstack(nullptr, &after);
        EXPECT_EQ(after.ss_sp, before.ss_sp);
        EXPECT_EQ(after.ss_flags, before.ss_flags);
    }).join();
}
