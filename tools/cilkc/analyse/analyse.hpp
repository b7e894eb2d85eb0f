// SPDX-License-Identifier: MIT
// The entry to the analysis: from a parsed text to its procedures.
#pragma once

#include "analyse/procedure.hpp"
#include "text/diagnostics.hpp"

#include <memory>
#include <vector>

namespace saguaro::cilkc {

// The functions of the text that spawn or, in the MIT dialect, are `cilk` procedures; in the order
// of the text. What cannot be translated goes to `problems`.
std::vector<std::unique_ptr<procedure>> find_procedures(const source_text &source, bool is_profiled,
                                                        std::vector<problem> &problems);

} // namespace saguaro::cilkc
