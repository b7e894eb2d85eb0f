// SPDX-License-Identifier: MIT
// Recordings: what a program with SAGUARO_RECORD writes. docs/recording.md has the format.
#pragma once

#include "program.hpp"

#include <string>

namespace saguaro::sim {

// Reads a recording. Throws bad_input, whose line begins with the file's name.
program read_recording(const std::string &file);

// Writes a program as a recording. Throws bad_input if the file cannot be written.
void write_recording(const program &what, const std::string &file);

} // namespace saguaro::sim
