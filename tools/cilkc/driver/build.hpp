// SPDX-License-Identifier: MIT
// One call of the driver, step by step.
#pragma once

#include "driver/arguments.hpp"
#include "driver/places.hpp"
#include "driver/process.hpp"

namespace saguaro::driver {

// Does what the command line asks for; returns the exit code: 0, or that of the step that failed.
// Throws std::runtime_error for what cannot be done, std::system_error where a file cannot be read
// or written, and `interrupted`.
[[nodiscard]] int build(const command_line &line, const places &where, const words &compiler,
                        orderly_end &end);

} // namespace saguaro::driver
