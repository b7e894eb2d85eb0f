// SPDX-License-Identifier: MIT
#pragma once

#include "common/tool.hpp"

namespace saguaro::sim {

using tools::bad_input;

} // namespace saguaro::sim
