// SPDX-License-Identifier: MIT
// The program of recording_test.py: recording MODE [NUMBER].
#include "modes.hpp"
#include "saguaro/parallel_for.hpp"
#include "saguaro/place.h"
#include "saguaro/record.h"
#include "support/test_time.hpp"

#include <atomic>
#include <cerrno>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace process;

// The strand works for so many milliseconds.
void busy(long milliseconds) {
    saguaro::test::time.pass(milliseconds * 1'000'000);
}

void pair() {
    saguaro::parallel_invoke([] { busy(number); }, [] { busy(number); });
}

void run_pair() {
    saguaro::run(pair);
    std::printf("%u\n", saguaro::workers());
}

void ask_for_workers() {
    saguaro::start({.workers = 3});
    run_pair();
}

void start_twice() {
    for (int i = 0; i < 2; ++i) {
        saguaro::start({.workers = 1}); // nothing runs: nothing is recorded
        saguaro::stop();
        run_pair();
        saguaro::stop();
    }
}

void start_in_a_task() {
    saguaro::run([] {
        pair();
        check(sg_start(nullptr) == EBUSY, "workers are there");
    });
}

void exit_in_a_task() {
    saguaro::run([] {
        saguaro::parallel_invoke(
            [] {
                busy(number);
                std::exit(3);
            },
            [] {});
    });
}

void exit_outside() {
    std::atomic<bool> inside{false};
    std::thread([&] {
        saguaro::run([&] {
            inside = true;
            spin();
        });
    }).detach();
    while (!inside)
        std::this_thread::yield();
    std::exit(3);
}

void die_in_a_task() {
    saguaro::run([] {
        pair();
        std::_Exit(4);
    });
}

template <class Body>
void in_child(Body body) {
    const pid_t child = fork();
    if (child == 0) {
        body();
        std::_Exit(0);
    }
    int status = 0;
    check(waitpid(child, &status, 0) == child && status == 0, "the child ends well");
}

// In a child of a task, and in one that starts workers of its own.
void fork_twice() {
    saguaro::run([&] { in_child([] { fib_invoke(15); }); });
    in_child([] { saguaro::run([] { fib_invoke(15); }); });
    run_pair();
}

void declare_and_free() {
    static char bytes[64];
    sg_record_object(bytes, sizeof bytes);
    sg_record_free(bytes);
}

// Whenever this process forks, a thread declares objects, and a strand touches memory of place.h.
void fork_while_others_declare() {
    std::atomic<bool> enough{false};
    std::thread declares([&] {
        while (!enough)
            declare_and_free();
    });
    std::thread touches([&] {
        saguaro::run([&] {
            while (!enough) {
                void *const p = sg_malloc_local(std::size_t{2} << 20);
                sg_record_touch(p, 1);
                sg_free_place(p);
            }
        });
    });
    for (long i = 0; i < number; ++i)
        in_child([] {
            alarm(60); // seconds; then it waits for ever
            declare_and_free();
        });
    enough = true;
    declares.join();
    touches.join();
}

void run_on_threads() {
    std::thread other([] { saguaro::run(pair); });
    saguaro::run(pair);
    other.join();
}

void run_fib() {
    std::printf("%ld\n", saguaro::run([] { return fib_invoke(number); }));
}

void run_fib_scope() {
    std::printf("%ld\n", saguaro::run([] { return fib_scope(number); }));
}

// 2^n leaves of 4 µs each. Prints how often the recorder has read the clock.
void run_leaves() {
    struct tree {
        static void grow(long depth) {
            if (depth > 0)
                saguaro::parallel_invoke([=] { grow(depth - 1); }, [=] { grow(depth - 1); });
            else
                saguaro::test::time.pass(4'000);
        }
    };
    saguaro::run([] {}); // the workers are there
    const std::uint64_t before = saguaro::test::time.readings();
    saguaro::run([] { tree::grow(number); });
    std::printf("%llu\n", static_cast<unsigned long long>(saguaro::test::time.readings() - before));
}

constexpr mode modes[] = {
    {"pair", run_pair},
    {"workers", ask_for_workers},
    {"twice", start_twice},
    {"start", start_in_a_task},
    {"exit", exit_in_a_task},
    {"exit-outside", exit_outside},
    {"die", die_in_a_task},
    {"fork", fork_twice},
    {"fork-while-declared", fork_while_others_declare},
    {"threads", run_on_threads},
    {"fib", run_fib},
    {"fib-scope", run_fib_scope},
    {"leaves", run_leaves},
};

} // namespace

int main(int argc, char **argv) {
    saguaro::record::tick_clock::replace_by(&saguaro::test::time);
    return run_mode(modes, argc, argv);
}
