// SPDX-License-Identifier: MIT
//
// Peers: runtimes that run as programs of their own, because they clash with another in one
// process (libgomp and libomp do) or because they are not C++. README.md has the protocol.
#pragma once

#include "driver/grid.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace saguaro::bench {

/// The variant `name` of a kernel, up to its greatest_peer_size: each run is the shell command
/// `command BENCH N WORKERS`. Throws what variant::run may.
variant peer_variant(const kernel &bench, const std::string &name, const std::string &command);

/// The same for every kernel.
std::vector<variant> peer_variants(const std::string &name, const std::string &command);

/// The text as one word of a shell command.
std::string shell_quoted(const std::string &text);

/// What a command writes on stdout, however it ends; empty if it cannot be run.
std::string output_of(const std::string &command);

/// The path of this program.
std::string own_program();

/// Where this program stands, and beside it those that were built with it.
std::filesystem::path own_directory();

} // namespace saguaro::bench
