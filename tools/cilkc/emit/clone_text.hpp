// SPDX-License-Identifier: MIT
// The text of one of a function's clones, while it is being edited.
#pragma once

#include "analyse/procedure.hpp"
#include "parse/nested_edits.hpp"

#include <string>

namespace saguaro::cilkc {

enum class clone {
    fast,
    slow,
    inlet,  // an inlet's function
    head,   // what comes before a fast clone's first site, apart
    silent, // for a recording that dozes: all children are called, and nobody hears of them
    serial, // a function with inlets in the serial elision: it has a frame, and nothing is spawned
};

// What every part of a clone is written with: how the clone names the function's variables and what
// is in its frame, how it ends, and the edits so far. The edits begin with those of the names.
class clone_text {
public:
    clone_text(const source_text &text, const procedure &function, clone kind);

    // The text of `where`, or of the statement, with the edits. The body's braces are in p.body.
    std::string render(span where) const { return edits.render(where); }
    std::string text_of(const clang::Stmt &s) const;

    // How the clone names a member of its frame, and a variable of the function's.
    std::string frame(const std::string &member) const;
    std::string access(const clang::VarDecl &v) const;

    // Of a variable whose type has sizes: the type with the sizes from the frame, as
    // "int (*)[_cilk_frame.n]"; and what sets the sizes.
    std::string array_declarator(const clang::VarDecl &v, const std::string &inner) const;
    std::string set_sizes(const clang::VarDecl &v) const;

    // A call of sg_profile_`what` for the activation, and one of sg_profile_leave; empty if nothing
    // is measured.
    std::string profile(const std::string &what) const;
    std::string profile_leave() const;

    // Frees what the clone has; the beginning of a way out that is not a theft.
    std::string leave() const;

    // The end of the clone with the value, or none if empty.
    std::string return_value(const std::string &value);

    const source_text &source;
    const procedure &p;
    const clone which;
    nested_edits edits;
    bool ends_early = false; // a `goto _cilk_end` was written
};

} // namespace saguaro::cilkc
