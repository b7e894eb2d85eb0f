// SPDX-License-Identifier: MIT
// Where a syntax tree's nodes stand in the text, and edits that stand within each other.
#pragma once

#include "text/text_edits.hpp"

#include <map>
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

// The text with markers as what they are in serial C, each as long as it was.
std::string without_markers(std::string text);

// Edits of one text, made from the inside out: who replaces a statement first renders its parts,
// with the edits in them.
class nested_edits {
public:
    explicit nested_edits(const source_text &source) : source_(source) {}

    // Replaces what is in `where`, and all edits in it. `brings_back`: what follows goes on at its
    // line and column.
    void replace(span where, std::string with, bool brings_back);
    void insert(unsigned at, std::string what);

    std::string render(span where) const;

private:
    struct edit {
        unsigned end;
        std::string with;
        bool brings_back;
    };

    unsigned bring_back(unsigned from, unsigned end, std::string &out) const;

    const source_text &source_;
    std::multimap<unsigned, edit> edits_;
};

} // namespace saguaro::cilkc
