// SPDX-License-Identifier: MIT
// Workloads that are built in: spawn trees that need no recording.
#pragma once

#include "program.hpp"

#include <string>

namespace saguaro::sim {

// "NAME[:N][,KEY=VALUE...]", as "fib:25,ns=20". Throws bad_input.
program make_workload(const std::string &text);

// A line for each workload: its name, its keys with their defaults, what it is.
std::string describe_workloads();

} // namespace saguaro::sim
