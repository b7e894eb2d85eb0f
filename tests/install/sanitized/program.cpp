// SPDX-License-Identifier: MIT
// A user's program, compiled with a sanitizer and linked with the ordinary library: each construct
// hands over plain data, and each error of the program's own is found. Usage: program MODE.
#include "plain.hpp"

#include <saguaro/channel.hpp>
#include <saguaro/nanothreads.hpp>
#include <saguaro/place.h>
#include <saguaro/saguaro.hpp>
#include <saguaro/task_group.hpp>
#include <saguaro/vthread.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

std::atomic<long> faults{0};

void expect(bool good, const char *what) {
    if (good)
        return;
    ++faults;
    std::printf("wrong: %s\n", what);
}

long fib(long n) {
    if (n < 2)
        return n;
    const auto [a, b] =
        saguaro::parallel_invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return a + b;
}

long fib_by_scope(long n) {
    if (n < 2)
        return n;
    auto a = std::make_unique<long>(0);
    saguaro::scope children;
    children.spawn([&a, n] { *a = fib_by_scope(n - 1); });
    const long b = fib_by_scope(n - 2);
    children.sync();
    return *a + b;
}

// What a loop's parts make, the parts of another free.
void loops() {
    std::vector<std::vector<int>> made(400);
    saguaro::parallel_for(0, 400, [&](int i) {
        int frame[8] = {i};
        made[static_cast<std::size_t>(i)].assign(5, frame[0] % 7);
    });
    std::vector<long> sums(400);
    saguaro::parallel_for(0, 400, [&](int i) {
        std::vector<int> &mine = made[static_cast<std::size_t>(399 - i)];
        sums[static_cast<std::size_t>(i)] = std::accumulate(mine.begin(), mine.end(), 0L);
        std::vector<int>().swap(mine);
    });
    expect(std::accumulate(sums.begin(), sums.end(), 0L) == 5985, "loops");
    saguaro::reducer<saguaro::string_append> text;
    saguaro::parallel_for(0, 300, [&](int i) { *text += std::to_string(i % 10); });
    expect(text.get().size() == 300 && text.get().substr(0, 12) == "012345678901", "reducer");
}

void exceptions() {
    try {
        saguaro::with_scope([](saguaro::scope &children) {
            for (int i = 0; i < 20; ++i)
                children.spawn([i] {
                    char frame[200];
                    std::memset(frame, i, sizeof(frame));
                    std::this_thread::yield();
                    if (frame[100] >= 5)
                        throw std::runtime_error(std::to_string(i));
                });
        });
        expect(false, "no exception");
    } catch (const std::exception &error) {
        expect(std::strcmp(error.what(), "5") == 0, "exception");
    }
}

void groups() {
    std::vector<int> in(60), out(60);
    saguaro::task_group from_outside;
    saguaro::run([&] {
        saguaro::task_group group;
        for (std::size_t i = 0; i < 30; ++i)
            group.run([&group, &in, i] {
                in[i] = 1;
                group.run([&in, i] { in[30 + i] = in[i]; });
            });
        group.wait();
    });
    for (std::size_t i = 0; i < 60; ++i)
        from_outside.run([&in, &out, i] { out[i] = in[i]; });
    from_outside.wait();
    expect(std::accumulate(out.begin(), out.end(), 0) == 60, "groups");
    std::vector<std::unique_ptr<int>> made(30);
    saguaro::scope outside;
    for (std::size_t i = 0; i < 30; ++i)
        outside.spawn([&made, &out, i] { made[i] = std::make_unique<int>(out[i]); });
    outside.sync();
    for (const auto &each : made)
        expect(*each == 1, "a scope outside");
}

void threads_that_enter() {
    saguaro::reducer<saguaro::string_append> text;
    std::vector<long> seen(4);
    std::vector<std::thread> threads;
    for (long &each : seen)
        threads.emplace_back([&each, &text] {
            each = saguaro::run([] { return fib_by_scope(8); });
            saguaro::parallel_for(0, 50, [&text](int) { *text += "x"; });
        });
    for (std::thread &each : threads)
        each.join();
    expect(seen == std::vector<long>(4, 21) && text.get().size() == 200, "threads");
}

