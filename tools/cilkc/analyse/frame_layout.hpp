// SPDX-License-Identifier: MIT
// The layout of a function's frames: the types of the clones' data, as C.
#pragma once

#include "analyse/procedure.hpp"

namespace saguaro::cilkc {

struct frame_layout {
    // In the frame of a fast clone, which is the beginning of that of the slow one: what is live
    // across a spawn, what inlets use.
    std::vector<const clang::VarDecl *> saved;
    // In the slow clone's alone.
    std::vector<const clang::VarDecl *> more;
};

frame_layout lay_out(const procedure &p);

// The structs: block, inlets' arguments, saved, frame. One line each.
std::vector<std::string> struct_texts(const source_text &source, const procedure &p,
                                      const frame_layout &layout);

// The expression that makes the block, and a semicolon.
std::string new_block(const procedure &p);

// Whether the spawn's inlet gets the address of where the result goes.
bool stores_by_address(const procedure &p, const site &s);

// A bit-field that is a spawn's destination: it has no address of its own. A member of a packed
// struct has one that no pointer to its type should hold. Elements of one of
// clang's vectors are the same by their names, as in `v.xy`.
struct bit_field {
    const clang::Expr *owner = nullptr; // the struct or union; null: the destination is none
    bool is_pointer = false;            // to it, rather
    bool has_type_name = true;          // the owner
    std::string path;                   // from the owner: "part.low"
};

bit_field bit_field_of(const site &s);

// An element of a vector, by its index, that is a spawn's destination, else null: clang gives it
// no address, but allows a pointer to elements of this type to point into the vector.
const clang::ArraySubscriptExpr *vector_element_of(const site &s);

// Whether an inlet of the site has arguments in the frame.
bool has_inlet_arguments(const procedure &p, const site &s);

} // namespace saguaro::cilkc
