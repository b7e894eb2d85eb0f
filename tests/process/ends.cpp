// SPDX-License-Identifier: MIT
// The program of ends_test.py: processes that end while they have workers, in every way there is.
#include "process/modes.hpp"
#include "support/another_worker.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <filesystem>
#include <iterator>
#include <sys/syscall.h>
#include <sys/wait.h>
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
        saguaro::run([] { saguaro::test::on_another_worker([] { of_this_thread.touch(); }); });
        saguaro::stop();
        std::puts("stopped");
    }
}

bool a_child_computes() {
    const pid_t child = fork();
    if (child == 0)
        _exit(computes() ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0;
}

// Such an object's destructor calls whatever the library has, while the workers end.
struct calling {
    ~calling() {
        begun = true;
        check(computes() && computes(), "a run");
        check(saguaro::worker_id() == -1 && saguaro::workers() == 1, "questions");
        static_cast<void>(saguaro::stats());
        check(sg_start(nullptr) == EBUSY && sg_stop() == EBUSY, "start and stop");
        check(a_child_computes(), "a fork");
        std::this_thread::sleep_for(20ms); // time for another thread's run, which must not begin
        check(!another_ran, "the next workers");
        ++called;
    }
    static std::atomic<int> called;
    static std::atomic<bool> begun;       // one of them
    static std::atomic<bool> another_ran; // a thread that enters after that
};

std::atomic<int> calling::called{0};
std::atomic<bool> calling::begun{false};
std::atomic<bool> calling::another_ran{false};

// Each worker's thread has one, this one has none.
void let_workers_have_one() {
    std::atomic<unsigned> touched{1};
    saguaro::run([&] {
        const std::thread::id entered = std::this_thread::get_id();
        saguaro::parallel_for(0U, saguaro::workers(), [&](unsigned) {
            if (std::this_thread::get_id() != entered) {
                thread_local const calling mine;
                ++touched;
            }
            while (touched < saguaro::workers())
                std::this_thread::yield();
        });
    });
}

void destructors_call() {
    let_workers_have_one();
    const auto wanted = static_cast<int>(saguaro::workers() - 1);
    // It comes while the workers end, and gets others.
    std::thread other([=] {
        while (wanted > 0 && !calling::begun)
            std::this_thread::yield();
        if (wanted > 0)
            saguaro::run([] { calling::another_ran = true; });
    });
    saguaro::stop();
    other.join();
    check(calling::called == wanted, "each destructor");
    check(computes(), "a run behind it");
}

void destructors_call_at_exit() {
    static const auto wanted = static_cast<int>(saguaro::workers() - 1);
    std::atexit([] { std::puts(calling::called == 2 * wanted ? "all" : "not all"); });
    let_workers_have_one();
    saguaro::stop();
    let_workers_have_one();
}

// main returns while a run is under way: the process ends, with main's code.
void busy() {
    beside_a_busy_task([] {});
}

// main returns while a task is under way that it has not waited for.
void busy_group() {
    static std::atomic<bool> busy{false};
    static auto &group = *new saguaro::task_group; // nothing waits for it
    group.run([] {
        busy = true;
        spin();
    });
    while (!busy)
        std::this_thread::yield();
}

// The workers' threads have come to nothing yet when the process ends: nobody waits for them.
std::atomic<bool> holds_threads{false};

void held() {
    holds_threads = true;
    saguaro::run([] {});
}

// A worker alone may have a thread to help it.
bool has_more_threads_than_workers() {
    std::filesystem::directory_iterator threads("/proc/self/task");
    return std::distance(begin(threads), end(threads)) > std::max(saguaro::workers(), 2U);
}

// What the end has left is not there in a fork's child, and others come when it is wanted again.
void left() {
    std::atexit([] { std::puts(computes() ? "handler" : "wrong"); });
    std::atexit([] {
        check(a_child_computes(), "a fork");
        check(computes() && !has_more_threads_than_workers(), "those that were left");
        std::puts("handler");
    });
    saguaro::run([] {});
}

// A static group waits at the end of the process.
void static_group() {
    static saguaro::task_group group;
    for (int i = 0; i < 3; ++i)
        group.run([] { std::puts("task"); });
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
                          {"destructors-call", destructors_call},
                          {"destructors-call-at-exit", destructors_call_at_exit},
                          {"held", held},
                          {"left", left},
                          {"busy-group", busy_group},
                          {"static-group", static_group},
                          {"busy", busy}};

} // namespace

// The program's own, before the C library's: each of the workers' threads calls it first.
extern "C" int prctl(int what, ...) noexcept {
    while (holds_threads)
        pause();
    va_list rest;
    va_start(rest, what);
    const auto argument = va_arg(rest, unsigned long);
    va_end(rest);
    return static_cast<int>(syscall(SYS_prctl, what, argument, 0, 0, 0));
}

int main(int argc, char **argv) {
    return run_mode(modes, argc, argv);
}
