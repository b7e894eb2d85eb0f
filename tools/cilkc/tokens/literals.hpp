// SPDX-License-Identifier: MIT
// Names and literals in a text whose tokens nobody has made.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

namespace saguaro::cilkc {

inline bool is_part_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

// Behind the name that begins at `at`, or the number, which may be 1'000.
inline std::size_t behind_word(std::string_view text, std::size_t at) {
    const bool is_number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    while (at < text.size() && (is_part_of_name(text[at]) || (is_number && text[at] == '\'')))
        ++at;
    return at;
}

// Behind the literal that begins with the quote at `at`, or at the end of its line.
inline std::size_t behind_literal(std::string_view text, std::size_t at) {
    const char quote = text[at++];
    while (at < text.size() && text[at] != quote && text[at] != '\n')
        at += text[at] == '\\' ? 2 : 1;
    return std::min(at + 1, text.size());
}

// Whether a raw literal begins with this word and the quote at `quote`.
inline bool begins_raw_literal(std::string_view word, std::string_view text, std::size_t quote) {
    return quote < text.size() && text[quote] == '"' &&
           (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R");
}

// What closes the raw literal whose quote is at `quote` and whose parenthesis at `open`.
inline std::string end_of_raw_literal(std::string_view text, std::size_t quote, std::size_t open) {
    return ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
}

} // namespace saguaro::cilkc
