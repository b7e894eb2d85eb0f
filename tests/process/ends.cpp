// SPDX-License-Identifier: MIT
// The program of ends_test.py: processes that end while they have workers, in every way there is.
#include "process/modes.hpp"

#include <atomic>
#include <csignal>
#include <unistd.h>

namespace {

using namespace process;
using namespace std::chrono_literals;

// Calls f() in a task while the others run.
template <class F>
void in_a_busy_task(F f) {
    saguaro::run([&] {
        saguaro::parallel_invoke(
            [&] {
                check(fib_invoke(15) == 610, "fib");
                f();
            },
            spin);
    });
}

template <class F>
void beside_a_busy_task(F f) {
    static std::atomic<bool> busy{false};
    std::thread([] {
        saguaro::run([] {
            busy = true;
            spin();
        });
    }).detach();
    while (!busy)
        std::this_thread::yield();
    f();
}

void leave() {
    _exit(static_cast<int>(number));
}

void leave_quickly() {
    std::at_quick_exit([] { static_cast<void>(!write(STDOUT_FILENO, "quick\n", 6)); });
    std::quick_exit(static_cast<int>(number));
}

void die() {
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
}

// main returns: what it had registered before the workers were there runs after they are gone, and
// may want others.
void handlers() {
    std::atexit([] { std::puts(computes() ? "handler" : "wrong"); });
    std::atexit([] { std::puts(computes() ? "handler" : "wrong"); });
    check(computes(), "main");
    std::atexit([] { std::puts(computes() ? "handler" : "wrong"); });
}

// The same from a task: there, what runs is on the worker that calls exit.
void handlers_in_a_task() {
    std::atexit([] { std::puts(computes() ? "handler" : "wrong"); });
    saguaro::run([] { std::exit(0); });
}

struct last_words {
    ~last_words() { std::puts(fib_invoke(15) == 610 && computes() ? "static" : "wrong"); }
};

void destructors() {
    static const last_words words;
    check(computes(), "main");
}

// A thread's thread-local objects end with the thread: those of the one that enters stay, and the
// tasks there see them; the other one's end when the workers stop.
struct counted {
    ~counted() { std::puts("gone"); }
    void touch() const {}
};

thread_local counted of_this_thread;

void thread_locals() {
    for (int i = 0; i < 2; ++i) {
        saguaro::run([] {
            std::atomic<bool> here{false};
            saguaro::parallel_invoke(
                [&] {
                    while (!here)
                        std::this_thread::yield();
                },
                [&] {
                    of_this_thread.touch();
                    here = true;
                });
        });
        saguaro::stop();
        std::puts("stopped");
    }
}

// main returns while a run is under way: the process ends, with main's code.
void busy() {
    beside_a_busy_task([] {});
}

constexpr mode modes[] = {{"exit-in-a-task", [] { in_a_busy_task(leave); }},
                          {"exit-beside", [] { beside_a_busy_task(leave); }},
                          {"quick-exit-in-a-task", [] { in_a_busy_task(leave_quickly); }},
                          {"quick-exit-beside", [] { beside_a_busy_task(leave_quickly); }},
                          {"abort-in-a-task", [] { in_a_busy_task(die); }},
                          {"abort-beside", [] { beside_a_busy_task(die); }},
                          {"handlers", handlers},
                          {"handlers-in-a-task", handlers_in_a_task},
                          {"destructors", destructors},
                          {"thread-locals", thread_locals},
                          {"busy", busy}};

} // namespace

int main(int argc, char **argv) {
    return run_mode(modes, argc, argv);
}
