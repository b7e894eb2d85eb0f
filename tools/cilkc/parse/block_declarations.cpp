// SPDX-License-Identifier: MIT
// Finding declarations in blocks that a part of a function uses, and repeating them.
#include "parse/block_declarations.hpp"

#include "parse/declare.hpp"
#include "parse/tree_walker.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <set>

namespace saguaro::cilkc {

namespace {

class declaration_finder : tree_walker {
public:
    declaration_finder(const source_text &source, const clang::Stmt &part)
        : source_(source), part_(source.of(part.getSourceRange())) {
        walk(&part);
    }

    bool visit_name(clang::DeclRefExpr *name) override {
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
