// SPDX-License-Identifier: MIT
// Preprocessed text, where its lines come from, and edits that leave the user's positions as they
// are.
#pragma once

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
        std::string flags; // " 3" in a system's header
    };

    std::size_t line_at(std::size_t offset) const;
    const origin &origin_of(std::size_t line) const;
    void read_marker(std::string_view line);

    std::string_view text_;
    std::vector<std::size_t> starts_; // of the text's lines
    std::vector<origin> origins_;
};

// Replacements in a text, made all at once. What follows a replacement of another length, or of
// other lines, is brought back to its line and column by a line marker and blanks.
class text_edits {
public:
    explicit text_edits(std::string_view text) : text_(text) {}

    // Two edits may touch, not overlap; those at one place are made in the order of the calls,
    // insertions first.
    void replace(std::size_t offset, std::size_t length, std::string with);
    void insert(std::size_t offset, std::string what) { replace(offset, 0, std::move(what)); }
    // Blanks in its place, lines kept.
    void blank(std::size_t offset, std::size_t length);

    bool empty() const { return edits_.empty(); }
    std::string apply(const line_map &lines) const;

private:
    struct edit {
        std::size_t offset;
        std::size_t length;
        std::string with;
    };

    std::string_view text_;
    std::vector<edit> edits_;
};

} // namespace saguaro::cilkc
