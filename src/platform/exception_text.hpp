// SPDX-License-Identifier: MIT
// What a line says of an exception that has left a program's function.
#pragma once

#include <string>

namespace saguaro::platform {

// The exception that is being handled: "std::runtime_error: no file"; empty if memory has run out.
// Throws nothing.
std::string current_exception_text();

} // namespace saguaro::platform
