// SPDX-License-Identifier: MIT
// The walk over a part of a syntax tree, with a function to override for each kind of node.
//
// Clang's visitor is a template that takes six seconds to compile for each class that derives from
// it. Here it is compiled once.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/TypeLoc.h>

namespace saguaro::cilkc {

class tree_walker {
public:
    virtual ~tree_walker() = default;

    // Visits the statement and what is in it, in the order of the text; null is nothing. False if a
    // function below has ended the walk.
    bool walk(const clang::Stmt *statement);

protected:
    // Each is called before the node's children are visited; false ends the walk.
    virtual bool visit_name(clang::DeclRefExpr *) { return true; }
    virtual bool visit_variable(clang::VarDecl *) { return true; }
    virtual bool visit_tag(clang::TagTypeLoc) { return true; }
    virtual bool visit_typedef(clang::TypedefTypeLoc) { return true; }
    virtual bool visit_call(clang::CallExpr *) { return true; }
    virtual bool visit_declarations(clang::DeclStmt *) { return true; }
    virtual bool visit_unary(clang::UnaryOperator *) { return true; }

    // These decide how the children are visited: by default as those of any other statement.
    virtual bool walk_block(clang::CompoundStmt *block) { return walk_inside(block); }
    virtual bool walk_loop(clang::ForStmt *loop) { return walk_inside(loop); }

    bool walk_inside(clang::CompoundStmt *block);
    bool walk_inside(clang::ForStmt *loop);

private:
    class visitor;
};

} // namespace saguaro::cilkc
