// SPDX-License-Identifier: MIT
#pragma once

#include "diagnostics.hpp"

#include <string>
#include <vector>

namespace saguaro::cilkc {

class unit;

// The text of `parsed`, core Cilk C, as C: each function that spawns is replaced by its clones and
// its ordinary entry, all else stays. What cannot be translated goes to `problems`.
// `is_profiled`: each function measures its work and its critical path.
std::string emit(const unit &parsed, bool is_mit, bool is_profiled, std::vector<problem> &problems);

// The serial elision.
std::string emit_serial(const unit &parsed, bool is_mit, std::vector<problem> &problems);

} // namespace saguaro::cilkc
