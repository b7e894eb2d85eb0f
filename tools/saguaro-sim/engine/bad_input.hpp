// SPDX-License-Identifier: MIT
// The simulator's name for the tools' error about bad input.
#pragma once

#include "common/tool.hpp"

namespace saguaro::sim {

using tools::bad_input;

} // namespace saguaro::sim
