// SPDX-License-Identifier: MIT
// All settings, in one table: the environment's and what a program says instead.
#pragma once

#include "platform/one_line.hpp"
#include "platform/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace saguaro::scheduler {

// Ranges of the table.
inline constexpr unsigned most_workers = 4096;
inline constexpr std::size_t least_stack_bytes = std::size_t{1} << 16;
inline constexpr std::size_t most_stack_bytes = std::size_t{1} << 30;
inline constexpr std::size_t least_nanothread_stack_bytes = std::size_t{1} << 14;

// Whether each thread of the runtime's has a processor of its own.
enum class pinning {
    automatic, // if they are as many as the machine has, and the process may use them all
    never,
    always, // if they are no more than the process may use
};

struct settings {
    unsigned workers;               // threads that run the program
    std::size_t stack_bytes;        // for the frames of one flow
    std::string policy;             // whom thieves try
    std::string topology;           // the machine that the policy is to think of; empty: this one
    bool statistics;                // count spawns and times, print everything at the end
    pinning pin;                    // each worker on a processor of its own
    std::vector<int> cpus;          // the processors of the workers, in turn; empty: see pin
    std::int64_t spin_ns;           // how long a worker without work looks around before it sleeps
    std::string nanothreads_design; // "dsr", "lsa" or "dos"
    std::size_t nanothreads_stack_bytes; // of a stack with its guard
    std::string vms_trace;               // a file for virtual time lines, or empty
    std::string record;                  // a file for a recording of the run, or empty
    std::int64_t record_grain;           // ns of work that are recorded as one strand
    bool has_default_workers = true;     // nobody has chosen their number
    // Not in the environment: false does without membarrier, as on kernels that lack it. For tests.
    bool asymmetric_fences = true;
};

// A value that is not accepted. what() is one line, whatever the value is: the variable, the value,
// what is accepted.
class bad_setting : public std::runtime_error {
public:
    explicit bad_setting(const std::string &line) : std::runtime_error(platform::one_line(line)) {}
};

// The defaults, overruled by the environment. Throws bad_setting.
settings settings_from_environment();

// The same; a value that is not accepted ends the program with its line.
settings settings_or_exit();

// Sets the setting whose variable is called `name`. Throws bad_setting.
void set(settings &s, const char *name, const std::string &value);

// The machine that `s.topology` describes; null: this one.
std::shared_ptr<const platform::topology> machine_of(const settings &s);

// The table as text, one setting a line: name, default, range, meaning, separated by tabs.
std::string describe_settings();

} // namespace saguaro::scheduler
