// SPDX-License-Identifier: MIT
// Moving tokens back to the columns that the preprocessor took them from.
#include "tokens/user_columns.hpp"

#include "text/line_map.hpp"
#include "tokens/tokens.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace saguaro::cilkc {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view reducer = "_Cilk_reducer";
constexpr std::array keywords = {"_Cilk_spawn"sv, "_Cilk_sync"sv, "_Cilk_for"sv, "_Cilk_scope"sv,
                                 reducer};

bool is_keyword(const token &t) {
    return std::ranges::find(keywords, t.text) != keywords.end();
}

// Whether clang has written it, and the keywords are macros in it.
bool is_moved(const std::string &text) {
    return text.find("\n#define __clang__ ") != text.npos &&
           text.find("\n#define cilk_spawn _Cilk_spawn\n") != text.npos;
}

std::string behind_keywords(const std::string &text) {
    const token_list tokens(text);
    const line_map lines(text);
    std::string out;
    std::size_t from = 0;  // what stands before it is in `out`
    std::size_t moved = 0; // how many keywords stand before it on its line
    for (std::size_t i = 0; i < tokens.size(); i++) {
        if (!is_keyword(tokens[i]))
            continue;
        // Clang needs the arguments of its macro beside its name.
        const std::size_t closing = tokens.closing(i + 1);
        const std::size_t last = tokens[i].is(reducer) && closing < tokens.size() ? closing : i;
        const token &next = tokens[last + 1];
        if (text.find('\n', from) < tokens[i].offset)
            moved = 0;
        moved++;
        const std::size_t end = tokens[last].offset + tokens[last].text.size();
        if (text.find('\n', end) < next.offset)
            continue;
        out += std::string_view(text).substr(from, end - from);
        out += '\n' + lines.marker(next.offset);
        out += std::string(lines.where(next.offset).column - 1 - moved, ' ');
        from = next.offset;
    }
    return out + text.substr(from);
}

// A line marker as gcc writes it: `# 12 "file.c" 3 4`.
struct marker {
    std::string_view file;
    std::string_view flags;
};

std::optional<marker> marker_in(std::string_view line) {
    const std::size_t quote = line.find('"');
    const std::size_t end = line.rfind('"');
    if (line.substr(0, 2) != "# " || quote == end)
        return std::nullopt;
    return marker{line.substr(quote, end - quote), line.substr(end + 1)};
}

std::string behind_short_lines(std::string_view text) {
    std::string out;
    std::string_view users_file;
    bool is_macro = false; // what a macro in the user's file stands for
    bool is_short = false;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (const std::optional<marker> found = marker_in(line)) {
            const bool was_macro = is_macro;
            is_macro = found->flags == " 3 4" && found->file == users_file;
            if (found->flags.find('3') == found->flags.npos)
                users_file = found->file;
            is_short = is_macro || (was_macro && found->flags.empty());
        } else {
            // At the beginning of a line there is no blank to miss.
            if (is_short && line.substr(0, 1) == " ")
                out += ' ';
            is_short = is_macro;
        }
        out += line;
        out += '\n';
    }
    return out;
}

} // namespace

std::string with_users_columns(std::string text) {
    return is_moved(text) ? behind_keywords(text) : behind_short_lines(text);
}

} // namespace saguaro::cilkc
