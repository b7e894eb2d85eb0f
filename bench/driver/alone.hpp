// SPDX-License-Identifier: MIT
//
// Variants whose every run is a process of its own: this program, called again with --alone.
#pragma once

#include "driver/grid.hpp"

#include <string>
#include <vector>

namespace saguaro::bench {

/// The same variant; `run` starts this program again and reads what it prints. Throws what
/// variant::run may.
variant in_own_process(const variant &inner);

/// What the other side does: one run of that variant, whose outcome goes to stdout. Returns the
/// exit code.
int run_alone(const std::vector<variant> &variants, const std::string &bench,
              const std::string &name, long n, int workers);

} // namespace saguaro::bench
