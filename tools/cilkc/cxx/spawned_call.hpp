// SPDX-License-Identifier: MIT
// A call that is to be spawned: what is evaluated before the parent may go on, and the rest.
#pragma once

#include "parse/source_text.hpp"

#include <set>
#include <string>
#include <vector>

namespace clang {
class Expr;
} // namespace clang

namespace saguaro::cilkc {

//     o.m(a, 5)  ->  [&](auto &&__cilk_1, int __cilk_2) { ...
//     static_cast<...>(__cilk_1).m(__cilk_2, 5); }(o, a)
struct spawned_call {
    // In the order of the text: what stays in it, as the arguments of a lambda ...
    std::vector<span> kept;
    // ... whose parameters are these, ...
    std::vector<std::string> parameters;
    // ... and the call that uses them. `FUNCTION` and the like are the user's text.
    std::string call;
    // What to put before and after the kept pieces, where they are not arguments as they are.
    std::vector<std::string> before, after;
    // A piece is evaluated after those of a lower rank; those of one rank as arguments are.
    std::vector<unsigned> ranks;
    bool has_effects = false;           // evaluating a piece may change what another one reads
    std::set<unsigned> dependent_ranks; // those with pieces that may read what another one changes
    // Parameters that are handed on to ::saguaro::cilk::call, because the callee, which depends on
    // a template's parameters, says what it takes; and their names in `call`.
    struct handed {
        std::string parameter, inner;
        bool is_pack;
        std::size_t place; // among the call's arguments
    };
    std::vector<handed> on;
    // Which parameters such a callee has is known from its type: that of a kept function or object.
    // Or it is a method, of this name, of an object of the type.
    std::string callee_type, method;
    // Bit k: element k of `on` is a variable that the function changes later, or whose block ends.
    unsigned long long changing = 0;

    void keep(const source_text &source, const clang::Expr &e, std::string parameter,
              unsigned rank);
    bool is_ordered() const { return has_effects && dependent_ranks.size() > 1; }
};

std::string joined(const std::vector<std::string> &parts);

} // namespace saguaro::cilkc
