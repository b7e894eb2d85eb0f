// SPDX-License-Identifier: MIT
// The tokens of a preprocessed text, by Clang's lexer, which asks for no parse and no types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::cilkc {

enum class token_kind : std::uint8_t { name, punctuation, other, end };

struct token {
    std::string_view text; // part of the lexed text
    std::size_t offset;
    token_kind kind;
    bool plain; // where the dialect's keywords are plain names: system headers, `#pragma lang +C`
    std::uint32_t braces; // how many `{` are open before it

    bool is(std::string_view wanted) const { return text == wanted; }
    bool is_one_of(std::initializer_list<std::string_view> words) const {
        return std::ranges::find(words, text) != words.end();
    }
    bool is_one_of(std::span<const std::string_view> words) const {
        return std::ranges::find(words, text) != words.end();
    }
};

// `#pragma` lines, which stay in preprocessed text.
struct pragma {
    std::string_view text; // behind `#pragma`, up to the end of the line
    std::size_t offset;    // of the `#`
    std::size_t length;    // of the line
    std::size_t next;      // index of the token that follows

    // `lang +C`, `lang -C`
    bool is_language() const { return text.substr(0, 6) == " lang "; }
};

// The text must outlive it, and a null byte must stand behind it. Indices beyond the ends give the
// end token, so that a look ahead or back needs no check.
class token_list {
public:
    explicit token_list(std::string_view text);

    const token &operator[](std::size_t index) const {
        return tokens_[index < tokens_.size() ? index : tokens_.size() - 1];
    }
    std::size_t size() const { return tokens_.size() - 1; } // without the end token
    std::string_view text() const { return text_; }
    const std::vector<pragma> &pragmas() const { return pragmas_; }

    // From `(`, `[` or `{` to the index of what closes it, and back. Without a partner: size().
    std::size_t closing(std::size_t open) const { return partners_[open]; }
    std::size_t opening(std::size_t close) const { return partners_[close]; }

private:
    void directive(std::string_view line, std::size_t offset);
    void find_partners();

    std::string_view text_;
    std::vector<token> tokens_;
    std::vector<std::size_t> partners_;
    std::vector<pragma> pragmas_;
    bool system_ = false;
    bool plain_c_ = false;
};

// Whether a statement begins at the token: it stands behind another one, a label, attributes in
// brackets, the header of an `if` or a loop, or a `cilk_scope`.
bool begins_statement(const token_list &tokens, std::size_t at);

// The text with `[`, `]`, `{` and `}` in the place of `<:`, `:>`, `<%` and `%>`, and a blank
// behind.
std::string without_digraphs(std::string text);

} // namespace saguaro::cilkc
