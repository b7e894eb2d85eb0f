// SPDX-License-Identifier: MIT
// Parsing the header and the entries of a Matrix Market file.
#include "matrix_market.hpp"

#include "fault.hpp"
#include "line_reader.hpp"
#include "progress.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace saguaro::pbfs {

namespace {

enum class field { pattern, real, integer };

/// What the lines before the entries say.
struct header {
    field values = field::pattern;
    direction kind = direction::one_way;
    vertex vertices = 0;
    std::uint64_t entries = 0;
};

/// Takes the next word off the front of `line`; empty when there is none left.
std::string_view next_word(std::string_view &line) {
    constexpr std::string_view blanks = " \t";
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(blanks));
    line.remove_prefix(word.size());
    return word;
}

bool blank(std::string_view line) {
    return next_word(line).empty();
}

/// How reading all of `word` as one number of type T went; a plus sign in front is accepted.
template <typename T>
std::errc parse(std::string_view word, T &value) {
    word.remove_prefix(word.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return end == word.data() + word.size() ? error : std::errc::invalid_argument;
}

/// Faults what is left of a line that should have ended.
void expect_end(const line_reader &lines, std::string_view line, const char *accepted) {
    if (const std::string_view word = next_word(line); !word.empty())
        lines.fail(quoted(word) + " is one word too many; accepted: " + accepted);
}

/// A word of the banner: its place in `accepted`, or a fault that lists them.
std::size_t banner_word(const line_reader &lines, std::string_view &line, const char *what,
                        std::initializer_list<std::string_view> accepted) {
    const std::string_view word = next_word(line);
    std::string lower(word);
    for (char &c : lower)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const auto found = std::find(accepted.begin(), accepted.end(), lower);
    if (found == accepted.end()) {
        std::string list;
        for (const std::string_view one : accepted)
            list += (list.empty() ? "" : ", ") + std::string(one);
        lines.fail(std::string(what) + " " + quoted(word) + " in the banner; accepted: " + list);
    }
    return static_cast<std::size_t>(found - accepted.begin());
}

/// What a reader takes: the last accepted words of the banner.
struct accepted_kinds {
    std::initializer_list<std::string_view> fields;
    std::initializer_list<std::string_view> symmetries;
};

template <typename T>
T named(std::string_view name, std::initializer_list<std::pair<std::string_view, T>> all) {
    return std::find_if(all.begin(), all.end(),
                        [=](const auto &each) { return each.first == name; })
        ->second;
}

void read_banner(line_reader &lines, header &head, const accepted_kinds &accepted) {
    std::string_view line;
    if (!lines.next(line))
        lines.fail("the file is empty; accepted: a banner line that begins %%MatrixMarket");
    banner_word(lines, line, "first word", {"%%matrixmarket"});
    banner_word(lines, line, "object", {"matrix"});
    banner_word(lines, line, "format", {"coordinate"});
    const auto values = banner_word(lines, line, "field", accepted.fields);
    head.values = named<field>(
        accepted.fields.begin()[values],
        {{"pattern", field::pattern}, {"real", field::real}, {"integer", field::integer}});
    const auto symmetry = banner_word(lines, line, "symmetry", accepted.symmetries);
    head.kind =
        named<direction>(accepted.symmetries.begin()[symmetry],
                         {{"general", direction::one_way}, {"symmetric", direction::both_ways}});
    expect_end(lines, line, "five words in the banner");
}

/// The next word as a number from `least` to `most`, called `what` in the fault that it is not.
std::uint64_t number(const line_reader &lines, std::string_view &line, const char *what,
                     std::uint64_t least, std::uint64_t most) {
    const std::string_view word = next_word(line);
    // Signed, so that a negative number is out of range and not "no number".
    std::int64_t value = 0;
    const std::errc error = parse(word, value);
    if (error == std::errc() && value >= 0 && static_cast<std::uint64_t>(value) >= least &&
        static_cast<std::uint64_t>(value) <= most) {
        return static_cast<std::uint64_t>(value);
    }
    const char *const problem = word.empty()                           ? " is missing"
                                : error == std::errc::invalid_argument ? " is not a number"
                                                                       : " is out of range";
    lines.fail(what + (word.empty() ? "" : " " + quoted(word)) + problem +
               "; accepted: " + std::to_string(least) + " to " + std::to_string(most));
}

void read_size(line_reader &lines, header &head) {
    std::string_view line;
    do {
        if (!lines.next(line))
            lines.fail("the file ends before the size line; accepted: rows, columns and entries");
    } while (blank(line) || line.starts_with('%'));

    const auto rows = number(lines, line, "number of rows", 1, max_vertices);
    const auto columns = number(lines, line, "number of columns", 1, max_vertices);
    if (rows != columns) {
        lines.fail(std::to_string(rows) + " rows and " + std::to_string(columns) +
                   " columns; accepted: a square matrix");
    }
    // No product overflows: rows is at most 2^32 - 2.
    const std::uint64_t places =
        head.kind == direction::both_ways ? rows * (rows + 1) / 2 : rows * rows;
    head.entries = number(lines, line, "number of entries", 0, places);
    expect_end(lines, line, "rows, columns and entries");
    head.vertices = static_cast<vertex>(rows);
    // The offsets, and what a search keeps for each vertex. Entries are believed when they come.
    require_memory(lines.where(), rows * 16);
}

/// What follows row and column in an entry's line: 0 for a pattern. `wanted`: not only its form.
double read_value(const line_reader &lines, std::string_view line, field values, bool wanted) {
    if (values == field::pattern) {
        expect_end(lines, line, "row and column (field pattern)");
        return 0;
    }
    const std::string_view word = next_word(line);
    double real = 0;
    std::int64_t integer = 0;
    // A value too large for its type is a number all the same: graphs have no use for it.
    const bool is_real = values == field::real;
    const std::errc error = is_real ? parse(word, real) : parse(word, integer);
    if (error == std::errc::invalid_argument) {
        lines.fail(
            (word.empty() ? "value is missing" : "value " + quoted(word) + " is not a number") +
            (is_real ? "; accepted: a real number" : "; accepted: an integer"));
    }
    if (error != std::errc() && wanted)
        lines.fail("value " + quoted(word) +
                   " is too large or too small; accepted: a number that " +
                   (is_real ? "a double holds" : "64 bits hold"));
    expect_end(lines, line, "row, column and value");
    return is_real ? real : static_cast<double>(integer);
}

/// `numbers`: where the values go; null: nowhere.
std::vector<edge> read_entries(line_reader &lines, const header &head, const std::string &path,
                               std::vector<double> *numbers) {
    std::vector<edge> edges;
    progress shown("reading " + path, std::max<std::uint64_t>(head.entries, 1));
    std::string_view line;
    while (lines.next(line)) {
        if (blank(line))
            continue;
        if (edges.size() == head.entries) {
            lines.fail("an entry too many; accepted: the " + std::to_string(head.entries) +
                       " that the size line declares");
        }
        const auto row = number(lines, line, "row", 1, head.vertices);
        const auto column = number(lines, line, "column", 1, head.vertices);
        const double value = read_value(lines, line, head.values, numbers != nullptr);
        if (numbers != nullptr)
            numbers->push_back(value);
        edges.push_back({static_cast<vertex>(row - 1), static_cast<vertex>(column - 1)});
        shown.update(edges.size());
    }
    if (edges.size() < head.entries) {
        lines.fail("the file ends after " + std::to_string(edges.size()) +
                   " entries; accepted: the " + std::to_string(head.entries) +
                   " that the size line declares");
    }
    return edges;
}

} // namespace

graph read_matrix_market(const std::string &path, const std::string &instead) {
    line_reader lines(path, instead);
    header head;
    read_banner(lines, head, {{"pattern", "real", "integer"}, {"general", "symmetric"}});
    read_size(lines, head);
    return build_graph(head.vertices, read_entries(lines, head, path, nullptr), head.kind);
}

coordinate_matrix read_symmetric_matrix(const std::string &path, const std::string &instead) {
    line_reader lines(path, instead);
    header head;
    read_banner(lines, head, {{"real", "integer"}, {"symmetric"}});
    read_size(lines, head);
    coordinate_matrix matrix;
    matrix.side = head.vertices;
    matrix.entries = read_entries(lines, head, path, &matrix.values);
    return matrix;
}

} // namespace saguaro::pbfs
