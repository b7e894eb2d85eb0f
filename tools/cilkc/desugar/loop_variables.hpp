// SPDX-License-Identifier: MIT
// Giving each cilk_for a variable of its own where strands would share one.
#pragma once

#include "desugar/rewriting.hpp"

namespace saguaro::cilkc {

// Declares the variable of a cilk_for in its header where strands that run side by side would share
// one from outside. Whether there were any.
bool own_loop_variables(rewriting &work);

} // namespace saguaro::cilkc
