// SPDX-License-Identifier: MIT
// The search for variables that are more than read and assigned.
#include "analyse/addresses.hpp"

#include "parse/syntax.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// Finds the variables that are more than read and assigned: those have an address that somebody
// may keep.
class address_finder {
public:
    explicit address_finder(procedure &p) : p_(p) {}

    void visit(const clang::Stmt *s, bool is_value) {
        if (s == nullptr)
            return;
        if (const auto *name = dyn_cast<clang::DeclRefExpr>(s)) {
            if (!is_value && local_of(*name) != nullptr)
                p_.address_taken.insert(local_of(*name));
        } else if (const auto *cast = dyn_cast<clang::CastExpr>(s)) {
            visit(cast->getSubExpr(), cast->getCastKind() == clang::CK_LValueToRValue ||
                                          cast->getCastKind() == clang::CK_ToVoid ||
                                          (is_value && cast->getCastKind() == clang::CK_NoOp));
        } else if (const auto *parentheses = dyn_cast<clang::ParenExpr>(s)) {
            visit(parentheses->getSubExpr(), is_value);
        } else if (const auto *operation = dyn_cast<clang::BinaryOperator>(s)) {
            visit(operation->getLHS(), operation->isAssignmentOp());
            visit(operation->getRHS(), false);
        } else if (const auto *unary = dyn_cast<clang::UnaryOperator>(s)) {
            visit(unary->getSubExpr(), unary->isIncrementDecrementOp() ||
                                           (is_value && unary->getOpcode() == clang::UO_Extension));
        } else if (const auto *member = dyn_cast<clang::MemberExpr>(s)) {
            visit(member->getBase(), is_value && !member->isArrow());
        } else if (const auto *literal = dyn_cast<clang::CompoundLiteralExpr>(s)) {
            if (!is_value && !literal->isFileScope() && given_to_union(*literal) == nullptr)
                p_.literals.push_back(literal);
            visit(literal->getInitializer(), false);
        } else if (!llvm::isa<clang::UnaryExprOrTypeTraitExpr>(s)) {
            for (const clang::Stmt *child : s->children())
                visit(child, false);
        }
    }

private:
    procedure &p_;
};

} // namespace

void find_addresses(procedure &p) {
    address_finder(p).visit(p.function->getBody(), false);
}

} // namespace saguaro::cilkc
