// SPDX-License-Identifier: MIT
// Text for what tools print. JSON and SVG are UTF-8, but users' texts, such as names of files, may
// be any bytes.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace saguaro::tools {

// How many bytes the character at the front has; 0: none begins there. The text is not empty.
inline std::size_t length_of_character(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length == 0 || first > 0xf4 || text.size() < length)
        return 0;
    for (std::size_t at = 1; at < length; ++at)
        if ((byte(at) & 0xc0) != 0x80)
            return 0;
    // Longer than it need be, half of a pair, or beyond the last character.
    const bool is_long = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool is_half = first == 0xed && byte(1) >= 0xa0;
    const bool is_beyond = first == 0xf4 && byte(1) >= 0x90;
    return is_long || is_half || is_beyond ? 0 : length;
}

// The text with U+FFFD, the sign for what is no character, for each byte of no character.
inline std::string utf8(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = length_of_character(text);
        out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

// As a string of JSON.
inline std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : utf8(text)) {
        if (static_cast<unsigned char>(c) < ' ') {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
            out += code;
            continue;
        }
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "\"";
}

// "8 processors", "1 node".
inline std::string counted(std::size_t count, const std::string &what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

} // namespace saguaro::tools
