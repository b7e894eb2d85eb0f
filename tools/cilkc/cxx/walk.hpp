// SPDX-License-Identifier: MIT
// The walk over all functions with Cilk in them, which finds each construct and edits it.
#pragma once

namespace saguaro::cilkc {

class workspace;

// Edits the text of the workspace, or finds problems.
void translate_all(workspace &space);

} // namespace saguaro::cilkc
