// SPDX-License-Identifier: MIT
// An inlet's parameters as declarations of variables.
#pragma once

#include "tokens/token_edits.hpp"

#include <string>

namespace saguaro::cilkc {

// The parameters between the parenthesis at `open` and its partner as declarations of variables, at
// their places: arrays and functions adjusted to pointers as C does it, those without a name named
// _cilk_unnamed_1 and so on. Reports what cannot be a variable.
std::string parameters_as_variables(token_edits &edits, std::size_t open);

// Whether a word begins, or is part of, the specifiers of a declaration without being a type's name
// of the user's: `const`, `int`, `struct`, `__attribute__`, ...
bool is_qualifier(const token &t);
bool is_type_word(const token &t);

// The index behind the token, or behind the parentheses that belong to it (`__attribute__((...))`).
std::size_t behind_word(const token_list &tokens, std::size_t index);

} // namespace saguaro::cilkc
