// SPDX-License-Identifier: MIT
// Printing problems with the user's line and a caret below the column.
#include "text/diagnostics.hpp"

#include <fstream>
#include <ostream>
#include <set>
#include <tuple>

namespace saguaro::cilkc {

namespace {

std::string line_of(const problem &where) {
    std::ifstream file(where.file);
    std::string line;
    for (std::uint32_t number = 0; number < where.line; number++)
        if (!std::getline(file, line))
            return {};
    return line;
}

// As wide as the text before the column is when printed: its tabs stay.
std::string indent_of(const std::string &line, std::uint32_t column) {
    std::string indent;
    for (std::uint32_t at = 1; at < column; at++)
        indent += at <= line.size() && line[at - 1] == '\t' ? '\t' : ' ';
    return indent;
}

} // namespace

void print_problems(std::ostream &out, const std::vector<problem> &found) {
    std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, std::string>> printed;
    for (const problem &one : found) {
        if (!printed.emplace(one.file, one.line, one.column, one.text).second)
            continue;
        out << one.file << ':' << one.line << ':' << one.column << ": error: " << one.text << '\n';
        const std::string line = line_of(one);
        if (!line.empty())
            out << line << '\n' << indent_of(line, one.column) << "^\n";
    }
}

} // namespace saguaro::cilkc
