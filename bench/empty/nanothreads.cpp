// SPDX-License-Identifier: MIT
//
// The three designs of stacks.
#include "driver/measure.hpp"
#include "driver/memory.hpp"
#include "empty/empty.hpp"

#include <saguaro/nanothreads.hpp>

namespace saguaro::bench {

namespace {

/// The paper's: "quite small", for DOS's sake.
constexpr std::size_t stack_bytes = 32 * 1024;

void nothing(void *) {}

/// What a stack with its descriptor takes of the memory once a thread has run on it, with its part
/// of the page tables.
constexpr double bytes_of_a_used_stack = 4096 + 64;

void require_memory(const char *design, long n) {
    const double wanted = static_cast<double>(n) * bytes_of_a_used_stack;
    const double there = kilobytes_in("/proc/meminfo", "MemAvailable:") * 1024;
    if (std::string(design) == "dos" && there < wanted) {
        throw unknown_to_peer(
            "empty saguaro-dos needs " + std::to_string(static_cast<long>(wanted / 1e6)) +
            " MB of memory, there are " + std::to_string(static_cast<long>(there / 1e6)));
    }
}

outcome empty(const char *design, long n, int workers) {
    require_memory(design, n);
    nt::options chosen{};
    chosen.processors = static_cast<unsigned>(workers);
    chosen.stack_bytes = stack_bytes;
    chosen.design = design;
    double seconds = 0;
    const nt::statistics done = nt::run(chosen, [&] {
        const auto start = std::chrono::steady_clock::now();
        for (long i = 0; i < n; i++)
            if (sg_nt_fork(nothing, nullptr) == nullptr)
                throw std::bad_alloc();
        nt::join();
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
    expect_equal(n + 1, static_cast<long>(done.created));
    outcome result = seconds;
    result.uses = {{"stacks", static_cast<double>(done.stacks)},
                   {"descriptors", static_cast<double>(done.descriptors)},
                   {"peak_mb", peak_megabytes()}};
    return result;
}

} // namespace

outcome empty_saguaro_dsr(long n, int workers) {
    return empty("dsr", n, workers);
}

outcome empty_saguaro_lsa(long n, int workers) {
    return empty("lsa", n, workers);
}

outcome empty_saguaro_dos(long n, int workers) {
    return empty("dos", n, workers);
}

} // namespace saguaro::bench
