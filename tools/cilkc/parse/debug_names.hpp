// SPDX-License-Identifier: MIT
// The user's names, for debuggers.
#pragma once

#include "parse/source_text.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace saguaro::cilkc {

// Where a variable of the user's is not a variable of that name in the C that is compiled, its name
// is a macro for the lines in which the user may speak of it: gdb replaces macros in whatever it is
// asked to print, set or watch. Compilers write them down with -g3 (gcc) or -fdebug-macro (clang).
//
// Macros know nothing of structs: where `x` is one, gdb does not understand `p->x`.
class debug_names {
public:
    // `name` stands for `meaning` where `scope` is. Of names of several variables, that of the
    // innermost scope counts.
    void add(const source_text &source, span scope, const std::string &name,
             const std::string &meaning);

    // The same for what begins with a brace: behind its first line, which belongs to others, too.
    void add_behind(const source_text &source, span body, const std::string &name,
                    const std::string &meaning);

    // The definitions: lines to stand behind all code. Only of the unit's main file, for clang
    // takes all macros to be of that.
    std::string definitions() const;

private:
    struct entry {
        std::uint32_t first; // lines, both included
        std::uint32_t last;
        std::string name;
        std::string meaning;
    };

    std::string file_;
    std::vector<entry> entries_;
};

} // namespace saguaro::cilkc
