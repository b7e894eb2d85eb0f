// SPDX-License-Identifier: MIT
// The search for Cilk's keywords in preprocessed text.
#include "driver/scan.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace saguaro::driver {

namespace {

// The last five are those of the header.
constexpr std::array<std::string_view, 11> keywords = {
    "_Cilk_spawn", "_Cilk_sync", "_Cilk_for", "_Cilk_scope", "_Cilk_reducer", "_Hyperobject",
    "cilk_spawn",  "cilk_sync",  "cilk_for",  "cilk_scope",  "cilk_reducer"};

// Whether the line is a marker like `# 12 "file.c" 1 3`, the definition of a macro, or a pragma.
bool is_directive(std::string_view line) {
    return !line.empty() && line[0] == '#';
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

// The end of the string or character constant that begins at `at`, on the same line.
std::size_t behind_quote(std::string_view line, std::size_t at) {
    const char quote = line[at++];
    while (at < line.size() && line[at] != quote)
        at += line[at] == '\\' ? 2 : 1;
    return std::min(at + 1, line.size());
}

bool is_keyword_in(std::string_view line) {
    // Most lines have none of them anywhere.
    std::size_t at = line.find("ilk_");
    if (at == std::string_view::npos && line.find("_Hyperobject") == std::string_view::npos)
        return false;
    for (at = 0; at < line.size();) {
        if (line[at] == '"' || line[at] == '\'') {
            at = behind_quote(line, at);
        } else if (is_letter(line[at])) {
            std::size_t end = at;
            while (end < line.size() && is_letter(line[end]))
                end++;
            if (std::ranges::find(keywords, line.substr(at, end - at)) != keywords.end())
                return true;
            at = end;
        } else {
            at++;
        }
    }
    return false;
}

bool has_keyword(std::string_view preprocessed) {
    while (!preprocessed.empty()) {
        const std::size_t end = std::min(preprocessed.find('\n'), preprocessed.size());
        const std::string_view line = preprocessed.substr(0, end);
        preprocessed.remove_prefix(std::min(end + 1, preprocessed.size()));
        if (!is_directive(line) && is_keyword_in(line))
            return true;
    }
    return false;
}

} // namespace

bool has_cilk(std::string_view preprocessed) {
    const std::string_view first = preprocessed.substr(0, preprocessed.find('\n'));
    return (is_directive(first) && first.find(".cilk\"") != std::string_view::npos) ||
           has_keyword(preprocessed);
}

bool is_by_clang(std::string_view preprocessed) {
    return preprocessed.find("\n#define __clang__ ") != std::string_view::npos ||
           preprocessed.find("\nstruct written_by_clang;") != std::string_view::npos;
}

} // namespace saguaro::driver
