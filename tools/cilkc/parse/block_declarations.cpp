// SPDX-License-Identifier: MIT
// Finding declarations in blocks that a part of a function uses, and repeating them.
#include "parse/block_declarations.hpp"

#include "parse/declare.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <set>

namespace saguaro::cilkc {

namespace {

class declaration_finder : public clang::RecursiveASTVisitor<declaration_finder> {
public:
    declaration_finder(const source_text &source, const clang::Stmt &part)
        : source_(source), part_(source.of(part.getSourceRange())) {
        TraverseStmt(const_cast<clang::Stmt *>(&part));
    }

    bool VisitDeclRefExpr(clang::DeclRefExpr *name) {
        clang::ValueDecl *d = name->getDecl();
        if (d->isLocalExternDecl() && !d->isImplicit() && !is_inside(*d) &&
            seen_.insert(d->getCanonicalDecl()).second)
            found.push_back(d);
        return true;
    }

    std::vector<const clang::ValueDecl *> found;

private:
    bool is_inside(const clang::Decl &d) const {
        const unsigned at = source_.offset(d.getLocation());
        return at >= part_.begin && at < part_.end;
    }

    const source_text &source_;
    const span part_;
    std::set<const clang::Decl *> seen_;
};

} // namespace

std::vector<const clang::ValueDecl *> declared_around(const source_text &source,
                                                      const clang::Stmt &part) {
    return declaration_finder(source, part).found;
}

std::string declare_again(const std::vector<const clang::ValueDecl *> &declared) {
    std::string text;
    for (const clang::ValueDecl *d : declared)
        text += printed(*d) + "; ";
    return text;
}

} // namespace saguaro::cilkc
