// SPDX-License-Identifier: MIT
// The formats.
#pragma once

#include "view.hpp"

#include <string>

namespace saguaro::topology_tool {

std::string as_text(const view &seen);
std::string as_json(const view &seen);
std::string as_svg(const view &seen);

// "8 processors", "1 node".
inline std::string counted(std::size_t count, const std::string &what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

} // namespace saguaro::topology_tool
