// SPDX-License-Identifier: MIT
// The rules about reducers.
#pragma once

#include "parse/source_text.hpp"
#include "text/diagnostics.hpp"

#include <vector>

namespace saguaro::cilkc {

// Types of reducers, their identities and their functions; for the whole text.
void check_reducers(const source_text &source, std::vector<problem> &problems);

} // namespace saguaro::cilkc
