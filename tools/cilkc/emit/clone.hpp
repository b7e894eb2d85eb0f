// SPDX-License-Identifier: MIT
// Editing the body of a procedure or an inlet for one of its clones.
#pragma once

#include "emit/clone_text.hpp"

namespace saguaro::cilkc {

// Edits the function's body for the clone, which is not an inlet's.
void edit_body(clone_text &text);

// Edits the inlet's body for its clone.
void edit_inlet(clone_text &text, const inlet &in);

} // namespace saguaro::cilkc
