// SPDX-License-Identifier: MIT
// The settings of nano-threads: the environment's and those that a program gives instead.
#pragma once

#include "nanothreads/variables.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace saguaro::nanothreads {

struct settings {
    unsigned processors = 1;
    std::int64_t spin_ns = 0;    // how long a processor without threads looks around
    std::string design;          // "dsr", "lsa" or "dos"
    std::size_t stack_bytes = 0; // of a stack with its guard

    // What a program says instead. Throw bad_setting.
    void set_processors(std::size_t count);
    void set_stack_bytes(std::size_t bytes);
    void set_design(const std::string &name);
};

// The defaults, overruled by the environment. Throws bad_setting.
settings settings_from_environment();

} // namespace saguaro::nanothreads
