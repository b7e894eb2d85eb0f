// SPDX-License-Identifier: MIT
// The table of MIT Cilk's command-line options, and how a command line is read by it.
#include "cilk/mit/options.hpp"

#include "scheduler/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace saguaro::cilk {

namespace {

// MIT Cilk counts its stack in frames; its default, 32768, is ours then.
constexpr std::size_t bytes_per_frame = 256;

std::size_t as_stack(std::int64_t bytes) {
    return std::clamp(static_cast<std::size_t>(bytes), scheduler::least_stack_bytes,
                      scheduler::most_stack_bytes);
}

// One row. An option with a `value` takes the next argument, a whole number from low to high.
struct option {
    const char *name;
    const char *value;
    std::int64_t low;
    std::int64_t high;
    const char *meaning; // null: accepted for the sake of old scripts, without effect
    void (*store)(mit_options &, std::int64_t number);
};

constexpr std::int64_t anything = INT64_MAX;

constexpr std::array table{
    option{"nproc", "<n>", 0, scheduler::most_workers,
           "number of workers; 0, the default: one for each processor",
           [](mit_options &o, std::int64_t n) { o.start.workers = static_cast<unsigned>(n); }},
    option{"stack", "<n>", 1, anything, "depth of the stack in frames, 256 bytes each",
           [](mit_options &o, std::int64_t n) {
               constexpr std::int64_t most = scheduler::most_stack_bytes / bytes_per_frame;
               o.start.stack_bytes = as_stack(std::min(n, most) * std::int64_t{bytes_per_frame});
           }},
    option{"pthread-stacksize", "<n>", 1, anything, "the same in bytes",
           [](mit_options &o, std::int64_t n) { o.start.stack_bytes = as_stack(n); }},
    option{"stats", "<n>", 0, 6,
           "what is printed at the end: 1: times; 2 and more: the runtime's counters",
           [](mit_options &o, std::int64_t n) {
               o.statistics = static_cast<int>(n);
               o.start.statistics = n > 1;
           }},
    option{"no-stats", nullptr, 0, 0, "the same as --stats 0",
           [](mit_options &o, std::int64_t) {
               o.statistics = 0;
               o.start.statistics = 0;
           }},
    option{"alloc-batch", "<n>", 0, anything, nullptr, nullptr},
    option{"yield", nullptr, 0, 0, nullptr, nullptr},
    option{"no-yield", nullptr, 0, 0, nullptr, nullptr},
    option{"dump-core", nullptr, 0, 0, nullptr, nullptr},
    option{"no-dump-core", nullptr, 0, 0, nullptr, nullptr},
    option{"with-posix-locks", nullptr, 0, 0, nullptr, nullptr},
    option{"with-memory-locks", nullptr, 0, 0, nullptr, nullptr},
};

[[noreturn]] void print_help(const char *program) {
    std::printf("%s takes first, before its own arguments:\n", program);
    for (const option &o : table)
        if (o.meaning != nullptr)
            std::printf("  --%s %s\n      %s\n", o.name, o.value != nullptr ? o.value : "",
                        o.meaning);
    std::printf("  --help, --version\n  --\n      ends them\n");
    std::exit(0);
}

[[noreturn]] void print_version() {
    std::printf("MIT Cilk 5.4 on Saguaro\n");
    std::exit(0);
}

[[noreturn]] void refuse(const char *argument, const char *value, const option &o) {
    std::fprintf(stderr, "saguaro: %s %s is not accepted: a whole number from %lld to %lld\n",
                 argument, value != nullptr ? value : "", static_cast<long long>(o.low),
                 static_cast<long long>(o.high));
    std::exit(2);
}

std::int64_t number_of(const char *argument, const char *value, const option &o) {
    std::int64_t number = 0;
    if (value == nullptr)
        refuse(argument, value, o);
    const char *const end = value + std::strlen(value);
    const auto [stopped, error] = std::from_chars(value, end, number);
    if (error != std::errc() || stopped != end || number < o.low || number > o.high)
        refuse(argument, value, o);
    return number;
}

const option *find(std::string_view name) {
    for (const option &o : table)
        if (name == o.name)
            return &o;
    return nullptr;
}

} // namespace

mit_options take_options(int &argc, char **argv) {
    mit_options options;
    int at = 1;
    for (; at < argc; ++at) {
        const char *const argument = argv[at];
        if (argument[0] != '-')
            break;
        const std::string_view name = argument + (argument[1] == '-' ? 2 : 1);
        if (name.empty()) {
            // `-` alone is the program's.
            at += argument[1] == '-' ? 1 : 0;
            break;
        }
        if (name == "help")
            print_help(argv[0]);
        if (name == "version")
            print_version();
        const option *const found = find(name);
        if (found == nullptr)
            break;
        std::int64_t number = 0;
        if (found->value != nullptr)
            number = number_of(argument, argv[++at], *found);
        if (found->store != nullptr)
            found->store(options, number);
    }
    // With the null at the end.
    std::copy(argv + at, argv + argc + 1, argv + 1);
    argc -= at - 1;
    return options;
}

} // namespace saguaro::cilk
