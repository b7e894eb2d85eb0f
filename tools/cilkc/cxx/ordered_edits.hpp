// SPDX-License-Identifier: MIT
// Edits of a text that are found in any order, where what is opened must be closed.
#pragma once

#include "text/line_map.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::cilkc {

class ordered_edits {
public:
    explicit ordered_edits(std::string_view text) : text_(text) {}

    // Insertions. At one offset, what closes stands before what opens; a deeper one closes first
    // and opens last.
    void open(unsigned offset, int depth, std::string what) {
        edits_.push_back({offset, offset, 1, depth, std::move(what)});
    }
    void close(unsigned offset, int depth, std::string what) {
        edits_.push_back({offset, offset, 0, -depth, std::move(what)});
    }
    // Replacements do not overlap.
    void replace(unsigned begin, unsigned end, std::string with) {
        edits_.push_back({begin, end, 2, 0, std::move(with)});
    }

    // Edits that belong to a piece of the text [begin, end), inside of all others: where the piece
    // is repeated in a replacement, they go along. All of them come before the first repetition.
    void put_before(unsigned begin, unsigned end, std::string what) {
        inner_.push_back({begin, begin, 3, -static_cast<int>(end), std::move(what)});
    }
    void put_behind(unsigned begin, unsigned end, std::string what) {
        inner_.push_back({end, end, -1, -static_cast<int>(begin), std::move(what)});
    }
    void put_in_place(unsigned begin, unsigned end, std::string with) {
        inner_.push_back({begin, end, 2, 0, std::move(with)});
    }

    // The piece [begin, end) with those edits.
    std::string repeated(unsigned begin, unsigned end) const;

    // The user's lines and columns stay where they are, by line markers.
    std::string apply(const line_map &lines);

private:
    struct edit {
        unsigned begin;
        unsigned end;
        int rank;
        int depth;
        std::string with;

        bool belongs_to(unsigned from, unsigned to) const;
    };

    static void sort(std::vector<edit> &edits);

    std::string_view text_;
    std::vector<edit> edits_;
    std::vector<edit> inner_;
};

} // namespace saguaro::cilkc
