// SPDX-License-Identifier: MIT
// What all steps of the translation of C++ share: the text, its edits, its problems, new names.
#pragma once

#include "cxx/cxx_tokens.hpp"
#include "cxx/ordered_edits.hpp"
#include "parse/source_text.hpp"
#include "parse/unit.hpp"

#include <clang/AST/Expr.h>
#include <clang/AST/Type.h>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace saguaro::cilkc {

constexpr std::string_view spawn_in_expression =
    "cilk_spawn in an expression: it may only be a statement, or the whole right side of an "
    "assignment or initialization";

class workspace {
public:
    workspace(const unit &parsed, const marked_text &words, bool with_exceptions, bool for_clang)
        : source(parsed), marked(words), edits(parsed.text()), has_exceptions(with_exceptions),
          is_for_clang(for_clang) {}

    const source_text source;
    const marked_text &marked;
    ordered_edits edits;
    const bool has_exceptions;
    const bool is_for_clang; // clang++ compiles the translation
    std::vector<problem> problems;
    // The offsets of Cilk's words that have been translated or refused: of any other the
    // translation would know nothing.
    std::set<unsigned> met;
    const clang::Stmt *body = nullptr; // of the function that is gone through
    // Variables that are references to what a child makes.
    std::set<const clang::VarDecl *> made_by_children;
    // Edits that depend on the text further below.
    std::vector<std::function<void()>> later;

    std::string new_name() { return "__cilk_" + std::to_string(++names_); }

    void error(unsigned offset, std::string text) {
        problems.push_back(problem_at(source, offset, std::move(text)));
    }

    // Whether one of Cilk's words is in it.
    bool has_word(span where) const;

    // The last of Cilk's words before the offset; null: none.
    const cilk_word *last_word_before(unsigned offset) const;

    // The word at the offset; empty: none.
    std::string_view word_at(unsigned offset) const;

    // A piece of the text on one line.
    std::string text_of(span where) const;

    // The type, or a variable of it, as text that means the same anywhere in the function. Nothing:
    // the type has no name, or is one of a reducer, of which Clang does not know.
    std::optional<std::string> type_text(clang::QualType type, const std::string &name = "") const;

    // The expression without what the user did not write, and without parentheses.
    static const clang::Expr *spelled(const clang::Expr *e);

private:
    int names_ = 0;
};

} // namespace saguaro::cilkc
