// SPDX-License-Identifier: MIT
// Reading line markers, and writing new ones.
#include "text/line_map.hpp"

#include <algorithm>
#include <cctype>

namespace saguaro::cilkc {

namespace {

std::size_t skip(std::string_view text, std::size_t at, std::string_view blanks) {
    return std::min(text.find_first_not_of(blanks, at), text.size());
}

bool is_digit(std::string_view text, std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
}

} // namespace

line_map::line_map(std::string_view text) : text_(text) {
    origins_.push_back({0, 1, {}, false});
    for (std::size_t start = 0; start < text.size();) {
        starts_.push_back(start);
        const std::size_t end = std::min(text.find('\n', start), text.size());
        if (text[start] == '#')
            read_marker(text.substr(start, end - start));
        start = end + 1;
    }
    starts_.push_back(text.size());
}

// `# 12 "file" 1 3` or `#line 12 "file"`.
void line_map::read_marker(std::string_view line) {
    std::size_t at = skip(line, 1, " \t");
    if (line.substr(at, 5) == "line ")
        at = skip(line, at + 5, " \t");
    if (!is_digit(line, at))
        return;
    origin next = {starts_.size(), 0, origins_.back().file, false};
    for (; is_digit(line, at); at++)
        next.user_line = next.user_line * 10 + static_cast<std::uint32_t>(line[at] - '0');
    const std::size_t quote = skip(line, at, " \t");
    const std::size_t end = line.rfind('"');
    if (quote < line.size() && line[quote] == '"' && end > quote) {
        next.file = line.substr(quote + 1, end - quote - 1);
        next.is_system = line.find('3', end) != line.npos;
    }
    origins_.push_back(std::move(next));
}

std::size_t line_map::line_at(std::size_t offset) const {
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
    return static_cast<std::size_t>(next - starts_.begin()) - 1;
}

const line_map::origin &line_map::origin_of(std::size_t line) const {
    const auto next =
        std::upper_bound(origins_.begin(), origins_.end(), line,
                         [](std::size_t wanted, const origin &o) { return wanted < o.line; });
    return *(next - 1);
}

place line_map::where(std::size_t offset) const {
    const std::size_t line = line_at(offset);
    const origin &from = origin_of(line);
    return {from.file, static_cast<std::uint32_t>(from.user_line + (line - from.line)),
            static_cast<std::uint32_t>(offset - starts_[line] + 1), from.is_system};
}

std::string line_map::marker(std::size_t offset) const {
    const std::size_t line = line_at(offset);
    const origin &from = origin_of(line);
    return "# " + std::to_string(from.user_line + (line - from.line)) + " \"" + from.file + "\"" +
           (from.is_system ? " 3\n" : "\n");
}

std::string line_map::jump(std::size_t offset) const {
    return "\n" + marker(offset) + std::string(where(offset).column - 1, ' ');
}

const std::string &line_map::main_file() const {
    return origins_[origins_.size() > 1 ? 1 : 0].file;
}

} // namespace saguaro::cilkc
