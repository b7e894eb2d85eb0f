// SPDX-License-Identifier: MIT
// The program of forks_test.py: processes that fork while they have workers.
#include "process/modes.hpp"

#include <saguaro/place.h>

#include <atomic>
#include <cerrno>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char **environ;

namespace {

using namespace process;

// What the child of a fork ends with, as a shell tells it: 128 + the signal's number.
int end_of(pid_t child) {
    int status = 0;
    check(waitpid(child, &status, 0) == child, "waitpid");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Forks a child that calls f() and, unless that ends the process, exits with 0.
template <class F>
pid_t fork_child(F f) {
    std::fflush(nullptr);
    const pid_t child = fork();
    check(child >= 0, "fork");
    if (child == 0) {
        f();
        _exit(0);
    }
    return child;
}

void wait_for(pid_t child, int expected = 0) {
    const int code = end_of(child);
    if (code != expected)
        std::fprintf(stderr, "the child ended with %d\n", code);
    check(code == expected, "the child's end");
}

template <class F>
void fork_and_wait(F f, int expected = 0) {
    wait_for(fork_child(f), expected);
}

void compute() {
    check(computes(), "what the workers compute");
}

// The child has workers of its own; so have its children; the parent keeps its own.
void outside() {
    compute();
    fork_and_wait([] {
        check(saguaro::run([] { return saguaro::worker_id(); }) >= 0, "run is on a worker");
        for (int i = 0; i < 3; ++i)
            compute();
        fork_and_wait(compute);
        compute();
    });
    compute();
}

// The child's workers are other threads than the parent's: it has just the one until it runs.
void other_options() {
    saguaro::start({.workers = 3});
    fork_and_wait([] {
        check(saguaro::stats().spawns == 0, "no statistics before there are workers");
        saguaro::stop();
        saguaro::start({.workers = 2, .statistics = true});
        check(saguaro::workers() == 2, "the child chooses its workers");
        check(saguaro::run([] { return fib_invoke(10); }) == 55, "fib");
        check(saguaro::stats().spawns == 88, "the child counts from 0");
        saguaro::stop();
        compute();
        std::exit(0);
    });
    check(saguaro::workers() == 3, "the parent keeps its workers");
}

// Threads run whenever this process forks, so that it finds locks in the hands of others: workers
// that compute, threads that enter and leave. They rest while the child runs, or it would take
// seconds: workers of both processes wait for locks of those that have no processor.
void while_others_run() {
    std::atomic<bool> resting{false}, enough{false};
    std::atomic<int> under_way{0};
    const auto again_and_again = [&](auto f) {
        return std::thread([&, f] {
            while (!enough) {
                resting.wait(true);
                ++under_way;
                while (!resting && !enough)
                    f();
                --under_way;
            }
        });
    };
    std::thread others[] = {again_and_again(compute), again_and_again([] { saguaro::run([] {}); }),
                            again_and_again([] { saguaro::run([] {}); })};
    for (long i = 0; i < number; ++i) {
        while (under_way < 3)
            std::this_thread::yield();
        // In the beginning of what they do, and later.
        std::this_thread::sleep_for(i * std::chrono::microseconds(50));
        const pid_t child = fork_child(compute);
        resting = true;
        wait_for(child);
        resting = false;
        resting.notify_all();
    }
    enough = true;
    for (std::thread &each : others)
        each.join();
    compute();
}

// Another thread is in a run, which the child knows nothing of: its own workers come and go.
void while_another_runs() {
    std::atomic<bool> inside{false}, enough{false};
    std::thread other([&] {
        saguaro::run([&] {
            inside = true;
            while (!enough)
                std::this_thread::yield();
        });
    });
    while (!inside)
        std::this_thread::yield();
    fork_and_wait([] {
        saguaro::stop();
        compute();
        saguaro::stop();
    });
    enough = true;
    other.join();
    saguaro::stop();
}

// Keeps a block for the calling worker, and waits for the other one to do so too.
void keep_a_block(std::atomic<int> &workers) {
    sg_free_place(sg_malloc_local(100));
    for (++workers; workers < 2;)
        std::this_thread::yield();
}

// Another thread stops the workers when a fork has begun, and the fork waits for its lock: here one
// thread does both. The workers' threads give their blocks back to the pools meanwhile.
void while_workers_end() {
    alarm(60);
    static bool has_workers = false;
    const auto stop = [] {
        if (std::exchange(has_workers, false))
            saguaro::stop();
    };
    check(pthread_atfork(stop, nullptr, nullptr) == 0, "pthread_atfork");
    saguaro::start({.workers = 2});
    saguaro::run([] {
        std::atomic<int> workers{0};
        saguaro::parallel_invoke([&] { keep_a_block(workers); }, [&] { keep_a_block(workers); });
    });
    has_workers = true;
    fork_and_wait([] { sg_free_place(sg_malloc_local(100)); });
    check(!has_workers, "the handler");
}

// More blocks than a thread keeps: they come from the pool and go back to it.
void use_the_pool() {
    void *blocks[100];
    for (void *&each : blocks)
        each = sg_malloc_local(60000);
    for (void *each : blocks)
        sg_free_place(each);
}

// Called after the scheduler's handler and before the pools': whoever holds the scheduler's lock
// may wait for a thread that uses a pool, so the pools' locks are taken last.
bool uses_the_pool_in_between = false;

[[gnu::constructor(102)]] void come_in_between() {
    pthread_atfork(
        [] {
            if (std::exchange(uses_the_pool_in_between, false))
                use_the_pool();
        },
        nullptr, nullptr);
}

void pools_are_locked_last() {
    alarm(60);
    uses_the_pool_in_between = true;
    fork_and_wait(use_the_pool);
    check(!uses_the_pool_in_between, "the handler");
}

// The child goes on alone from within a task, serially: what it spawns, what it runs.
void serially() {
    check(saguaro::worker_id() >= 0, "the child is a worker");
    check(saguaro::workers() == 1, "the child is the only worker");
    check(fib_invoke(15) == 610 && fib_scope(15) == 610, "the child spawns");
    check(saguaro::run([] { return fib_invoke(15); }) == 610, "a nested run");
    long sum = 0;
    saguaro::parallel_for(0L, 1000L, [&](long i) { sum += i; });
    check(sum == 499500, "the child loops");
    check(sg_start(nullptr) == EBUSY && sg_stop() == EBUSY, "the child is its only worker");
}

// Forks in the middle of a tree that others help with.
long tree_that_forks(long n) {
    if (n == 0) {
        fork_and_wait(serially);
        return 1;
    }
    const auto [x, y] = saguaro::parallel_invoke([n] { return tree_that_forks(n - 1); },
                                                 [n] { return tree_that_forks(n - 1); });
    return x + y;
}

long scopes_that_fork(long n) {
    if (n == 0) {
        fork_and_wait(serially);
        return 1;
    }
    long x = 0;
    saguaro::scope s;
    s.spawn([&x, n] { x = scopes_that_fork(n - 1); });
    const long y = scopes_that_fork(n - 1);
    s.sync();
    return x + y;
}

void in_a_task() {
    check(saguaro::run([] { return tree_that_forks(number); }) == 1L << number, "the parents");
    check(saguaro::run([] { return scopes_that_fork(number); }) == 1L << number, "the parents");
}

// The child of a fork in a task comes back from it if its thread is the one that has entered...
void back_from_a_task() {
    const pthread_t entered = pthread_self();
    const unsigned workers = saguaro::workers();
    pid_t child = -1;
    while (child == -1)
        saguaro::run([&] {
            check(fib_invoke(10) == 55, "fib");
            // If a thief has taken a part, the flow may go on there, and has another thread.
            if (pthread_equal(entered, pthread_self()) != 0)
                child = fork();
        });
    if (child == 0) {
        check(saguaro::worker_id() == -1, "the child has left the run");
        check(saguaro::workers() == workers, "the child would start as many");
        compute(); // on workers of its own
        saguaro::stop();
        std::exit(3);
    }
    check(end_of(child) == 3, "the child's end");
    compute();
    std::puts("the parent");
}

// ... but not if another has: that one is not there. Two workers; the flow goes on where its
// continuation was taken.
void back_to_another_thread() {
    const pthread_t entered = pthread_self();
    saguaro::run([&] {
        std::atomic<bool> moved{false}; // outlives the child, which may still look at it
        saguaro::scope s;
        s.spawn([&] {
            while (!moved)
                std::this_thread::yield();
        });
        check(pthread_equal(pthread_self(), entered) == 0, "on the other worker");
        moved = true;
        // The other thread waits for something to do, or for its root.
        const pid_t child = fork();
        if (child > 0)
            check(end_of(child) == 1, "the child's end");
    });
    std::puts("the parent");
}

// ... nor to a join with what was stolen. Two workers; the parent is in the task that was taken.
void back_to_a_join() {
    saguaro::run([] {
        std::atomic<bool> taken{false};
        std::atomic<pid_t> child{-1};
        saguaro::parallel_invoke(
            [&] {
                while (!taken)
                    std::this_thread::yield();
                child = fork();
            },
            [&] {
                taken = true;
                while (child < 0)
                    std::this_thread::yield();
            });
        check(end_of(child) == 1, "the child's end");
    });
    std::puts("the parent");
}

void exits_from_a_task() {
    saguaro::run([] { fork_and_wait([] { std::exit(5); }, 5); });
}

// A thread that such a child makes is none of the vanished workers: it starts new ones.
void threads_from_a_task() {
    saguaro::run([] {
        fork_and_wait([] {
            std::thread(compute).join();
            serially();
            fork_and_wait(serially);
        });
    });
}

// Tasks that have all threads of the runtime's: two workers, or one.
struct busy_thread {
    std::atomic<bool> begun{false}, over{false};
    saguaro::task_group group;

    busy_thread() {
        group.run([this] {
            begun = true;
            while (!over)
                std::this_thread::yield();
        });
        while (!begun)
            std::this_thread::yield();
    }
    void end() {
        over = true;
        group.wait();
    }
};

// What no thread has begun is the child's too, and it may go on.
void amid_a_group() {
    busy_thread busy;
    int ran = 0;
    saguaro::task_group group;
    saguaro::scope scope;
    group.run([&] { ++ran; });
    scope.spawn([&] { ++ran; });
    fork_and_wait([&] {
        group.run([&] { ++ran; });
        group.wait();
        scope.spawn([&] { ++ran; });
        scope.sync();
        check(ran == 4, "all tasks");
        compute();
    });
    busy.end();
    group.wait();
    scope.sync();
    check(ran == 2, "the parent's tasks");
}

// A task that another thread's run has begun in the group, and that goes on until `over`.
struct task_in_a_run {
    explicit task_in_a_run(saguaro::task_group &group)
        : thread([this, &group] {
              saguaro::run([this, &group] {
                  group.run([this] {
                      begun = true;
                      while (!over)
                          std::this_thread::yield();
                  });
              });
          }) {
        while (!begun)
            std::this_thread::yield();
    }

    std::atomic<bool> begun{false}, over{false};
    std::thread thread;
};

// What a thread has begun is the parent's.
void beside_a_task() {
    busy_thread busy;
    fork_and_wait([&] { busy.group.wait(); }, 1);
    fork_and_wait([&] { busy.group.run([] {}); }, 1);
    fork_and_wait([&] { saguaro::run([&] { busy.group.wait(); }); }, 1);
    busy.end();
    // A task that another thread's run has begun.
    saguaro::task_group group;
    task_in_a_run other(group);
    fork_and_wait(
        [&] {
            compute();
            group.wait();
        },
        1);
    fork_and_wait(
        [&] {
            group.run([] {});
            group.wait();
        },
        1);
    other.over = true;
    group.wait();
    other.thread.join();
    std::puts("the parent");
}

// A group without tasks is the child's: threads in a run and outside may use it at once.
void beside_an_idle_group() {
    compute();
    saguaro::task_group group;
    std::atomic<int> ran{0};
    const auto count = [&] { ++ran; };
    group.run(count);
    group.wait();
    fork_and_wait([&] {
        task_in_a_run other(group);
        group.run(count);
        other.over = true;
        group.wait();
        other.thread.join();
        check(ran == 2, "all tasks");
    });
    group.run(count);
    group.wait();
    check(ran == 2, "the parent's tasks");
}

void programs() {
    const auto all = [] {
        fork_and_wait([] { execl("/bin/sh", "sh", "-c", "exit 7", nullptr); }, 7);
        check(std::system("exit 6") == 6 << 8, "system");
        char shell[] = "/bin/sh", option[] = "-c", command[] = "exit 5";
        char *const arguments[] = {shell, option, command, nullptr};
        pid_t child = -1;
        check(posix_spawn(&child, shell, nullptr, nullptr, arguments, environ) == 0, "spawn");
        check(end_of(child) == 5, "the spawned program");
    };
    compute();
    all();
    saguaro::run([&] { saguaro::parallel_invoke(all, all); });
}

constexpr mode modes[] = {{"outside", outside},
                          {"other-options", other_options},
                          {"while-others-run", while_others_run},
                          {"while-another-runs", while_another_runs},
                          {"while-workers-end", while_workers_end},
                          {"pools-are-locked-last", pools_are_locked_last},
                          {"in-a-task", in_a_task},
                          {"back-from-a-task", back_from_a_task},
                          {"back-to-another-thread", back_to_another_thread},
                          {"back-to-a-join", back_to_a_join},
                          {"exits-from-a-task", exits_from_a_task},
                          {"threads-from-a-task", threads_from_a_task},
                          {"amid-a-group", amid_a_group},
                          {"beside-a-task", beside_a_task},
                          {"beside-an-idle-group", beside_an_idle_group},
                          {"programs", programs}};

} // namespace

int main(int argc, char **argv) {
    return run_mode(modes, argc, argv);
}
