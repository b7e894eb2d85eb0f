// SPDX-License-Identifier: MIT
// Edits of a preprocessed text that leave the user's positions as they are.
#pragma once

#include "text/line_map.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::cilkc {

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
