// SPDX-License-Identifier: MIT
// Questions about a procedure's sites, variables and names.
#include "analyse/procedure.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>

namespace saguaro::cilkc {

using llvm::dyn_cast;

bool procedure::has_block() const {
    return !literals.empty() || !at_home(home::block).empty();
}

bool procedure::has_saved_state() const {
    return has_chain || saves_errno || is_profiled || !at_home(home::frame).empty();
}

bool has_inlets(const procedure &p) {
    for (const site &s : p.sites)
        if (needs_inlet(p, s))
            return true;
    return false;
}

const site *procedure::site_at(const clang::Stmt *statement) const {
    for (const site &s : sites)
        if (s.statement == statement)
            return &s;
    return nullptr;
}

const variable *procedure::find(const clang::VarDecl *declaration) const {
    const auto found = variables.find(declaration);
    return found == variables.end() ? nullptr : &found->second;
}

std::vector<const clang::VarDecl *> procedure::in_order() const {
    std::vector<const clang::VarDecl *> all;
    for (const auto &[declaration, v] : variables)
        all.push_back(declaration);
    std::sort(all.begin(), all.end(), [](const auto *a, const auto *b) {
        return a->getLocation().getRawEncoding() < b->getLocation().getRawEncoding();
    });
    return all;
}

std::vector<const clang::VarDecl *> procedure::at_home(home at) const {
    std::vector<const clang::VarDecl *> some = in_order();
    std::erase_if(some, [&](const clang::VarDecl *v) { return find(v)->at != at; });
    return some;
}

bool needs_inlet(const procedure &p, const site &s) {
    if (s.kind != site_kind::spawn || s.use == result_use::none)
        return false;
    const auto plain = [](clang::QualType type) {
        return type.getCanonicalType().getUnqualifiedType();
    };
    return s.use != result_use::assigned || p.address_taken.count(s.variable) != 0 ||
           plain(s.call->getType()) != plain(s.variable->getType());
}

const clang::VarDecl *local_of(const clang::DeclRefExpr &name) {
    const auto *v = dyn_cast<clang::VarDecl>(name.getDecl());
    return v != nullptr && v->hasLocalStorage() ? v : nullptr;
}

const clang::VarDecl *root_of(const clang::Expr *lvalue) {
    for (;;) {
        lvalue = lvalue->IgnoreParens();
        const auto *member = dyn_cast<clang::MemberExpr>(lvalue);
        if (member == nullptr || member->isArrow())
            break;
        lvalue = member->getBase();
    }
    const auto *name = dyn_cast<clang::DeclRefExpr>(lvalue);
    return name != nullptr ? local_of(*name) : nullptr;
}

void add_names(const clang::Stmt *s, const procedure &p, std::set<const clang::VarDecl *> &names) {
    if (s == nullptr)
        return;
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(s))
        if (const clang::VarDecl *v = local_of(*name))
            if (p.find(v) != nullptr)
                names.insert(v);
    for (const clang::Stmt *child : s->children())
        add_names(child, p, names);
}

} // namespace saguaro::cilkc
