// SPDX-License-Identifier: MIT
// Collecting names by scope, and writing them as macros that debuggers read.
#include "parse/debug_names.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace saguaro::cilkc {

void debug_names::add(const source_text &source, span scope, const std::string &name,
                      const std::string &meaning) {
    file_ = source.lines().main_file();
    const place first = source.lines().where(scope.begin);
    const place last = source.lines().where(scope.end - 1);
    if (name != meaning && first.file == file_ && last.file == file_)
        entries_.push_back({first.line, last.line, name, meaning});
}

void debug_names::add_behind(const source_text &source, span body, const std::string &name,
                             const std::string &meaning) {
    const std::size_t line =
        source.text()[body.begin] == '{' ? source.text().find('\n', body.begin) : body.begin;
    if (line < body.end)
        add(source, {static_cast<unsigned>(line) + 1, body.end}, name, meaning);
}

std::string debug_names::definitions() const {
    std::vector<entry> order = entries_;
    // What begins later is further in.
    std::stable_sort(order.begin(), order.end(), [](const entry &a, const entry &b) {
        return std::tuple(a.first, b.last) < std::tuple(b.first, a.last);
    });
    std::map<std::string, std::map<std::uint32_t, std::string>> lines;
    for (const entry &one : order)
        for (std::uint32_t line = one.first; line <= one.last; ++line)
            lines[one.name][line] = one.meaning;
    std::string text;
    // As of a system's header, whose macros need not be used.
    const auto at = [&](std::uint32_t line) {
        return "# " + std::to_string(line) + " \"" + file_ + "\" 3\n";
    };
    for (const auto &[name, meanings] : lines) {
        for (auto from = meanings.begin(); from != meanings.end();) {
            auto to = from;
            std::uint32_t end = from->first;
            for (; to != meanings.end() && to->first == end && to->second == from->second; ++to)
                ++end;
            text += at(from->first) + "#define " + name + " " + from->second + "\n";
            text += at(end) + "#undef " + name + "\n";
            from = to;
        }
    }
    return text;
}

} // namespace saguaro::cilkc
