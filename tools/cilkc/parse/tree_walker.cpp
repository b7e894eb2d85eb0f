// SPDX-License-Identifier: MIT
// Clang's visitor of syntax trees, which calls the functions of a tree walker.
#include "parse/tree_walker.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>

namespace saguaro::cilkc {

class tree_walker::visitor : public clang::RecursiveASTVisitor<visitor> {
public:
    explicit visitor(tree_walker &walker) : walker_(walker) {}

    bool VisitDeclRefExpr(clang::DeclRefExpr *e) { return walker_.visit_name(e); }
    bool VisitVarDecl(clang::VarDecl *v) { return walker_.visit_variable(v); }
    bool VisitTagTypeLoc(clang::TagTypeLoc type) { return walker_.visit_tag(type); }
    bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) { return walker_.visit_typedef(type); }
    bool VisitCallExpr(clang::CallExpr *call) { return walker_.visit_call(call); }
    bool VisitDeclStmt(clang::DeclStmt *s) { return walker_.visit_declarations(s); }
    bool VisitUnaryOperator(clang::UnaryOperator *e) { return walker_.visit_unary(e); }

    bool TraverseCompoundStmt(clang::CompoundStmt *block) { return walker_.walk_block(block); }
    bool TraverseForStmt(clang::ForStmt *loop) { return walker_.walk_loop(loop); }

private:
    tree_walker &walker_;
};

bool tree_walker::walk(const clang::Stmt *statement) {
    return visitor(*this).TraverseStmt(const_cast<clang::Stmt *>(statement));
}

bool tree_walker::walk_inside(clang::CompoundStmt *block) {
    visitor v(*this);
    return v.RecursiveASTVisitor<visitor>::TraverseCompoundStmt(block);
}

bool tree_walker::walk_inside(clang::ForStmt *loop) {
    visitor v(*this);
    return v.RecursiveASTVisitor<visitor>::TraverseForStmt(loop);
}

} // namespace saguaro::cilkc
