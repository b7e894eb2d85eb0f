// SPDX-License-Identifier: MIT
// The formats in which a topology is written: text, JSON and a picture.
#pragma once

#include "view.hpp"

#include "common/text.hpp"

#include <string>

namespace saguaro::topology_tool {

std::string as_text(const view &seen);
std::string as_json(const view &seen);
std::string as_svg(const view &seen);

using tools::counted;

} // namespace saguaro::topology_tool
