// SPDX-License-Identifier: MIT
// Quoting text that a user has given, for a line that names it.
#pragma once

#include <string>
#include <string_view>

namespace saguaro::platform {

// The text with its control characters as C writes them, "\n" or "\x1b": a value with a newline
// would make two lines of one, and codes of terminals would be obeyed. All else stays.
inline std::string one_line(std::string_view text) {
    constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (code < ' ' || code == 0x7f)
            ((out += "\\x") += digits[code >> 4]) += digits[code & 15];
        else
            out += c;
    }
    return out;
}

} // namespace saguaro::platform
