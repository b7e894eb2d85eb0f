// SPDX-License-Identifier: MIT
// Ranks whose outcomes are forced.
#pragma once

#include "mpi/core/clock/order.hpp"
#include "mpi/variables.hpp"
#include "ranks.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace saguaro::mpi {

// Runs body(rank) as a replay of the lines that were recorded for each rank. The exit codes.
inline std::vector<int> replay(const std::vector<std::string> &recorded,
                               const std::function<int(int)> &body) {
    const std::string name = testing::TempDir() + "replayed." + std::to_string(getpid());
    const auto file_of = [&](std::size_t rank) { return name + "." + std::to_string(rank); };
    for (std::size_t r = 0; r < recorded.size(); ++r)
        std::ofstream(file_of(r)) << "ranks " << recorded.size() << '\n' << recorded[r];
    setenv(variables::order.name, ("replay:" + name).c_str(), 1);
    const std::vector<int> codes = run_ranks(static_cast<std::uint32_t>(recorded.size()), body);
    unsetenv(variables::order.name);
    for (std::size_t r = 0; r < recorded.size(); ++r)
        std::remove(file_of(r).c_str());
    return codes;
}

} // namespace saguaro::mpi
