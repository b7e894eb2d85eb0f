// SPDX-License-Identifier: MIT
#include "parse/source_text.hpp"

#include "parse/unit.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

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

void nested_edits::replace(span where, std::string with, bool brings_back) {
    for (auto e = edits_.lower_bound(where.begin); e != edits_.end() && e->first < where.end;)
        e = edits_.erase(e);
    edits_.emplace(where.begin, edit{where.end, std::move(with), brings_back});
}

void nested_edits::insert(unsigned at, std::string what) {
    edits_.emplace(at, edit{at, std::move(what), true});
}

// Where a line ends anyway, the marker of the next one is enough.
unsigned nested_edits::bring_back(unsigned from, unsigned end, std::string &out) const {
    const std::string_view text = source_.text();
    const auto next =
        static_cast<unsigned>(std::min(text.find_first_not_of(" \t\r", from), text.size()));
    if (next >= end)
        return from;
    if (text[next] != '\n') {
        out += source_.lines().jump(from);
        return from;
    }
    out += '\n';
    if (next + 1 < end && text[next + 1] != '#')
        out += source_.lines().marker(next + 1);
    return next + 1;
}

std::string nested_edits::render(span where) const {
    std::string out;
    unsigned from = where.begin;
    const std::string_view text = source_.text();
    for (auto e = edits_.lower_bound(where.begin); e != edits_.end() && e->first < where.end; ++e) {
        out += text.substr(from, e->first - from);
        out += e->second.with;
        from = e->second.end;
        if (e->second.brings_back)
            from = bring_back(from, where.end, out);
    }
    out += text.substr(from, where.end - from);
    return out;
}

std::string without_markers(std::string text) {
    constexpr std::pair<std::string_view, std::string_view> markers[] = {
        {"_Cilk_procedure", "               "},
        {"_Cilk_spawn_block", "                 "},
        {"_Cilk_spawn", "           "},
        {"_Cilk_scope", "           "},
        {"_Cilk_for", "for      "},
        {"_Cilk_grain", "(void)     "},
        {"_Cilk_synched", "1            "},
        {"_Cilk_sync", "(void)0   "},
        {"_Cilk_abort", "(void)0    "},
    };
    for (const auto &[marker, plain] : markers)
        for (std::size_t at = 0; (at = text.find(marker, at)) != text.npos;)
            text.replace(at, marker.size(), plain);
    return text;
}

} // namespace saguaro::cilkc
