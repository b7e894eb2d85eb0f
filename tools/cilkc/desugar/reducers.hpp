// SPDX-License-Identifier: MIT
// Rewriting reducers into the runtime's objects.
#pragma once

#include "desugar/rewriting.hpp"

namespace saguaro::cilkc {

// Turns all reducers of the text into objects of the runtime's. False: there are none.
bool rewrite_reducers(rewriting &work);

} // namespace saguaro::cilkc
