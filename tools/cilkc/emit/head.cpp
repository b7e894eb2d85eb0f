// SPDX-License-Identifier: MIT
// Finding how much of a procedure runs before its first site and can be moved into a head.
#include "emit/head.hpp"

#include "analyse/names.hpp"
#include "parse/block_declarations.hpp"
#include "parse/syntax.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// Whether control never comes out behind it.
bool always_returns(const clang::Stmt *s) {
    if (const auto *block = dyn_cast<clang::CompoundStmt>(s))
        return !block->body_empty() && always_returns(block->body_back());
    return llvm::isa<clang::ReturnStmt>(s);
}

class head_finder {
public:
    head_finder(const source_text &source, const procedure &p) : source_(source), p_(p) {}

    head run() {
        head found;
        head with_return;
        for (const auto &[declaration, v] : p_.variables)
            if (v.is_parameter && (v.at == home::block || v.at == home::frame))
                return with_return;
        for (const clang::Stmt *s :
             llvm::cast<clang::CompoundStmt>(p_.function->getBody())->body()) {
            if (declares_only(s))
                continue;
            const span where = source_.statement(s->getSourceRange());
            if (can_move(s)) {
                found.statements.push_back(where);
                declare(found, *s);
                found.removed.push_back(where);
                if (contains_a<clang::ReturnStmt>(s))
                    with_return = found;
                continue;
            }
            // `if (...) return ...; else` and the rest.
            const auto *choice = dyn_cast<clang::IfStmt>(s);
            if (choice != nullptr && choice->getElse() != nullptr && can_move(choice->getCond()) &&
                can_move(choice->getThen()) && always_returns(choice->getThen())) {
                const span then = source_.statement(choice->getThen()->getSourceRange());
                const unsigned rest = source_.of(choice->getElse()->getSourceRange()).begin;
                found.statements.push_back({where.begin, then.end});
                declare(found, *choice->getCond());
                declare(found, *choice->getThen());
                found.removed.push_back({where.begin, rest});
                with_return = found;
            }
            break;
        }
        return with_return;
    }

private:
    void declare(head &found, const clang::Stmt &part) const {
        const auto more = declared_around(source_, part);
        found.declared.insert(found.declared.end(), more.begin(), more.end());
    }

    // Variables that get their values later, or elsewhere, stay behind.
    static bool declares_only(const clang::Stmt *s) {
        const auto *declaration = dyn_cast<clang::DeclStmt>(s);
        if (declaration == nullptr)
            return false;
        for (const clang::Decl *d : declaration->decls()) {
            const auto *v = dyn_cast<clang::VarDecl>(d);
            if (v != nullptr && !v->hasExternalStorage() &&
                (!v->hasLocalStorage() || v->getInit() != nullptr ||
                 v->getType()->isVariablyModifiedType()))
                return false;
        }
        return true;
    }

    bool can_move(const clang::Stmt *s) const {
        if (s == nullptr)
            return true;
        if (llvm::isa<clang::LabelStmt, clang::GotoStmt, clang::IndirectGotoStmt,
                      clang::AddrLabelExpr, clang::StmtExpr, clang::AttributedStmt, clang::AsmStmt>(
                s))
            return false;
        for (const site &at : p_.sites)
            if (at.statement == s)
                return false;
        for (const clang::Stmt *literal : p_.literals)
            if (literal == s)
                return false;
        if (const auto *call = dyn_cast<clang::CallExpr>(s))
            if (call->getDirectCallee() != nullptr && is_alloca(*call->getDirectCallee()))
                return false;
        if (const auto *declaration = dyn_cast<clang::DeclStmt>(s))
            if (!is_inside(*declaration))
                return false;
        // Names of variables that stay behind.
        if (const auto *name = dyn_cast<clang::DeclRefExpr>(s)) {
            const auto *v = dyn_cast<clang::VarDecl>(name->getDecl());
            const variable *found = v != nullptr ? p_.find(v) : nullptr;
            if (found != nullptr && !found->is_parameter && !is_inner(*found))
                return false;
        }
        for (const clang::Stmt *child : s->children())
            if (!can_move(child))
                return false;
        return true;
    }

    // Whether the variable's scope is less than the function's body.
    bool is_inner(const variable &v) const {
        return v.at == home::local && v.scope.end < p_.body.end;
    }

    bool is_inside(const clang::DeclStmt &declaration) const {
        for (const clang::Decl *d : declaration.decls()) {
            const auto *v = dyn_cast<clang::VarDecl>(d);
            const variable *found = v != nullptr ? p_.find(v) : nullptr;
            if (found != nullptr && !is_inner(*found))
                return false;
        }
        return true;
    }

    const source_text &source_;
    const procedure &p_;
};

} // namespace

std::string used_by_head(const head &first) {
    std::string text;
    for (const clang::ValueDecl *d : first.declared)
        if (llvm::isa<clang::VarDecl>(d))
            text += "(void)&" + d->getName().str() + "; ";
    return text;
}

head find_head(const source_text &source, const procedure &p) {
    return head_finder(source, p).run();
}

} // namespace saguaro::cilkc
