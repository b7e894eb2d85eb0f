// SPDX-License-Identifier: MIT
// Small questions about a syntax tree.
#pragma once

#include <clang/AST/Attr.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

// Whether the statement, which may be null, or anything in it is what the predicate looks for.
template <class Predicate>
bool contains(const clang::Stmt *s, const Predicate &is_wanted) {
    if (s == nullptr)
        return false;
    if (is_wanted(*s))
        return true;
    for (const clang::Stmt *child : s->children())
        if (contains(child, is_wanted))
            return true;
    return false;
}

template <class... Kinds>
bool contains_a(const clang::Stmt *s) {
    return contains(s, [](const clang::Stmt &one) { return llvm::isa<Kinds...>(one); });
}

// What is in parentheses or converted. Clang's own IgnoreParens takes `__extension__`, and so the
// markers, away as well.
inline const clang::Expr *peel(const clang::Expr *e) {
    for (;;)
        if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e))
            e = cast->getSubExpr();
        else if (const auto *parentheses = llvm::dyn_cast<clang::ParenExpr>(e))
            e = parentheses->getSubExpr();
        else
            return e;
}

// Whether the expression is a member, or a member of one, that `__attribute__((packed))` may have
// put at any address.
inline bool is_packed_member(const clang::Expr &e) {
    const auto *member = llvm::dyn_cast<clang::MemberExpr>(peel(&e));
    const auto *field =
        member == nullptr ? nullptr : llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    return field != nullptr && (field->hasAttr<clang::PackedAttr>() ||
                                field->getParent()->hasAttr<clang::PackedAttr>() ||
                                (!member->isArrow() && is_packed_member(*member->getBase())));
}

// What a call converts to a transparent union when it passes it, as bind(2) does with addresses;
// null if the literal is the user's. Clang shows the conversion as a literal without parentheses.
inline const clang::Expr *given_to_union(const clang::CompoundLiteralExpr &literal) {
    const auto *values = llvm::dyn_cast<clang::InitListExpr>(literal.getInitializer());
    return literal.getLParenLoc().isValid() || values == nullptr ? nullptr : values->getInit(0);
}

} // namespace saguaro::cilkc
