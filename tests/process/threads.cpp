// SPDX-License-Identifier: MIT
// The program of threads_test.py: threads that enter the workers, and threads that tasks make.
#include "process/modes.hpp"

#include <atomic>
#include <barrier>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <dlfcn.h>
#include <future>
#include <pthread.h>
#include <sched.h>
#include <stdexcept>
#include <threads.h>
#include <vector>

namespace {

using namespace process;

void come_and_go() {
    for (long done = 0; done < number;) {
        std::vector<std::thread> some;
        for (; some.size() < 20; ++done)
            some.emplace_back([done] {
                check(saguaro::run([done] { return fib_invoke(done % 8 + 4); }) ==
                          fib_invoke(done % 8 + 4),
                      "fib");
            });
        for (std::thread &each : some)
            each.join();
    }
}

// All enter at the same moment, again and again, and add to the same reducer.
void at_once() {
    constexpr long threads = 64, rounds = 5;
    saguaro::reducer<saguaro::add<long>> sum;
    std::barrier together(threads);
    std::vector<std::thread> all;
    for (long i = 0; i < threads; ++i)
        all.emplace_back([&] {
            for (long round = 0; round < rounds; ++round) {
                together.arrive_and_wait();
                saguaro::run([&] {
                    saguaro::parallel_for(0L, 100L, [&](long j) { *sum += j; });
                    check(fib_scope(12) == 144, "fib");
                });
            }
        });
    for (std::thread &each : all)
        each.join();
    check(sum.get() == threads * rounds * 4950, "the sum");
}

// A C library's callback, which knows of no parallelism, runs; in a task and outside.
int compare_in_parallel(const void *a, const void *b) {
    const long left = *static_cast<const long *>(a), right = *static_cast<const long *>(b);
    const auto [x, y] = saguaro::run([=] {
        return saguaro::parallel_invoke([=] { return left + fib_invoke(5); },
                                        [=] { return right + fib_invoke(5); });
    });
    return x < y ? -1 : x > y;
}

void nested() {
    const auto sort = [] {
        std::vector<long> values;
        for (long i = 0; i < 500; ++i)
            values.push_back(i * 7919 % 500);
        std::qsort(values.data(), values.size(), sizeof(long), compare_in_parallel);
        for (long i = 0; i < 500; ++i)
            check(values[static_cast<std::size_t>(i)] == i, "sorted");
    };
    sort();
    saguaro::run([&] {
        saguaro::parallel_invoke(sort, [&] { saguaro::run([&] { saguaro::run(sort); }); }, sort);
    });
}

// What a thread that a task made must find: it is no worker, spawns serially, and may enter.
std::atomic<long> outsiders{0};

void be_outside() {
    check(saguaro::worker_id() == -1, "a thread that a task made is no worker");
    check(fib_invoke(10) == 55 && fib_scope(10) == 55, "spawns outside");
    check(saguaro::run([] { return saguaro::worker_id(); }) >= 0, "it enters");
    check(computes(), "it computes");
    outsiders.fetch_add(1);
}

// Runs `make` in a task three times: it makes one thread, which calls be_outside, and waits for it.
// That blocks its worker, so there must be another one.
template <class F>
void in_a_task(F make) {
    saguaro::run([&] {
        for (int i = 0; i < 3; ++i) {
            make();
            check(saguaro::worker_id() >= 0, "the maker is a worker");
            check(fib_scope(12) == 144, "the task goes on");
        }
    });
    check(outsiders == 3, "three threads");
}

void made_by_std_thread() {
    in_a_task([] { std::thread(be_outside).join(); });
}

void made_by_std_async() {
    in_a_task([] { std::async(std::launch::async, be_outside).get(); });
}

void made_by_pthread_create() {
    in_a_task([] {
        pthread_t thread;
        const auto body = [](void *) -> void * {
            be_outside();
            return nullptr;
        };
        check(pthread_create(&thread, nullptr, body, nullptr) == 0, "pthread_create");
        pthread_join(thread, nullptr);
    });
}

// By the system call, as a thread library of the program's own would: with a thread pointer and
// thread-local storage of its own. The kernel copies the rest of the registers from the worker,
// segment bases included. The thread calls no function of the C library, whose descriptor it has
// not.
void made_by_clone() {
    in_a_task([] {
        const auto allocate =
            reinterpret_cast<void *(*)(void *)>(dlsym(RTLD_DEFAULT, "_dl_allocate_tls"));
        check(allocate != nullptr, "_dl_allocate_tls");
        void *const block = allocate(nullptr);
        check(block != nullptr, "thread-local storage");
#if defined(__x86_64__)
        *static_cast<void **>(block) = block; // where %fs:0 has it
#endif
        static std::atomic<bool> is_outside;
        is_outside = false;
        const auto body = [](void *) -> int {
            is_outside = SG_REGION_GET(sg_worker *, worker) == nullptr;
            return 0;
        };
        std::vector<std::byte> stack(1 << 16);
        std::atomic<pid_t> alive{1}; // the kernel makes it 0
        constexpr int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                              CLONE_SYSVSEM | CLONE_SETTLS | CLONE_CHILD_CLEARTID;
        check(clone(body, stack.data() + stack.size(), flags, nullptr, nullptr, block, &alive) > 0,
              "clone");
        while (alive != 0)
            std::this_thread::yield();
        check(is_outside, "a cloned thread is outside");
        outsiders.fetch_add(1);
    });
}

void made_by_thrd_create() {
    in_a_task([] {
        thrd_t thread;
        const thrd_start_t body = [](void *) -> int {
            be_outside();
            return 0;
        };
        check(thrd_create(&thread, body, nullptr) == thrd_success, "thrd_create");
        thrd_join(thread, nullptr);
    });
}

// The C library has a helper thread for these, which the first timer makes.
void made_by_a_timer() {
    in_a_task([] {
        static std::atomic<long> rung{0};
        const long before = rung;
        sigevent event = {};
        event.sigev_notify = SIGEV_THREAD;
        event.sigev_notify_function = [](sigval) {
            be_outside();
            rung.fetch_add(1);
        };
        timer_t timer;
        check(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "timer_create");
        const itimerspec once{{0, 0}, {0, 1'000'000}};
        timer_settime(timer, 0, &once, nullptr);
        while (rung == before)
            std::this_thread::yield();
    });
}

struct oddity : std::runtime_error {
    using runtime_error::runtime_error;
};

void exceptions() {
    for (int i = 0; i < 100; ++i)
        try {
            saguaro::run([] {
                saguaro::parallel_invoke([] { fib_invoke(12); },
                                         [] { saguaro::run([] { throw oddity("odd"); }); });
            });
            check(false, "it throws");
        } catch (const oddity &error) {
            check(std::strcmp(error.what(), "odd") == 0, "what it throws");
            check(computes(), "a run in a handler");
        }
}

[[noreturn]] void jump(std::jmp_buf &back, int depth) {
    if (depth == 0)
        std::longjmp(back, 7);
    jump(back, depth - 1);
}

// A task may jump out of what it has called, as long as nothing in between has spawned.
void jumps() {
    const auto task = [] {
        for (volatile int i = 0; i < 100;) {
            const int round = i;
            i = round + 1;
            std::jmp_buf back;
            const int came = setjmp(back);
            if (came == 0)
                jump(back, 50);
            check(came == 7, "longjmp");
            check(fib_scope(10) == 55, "fib after a jump");
        }
    };
    saguaro::run([&] { saguaro::parallel_invoke(task, task, task); });
}

// While a run is under way nobody stops the workers, from wherever.
void stop_meanwhile() {
    std::atomic<bool> running{false}, enough{false};
    std::thread other([&] {
        saguaro::run([&] {
            check(sg_stop() == EBUSY, "stop in a task");
            running = true;
            while (!enough)
                std::this_thread::yield();
        });
    });
    while (!running)
        std::this_thread::yield();
    check(sg_stop() == EBUSY, "stop while another runs");
    check(sg_start(nullptr) == EBUSY, "start while they run");
    enough = true;
    other.join();
    check(sg_stop() == 0 && sg_stop() == 0, "stop, and nothing to stop");
    check(computes(), "new workers");
}

// The times are complete when run has returned.
void times() {
    using namespace std::chrono_literals;
    saguaro::start({.workers = 2, .statistics = true});
    for (int i = 1; i <= 5; ++i) {
        saguaro::run([] { std::this_thread::sleep_for(20ms); });
        check(saguaro::stats().work_seconds >= 0.02 * i, "the last run's time is counted");
    }
    saguaro::run([] {
        std::this_thread::sleep_for(20ms);
        check(saguaro::stats().work_seconds >= 0.12, "and what is under way");
    });
}

constexpr mode modes[] = {{"come-and-go", come_and_go},
                          {"at-once", at_once},
                          {"nested", nested},
                          {"std-thread", made_by_std_thread},
                          {"std-async", made_by_std_async},
                          {"pthread-create", made_by_pthread_create},
                          {"thrd-create", made_by_thrd_create},
                          {"clone", made_by_clone},
                          {"timer", made_by_a_timer},
                          {"exceptions", exceptions},
                          {"jumps", jumps},
                          {"stop-meanwhile", stop_meanwhile},
                          {"times", times}};

} // namespace

int main(int argc, char **argv) {
    return run_mode(modes, argc, argv);
}