void nano_threads() {
    namespace nt = saguaro::nt;
    nt::run(nt::options{.processors = 3}, [] {
        std::vector<std::unique_ptr<int>> made(50);
        for (std::size_t i = 0; i < 50; ++i)
            nt::fork([&made, i] {
                std::this_thread::yield(); // others come and steal
                made[i] = std::make_unique<int>(1);
            });
        nt::join();
        int sum = 0;
        nt::expect(1);
        nt::thread *const waits = nt::self();
        nt::thread *const last = nt::create(
            [&made, &sum, waits] {
                for (const auto &each : made)
                    sum += *each;
                nt::satisfy(waits);
            },
            10);
        for (std::size_t i = 0; i < 10; ++i)
            nt::create(
                [&made, i] {
                    std::this_thread::yield();
                    *made[i] = 2;
                },
                0, {last});
        nt::join();
        expect(sum == 60, "dependences");
        int box = 0;
        for (int i = 1; i < 20; ++i) {
            nt::fork([&box, waits, i] {
                box = i;
                sg_nt_unblock(waits);
            });
            sg_nt_block();
            expect(box == i, "block");
            nt::join();
        }
    });
}

sg_vthread_mutex box_mutex = SG_VTHREAD_MUTEX_INIT;
long in_box = 0;

void virtual_threads() {
    sg_vms_options options{};
    options.cores = 2;
    const auto body = [](void *, sg_vp *me) {
        sg_vthread made[8];
        for (sg_vthread &each : made)
            each = sg_vthread_create(
                [](void *, sg_vp *self) -> void * {
                    for (int i = 0; i < 10; ++i) {
                        sg_vthread_mutex_lock(&box_mutex, self);
                        ++in_box;
                        sg_vthread_mutex_unlock(&box_mutex, self);
                    }
                    return new long(1);
                },
                nullptr, me);
        for (const sg_vthread &each : made)
            delete static_cast<long *>(sg_vthread_join(each, me));
    };
    expect(sg_vthread_run(&options, body, nullptr) == 0 && in_box == 80, "vthread");
}

void isolated_parts() {
    std::vector<long> seen(24);
    saguaro::parallel_for(0, 24, [&](int i) {
        saguaro::isolate([&seen, i] { seen[static_cast<std::size_t>(i)] = fib_by_scope(9); });
    });
    expect(seen == std::vector<long>(24, 34), "isolate");
}

void arenas() {
    saguaro::arena two({.workers = 2});
    std::vector<long> seen(24);
    const auto fill = [&] {
        saguaro::parallel_for(0, 24, [&](int i) { seen[static_cast<std::size_t>(i)] = i; });
    };
    std::thread other([&] { two.run([] { expect(fib_by_scope(9) == 34, "arena of two"); }); });
    two.run(fill);
    other.join();
    saguaro::run([&] { two.run([&] { fill(); }); });
    expect(seen[23] == 23, "arena");
}

void channels() {
    const saguaro::channel<int *> numbers(1, 4096);
    std::thread producer([&] {
        for (int i = 0; i < 400; ++i)
            numbers.send(new int(i));
        numbers.close();
    });
    int count = 0;
    while (const std::optional<int *> next = numbers.next()) {
        expect(**next == count++, "channel");
        delete *next;
    }
    producer.join();
    expect(count == 400, "channel's end");
}

