// SPDX-License-Identifier: MIT
// Where the lines of a preprocessed text come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::cilkc {

// Where a byte of a preprocessed text comes from. Lines and columns count from 1.
struct place {
    std::string file;
    std::uint32_t line;
    std::uint32_t column;
    bool system; // in a system's header
};

// Which line of which file each byte of a preprocessed text comes from. The text must outlive it.
class line_map {
public:
    explicit line_map(std::string_view text);

    place where(std::size_t offset) const;

    // The line marker that brings what follows to the line of `offset`: "# 12 \"fib.cilk\"\n".
    std::string marker(std::size_t offset) const;

    // That marker on a line of its own, and the blanks which bring what follows to the column.
    std::string jump(std::size_t offset) const;

    // The file that the text is of: the first one a marker names. Empty without markers.
    const std::string &main_file() const;

private:
    struct origin {
        std::size_t line; // of the text, the first one this speaks of
        std::uint32_t user_line;
        std::string file;
        bool is_system; // in a system's header
    };

    std::size_t line_at(std::size_t offset) const;
    const origin &origin_of(std::size_t line) const;
    void read_marker(std::string_view line);

    std::string_view text_;
    std::vector<std::size_t> starts_; // of the text's lines
    std::vector<origin> origins_;
};

} // namespace saguaro::cilkc
