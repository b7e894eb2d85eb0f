// SPDX-License-Identifier: MIT
// The translation of spawns, calls and syncs in the clones. Each is one line, the user's.
#pragma once

#include "emit/clone_text.hpp"

#include <string>

namespace saguaro::cilkc {

std::string site_text(clone_text &text, const site &s);

// The results that children have left in a slow clone's frame, each as an operand before a comma.
std::string fetch_results(const clone_text &text, span where);

} // namespace saguaro::cilkc
