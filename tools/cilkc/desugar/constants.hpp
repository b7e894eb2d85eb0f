// SPDX-License-Identifier: MIT
// Lifting the constexpr variables of functions to file scope.
#pragma once

#include "desugar/rewriting.hpp"

namespace saguaro::cilkc {

// Moves the `constexpr` variables of functions with Cilk to file scope under new names, so that
// they are constants in whatever the functions become. Whether there were any.
bool lift_constants(rewriting &work);

} // namespace saguaro::cilkc
