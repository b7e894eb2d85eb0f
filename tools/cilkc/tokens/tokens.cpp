// SPDX-License-Identifier: MIT
// Lexing a text, skipping line markers and matching brackets.
#include "tokens/tokens.hpp"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <cctype>

namespace saguaro::cilkc {

namespace {

token_kind kind_of(const clang::Token &token, char first) {
    if (token.is(clang::tok::raw_identifier))
        return token_kind::name;
    return std::ispunct(static_cast<unsigned char>(first)) != 0 && first != '"' && first != '\''
               ? token_kind::punctuation
               : token_kind::other;
}

bool opens(const token &t) {
    return t.kind == token_kind::punctuation && (t.is("(") || t.is("[") || t.is("{"));
}

bool closes(const token &t) {
    return t.kind == token_kind::punctuation && (t.is(")") || t.is("]") || t.is("}"));
}

// What a macro of a system's header expands to in the user's file has the header's flag, but the
// file's name.
bool is_cilk_file(std::string_view line) {
    return line.find(".cilk\"") != line.npos || line.find(".cilkh\"") != line.npos;
}

// The next word of a line; the line is then what comes after it.
std::string_view word(std::string_view &line) {
    const std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    const std::size_t end = std::min(line.find_first_of(" \t", start), line.size());
    const std::string_view found = line.substr(start, end - start);
    line.remove_prefix(end);
    return found;
}

// Whether the `:` ends a label: it is none of a `?:` or of a range.
bool is_label(const token_list &tokens, std::size_t colon) {
    int colons = 0;
    std::size_t at = colon;
    while (!tokens[at].is_one_of({";", "{", "}", "(", "case", "default"})) {
        colons += tokens[at].is(":") ? 1 : tokens[at].is("?") ? -1 : 0;
        at = tokens[at].is(")") ? tokens.opening(at) - 1 : at - 1;
    }
    return colons > 0 && !tokens[at].is("(");
}

} // namespace

token_list::token_list(std::string_view text) : text_(text) {
    clang::LangOptions options;
    options.C23 = options.C11 = options.C99 = options.LineComment = true;
    options.RawStringLiterals = true;
    clang::Lexer lexer(clang::SourceLocation(), options, text.data(), text.data(),
                       text.data() + text.size());
    std::uint32_t braces = 0;
    clang::Token next;
    while (lexer.LexFromRawLexer(next), !next.is(clang::tok::eof)) {
        const std::size_t offset = lexer.getCurrentBufferOffset() - next.getLength();
        if (next.is(clang::tok::hash) && next.isAtStartOfLine()) {
            const std::size_t end = std::min(text.find('\n', offset), text.size());
            directive(text.substr(offset, end - offset), offset);
            lexer.seek(static_cast<unsigned>(end), true);
            continue;
        }
        const token_kind kind = kind_of(next, text[offset]);
        braces -= next.is(clang::tok::r_brace) && braces > 0 ? 1 : 0;
        tokens_.push_back(
            {text.substr(offset, next.getLength()), offset, kind, system_ || plain_c_, braces});
        braces += next.is(clang::tok::l_brace) ? 1 : 0;
    }
    tokens_.push_back({text.substr(text.size()), text.size(), token_kind::end, true, braces});
    find_partners();
}

void token_list::directive(std::string_view line, std::size_t offset) {
    std::string_view rest = line.substr(1);
    const std::string_view first = word(rest);
    if (first == "pragma") {
        pragmas_.push_back({rest, offset, line.size(), tokens_.size()});
        if (word(rest) == "lang")
            plain_c_ = word(rest) == "+C";
    } else if (!first.empty() && std::isdigit(static_cast<unsigned char>(first[0])) != 0) {
        const std::size_t flags = rest.rfind('"');
        system_ = flags != rest.npos && rest.find('3', flags) != rest.npos && !is_cilk_file(rest);
    }
}

void token_list::find_partners() {
    partners_.assign(tokens_.size(), size());
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < size(); at++) {
        if (opens(tokens_[at])) {
            open.push_back(at);
        } else if (closes(tokens_[at]) && !open.empty()) {
            partners_[at] = open.back();
            partners_[open.back()] = at;
            open.pop_back();
        }
    }
}

bool begins_statement(const token_list &tokens, std::size_t at) {
    const token &before = tokens[at - 1];
    if (before.is(")"))
        return tokens[tokens.opening(at - 1) - 1].is_one_of(
            {"if", "for", "while", "switch", "constexpr", "_Cilk_for"});
    if (before.is("]") && tokens[at - 2].is("]")) {
        const std::size_t open = tokens.opening(at - 1);
        return tokens[open + 1].is("[") && begins_statement(tokens, open);
    }
    if (before.is(":"))
        return is_label(tokens, at - 1);
    return before.is_one_of({";", "{", "}", "else", "do", "_Cilk_scope"});
}

std::string without_digraphs(std::string text) {
    if (text.find("<:") == text.npos && text.find("<%") == text.npos)
        return text;
    clang::LangOptions options;
    options.CPlusPlus = options.CPlusPlus11 = options.RawStringLiterals = true;
    options.Digraphs = options.LineComment = true;
    const std::string lexed = text;
    clang::Lexer lexer(clang::SourceLocation(), options, lexed.data(), lexed.data(),
                       lexed.data() + lexed.size());
    clang::Token next;
    while (lexer.LexFromRawLexer(next), !next.is(clang::tok::eof)) {
        const char *sign = next.is(clang::tok::l_square)   ? "[ "
                           : next.is(clang::tok::r_square) ? "] "
                           : next.is(clang::tok::l_brace)  ? "{ "
                           : next.is(clang::tok::r_brace)  ? "} "
                                                           : nullptr;
        if (sign != nullptr && next.getLength() == 2)
            text.replace(lexer.getCurrentBufferOffset() - 2, 2, sign);
    }
    return text;
}

} // namespace saguaro::cilkc
