// SPDX-License-Identifier: MIT
// The token pass for MIT Cilk.
#pragma once

#include "tokens/token_edits.hpp"

#include <string>

namespace saguaro::cilkc {

// MIT Cilk's words become core Cilk C's. Returns what is to stand behind the text: `main`, if the
// text has the program's first procedure.
//
// `cilk`, `spawn`, `sync`, `inlet`, `abort`, `SYNCHED`, `shared` and `private` are words of the
// language where they stand as the language lets them stand, and plain names elsewhere, in system
// headers, and between `#pragma lang +C` and `#pragma lang -C`: C that uses `sync` as a name, or
// calls `abort()`, stays C. `shared` and `private` mean nothing on one machine's shared memory.
std::string mit_to_core(token_edits &edits);

} // namespace saguaro::cilkc
