// SPDX-License-Identifier: MIT
// Which bodies of a text in C++ have a marker in them, by brackets alone.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace clang {
class LangOptions;
} // namespace clang

namespace saguaro::cilkc {

class marked_bodies {
public:
    marked_bodies(std::string_view text, const clang::LangOptions &language);

    // Whether the function whose name stands at the offset, and which is defined there, has a
    // marker in its initialisers, body or handlers.
    bool has_marker(unsigned name) const;

private:
    // A pair of braces.
    struct group {
        unsigned begin;
        unsigned end;
        std::size_t around; // the group that it is in; itself: none
        bool in_parentheses;
        bool has_marker;
        bool goes_on; // what follows belongs to the same definition: another initialiser, a body
    };

    void mark(std::size_t inner);

    std::vector<group> groups_;
};

} // namespace saguaro::cilkc
