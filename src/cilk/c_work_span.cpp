// SPDX-License-Identifier: MIT
// <cilk/cilkscale.h>: the lines that a program prints of its work and its span, as OpenCilk's
// Cilkscale does.
#include "saguaro/detail/cilk_library.h"

#include "cilk/variables.hpp"
#include "platform/forks.hpp"
#include "platform/output_file.hpp"
#include "platform/settings.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace saguaro::cilk {

namespace {

std::mutex lines_lock;      // guards the lines and their file
std::FILE *lines = nullptr; // once there are some

[[gnu::constructor]] void hold_lines_across_forks() {
    platform::hold_across_forks<lines_lock>();
}

// Where the lines go, with names for their columns in the first. It stays open: the program may
// print at any time before its end.
std::FILE *begin_lines() {
    std::FILE *to = stdout;
    const char *const name = platform::value_of(variables::lines);
    if (name != nullptr && *name != '\0') {
        to = platform::open_output_stream(name);
        if (to == nullptr) {
            std::fprintf(
                stderr,
                "saguaro: CILKSCALE_OUT=%s cannot be written: %s; standard output is taken\n", name,
                std::strerror(errno));
            to = stdout;
        }
    }
    std::fputs("tag,work (seconds),span (seconds),parallelism,burdened_span (seconds),"
               "burdened_parallelism\n",
               to);
    return to;
}

double seconds(long long nanoseconds) {
    return static_cast<double>(nanoseconds) * 1e-9;
}

// 0 where there is no span: a ratio that programs for tables can read.
double ratio(long long work, long long span) {
    return span > 0 ? static_cast<double>(work) / static_cast<double>(span) : 0;
}

} // namespace

} // namespace saguaro::cilk

extern "C" void sg_c_print_work(const char *tag, long long work, long long span,
                                long long burdened_span) {
    using namespace saguaro::cilk;
    const std::lock_guard guard(lines_lock);
    if (lines == nullptr)
        lines = begin_lines();
    std::fprintf(lines, "%s,%g,%g,%g,%g,%g\n", tag != nullptr ? tag : "", seconds(work),
                 seconds(span), ratio(work, span), seconds(burdened_span),
                 ratio(work, burdened_span));
    std::fflush(lines);
}
