// SPDX-License-Identifier: MIT
// The serial back end: core Cilk C to its serial elision.
#pragma once

#include "parse/debug_names.hpp"
#include "text/diagnostics.hpp"

#include <string>
#include <vector>

namespace saguaro::cilkc {

class unit;

// The text of `parsed` as its serial elision: a spawn is a call, a sync is nothing.
std::string emit_serial(const unit &parsed, bool is_mit, debug_names &names,
                        std::vector<problem> &problems);

} // namespace saguaro::cilkc
