// SPDX-License-Identifier: MIT
// A function's text, edited for one of its clones.
#pragma once

#include "analyse/procedure.hpp"
#include "parse/source_text.hpp"

#include <string>

namespace clang {
class CompoundStmt;
class DeclStmt;
class ForStmt;
class ReturnStmt;
} // namespace clang

namespace saguaro::cilkc {

enum class clone {
    fast,
    slow,
    inlet,  // an inlet's function
    head,   // what comes before a fast clone's first site, apart
    serial, // a function with inlets in the serial elision: it has a frame, and nothing is spawned
};

// What a declaration of a fast clone is called: within the file, or by other files.
std::string fast_name(const procedure &p);

// What a clone returns that is left, with a blank before it.
std::string nothing(const procedure &p);

class clone_writer {
public:
    clone_writer(const source_text &source, const procedure &p, clone which);

    // The text of `where` with the edits. The body's braces are in p.body.
    std::string render(span where) const { return edits_.render(where); }

    // Whether a `goto _cilk_end` was written.
    bool ends_early() const { return ends_early_; }

    // Edits the inlet's body, for a writer of inlets.
    void edit_inlet(const inlet &in);

    // Sets the sizes of a variable whose type has some.
    std::string set_sizes(const clang::VarDecl &v) const;

    void remove(span where) { edits_.replace(where, "", true); }
    void insert(unsigned at, std::string what) { edits_.insert(at, std::move(what)); }

    // A call of sg_profile_`what` for the activation, and one of sg_profile_leave; empty if nothing
    // is measured.
    std::string profile(const std::string &what) const;
    std::string profile_leave() const;

    std::string access(const clang::VarDecl &v) const;
    std::string text_of(const clang::Stmt &s) const;

private:
    void edit(const clang::Stmt *s);
    const site *site_at(const clang::Stmt *s) const;
    std::string serial_text(const site &s) const;
    std::string inlet_call(const clang::CallExpr &call, const inlet &in) const;

    // clone.cpp: names, returns, markers.
    void edit_names();
    void edit_return(const clang::ReturnStmt &end);
    void edit_marker(const clang::Stmt &s);
    void edit_call(const clang::Stmt &s);
    void edit_literal(const clang::Stmt &s);
    std::string in_full_frame(const std::string &function, const std::string &otherwise) const;
    std::string return_value(const std::string &value);
    std::string leave() const;
    std::string frame(const std::string &member) const;

    // declarations.cpp
    bool must_split(const clang::DeclStmt &declaration) const;
    std::string split(const clang::DeclStmt &declaration);
    void edit_declaration(const clang::DeclStmt &declaration);
    void edit_for(const clang::ForStmt &loop);
    std::string initialize(const clang::VarDecl &v) const;
    std::string array_declarator(const clang::VarDecl &v, const std::string &inner) const;

    // sites.cpp
    std::string site_text(const site &s);
    std::string spawn_text(const site &s);
    std::string call_text(const site &s);
    std::string return_if(const std::string &condition) const;
    std::string sync_text(const site &s);
    std::string arguments(const site &s) const;
    std::string call_expression(const site &s) const;
    std::string use_result(const site &s);
    std::string inlet_arguments(const site &s) const;
    std::string save_errno() const;
    std::string restore_errno() const;
    std::string save(const site &s) const;
    std::string restore(const site &s) const;
    bool is_result(const clang::VarDecl &v) const;
    std::string is_out(const clang::VarDecl &v) const;
    std::string fetch(span where) const;

    const source_text &source_;
    const procedure &p_;
    const clone which_;
    nested_edits edits_;
    bool ends_early_ = false;
    bool returns_nothing_ = false;
};

} // namespace saguaro::cilkc
