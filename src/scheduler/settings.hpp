// SPDX-License-Identifier: MIT
// The settings of workers: the environment's and those that a program gives instead.
#pragma once

#include "platform/processors.hpp"
#include "platform/settings.hpp"
#include "platform/topology.hpp"
#include "scheduler/variables.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace saguaro::scheduler {

using platform::bad_setting;
using platform::pinning;

struct settings : platform::placement {
    std::size_t stack_bytes;         // for the frames of one flow
    std::string policy;              // whom thieves try
    std::string topology;            // the machine that the policy is to think of; empty: this one
    bool statistics;                 // count spawns and times, print everything at the end
    std::int64_t spin_ns;            // how long a worker without work looks around before it sleeps
    std::string record;              // a file for a recording of the run, or empty
    std::int64_t record_grain;       // ns of work that are recorded as one strand
    bool has_default_workers = true; // nothing has chosen their number
    // Not in the environment: false for a runtime that no observer hears.
    bool is_observed = true;
    // Not in the environment: false does without membarrier, as on kernels that lack it. For tests.
    bool asymmetric_fences = true;
};

// The defaults, overruled by the environment. Throws bad_setting.
settings settings_from_environment();

// For calls that cannot return an error: a value that is not accepted gets its line, once. It ends
// the program with exit code 2 if that was linked with the library; else the default stands in.
settings settings_or_defaults();

// Sets the setting whose variable is called `name`. Throws bad_setting.
void set(settings &s, const char *name, const std::string &value);

// The machine that `s.topology` describes; null: this one.
std::shared_ptr<const platform::topology> machine_of(const settings &s);

} // namespace saguaro::scheduler
