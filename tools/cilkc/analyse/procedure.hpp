// SPDX-License-Identifier: MIT
// A translated function: its sites, its variables, and the names in it.
#pragma once

#include "parse/source_text.hpp"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ArraySubscriptExpr;
class CallExpr;
class CompoundLiteralExpr;
class Decl;
class DeclRefExpr;
class Expr;
class FunctionDecl;
class NamedDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace saguaro::cilkc {

enum class site_kind { spawn, call, sync };

// What is done with the result of a spawn or a call.
enum class result_use {
    none,     // g();
    assigned, // x = g(); T x = g();  to `variable`
    stored,   // a[i] = g(); x += g();  `operation` on `destination`
    returned, // return g();
    to_inlet, // in(spawn g(), ...); x = in(spawn g(), ...);
};

struct inlet;

// A point where the function may be left and gone on with.
struct site {
    site_kind kind = site_kind::sync;
    unsigned number = 0; // its entry in the slow clone, from 1 on
    span where{};        // the statement, with its semicolon
    const clang::Stmt *statement = nullptr;
    const clang::CallExpr *call = nullptr;
    // The callee, if it has a fast clone; null if it is called as plain C.
    const clang::FunctionDecl *callee = nullptr;
    bool calls_serial = false; // the callee's fast clone runs to its end
    result_use use = result_use::none;
    const clang::VarDecl *variable = nullptr;
    const clang::Expr *destination = nullptr;
    const clang::Expr *value = nullptr; // a call in casts, `(T)g()`; null: the call itself
    std::string operation;              // "=", "+=", ...
    const inlet *in = nullptr;
    std::vector<const clang::Expr *> inlet_arguments;
    // What its slow clone's entry needs: filled in by find_live.
    std::vector<const clang::VarDecl *> live;

    // Whether the callee has a clone that may be left, and that measures itself. Others are plain
    // C, or as serial.
    bool calls_parallel() const { return callee != nullptr && !calls_serial; }
    // Whether a clone may be left here; not at a spawn that has become a call of a serial function.
    bool is_left() const { return kind != site_kind::call || calls_parallel(); }
};

// Where a variable is in the clones.
enum class home {
    local,  // as written
    result, // as written; a stolen child writes to the slow clone's frame, where a sync finds it
    frame,  // in the frame in both: inlets use it
    block,  // in the block in both: its address is taken
};

struct variable {
    home at = home::local;
    std::string member; // its name in the frame, or in the block
    span scope{};
    bool is_parameter = false;
    // Of a type with sizes that the program works out: those are in the frame, outermost first.
    std::vector<const clang::Expr *> sizes;

    // Whether it is a variable of the clones, too.
    bool is_variable() const { return at == home::local || at == home::result; }
};

// A name of the function's own, where it stands.
struct use {
    span where;
    const clang::NamedDecl *what;
};

// An inlet of the user's: `_Cilk_inlet T (*name)(P...); _Cilk_inlet_body { P; ... }`.
struct inlet {
    const clang::VarDecl *name = nullptr;
    const clang::Stmt *declaration = nullptr;
    const clang::Stmt *statement = nullptr; // the body, with its marker
    const clang::Stmt *body = nullptr;
    span body_where{};
};

struct procedure {
    const clang::FunctionDecl *function = nullptr;
    std::string name;
    span where{};          // the definition
    span body{};           // its body, braces included
    bool external = false; // other files know its fast clone
    std::vector<site> sites;
    std::map<const clang::VarDecl *, variable> variables;
    std::vector<use> uses;
    std::deque<inlet> inlets; // sites point to them
    std::set<const clang::VarDecl *> address_taken;
    std::vector<const clang::CompoundLiteralExpr *> literals; // whose address is taken
    std::set<const clang::VarDecl *> captured;                // used by inlets
    // Statics and types of the function's own, as text: in both clones they must be the same.
    std::vector<std::string> lifted;
    std::set<const clang::Decl *> lifted_declarations;
    std::map<const clang::VarDecl *, span> statics; // and where they are known
    unsigned block_alignment = 0;                   // if malloc's is not enough for the block
    bool has_chain = false;   // of blocks: calls alloca, or has arrays of variable size
    bool saves_errno = false; // uses errno: it is the function's own, whatever its children do
    bool is_serial = false;   // all its spawns are calls, and none of them spawns
    bool is_profiled = false; // its clones measure their work and their critical path

    bool has_block() const;
    // Whether it has anything to free when it ends or is aborted.
    bool has_cleanup() const { return has_chain || is_profiled || has_block(); }
    // Whether a fast clone's frame holds more than what it saves at its spawns.
    bool has_saved_state() const;
    const site *site_at(const clang::Stmt *statement) const;
    const variable *find(const clang::VarDecl *declaration) const;
    // All variables, or those of one kind, as they stand in the text: the same program gives the
    // same frames and names each time.
    std::vector<const clang::VarDecl *> in_order() const;
    std::vector<const clang::VarDecl *> at_home(home at) const;
};

// Whether the result of the spawn cannot simply be copied to a variable in the frame.
bool needs_inlet(const procedure &p, const site &s);
bool has_inlets(const procedure &p);

// The variable of the function's that the name is of; null if it is of something else.
const clang::VarDecl *local_of(const clang::DeclRefExpr &name);

// The variable of the function's that `lvalue` is, or is a member of; else null.
const clang::VarDecl *root_of(const clang::Expr *lvalue);

// Adds the function's variables that the statement, which may be null, names.
void add_names(const clang::Stmt *s, const procedure &p, std::set<const clang::VarDecl *> &names);

} // namespace saguaro::cilkc
