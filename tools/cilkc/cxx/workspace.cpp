// SPDX-License-Identifier: MIT
// Pieces of text and names of types.
#include "cxx/workspace.hpp"

#include "cxx/reducer_types.hpp"
#include "cxx/type_names.hpp"
#include "tokens/literals.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <iterator>

namespace saguaro::cilkc {

namespace {

auto first_word_from(const marked_text &marked, unsigned offset) {
    return std::lower_bound(marked.words.begin(), marked.words.end(), offset,
                            [](const cilk_word &w, unsigned at) { return w.offset < at; });
}

// An ordinary literal of the same text as the raw one, whose quote is at `at`. Moves `at` behind
// it.
std::string without_lines(std::string_view text, std::size_t &at) {
    const std::size_t open = text.find('(', at);
    const std::string end = end_of_raw_literal(text, at, open);
    const std::size_t close = text.find(end, open);
    std::string out = "\"";
    for (const char c : text.substr(open + 1, close - open - 1))
        if (c == '\n')
            out += "\\n";
        else
            out += (c == '\\' || c == '"' || c == '?' ? "\\" : "") + std::string(1, c);
    at = std::min(close, text.size() - end.size()) + end.size();
    return out + "\"";
}

// Raw literals hold line ends, which are not ends of the text's lines.
std::string without_raw_literals(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (text[at] == '#' && (at == 0 || text[at - 1] == '\n')) {
            at = std::min(text.find('\n', at), text.size());
        } else if (text[at] == '"' || text[at] == '\'') {
            at = behind_literal(text, at);
        } else if (is_part_of_name(text[at])) {
            at = behind_word(text, at);
            const std::string_view name = text.substr(begin, at - begin);
            if (begins_raw_literal(name, text, at)) {
                out += std::string(name.substr(0, name.size() - 1)) + without_lines(text, at);
                continue;
            }
        } else {
            ++at;
        }
        out += text.substr(begin, at - begin);
    }
    return out;
}

} // namespace

bool workspace::has_word(span where) const {
    const auto found = first_word_from(marked, where.begin);
    return found != marked.words.end() && found->offset < where.end;
}

const cilk_word *workspace::last_word_before(unsigned offset) const {
    const auto next = first_word_from(marked, offset);
    return next == marked.words.begin() ? nullptr : &*std::prev(next);
}

std::string_view workspace::word_at(unsigned offset) const {
    const auto found = first_word_from(marked, offset);
    return found != marked.words.end() && found->offset == offset ? std::string_view(found->text)
                                                                  : std::string_view();
}

std::string workspace::text_of(span where) const {
    std::string out;
    const std::string text = without_raw_literals(edits.repeated(where.begin, where.end));
    std::string_view rest = text;
    for (bool is_first = true; !rest.empty(); is_first = false) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (!is_first && line.substr(0, 1) == "#")
            continue;
        const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
        out += (is_first ? "" : " ") + std::string(line.substr(is_first ? 0 : begin));
    }
    while (!out.empty() && out.back() == ' ')
        out.pop_back();
    return out;
}

std::optional<std::string> workspace::type_text(clang::QualType type,
                                                const std::string &name) const {
    if (mentions_hyperobject(type))
        return std::nullopt;
    clang::PrintingPolicy policy = source.ast().getPrintingPolicy();
    policy.SuppressUnwrittenScope = true;
    policy.AnonymousTagLocations = true;
    policy.Bool = true;
    // A dependent type has members of the template's parameters in it, as they were written.
    std::string text = name;
    (type->isDependentType() ? type : named_from_outermost(source.ast(), type))
        .getAsStringInternal(text, policy);
    for (const char *nameless : {"(lambda at ", "(unnamed ", "(anonymous "})
        if (text.find(nameless) != text.npos)
            return std::nullopt;
    return text;
}

const clang::Expr *workspace::spelled(const clang::Expr *e) {
    for (;;) {
        const clang::Expr *inner = e->IgnoreUnlessSpelledInSource();
        if (const auto *parentheses = llvm::dyn_cast<clang::ParenExpr>(inner))
            inner = parentheses->getSubExpr();
        if (inner == e)
            return e;
        e = inner;
    }
}

} // namespace saguaro::cilkc
