// SPDX-License-Identifier: MIT
// OpenCilk's reducers: declarations with `T cilk_reducer(identity, reduce)`, and all uses.
#pragma once

namespace saguaro::cilkc {

class unit;
class workspace;

// Edits each type of a reducer and what uses its variables, everywhere in the user's text; or finds
// problems. Before all other edits, which may repeat the text of a use.
void translate_hyperobjects(workspace &space);

// Says what is wrong in the parentheses of cilk_reducer, and where it stands behind no type.
void check_hyperobjects(workspace &space, const unit &parsed);

} // namespace saguaro::cilkc
