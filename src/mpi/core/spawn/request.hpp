// SPDX-License-Identifier: MIT
// A rank's request to the launcher to start ranks of new programs: README.md.
#pragma once

#include "mpi/core/world/layout.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace saguaro::mpi {

namespace spawn_answer {
inline constexpr std::uint32_t none = 0;
inline constexpr std::uint32_t begun = 1;
inline constexpr std::uint32_t refused = 2; // there is no such program, or no room for the ranks
} // namespace spawn_answer

// Ranks that run one program.
struct spawned_part {
    std::uint32_t ranks = 1;
    std::string folder;               // where they begin; empty: where the launcher did
    std::vector<std::string> command; // the program and its arguments
};

// In a block, behind its header; the text of the parts follows.
struct spawn_request {
    std::atomic<std::uint32_t> answer; // who asks sleeps on it
    std::uint32_t ranks;
    std::uint32_t parent; // who asks, at this clock
    place family;         // whose first child the launcher writes
    clock_value clock;
    std::uint64_t bytes;

    char *text() { return reinterpret_cast<char *>(this + 1); }
};

std::string text_of(const std::vector<spawned_part> &parts);
std::vector<spawned_part> parts_of(const char *text, std::size_t bytes);

} // namespace saguaro::mpi
