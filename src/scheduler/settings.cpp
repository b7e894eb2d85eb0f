// SPDX-License-Identifier: MIT
// The table of settings, and reading it from the environment.
#include "scheduler/settings.hpp"

#include "platform/cpus.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/processors.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

namespace saguaro::scheduler {

namespace {

// One row. A number lies in [low, high]; a row without numbers is one of some names, or what
// `accepts` knows.
struct row {
    const char *name;
    const char *fallback; // how the default reads
    std::int64_t low;
    std::int64_t high;
    const char *meaning;
    void (*store)(settings &, std::int64_t number, const std::string &text);
    const char *synonym = nullptr;    // a variable that counts if `name` is not set
    std::string (*names)() = nullptr; // "a, b, c"; FILE.c is any text that ends in .c
    bool (*accepts)(const std::string &text) = nullptr;
    std::string (*fault_of)(const std::string &text) = nullptr; // more on what was not accepted
};

std::string design_names() {
    return "dsr, lsa, dos";
}

std::string pin_names() {
    return "auto, 0, 1";
}

std::string topology_names() {
    return "this, FILE.xml, a description as \"pack:2 numa:1 core:8 pu:1\"";
}

std::string cpus_names() {
    return "auto, a list as 0,2,4-7";
}

// Who names processors and no number of workers has one for each.
void store_cpus(settings &s, const std::string &text) {
    const bool were_listed = !s.cpus.empty();
    s.cpus = read_processors(text).value_or(std::vector<int>());
    if (!s.has_default_workers)
        return;
    if (!s.cpus.empty())
        s.workers = static_cast<unsigned>(s.cpus.size());
    else if (were_listed)
        s.workers = platform::default_workers();
}

std::string record_names() {
    return "none, FILE";
}

std::string trace_names() {
    return "none, FILE.txt, FILE.svg";
}

constexpr std::array table{
    row{"SAGUARO_WORKERS", "the processors this process may use", 1, most_workers,
        "the number of workers; CILK_NWORKERS means the same",
        [](settings &s, std::int64_t n, const std::string &) {
            s.workers = static_cast<unsigned>(n);
            s.has_default_workers = false;
        },
        "CILK_NWORKERS"},
    row{"SAGUARO_STACK_SIZE", "8388608", least_stack_bytes, most_stack_bytes,
        "bytes of a stack for calls; address space until the program uses it",
        [](settings &s, std::int64_t n, const std::string &) {
            s.stack_bytes = static_cast<std::size_t>(n);
        }},
    row{"SAGUARO_POLICY", "uniform", 0, 0, "how a worker without work chooses its victim",
        [](settings &s, std::int64_t, const std::string &text) { s.policy = text; }, nullptr,
        policy_names, [](const std::string &text) { return is_policy(text); }, fault_of_policy},
    row{"SAGUARO_TOPOLOGY", "this", 0, 0, "the machine that a policy is to think of",
        [](settings &s, std::int64_t, const std::string &text) {
            s.topology = text == "this" ? std::string() : text;
        },
        nullptr, topology_names,
        [](const std::string &text) {
            return text == "this" || platform::topology::described(text).has_value();
        },
        platform::topology::fault_of},
    row{"SAGUARO_STATS", "0", 0, 1, "1: count spawns, measure times, print all counters at the end",
        [](settings &s, std::int64_t n, const std::string &) { s.statistics = n != 0; }},
    row{"SAGUARO_PIN", "auto", 0, 0,
        "1: bind each thread to a processor; auto: only if the process has the whole machine",
        [](settings &s, std::int64_t, const std::string &text) {
            s.pin = text == "auto" ? pinning::automatic
                    : text == "1"  ? pinning::always
                                   : pinning::never;
        },
        nullptr, pin_names},
    row{"SAGUARO_CPUS", "auto", 0, 0,
        "the processor of each worker in turn; auto: any, or as above",
        [](settings &s, std::int64_t, const std::string &text) { store_cpus(s, text); }, nullptr,
        cpus_names,
        [](const std::string &text) { return text == "auto" || read_processors(text).has_value(); },
        fault_of_processors},
    row{"SAGUARO_SPIN", "100", 0, 1'000'000,
        "microseconds that a worker looks for work before it sleeps",
        [](settings &s, std::int64_t n, const std::string &) { s.spin_ns = n * 1000; }},
    row{"SAGUARO_NANOTHREADS_DESIGN", "dsr", 0, 0,
        "how nano-threads get stacks: direct reuse, lazy allocation, descriptor on stack",
        [](settings &s, std::int64_t, const std::string &text) { s.nanothreads_design = text; },
        nullptr, design_names},
    row{"SAGUARO_NANOTHREADS_STACK_SIZE", "262144", least_nanothread_stack_bytes, most_stack_bytes,
        "bytes of a nano-thread's stack with its guard, rounded up to a power of two",
        [](settings &s, std::int64_t n, const std::string &) {
            s.nanothreads_stack_bytes = static_cast<std::size_t>(n);
        }},
    row{"SAGUARO_VMS_TRACE", "none", 0, 0,
        "file for the virtual time line of vms.h; a second instance writes FILE-2.svg",
        [](settings &s, std::int64_t, const std::string &text) {
            s.vms_trace = text == "none" ? std::string() : text;
        },
        nullptr, trace_names},
    row{"SAGUARO_RECORD", "none", 0, 0,
        "file for the spawn tree of a run on one worker; workers that start again write FILE-2",
        [](settings &s, std::int64_t, const std::string &text) {
            s.record = text == "none" ? std::string() : text;
        },
        nullptr, record_names, [](const std::string &text) { return !text.empty(); }},
    row{"SAGUARO_RECORD_GRAIN", "500", 0, 1'000'000,
        "nanoseconds; what works for less than this is one strand of the recording",
        [](settings &s, std::int64_t n, const std::string &) { s.record_grain = n; }},
};

bool is_number(const row &r) {
    return r.names == nullptr;
}

bool is_named(std::string_view name, std::string_view text) {
    constexpr std::string_view file = "FILE";
    return name.starts_with(file) ? text.ends_with(name.substr(file.size())) : text == name;
}

// Whether `text` is one of the names in "a, b, c".
bool is_one_of(std::string_view names, std::string_view text) {
    constexpr std::string_view between = ", ";
    for (;;) {
        const std::size_t end = names.find(between);
        if (is_named(names.substr(0, end), text))
            return true;
        if (end == names.npos)
            return false;
        names.remove_prefix(end + between.size());
    }
}

std::string range_of(const row &r) {
    if (!is_number(r))
        return r.names();
    return std::to_string(r.low) + " to " + std::to_string(r.high);
}

[[noreturn]] void refuse(const row &r, const char *name, const std::string &value) {
    const std::string fault = r.fault_of != nullptr ? r.fault_of(value) : std::string();
    throw bad_setting(std::string(name) + "=" + value +
                      " is not accepted: " + (fault.empty() ? "" : fault + "; ") +
                      (is_number(r) ? "a whole number from " : "one of ") + range_of(r));
}

// `name` is the variable that has the value.
void store(settings &s, const row &r, const char *name, const std::string &value) {
    std::int64_t number = 0;
    if (is_number(r)) {
        const char *const end = value.data() + value.size();
        const auto [stopped, error] = std::from_chars(value.data(), end, number);
        if (error != std::errc() || stopped != end || number < r.low || number > r.high)
            refuse(r, name, value);
    } else if (r.accepts != nullptr ? !r.accepts(value) : !is_one_of(r.names(), value)) {
        refuse(r, name, value);
    }
    r.store(s, number, value);
}

} // namespace

settings settings_from_environment() {
    settings s{};
    for (const row &r : table) {
        const char *name = r.name;
        const char *value = std::getenv(name);
        if (value == nullptr && r.synonym != nullptr) {
            name = r.synonym;
            value = std::getenv(name);
        }
        if (value != nullptr)
            store(s, r, name, value);
        else if (std::string_view(r.name) == "SAGUARO_WORKERS")
            s.workers = platform::default_workers();
        else
            store(s, r, r.name, r.fallback);
    }
    return s;
}

settings settings_or_exit() {
    try {
        return settings_from_environment();
    } catch (const bad_setting &bad) {
        std::fprintf(stderr, "saguaro: %s\n", bad.what());
        std::_Exit(2);
    }
}

void set(settings &s, const char *name, const std::string &value) {
    for (const row &r : table)
        if (std::string_view(r.name) == name)
            store(s, r, name, value);
}

std::shared_ptr<const platform::topology> machine_of(const settings &s) {
    std::optional<platform::topology> described;
    if (!s.topology.empty())
        described = platform::topology::described(s.topology);
    if (!described)
        return nullptr;
    return std::make_shared<const platform::topology>(std::move(*described));
}

std::string describe_settings() {
    std::string text;
    for (const row &r : table)
        text.append(r.name).append("\t").append(r.fallback).append("\t").append(range_of(r)) +=
            std::string("\t") + r.meaning + "\n";
    return text;
}

} // namespace saguaro::scheduler
