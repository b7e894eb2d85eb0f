// SPDX-License-Identifier: MIT
// The rules by their subjects.
#pragma once

#include "desugar/rewriting.hpp"
#include "rules/rules.hpp"

namespace saguaro::cilkc {

// What the rules of one function need.
struct rule_context {
    const source_text &source;
    const clang::FunctionDecl &function;
    dialect language;
    std::vector<problem> &problems;

    void error(clang::SourceLocation where, std::string text) {
        problems.push_back(problem_at(source, where, std::move(text)));
    }
};

// Where spawns and syncs may stand, what may be spawned and called, and how inlets are used.
void check_spawns(rule_context context);

// Jumps into and out of loops, spawned blocks, scopes and inlets; headers of loops; what functions
// that spawn cannot contain.
void check_jumps(rule_context context);

// Types of reducers, their identities and their functions; for the whole text.
void check_reducers(const source_text &source, std::vector<problem> &problems);

} // namespace saguaro::cilkc
