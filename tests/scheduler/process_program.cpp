// SPDX-License-Identifier: MIT
// The program of process_test.py: process_program MODE [NUMBER].
#include "process/modes.hpp"
#include "support/another_worker.hpp"
#include "support/kernel_calls.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace process;
using namespace std::chrono_literals;

// Uses up `bytes` of the stack below `top` and comes back. A kilobyte at a time: ThreadSanitizer
// knows 65,536 nested calls and no more.
[[gnu::noinline]] int descend(std::uintptr_t top, std::uintptr_t bytes) {
    char frame[1024];
    __asm__ volatile("" : : "r"(frame) : "memory"); // all of it is needed, says this
    // The address of a local would be elsewhere with AddressSanitizer.
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const int below = top - here >= bytes ? 0 : descend(top, bytes);
    __asm__ volatile("" : : "r"(frame) : "memory");
    return below;
}

void use_stack() {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    descend(here, static_cast<std::uintptr_t>(number));
}

// ---- The modes ----

void print_workers() {
    const unsigned before = saguaro::workers();
    const unsigned inside = saguaro::run([] { return saguaro::workers(); });
    std::printf("%u %u\n", before, inside);
}

void print_fib_invoke() {
    std::printf("%ld\n", saguaro::run([] { return fib_invoke(number); }));
}

void print_fib_scope() {
    std::printf("%ld\n", saguaro::run([] { return fib_scope(number); }));
}

// Which is certain to steal.
void run_on_another_worker() {
    saguaro::run([] { saguaro::test::on_another_worker([] { fib_invoke(number); }); });
}

void stop_twice() {
    for (int i = 0; i < 2; ++i) {
        saguaro::run([] { return fib_invoke(number); });
        saguaro::stop();
    }
}

void recurse() {
    saguaro::run(use_stack);
    std::puts("back");
}

void recurse_in_a_child() {
    saguaro::run([] {
        saguaro::scope s;
        s.spawn([] { use_stack(); });
        s.sync();
    });
    std::puts("back");
}

void exit_in_a_task() {
    saguaro::run(
        [] { saguaro::parallel_invoke([] { std::exit(static_cast<int>(number)); }, spin); });
}

// On another worker than the one that the program waits for, if there are two.
void exit_in_a_child() {
    saguaro::run([] {
        saguaro::scope s;
        s.spawn([] {
            std::this_thread::sleep_for(20ms); // so that the parent goes on elsewhere
            std::exit(static_cast<int>(number));
        });
        spin();
        s.sync();
    });
}

void exit_outside() {
    std::thread([] { saguaro::run(spin); }).detach();
    std::this_thread::sleep_for(20ms);
    std::exit(static_cast<int>(number));
}

void end_the_thread() {
    pthread_exit(nullptr);
}

void end_the_thread_in_c() {
    sg_run([](void *) { end_the_thread(); }, nullptr);
}

void end_the_thread_in_a_first_function() {
    saguaro::run([] { saguaro::parallel_invoke(end_the_thread, [] {}); });
}

void end_the_thread_in_a_second_function() {
    saguaro::run([] { saguaro::parallel_invoke([] {}, end_the_thread); });
}

void end_the_thread_in_a_child() {
    saguaro::run([] {
        saguaro::scope s;
        s.spawn(end_the_thread);
        s.sync();
    });
}

void end_the_thread_in_a_group() {
    saguaro::task_group tasks;
    tasks.run(end_the_thread);
    tasks.wait();
}

void end_the_thread_in_a_loop() {
    saguaro::parallel_for(0, 1000, [](int i) {
        if (i == 500)
            end_the_thread();
    });
}

