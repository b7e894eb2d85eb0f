// SPDX-License-Identifier: MIT
// The program of debuggers_test.py: flows that run, that wait parked, and their backtraces from
// inside.
#include "process/modes.hpp"
#include "saguaro/nanothreads.hpp"
#include "saguaro/place.h"
#include "saguaro/vcilk.h"

#include <atomic>
#include <execinfo.h>
#include <unistd.h>

namespace {

using namespace process;

std::atomic<bool> parked{false}; // the flow below waits at its join
std::atomic<bool> go_on{false};

// Where gdb stops.
[[gnu::noinline]] void stop_here() {
    __asm__ volatile("" : : : "memory");
}

[[gnu::noinline]] void inner_function() {
    stop_here();
    __asm__ volatile("" : : : "memory");
}

[[gnu::noinline]] void outer_function() {
    inner_function();
    __asm__ volatile("" : : : "memory");
}

// Returns when two workers have begun: a thread that the system has just made has no backtrace that
// gdb could show.
void two_begin() {
    std::atomic<int> begun{0};
    const auto meet = [&] {
        for (++begun; begun < 2;)
            std::this_thread::yield();
    };
    saguaro::parallel_invoke(meet, meet);
}

// A child on its own stack.
void in_a_child() {
    saguaro::run([] {
        two_begin();
        saguaro::scope s;
        s.spawn([] { outer_function(); });
        s.sync();
    });
}

// Parks at the join of what the other worker has taken.
[[gnu::noinline]] void waits_for_the_other() {
    std::atomic<bool> taken{false};
    saguaro::parallel_invoke(
        [&] {
            while (!taken)
                std::this_thread::yield();
            parked = true;
        },
        [&] {
            taken = true;
            while (!parked || saguaro::stats().parks == 0)
                std::this_thread::yield();
            outer_function();
        });
    __asm__ volatile("" : : : "memory");
}

void at_a_parked_join() {
    saguaro::run(waits_for_the_other);
}

// A nano-thread waits for the one that stops.
[[gnu::noinline]] void a_nano_thread_waits() {
    saguaro::nt::fork([] { outer_function(); });
    saguaro::nt::join();
    __asm__ volatile("" : : : "memory");
}

void in_a_nano_thread() {
    saguaro::nt::run({.processors = 1, .stack_bytes = 0, .design = nullptr},
                     [] { a_nano_thread_waits(); });
}

// A virtual processor waits for the one that stops.
[[gnu::noinline]] void a_vp_waits(void *, sg_vp *me) {
    sg_vcilk_spawn([](void *, sg_vp *) { outer_function(); }, nullptr, me);
    sg_vcilk_sync(me);
    __asm__ volatile("" : : : "memory");
}

void in_a_vp() {
    const sg_vms_options one_core = {1, 1, 0, nullptr};
    check(sg_vcilk_run(&one_core, a_vp_waits, nullptr) == 0, "VCilk");
}

// The C library's own unwinder: how many frames, and that it finds an end.
void own_backtrace() {
    saguaro::run([] {
        saguaro::scope s;
        s.spawn([] {
            void *frames[200];
            const int count = backtrace(frames, 200);
            backtrace_symbols_fd(frames, count, STDOUT_FILENO);
            std::printf("%d frames\n", count);
        });
        s.sync();
    });
}

void compute_for_a_while() {
    check(saguaro::run([] { return fib_invoke(number); }) > 0, "fib");
    check(saguaro::run([] { return fib_scope(number - 6); }) > 0, "fib");
}

// For valgrind.
void look_past_a_local_block() {
    auto *const block = static_cast<volatile char *>(sg_malloc_local(48));
    volatile int past = 48;
    std::printf("%d\n", block[past]);
    sg_free_place(const_cast<char *>(block));
}

constexpr mode modes[] = {{"past-local-block", look_past_a_local_block},
                          {"child", in_a_child},
                          {"parked", at_a_parked_join},
                          {"nano-thread", in_a_nano_thread},
                          {"vp", in_a_vp},
                          {"backtrace", own_backtrace},
                          {"compute", compute_for_a_while}};

} // namespace

int main(int argc, char **argv) {
    return run_mode(modes, argc, argv);
}
