// SPDX-License-Identifier: MIT
// The parallel back end: core Cilk C to C with clones.
#pragma once

#include "parse/debug_names.hpp"
#include "text/diagnostics.hpp"

#include <string>
#include <vector>

namespace saguaro::cilkc {

class unit;

// The text of `parsed`, core Cilk C, as C: each function that spawns is replaced by its clones and
// its ordinary entry, all else stays. What cannot be translated goes to `problems`.
// `is_profiled`: each function measures its work and its critical path. The variables' names for
// debuggers are added to `names`.
std::string emit(const unit &parsed, bool is_mit, bool is_profiled, debug_names &names,
                 std::vector<problem> &problems);

} // namespace saguaro::cilkc
