// SPDX-License-Identifier: MIT
// Matching braces, and finding those of a function's definition.
#include "parse/marked_bodies.hpp"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace saguaro::cilkc {

marked_bodies::marked_bodies(std::string_view text, const clang::LangOptions &language) {
    constexpr std::string_view marker_prefix = "_Cilk_";
    constexpr std::size_t parenthesis = static_cast<std::size_t>(-1);
    std::vector<std::size_t> open; // groups, and parentheses among them
    std::size_t closed = parenthesis;
    clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(),
                       text.data() + text.size());
    clang::Token token;
    const auto innermost = [&]() {
        const auto found = std::find_if(open.rbegin(), open.rend(),
                                        [](std::size_t one) { return one != parenthesis; });
        return found == open.rend() ? parenthesis : *found;
    };
    while (lexer.LexFromRawLexer(token), !token.is(clang::tok::eof)) {
        const unsigned at = lexer.getCurrentBufferOffset() - token.getLength();
        const std::string_view word = text.substr(at, token.getLength());
        if (token.is(clang::tok::hash) && token.isAtStartOfLine()) {
            lexer.seek(static_cast<unsigned>(std::min(text.find('\n', at), text.size())), true);
            continue;
        }
        if (closed != parenthesis) {
            groups_[closed].goes_on = word == "," || word == "{" || word == "catch";
            closed = parenthesis;
        }
        if (word == "(") {
            open.push_back(parenthesis);
        } else if (word == "{") {
            const std::size_t around = innermost();
            groups_.push_back({at, at, around == parenthesis ? groups_.size() : around,
                               !open.empty() && open.back() == parenthesis, false, false});
            open.push_back(groups_.size() - 1);
        } else if ((word == ")" || word == "}") && !open.empty()) {
            if (open.back() != parenthesis) {
                closed = open.back();
                groups_[closed].end = at;
            }
            open.pop_back();
        } else if (token.is(clang::tok::raw_identifier) && innermost() != parenthesis &&
                   word.substr(0, marker_prefix.size()) == marker_prefix) {
            mark(innermost());
        }
    }
}

void marked_bodies::mark(std::size_t inner) {
    while (!groups_[inner].has_marker) {
        groups_[inner].has_marker = true;
        inner = groups_[inner].around;
    }
}

bool marked_bodies::has_marker(unsigned name) const {
    auto next = std::lower_bound(groups_.begin(), groups_.end(), name,
                                 [](const group &g, unsigned offset) { return g.begin < offset; });
    for (; next != groups_.end(); ++next) {
        // The braces of its definition are in the innermost ones around the name.
        const std::size_t self = static_cast<std::size_t>(next - groups_.begin());
        const group &outer = groups_[next->around];
        if (next->around != self && outer.begin > name)
            continue;
        if (next->has_marker)
            return true;
        if (!next->in_parentheses && !next->goes_on)
            return false;
    }
    return false;
}

} // namespace saguaro::cilkc
