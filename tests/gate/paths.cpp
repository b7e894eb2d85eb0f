// SPDX-License-Identifier: MIT
//
// paths PATH N: one of the fast paths, N times over, on one worker. gate.py counts the
// instructions.
#include "cxx_paths.hpp"
#include "group_path.hpp"
#include "support/fib_clones.h"

#include <saguaro/nanothreads.hpp>
#include <saguaro/saguaro.hpp>
#include <saguaro/vms.h>
#include <saguaro/vthread.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

void expect(bool good, const char *what) {
    if (!good)
        throw std::runtime_error(std::string("wrong answer: ") + what);
}

void run_on_one_worker(auto &&work) {
    saguaro::options chosen{};
    chosen.workers = 1;
    saguaro::start(chosen);
    saguaro::run(work);
    saguaro::stop();
}

long fib_by_iteration(long n) {
    long low = 0;
    long high = 1;
    for (long i = 0; i < n; i++)
        low = std::exchange(high, low + high);
    return low;
}

long fib_by_invoke(long n) {
    if (n < 2)
        return n;
    const auto [a, b] = saguaro::parallel_invoke([n] { return fib_by_invoke(n - 1); },
                                                 [n] { return fib_by_invoke(n - 2); });
    return a + b;
}

long fib_by_scope(long n) {
    if (n < 2)
        return n;
    long a = 0;
    saguaro::scope children;
    children.spawn([&a, n] { a = fib_by_scope(n - 1); });
    const long b = fib_by_scope(n - 2);
    children.sync();
    return a + b;
}

template <long (*compute)(long)>
void fib_path(long n) {
    long got = 0;
    run_on_one_worker([&] { got = compute(n); });
    expect(got == fib_by_iteration(n), "fib");
}

/// Volatile, so that no compiler folds a million additions into one.
volatile double loop_cell = 0;

void loop_path(long n) {
    run_on_one_worker(
        [n] { saguaro::parallel_for(0L, n, [](long) { loop_cell = loop_cell + 1; }); });
    expect(loop_cell == static_cast<double>(n), "loop");
}

/// Eight reducers in turn: the view of each is there from its first update on.
void lookup_path(long n) {
    constexpr long count = 8;
    saguaro::reducer<saguaro::add<long>> cells[count];
    run_on_one_worker([&] {
        for (long i = 0; i < n; i++)
            *cells[i % count] += 1;
    });
    long sum = 0;
    for (auto &cell : cells)
        sum += *cell;
    expect(sum == n, "lookup");
}

void cilk_lookup_path(long n) {
    long sum = 0;
    run_on_one_worker([&] { sum = sum_by_cilk_reducers(n); });
    expect(sum == n, "lookup by Cilk Plus's interface");
}

/// Threads are created and run in tens, so that what one has left is there for another.
void nanothread_path(long n) {
    constexpr long together = 10;
    long ran = 0;
    saguaro::nt::options chosen{};
    chosen.processors = 1;
    saguaro::nt::run(chosen, [&] {
        for (long i = 0; i < n / together; i++) {
            for (long k = 0; k < together; k++)
                saguaro::nt::fork([&ran] { ran++; });
            saguaro::nt::join();
        }
    });
    expect(ran == n, "nano-threads");
}

/// Each of two nano-threads yields to the other.
void yield_path(long n) {
    const auto yields = [n] {
        for (long i = 0; i < n / 2; i++)
            saguaro::nt::yield();
    };
    saguaro::nt::options chosen{};
    chosen.processors = 1;
    saguaro::nt::run(chosen, [&] {
        saguaro::nt::fork(yields);
        saguaro::nt::fork(yields);
        saguaro::nt::join();
    });
}

long requests_handled = 0;

/// The virtual processor asks for nothing but to go on.
void handle(void *, sg_vp *requester, void *request) {
    if (request != nullptr) {
        requests_handled++;
        sg_vms_resume(requester);
    }
}

void make_requests(void *argument, sg_vp *self) {
    int request = 0;
    for (long i = *static_cast<long *>(argument); i > 0; i--)
        sg_vms_request(self, &request);
}

void request_path(long n) {
    static const sg_vms_plugin plugin = {"gate", handle, sg_vms_first_come, nullptr, 0};
    sg_vms_options options{};
    options.cores = 1;
    expect(sg_vms_run(&plugin, nullptr, &options, make_requests, &n) == 0, "vms");
    expect(requests_handled == n, "requests");
}

/// Each of two threads of Vthread yields to the other.
void vp_yield_path(long n) {
    const auto yields = [](void *argument, sg_vp *me) -> void * {
        for (long i = *static_cast<long *>(argument) / 2; i > 0; i--)
            sg_vthread_yield(me);
        return nullptr;
    };
    struct both {
        decltype(+yields) function;
        long n;
    } two{yields, n};
    const auto create_two = [](void *argument, sg_vp *me) {
        auto *const what = static_cast<both *>(argument);
        sg_vthread_create(what->function, &what->n, me);
        sg_vthread_create(what->function, &what->n, me);
    };
    sg_vms_options options{};
    options.cores = 1;
    expect(sg_vthread_run(&options, create_two, &two) == 0, "vthread");
}

struct path {
    const char *name;
    void (*run)(long n);
};

constexpr path paths[] = {
    {"fib-c", fib_path<test_fib>},
    {"parallel_invoke", fib_path<fib_by_invoke>},
    {"scope.spawn", fib_path<fib_by_scope>},
    {"task_group.run", fib_path<fib_by_group>},
    {"cilk-cxx-spawn", fib_path<fib_by_frame>},
    {"cilk-cxx-invoke", fib_path<fib_by_cilk_invoke>},
    {"parallel_for", loop_path},
    {"reducer-lookup", lookup_path},
    {"cilk-cxx-reducer", cilk_lookup_path},
    {"nano-thread", nanothread_path},
    {"nano-thread-yield", yield_path},
    {"vms-request", request_path},
    {"vms-yield", vp_yield_path},
};

} // namespace

int main(int argc, char **argv) {
    const long n = argc == 3 ? std::atol(argv[2]) : 0;
    for (const path &one : paths) {
        if (n > 0 && std::strcmp(one.name, argv[1]) == 0) {
            try {
                one.run(n);
                return 0;
            } catch (const std::exception &fault) {
                std::fprintf(stderr, "paths %s: %s\n", argv[1], fault.what());
                return 1;
            }
        }
    }
    std::fprintf(stderr, "usage: paths PATH N, with N at least 1 and PATH one of");
    for (const path &one : paths)
        std::fprintf(stderr, " %s", one.name);
    std::fprintf(stderr, "\n");
    return 2;
}
