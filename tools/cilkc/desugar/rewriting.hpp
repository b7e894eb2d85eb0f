// SPDX-License-Identifier: MIT
// The steps of front_end (desugar/desugar.hpp), and what they share.
#pragma once

#include "analyse/procedure.hpp"
#include "desugar/desugar.hpp"
#include "emit/debug_names.hpp"
#include "parse/source_text.hpp"

#include <clang/AST/Type.h>

#include <string>
#include <vector>

namespace clang {
class AttributedStmt;
class DeclRefExpr;
class SourceLocation;
} // namespace clang

namespace saguaro::cilkc {

problem problem_at(const source_text &source, clang::SourceLocation where, std::string text);

// Which construct an annotated statement is: "cilk for", "cilk scope", "cilk spawn block"; else "".
std::string annotation_of(const clang::Stmt &statement);

// The statement under the annotation.
const clang::Stmt &annotated(const clang::Stmt &statement);

// The expression behind a marker such as `_Cilk_grain(N)`.
const clang::Expr *operand_of_marker(const clang::Expr *e);

// The jumps (break, continue, goto) that leave a statement for another place in the function.
std::vector<const clang::Stmt *> jumps_out_of(const source_text &source,
                                              const clang::Stmt &statement);

// Whether the statement spawns or syncs itself, not in a cilk_for of its own.
bool has_spawns(const source_text &source, const clang::Stmt &statement);

// The text of a declaration, with types that are known at file scope.
std::string declared_as(const clang::ASTContext &ast, clang::QualType type,
                        const std::string &name);

// One round of rewriting one text.
struct rewriting {
    const source_text &source;
    nested_edits edits;
    unsigned &numbers; // used up by generated names
    program kind;
    debug_names &names;
    std::vector<problem> &problems;

    unsigned next_number() { return ++numbers; }
    std::string text_of(const clang::Stmt &s) const;
};

// What a function made of a statement takes from the function around it: members of a struct, or
// parameters.
struct taken {
    std::string type_and_name; // "int *_cilk_to_x"
    std::string name;          // "_cilk_to_x"
    std::string value;         // "&x"
};

struct captures {
    std::vector<taken> members;
    std::string prologue; // declarations that must follow those of the members

    std::string parameters() const;                       // declarations with commas between
    std::string arguments(const std::string &from) const; // names behind `from`, with commas
    std::string values() const;
};

// Finds what `body`, a part of `function`, uses of the variables around it, and puts the uses of
// those that are reached by their addresses in the text's edits: x becomes (*_cilk_to_x). A
// variable that the body only reads, and whose address nobody has, is taken by value and keeps its
// name. `own` counts as the body's.
captures take_captures(rewriting &work, const clang::FunctionDecl &function,
                       const clang::Stmt &body, const clang::VarDecl *own);

// What constructs of a function need at file scope, around it.
struct around_function {
    std::string before;
    std::string behind;
};

// Moves the types that the function declares to file scope, under new names, so that what is made
// of its parts knows them: in the text, and in the tree that types are printed from.
void lift_types(rewriting &work, const clang::FunctionDecl &function, around_function &around);

// Each puts the construct's new text into the edits.
void rewrite_loop(rewriting &work, const clang::FunctionDecl &function, const clang::Stmt &loop,
                  around_function &around);
void rewrite_block(rewriting &work, const clang::FunctionDecl &function, const clang::Stmt &block,
                   around_function &around);
void rewrite_scope(rewriting &work, const clang::Stmt &scope);

// Says which rule the loop's header breaks, if it does.
void check_loop(rewriting &work, const clang::Stmt &loop);

// Turns all reducers of the text into objects of the runtime's. False: there are none.
bool rewrite_reducers(rewriting &work);

} // namespace saguaro::cilkc
