// SPDX-License-Identifier: MIT
// The formats in which a sweep is written: text, JSON and a picture.
#pragma once

#include "sweep.hpp"

#include <string>

namespace saguaro::sim {

std::string as_text(const sweep &all);
std::string as_json(const sweep &all, const options &chosen);
std::string as_svg(const sweep &all);

} // namespace saguaro::sim