// Blocks of the one kind and the other, freed by another thread.
void local_memory() {
    std::vector<void *> blocks;
    for (const std::size_t size : {0, 1, 48, 4096, 70'000, 3'000'000}) {
        blocks.push_back(sg_malloc_local(size));
        blocks.push_back(sg_malloc_place(size, sg_layout_round_robin(nullptr, 0)));
    }
    for (void *const each : blocks)
        expect(each != nullptr, "local memory");
    expect(reinterpret_cast<std::uintptr_t>(blocks[6]) % 4096 == 0, "alignment");
    std::thread([&blocks] {
        for (void *const each : blocks)
            sg_free_place(each);
    }).join();
}

void plain_parts() {
    expect(saguaro::run([] { return plain_fib(10); }) == 55, "a part without");
    expect(plain_group(50) == 1225, "a group without");
    saguaro::run([] {
        expect(fib_by_scope(6) == 8 && plain_group(50) == 1225, "a group without in a run");
        saguaro::scope children;
        for (int i = 0; i < 3; ++i)
            children.spawn([] { expect(plain_fib(9) == 34, "a part without in a child"); });
        children.sync();
    });
}

void forks() {
    expect(saguaro::run([] { return fib(8); }) == 21, "before a fork");
    const pid_t child = fork();
    if (child == 0)
        _exit(saguaro::run([] { return fib_by_scope(8); }) == 21 ? 7 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 7, "fork");
}

void sound() {
    expect(saguaro::run([] { return fib(12); }) == 144, "invoke");
    expect(saguaro::run([] { return fib_by_scope(11); }) == 89, "scope");
    for (int round = 0; round < 3; ++round) {
        loops();
        exceptions();
        groups();
        threads_that_enter();
        isolated_parts();
        arenas();
    }
    for (int round = 0; round < 5; ++round)
        nano_threads();
    virtual_threads();
    plain_parts();
    channels();
    local_memory();
}

// Both run at once, by threads that nothing orders. The second one writes a little later: of two
// writes at the very same time ThreadSanitizer sees none.
struct meeting {
    std::atomic<int> come{0};
    std::atomic<bool> has_written{false};
    long shared = 0;

    void race() {
        const bool is_first = come.fetch_add(1, std::memory_order_relaxed) == 0;
        while (come.load(std::memory_order_relaxed) < 2)
            std::this_thread::yield();
        while (!is_first && !has_written.load(std::memory_order_relaxed))
            std::this_thread::yield();
        ++shared;
        has_written.store(true, std::memory_order_relaxed);
    }
};

void race_of_invoked() {
    meeting both;
    saguaro::parallel_invoke([&] { both.race(); }, [&] { both.race(); });
}

void race_of_children() {
    meeting both;
    saguaro::run([&] {
        saguaro::scope children;
        for (int i = 0; i < 2; ++i)
            children.spawn([&] { both.race(); });
        children.sync();
    });
}

void race_in_group() {
    meeting both;
    saguaro::task_group group;
    for (int i = 0; i < 2; ++i)
        group.run([&] { both.race(); });
    group.wait();
}

void race_of_nano_threads() {
    meeting both;
    saguaro::nt::run(saguaro::nt::options{.processors = 2}, [&] {
        for (int i = 0; i < 2; ++i)
            saguaro::nt::fork([&] { both.race(); });
        saguaro::nt::join();
    });
}

void overflow() {
    saguaro::run([] {
        saguaro::scope children;
        children.spawn([] {
            volatile int frame[4] = {};
            volatile int past = 4;
            std::printf("%d\n", frame[past]);
        });
        children.sync();
    });
}

void overflow_of_local_memory() {
    auto *const block = static_cast<volatile char *>(sg_malloc_local(48));
    volatile int past = 48;
    std::printf("%d\n", block[past]);
}

int *volatile kept;

[[gnu::noinline]] void keep_own() {
    int frame[4] = {3, 4, 5, 6};
    kept = frame;
}

[[gnu::noinline]] int use_kept() {
    return kept[1];
}

void use_after_return() {
    saguaro::run([] {
        saguaro::scope children;
        children.spawn([] { keep_own(); });
        children.sync();
        std::printf("%d\n", use_kept());
    });
}

// What flows that are suspended at the end of the process point to is not lost.
void exit_in_a_task() {
    auto *const of_thread = new std::vector<int>(5);
    saguaro::run([&] {
        auto *const of_root = new std::vector<int>(of_thread->size());
        saguaro::scope children;
        children.spawn([&] {
            auto *const of_child = new std::vector<int>(of_root->size());
            saguaro::scope inner;
            inner.spawn([] { std::exit(0); });
            inner.sync();
            delete of_child;
        });
        children.sync();
        delete of_root;
    });
    delete of_thread;
}

void leak() {
    saguaro::run([] {
        saguaro::scope children;
        children.spawn([] {
            kept = new int[10];
            kept = nullptr;
        });
        children.sync();
    });
}

struct mode {
    const char *name;
    void (*run)();
};

constexpr mode modes[] = {
    {"nothing", [] {}},
    {"sound", sound},
    {"forks", forks},
    {"race of invoked strands", race_of_invoked},
    {"race of children", race_of_children},
    {"race of tasks of a group", race_in_group},
    {"race of nano-threads", race_of_nano_threads},
    {"overflow", overflow},
    {"overflow of local memory", overflow_of_local_memory},
    {"use after return", use_after_return},
    {"exit in a task", exit_in_a_task},
    {"leak", leak},
};

} // namespace

int main(int argc, char **argv) {
    for (const mode &each : modes)
        if (argc == 2 && std::strcmp(argv[1], each.name) == 0) {
            each.run();
            return faults != 0;
        }
    return 2;
}
