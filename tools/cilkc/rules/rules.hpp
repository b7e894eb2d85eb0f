// SPDX-License-Identifier: MIT
// The rules of Cilk that need types to be checked.
#pragma once

#include "text/diagnostics.hpp"
#include "tokens/token_pass.hpp"

#include <vector>

namespace saguaro::cilkc {

class source_text;

// What Cilk forbids, as far as it takes types to see it; the rest is the token pass's. Each message
// names the rule, at the user's place. For core Cilk C before desugaring.
void check_rules(const source_text &source, dialect language, std::vector<problem> &problems);

} // namespace saguaro::cilkc
