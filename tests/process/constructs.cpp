// SPDX-License-Identifier: MIT
// The program of constructs_test.py: CONSTRUCT PLACE WORKERS uses one construct inside another one
// and prints how it went.
#include "support/fib_clones.h"

#include <saguaro/nanothreads.hpp>
#include <saguaro/saguaro.hpp>
#include <saguaro/vms.h>
#include <saguaro/vthread.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <unistd.h>

#if defined(SG_TEST_MPI)
#include <mpi.h>
#else
#include <saguaro/channel.hpp>
#endif

namespace {

namespace nt = saguaro::nt;
using sum = saguaro::reducer<saguaro::add<long>>;

unsigned workers = 0;
const char *how = "it was not used";
sum *shared = nullptr; // of main
sg_vp *here = nullptr; // the VP of the place, if it is one

constexpr long many = 1000;

// ---- Constructs ----

using outcome = const char *;

outcome yes_if(bool right) {
    return right ? "yes" : "a wrong result";
}

outcome error_or(int error, bool right) {
    return error != 0 ? strerrorname_np(error) : yes_if(right);
}

outcome invoke() {
    int left = 0;
    int right = 0;
    saguaro::parallel_invoke([&] { left = 1; }, [&] { right = 2; });
    return yes_if(left + right == 3);
}

outcome loop() {
    std::atomic<long> total{0};
    saguaro::parallel_for(0L, many, [&](long i) { total += i; });
    return yes_if(total == many * (many - 1) / 2);
}

outcome scope() {
    std::atomic<int> children{0};
    saguaro::scope s;
    for (int i = 0; i < 10; ++i)
        s.spawn([&] { ++children; });
    s.sync();
    return yes_if(children == 10);
}

outcome group() {
    std::atomic<int> tasks{0};
    saguaro::task_group g;
    for (int i = 0; i < 10; ++i)
        g.run([&] { g.run([&] { ++tasks; }); });
    g.wait();
    return yes_if(tasks == 10);
}

outcome own_reducer() {
    sum own;
    *own += 1;
    saguaro::parallel_for(1L, many, [&](long) { *own += 1; });
    return yes_if(own.get() == many);
}

outcome shared_reducer() {
    **shared += 1;
    return "yes";
}

outcome shared_reducer_in_a_loop() {
    saguaro::parallel_for(0L, many, [&](long) { **shared += 1; });
    return yes_if(shared->get() == many);
}

outcome cilk_function() {
    return yes_if(test_fib(15) == 610);
}

outcome run() {
    return yes_if(saguaro::run([] {
        std::atomic<long> total{0};
        saguaro::parallel_for(0L, many, [&](long) { ++total; });
        return total == many;
    }));
}

outcome nano_run() {
    std::atomic<int> ran{0};
    const sg_nt_options options{workers, 0, nullptr};
    const int error = sg_nt_run(
        &options,
        [](void *count) {
            for (int i = 0; i < 10; ++i)
                nt::fork([=] { ++*static_cast<std::atomic<int> *>(count); });
            nt::join();
        },
        &ran, nullptr);
    return error_or(error, ran == 10);
}

outcome vms_run() {
    std::atomic<int> ran{0};
    sg_vms_options options{};
    options.cores = workers;
    const int error = sg_vthread_run(
        &options,
        [](void *count, sg_vp *me) {
            const sg_vthread other = sg_vthread_create(
                [](void *argument, sg_vp *) -> void * {
                    ++*static_cast<std::atomic<int> *>(argument);
                    return argument;
                },
                count, me);
            if (sg_vthread_join(other, me) == count)
                ++*static_cast<std::atomic<int> *>(count);
        },
        &ran);
    return error_or(error, ran == 2);
}

struct request {
    void (*handled)(); // in the handler, unless it is null
    bool suspends;
};

outcome vms_request() {
    request nothing{nullptr, true};
    sg_vms_request(here, &nothing);
    return "yes";
}

outcome vms_message() {
    request nothing{nullptr, false};
    sg_vms_send(here, &nothing);
    return "yes";
}

outcome yield() {
    nt::yield();
    return "yes";
}

outcome join() {
    int ran = 0;
    nt::fork([&] { ++ran; });
    nt::join();
    return yes_if(ran == 1);
}

#if defined(SG_TEST_MPI)
outcome mpi_call() {
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    return yes_if(rank >= 0);
}
#else
outcome message_to_itself() {
    const saguaro::channel<int> numbers(1, 4096);
    numbers.send(7);
    return yes_if(numbers.receive() == 7);
}

// The caller receives what it has put off.
outcome message_of_a_task() {
    const saguaro::channel<int> numbers(1, 4096);
    int got = 0;
    saguaro::parallel_invoke([&] { got = numbers.receive(); }, [&] { numbers.send(7); });
    return yes_if(got == 7);
}

#endif

constexpr struct {
    const char *name;
    outcome (*use)();
} constructs[] = {{"parallel_invoke", invoke},
                  {"loop", loop},
                  {"scope", scope},
                  {"task_group", group},
                  {"own reducer", own_reducer},
                  {"shared reducer", shared_reducer},
                  {"shared reducer in a loop", shared_reducer_in_a_loop},
                  {"cilk", cilk_function},
                  {"run", run},
                  {"nano run", nano_run},
                  {"vms run", vms_run},
                  {"vms request", vms_request},
                  {"vms message", vms_message},
                  {"yield", yield},
                  {"join", join},
#if defined(SG_TEST_MPI)
                  {"mpi", mpi_call}
#else
                  {"message to itself", message_to_itself},
                  {"message of a task", message_of_a_task}
#endif
};

// ---- Places ----

outcome (*construct)() = nullptr;

void use() {
    how = construct();
}

int in_a_task() {
    saguaro::run(use);
    return 0;
}

int in_a_child() {
    saguaro::run([] {
        saguaro::scope s;
        s.spawn(use);
        s.sync();
    });
    return 0;
}

int in_a_nano_thread() {
    const sg_nt_options options{workers, 0, nullptr};
    return sg_nt_run(
        &options,
        [](void *) {
            nt::fork(use);
            nt::join();
        },
        nullptr, nullptr);
}

void handle(void *, sg_vp *requester, void *asked) {
    if (asked == nullptr)
        return;
    const auto *const what = static_cast<const request *>(asked);
    if (what->handled != nullptr)
        what->handled();
    if (what->suspends)
        sg_vms_resume(requester);
}

int with_a_vp(sg_vms_function function) {
    const sg_vms_plugin plugin = {"plug-in", handle, nullptr, nullptr, 0};
    sg_vms_options options{};
    options.cores = workers;
    return sg_vms_run(&plugin, nullptr, &options, function, nullptr);
}

int in_a_vp() {
    return with_a_vp([](void *, sg_vp *me) {
        here = me;
        use();
    });
}

int in_a_handler() {
    return with_a_vp([](void *, sg_vp *me) {
        here = me;
        request uses{use, true};
        sg_vms_request(me, &uses);
    });
}

template <int (*visit)()>
int by_a_task() {
    return saguaro::run([] { return visit(); });
}

constexpr struct {
    const char *name;
    int (*visit)();
} places[] = {{"thread",
               [] {
                   use();
                   return 0;
               }},
              {"task", in_a_task},
              {"child", in_a_child},
              {"nano-thread", in_a_nano_thread},
              {"VP", in_a_vp},
              {"handler", in_a_handler},
              {"nano-thread in a task", by_a_task<in_a_nano_thread>},
              {"VP in a task", by_a_task<in_a_vp>}};

template <std::size_t N, class Row>
const Row *find(const Row (&table)[N], const char *name) {
    for (const Row &row : table)
        if (std::strcmp(row.name, name) == 0)
            return &row;
    return nullptr;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 4)
        return 3;
    const auto *const what = find(constructs, argv[1]);
    const auto *const where = find(places, argv[2]);
    workers = static_cast<unsigned>(std::atoi(argv[3]));
    if (what == nullptr || where == nullptr || workers == 0)
        return 3;
    setenv("SAGUARO_WORKERS", argv[3], 1);
    alarm(30);
#if defined(SG_TEST_MPI)
    MPI_Init(nullptr, nullptr);
#endif
    sum of_main;
    shared = &of_main;
    construct = what->use;
    const int error = where->visit();
    std::puts(error != 0 ? strerrorname_np(error) : how);
    std::fflush(stdout);
#if defined(SG_TEST_MPI)
    MPI_Finalize();
#endif
    return 0;
}
