// SPDX-License-Identifier: MIT
// The program of signals_test.py: signals that arrive while workers run.
#include "process/modes.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <sys/time.h>

namespace {

using namespace process;

std::atomic<long> arrived{0};
std::atomic<long> on_workers{0};

// What a handler may do, and no more; in 2 KB of its own. errno is put back as every handler must.
void handler(int) {
    const int interrupted = errno;
    char frame[2048];
    __asm__ volatile("" : : "r"(frame) : "memory");
    arrived.fetch_add(1, std::memory_order_relaxed);
    if (saguaro::worker_id() >= 0)
        on_workers.fetch_add(1, std::memory_order_relaxed);
    errno = interrupted;
}

void install(int which, int flags) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = flags; // without SA_RESTART: system calls are interrupted
    check(sigaction(which, &action, nullptr) == 0, "sigaction");
}

// A thousand a second, of real time and of processor time.
void begin_storm(int flags) {
    install(SIGALRM, flags);
    install(SIGPROF, flags);
    const itimerval often{{0, 1000}, {0, 1000}};
    check(setitimer(ITIMER_REAL, &often, nullptr) == 0, "setitimer");
    check(setitimer(ITIMER_PROF, &often, nullptr) == 0, "setitimer");
}

// ThreadSanitizer before LLVM 21 may leave all signals blocked in a thread when one arrives while
// it delivers another (google/sanitizers issue 1855).
void admit_signals() {
    if (!SG_THREAD_SANITIZER)
        return;
    sigset_t storm;
    sigemptyset(&storm);
    sigaddset(&storm, SIGALRM);
    sigaddset(&storm, SIGPROF);
    check(pthread_sigmask(SIG_UNBLOCK, &storm, nullptr) == 0, "pthread_sigmask");
}

// Until `number` signals have arrived, some of them on workers. Short runs and sleeps between them,
// so that waiting threads are hit as well.
void compute_in_a_storm(int flags) {
    begin_storm(flags);
    do {
        admit_signals();
        check(saguaro::run([] { return fib_invoke(20); }) == 6765, "fib");
        check(computes(), "what the workers compute");
    } while (arrived < number || on_workers == 0);
}

// The default action, while all workers run; the test sends the signal.
void wait_for_the_end() {
    saguaro::run([] {
        saguaro::parallel_invoke(
            [] {
                std::puts("ready");
                std::fflush(stdout);
                spin();
            },
            spin);
    });
}

// One signal to the worker itself, on the stack that the runtime gave the thread for such handlers.
void on_the_other_stack() {
    static std::atomic<bool> elsewhere{false};
    struct sigaction action = {};
    action.sa_handler = [](int) {
        stack_t now;
        sigaltstack(nullptr, &now);
        elsewhere = (now.ss_flags & SS_ONSTACK) != 0;
    };
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, nullptr);
    saguaro::run([] { std::raise(SIGUSR1); });
    check(elsewhere, "the handler runs on the worker's alternate stack");
    saguaro::run([] { check(fib_scope(10) == 55, "fib"); });
}

constexpr mode modes[] = {{"storm", [] { compute_in_a_storm(0); }},
                          {"storm-on-other-stacks", [] { compute_in_a_storm(SA_ONSTACK); }},
                          {"wait", wait_for_the_end},
                          {"other-stack", on_the_other_stack}};

} // namespace

int main(int argc, char **argv) {
    return run_mode(modes, argc, argv);
}
