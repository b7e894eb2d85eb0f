// SPDX-License-Identifier: MIT
// The frame of a program in MIT Cilk: contexts, `cilk int main`, its end, and what it prints then.
#include "cilk/mit/options.hpp"
#include "cilk/profile.hpp"
#include "platform/clock.hpp"
#include "saguaro/detail/cilk_library.h"
#include "saguaro/saguaro.h"
#include "scheduler/profile.hpp"

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

struct sg_mit_context {
    int statistics;
    std::int64_t begin; // ns
    sg_mit_context *older;
};

namespace saguaro::cilk {

namespace {

std::mutex contexts_lock; // guards the list
sg_mit_context *contexts = nullptr;
sg_mit_context *printed = nullptr; // by an exit: where leak checkers find it

void start_workers(const sg_options &options) {
    const int error = sg_start(&options);
    // Another context's run already, or the program's own.
    if (error == 0 || error == EBUSY)
        return;
    if (error != EINVAL) // sg_start has said it
        std::fprintf(stderr, "saguaro: cannot start %u workers (--nproc): %s\n", sg_workers(),
                     std::strerror(error));
    std::exit(2);
}

void print_seconds(const char *what, double seconds) {
    if (seconds < 1e-3)
        std::fprintf(stderr, "%s = %.3f us\n", what, seconds * 1e6);
    else if (seconds < 1)
        std::fprintf(stderr, "%s = %.3f ms\n", what, seconds * 1e3);
    else
        std::fprintf(stderr, "%s = %.6f s\n", what, seconds);
}

void print_count(const char *what, std::uint64_t count) {
    std::fprintf(stderr, "%s = %llu\n", what, static_cast<unsigned long long>(count));
}

void print_counters() {
    sg_statistics s;
    sg_get_statistics(&s);
    print_count("Spawns", s.spawns);
    print_count("Steals", s.steals);
    print_count("Attempts to steal", s.tries);
    print_count("Frames saved", s.full_frames);
    print_count("Stacks parked", s.parks);
    print_count("Stacks mapped", s.stacks);
    print_seconds("Working, all workers", s.work_seconds);
    print_seconds("Stealing, all workers", s.steal_seconds);
    print_seconds("Sleeping, all workers", s.sleep_seconds);
}

// Nothing in a program that was compiled without -cilk-profile.
void print_profile() {
    const scheduler::profile_totals p = scheduler::totals_of_profile();
    if (p.work == 0)
        return;
    print_seconds("Work", static_cast<double>(p.work) * 1e-9);
    print_seconds("Critical path", static_cast<double>(p.path) * 1e-9);
    std::fprintf(stderr, "Parallelism = %.6f\n", p.parallelism());
}

void print_statistics(const sg_mit_context &c) {
    if (c.statistics == 0)
        return;
    std::fflush(stdout);
    std::fputs("\nRUNTIME SYSTEM STATISTICS:\n\n", stderr);
    const unsigned workers = sg_workers();
    const std::string what = "Wall-clock running time on " + std::to_string(workers) +
                             (workers == 1 ? " processor" : " processors");
    print_seconds(what.c_str(), static_cast<double>(platform::now_ns() - c.begin) * 1e-9);
    print_profile();
    if (c.statistics > 1)
        print_counters();
}

struct program_call {
    int (*program)(int, char **);
    int argc;
    char **argv;
    int result;
};

void call_program(void *argument) {
    program_call &call = *static_cast<program_call *>(argument);
    call.result = call.program(call.argc, call.argv);
}

} // namespace

} // namespace saguaro::cilk

using namespace saguaro;

extern "C" {

sg_mit_context *sg_mit_init(int *argc, char **argv) {
    const cilk::mit_options options = cilk::take_options(*argc, argv);
    cilk::start_workers(options.start);
    const std::lock_guard guard(cilk::contexts_lock);
    cilk::contexts = new sg_mit_context{options.statistics, platform::now_ns(), cilk::contexts};
    return cilk::contexts;
}

void sg_mit_terminate(sg_mit_context *context) {
    cilk::print_statistics(*context);
    const std::lock_guard guard(cilk::contexts_lock);
    sg_mit_context **link = &cilk::contexts;
    while (*link != context)
        link = &(*link)->older;
    *link = context->older;
    delete context;
    if (cilk::contexts == nullptr)
        sg_stop();
}

int sg_mit_start(int argc, char **argv, int (*program)(int argc, char **argv)) {
    sg_mit_context *const context = sg_mit_init(&argc, argv);
    cilk::program_call call{program, argc, argv, 0};
    sg_run(cilk::call_program, &call);
    sg_mit_terminate(context);
    return call.result;
}

void sg_mit_exit(int status) {
    cilk::end_profile_here();
    {
        const std::lock_guard guard(cilk::contexts_lock);
        if (cilk::contexts != nullptr)
            cilk::print_statistics(*(cilk::printed = std::exchange(cilk::contexts, nullptr)));
    }
    std::exit(status);
}

void sg_mit_die(const char *format, ...) {
    std::fflush(stdout);
    std::fputs("fatal error: ", stderr);
    std::va_list arguments;
    va_start(arguments, format);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    std::exit(1);
}

long long sg_mit_wall_time(void) {
    return platform::now_ns();
}
}
