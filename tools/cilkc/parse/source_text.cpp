// SPDX-License-Identifier: MIT
// Converting Clang's locations to offsets in the text.
#include "parse/source_text.hpp"

#include "parse/unit.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace saguaro::cilkc {

source_text::source_text(const unit &parsed)
    : ast_(parsed.ast()), text_(parsed.text()), lines_(parsed.text()) {}

unsigned source_text::offset(clang::SourceLocation location) const {
    const clang::SourceManager &sources = ast_.getSourceManager();
    return sources.getFileOffset(sources.getExpansionLoc(location));
}

span source_text::of(clang::SourceRange range) const {
    const clang::SourceManager &sources = ast_.getSourceManager();
    const unsigned last = sources.getFileOffset(sources.getExpansionRange(range.getEnd()).getEnd());
    const unsigned length = clang::Lexer::MeasureTokenLength(
        sources.getExpansionRange(range.getEnd()).getEnd(), sources, ast_.getLangOpts());
    return {offset(range.getBegin()), last + length};
}

span source_text::statement(clang::SourceRange range) const {
    span where = of(range);
    const unsigned next = skip_blanks(where.end);
    if (text_[where.end - 1] != ';' && next < text_.size() && text_[next] == ';')
        where.end = next + 1;
    return where;
}

span source_text::definition(const clang::FunctionDecl &function) const {
    span where = of(function.getSourceRange());
    for (;;) {
        const unsigned end = skip_blanks_before(where.begin);
        if (end < 2 || text_.substr(end - 2, 2) != "]]")
            return where;
        int depth = 0;
        std::size_t at = end;
        do {
            --at;
            if (text_[at] == '"')
                at = text_.rfind('"', at - 1);
            depth += text_[at] == ']' ? 1 : text_[at] == '[' ? -1 : 0;
        } while (depth > 0);
        where.begin = static_cast<unsigned>(at);
    }
}

// The end of what stands before blanks and line markers.
unsigned source_text::skip_blanks_before(unsigned end) const {
    for (;;) {
        const std::size_t last = text_.substr(0, end).find_last_not_of(" \t\n\r\f\v");
        if (last == text_.npos)
            return 0;
        const std::size_t line = text_.rfind('\n', last) + 1;
        if (text_[line] != '#')
            return static_cast<unsigned>(last + 1);
        end = static_cast<unsigned>(line);
    }
}

unsigned source_text::skip_blanks(unsigned from) const {
    while (from < text_.size()) {
        const char c = text_[from];
        if (c == '#' || (c == '/' && text_.substr(from, 2) == "//"))
            from = static_cast<unsigned>(std::min(text_.find('\n', from), text_.size()));
        else if (text_.substr(from, 2) == "/*")
            from = static_cast<unsigned>(std::min(text_.find("*/", from) + 2, text_.size()));
        else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v')
            ++from;
        else
            break;
    }
    return from;
}

problem problem_at(const source_text &source, unsigned offset, std::string text) {
    const place at = source.lines().where(offset);
    return {at.file, at.line, at.column, std::move(text)};
}

problem problem_at(const source_text &source, clang::SourceLocation where, std::string text) {
    return problem_at(source, source.offset(where), std::move(text));
}

} // namespace saguaro::cilkc