void end_the_thread_in_a_sort() {
    std::vector<int> numbers(10'000);
    saguaro::parallel_sort(numbers.begin(), numbers.end(), [](int, int) -> bool {
        end_the_thread();
        return false;
    });
}

void end_the_thread_in_a_search() {
    std::vector<int> numbers(10'000);
    static_cast<void>(saguaro::parallel_find_if(numbers.begin(), numbers.end(), [](int) -> bool {
        end_the_thread();
        return false;
    }));
}

// Another worker has the rest, and keeps it.
void end_the_thread_beside_a_stolen_function() {
    saguaro::run([] {
        std::atomic<bool> is_stolen{false};
        saguaro::parallel_invoke(
            [&] {
                while (!is_stolen)
                    ;
                end_the_thread();
            },
            [&] {
                is_stolen = true;
                pause();
            });
    });
}

void end_the_thread_beside_a_stolen_part() {
    saguaro::run([] {
        std::atomic<bool> is_stolen{false};
        const std::thread::id first = std::this_thread::get_id();
        saguaro::parallel_for(0, 2, [&](int) {
            if (std::this_thread::get_id() != first) {
                is_stolen = true;
                pause();
            }
            while (!is_stolen)
                ;
            end_the_thread();
        });
    });
}

// The child keeps its worker, and the thread ends that has gone on after the spawn.
void end_the_thread_beside_a_childs_scope() {
    saguaro::run([] {
        std::atomic<bool> is_taken{false};
        saguaro::scope s;
        s.spawn([&] {
            while (!is_taken)
                ;
            pause();
        });
        is_taken = true;
        end_the_thread();
    });
}

void end_the_thread_beside_a_tasks_group() {
    saguaro::run([] {
        std::atomic<bool> is_taken{false};
        saguaro::task_group tasks;
        tasks.run([&] {
            while (!is_taken)
                ;
            pause();
        });
        is_taken = true;
        end_the_thread();
    });
}

void end_the_main_thread() {
    saguaro::run([] { return fib_invoke(10); });
    saguaro::stop();
    pthread_exit(nullptr);
}

// Returns from main, the workers being asleep or at their last looks around.
void leave() {
    saguaro::run([] { return fib_invoke(10); });
}

void leave_without_a_run() {
    saguaro::start();
}

// Waits until so many threads sleep for good, and all others that look for work nap for `nap` at
// least. Prints how many sleep.
void print_sleepers(long threads, std::chrono::nanoseconds nap) {
    const auto &sleeps = saguaro::test_support::sleeps;
    for (int left = 60'000; left > 0; --left, std::this_thread::sleep_for(1ms))
        if (sleeps.without_end == threads && sleeps.longest_ns >= nap.count())
            break;
    std::printf("%d\n", sleeps.longest_ns >= nap.count() ? sleeps.without_end.load() : -1);
}

// `number` threads sleep while nothing runs.
void idle() {
    saguaro::run([] { return fib_invoke(10); });
    print_sleepers(number, 0ns);
}

// `number` threads sleep, and another one naps for 8 ms at a time, while one task waits.
void wait_in_a_task() {
    saguaro::test_support::sleeps.longest_ns = 0;
    saguaro::run([] { print_sleepers(number, 7ms); });
}

constexpr mode modes[] = {
    {"workers", print_workers},
    {"fib-invoke", print_fib_invoke},
    {"fib-scope", print_fib_scope},
    {"on-another-worker", run_on_another_worker},
    {"stop-twice", stop_twice},
    {"recurse", recurse},
    {"recurse-in-a-child", recurse_in_a_child},
    {"exit-in-a-task", exit_in_a_task},
    {"exit-in-a-child", exit_in_a_child},
    {"exit-outside", exit_outside},
    {"end-the-thread-in-a-task", [] { saguaro::run(end_the_thread); }},
    {"end-the-thread-in-c", end_the_thread_in_c},
    {"end-the-thread-in-a-first-function", end_the_thread_in_a_first_function},
    {"end-the-thread-in-a-second-function", end_the_thread_in_a_second_function},
    {"end-the-thread-in-a-child", end_the_thread_in_a_child},
    {"end-the-thread-in-a-group", end_the_thread_in_a_group},
    {"end-the-thread-in-a-loop", end_the_thread_in_a_loop},
    {"end-the-thread-in-a-sort", end_the_thread_in_a_sort},
    {"end-the-thread-in-a-search", end_the_thread_in_a_search},
    {"end-the-thread-beside-a-stolen-function", end_the_thread_beside_a_stolen_function},
    {"end-the-thread-beside-a-stolen-part", end_the_thread_beside_a_stolen_part},
    {"end-the-thread-beside-a-childs-scope", end_the_thread_beside_a_childs_scope},
    {"end-the-thread-beside-a-tasks-group", end_the_thread_beside_a_tasks_group},
    {"end-the-main-thread", end_the_main_thread},
    {"leave", leave},
    {"leave-without-a-run", leave_without_a_run},
    {"idle", idle},
    {"wait-in-a-task", wait_in_a_task}};

} // namespace

int main(int argc, char **argv) {
    return run_mode(modes, argc, argv);
}
