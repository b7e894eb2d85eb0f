// SPDX-License-Identifier: MIT
// Where a syntax tree's nodes stand in the text.
#pragma once

#include "text/diagnostics.hpp"
#include "text/line_map.hpp"

#include <string>
#include <string_view>

namespace clang {
class ASTContext;
class FunctionDecl;
class SourceLocation;
class SourceRange;
} // namespace clang

namespace saguaro::cilkc {

class unit;

// A piece of the text, as offsets: [begin, end).
struct span {
    unsigned begin;
    unsigned end;
};

// The text of a unit. A marker counts as what it is in the text: one token.
class source_text {
public:
    explicit source_text(const unit &parsed);

    unsigned offset(clang::SourceLocation location) const;
    span of(clang::SourceRange range) const;
    // The same with the semicolon behind it.
    span statement(clang::SourceRange range) const;
    // A function with its body, and with the attributes in brackets that stand before all else.
    span definition(const clang::FunctionDecl &function) const;
    // The first offset behind blanks, comments and line markers from `from` on.
    unsigned skip_blanks(unsigned from) const;

    std::string_view text() const { return text_; }
    const line_map &lines() const { return lines_; }
    clang::ASTContext &ast() const { return ast_; }

private:
    unsigned skip_blanks_before(unsigned end) const;

    clang::ASTContext &ast_;
    std::string_view text_;
    line_map lines_;
};

// A problem at the user's place of `where`, or of an offset in the text.
problem problem_at(const source_text &source, clang::SourceLocation where, std::string text);
problem problem_at(const source_text &source, unsigned offset, std::string text);

} // namespace saguaro::cilkc
