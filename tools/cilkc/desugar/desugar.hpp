// SPDX-License-Identifier: MIT
// From core Cilk C to what the clones are made of: the text is parsed, the rules are checked, and
// loops, spawned blocks, scopes and reducers become functions and calls.
#pragma once

#include "desugar/program.hpp"
#include "parse/debug_names.hpp"
#include "parse/unit.hpp"
#include "text/diagnostics.hpp"
#include "tokens/token_pass.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::cilkc {

// The parsed text in which `_Cilk_spawn` stands before calls alone, and no `_Cilk_for`,
// `_Cilk_scope`, `_Cilk_spawn_block` or `_Cilk_reducer` is left. Null: the program breaks a rule,
// or Clang does not understand it; `problems` says where. Constructs within constructs take a round
// of rewriting and parsing for each level. In the serial program reducers alone are rewritten.
// What debuggers are to find under other names is added to `names`.
std::unique_ptr<unit> front_end(std::string core, std::string_view name, dialect language,
                                standard version, program kind, debug_names &names,
                                std::vector<problem> &problems);

} // namespace saguaro::cilkc
