// SPDX-License-Identifier: MIT
// Workloads that are built in: spawn trees that need no recording.
#pragma once

#include "program.hpp"

#include <string>

namespace saguaro::sim {

// Of a workload, unless a test says otherwise. While they are made they take up to 1 GB of memory.
inline constexpr std::uint64_t most_workload_events = 100'000'000;

// "NAME[:N][,KEY=VALUE...]", as "fib:25,ns=20". Throws bad_input.
program make_workload(const std::string &text, std::uint64_t most_events = most_workload_events);

// A line for each workload: its name, its keys with their defaults, what it is.
std::string describe_workloads();

} // namespace saguaro::sim
