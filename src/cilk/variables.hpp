// SPDX-License-Identifier: MIT
// The variable of the environment that the library of OpenCilk's Cilkscale reads.
#pragma once

#include "platform/settings.hpp"

namespace saguaro::cilk::variables {

inline constexpr platform::setting lines{.name = "CILKSCALE_OUT",
                                         .fallback = "standard output",
                                         .accepted = "FILE",
                                         .meaning = "file for the lines of cilk/cilkscale.h",
                                         .needs_own_rights = true};

inline constexpr const platform::setting *all[] = {&lines};

} // namespace saguaro::cilk::variables
