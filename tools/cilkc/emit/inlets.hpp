// SPDX-License-Identifier: MIT
// The functions that inlets turn into.
#pragma once

#include "analyse/procedure.hpp"

#include <string>
#include <vector>

namespace saguaro::cilkc {

// The functions that become of inlets, and those that the runtime calls for them.
std::vector<std::string> inlet_texts(const source_text &source, const procedure &p);

} // namespace saguaro::cilkc
