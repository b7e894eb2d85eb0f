// SPDX-License-Identifier: MIT
// Edits of a text that stand within each other.
#pragma once

#include "parse/source_text.hpp"

#include <map>
#include <string>

namespace saguaro::cilkc {

// Edits of one text, made from the inside out: who replaces a statement first renders its parts,
// with the edits in them.
class nested_edits {
public:
    explicit nested_edits(const source_text &source) : source_(source) {}

    // Replaces what is in `where`, and all edits in it. `brings_back`: what follows goes on at its
    // line and column.
    void replace(span where, std::string with, bool brings_back);
    void insert(unsigned at, std::string what);

    std::string render(span where) const;

private:
    struct edit {
        unsigned end;
        std::string with;
        bool brings_back;
    };

    unsigned bring_back(unsigned from, unsigned end, unsigned next_edit, std::string &out) const;

    const source_text &source_;
    std::multimap<unsigned, edit> edits_;
};

} // namespace saguaro::cilkc
