// SPDX-License-Identifier: MIT
// Following names, members, calls and pointers to reducers.
#include "cxx/reducer_expressions.hpp"

#include "cxx/reducer_types.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// The type of what the expression names, as its declaration says.
clang::QualType declared_type(const clang::Expr &e) {
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(&e))
        return llvm::isa<clang::VarDecl>(name->getDecl()) ? name->getDecl()->getType()
                                                          : clang::QualType();
    if (const auto *member = dyn_cast<clang::MemberExpr>(&e))
        return llvm::isa<clang::FieldDecl, clang::VarDecl>(member->getMemberDecl())
                   ? member->getMemberDecl()->getType()
                   : clang::QualType();
    if (const auto *call = dyn_cast<clang::CallExpr>(&e))
        return call->getDirectCallee() == nullptr ? clang::QualType()
                                                  : call->getDirectCallee()->getReturnType();
    return {};
}

bool is_address_of_reducer(const clang::CallExpr &call) {
    const clang::FunctionDecl *callee = call.getDirectCallee();
    return callee != nullptr && call.getNumArgs() == 1 && callee->getDeclName().isIdentifier() &&
           callee->getName() == "__builtin_addressof";
}

const clang::Expr *without_casts(const clang::Expr *e) {
    return e->IgnoreParenImpCasts();
}

} // namespace

bool reducer_expressions::refers(const clang::Expr *e) const {
    if (e == nullptr)
        return false;
    e = without_casts(e);
    if (refers_to_hyperobject(declared_type(*e)))
        return true;
    if (const auto *sign = dyn_cast<clang::UnaryOperator>(e))
        return sign->getOpcode() == clang::UO_Deref && points(sign->getSubExpr());
    const auto *element = dyn_cast<clang::ArraySubscriptExpr>(e);
    return element != nullptr && is_hyperobject(element->getType()) && points(element->getBase());
}

bool reducer_expressions::points(const clang::Expr *e) const {
    if (e == nullptr)
        return false;
    e = without_casts(e);
    if (const auto *cast = dyn_cast<clang::ExplicitCastExpr>(e))
        return points_to_hyperobject(cast->getTypeAsWritten());
    const clang::QualType type = declared_type(*e);
    if (points_to_hyperobject(type))
        return true;
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(e)) {
        const auto *variable = dyn_cast<clang::VarDecl>(name->getDecl());
        return variable != nullptr && variable->getType()->getContainedAutoType() != nullptr &&
               !variable->getType()->isReferenceType() && points(variable->getInit());
    }
    if (const auto *sign = dyn_cast<clang::UnaryOperator>(e))
        return sign->getOpcode() == clang::UO_AddrOf
                   ? kept_.count(without_casts(sign->getSubExpr())) != 0
                   : sign->isIncrementDecrementOp() && points(sign->getSubExpr());
    if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(e))
        return points_to_hyperobject(element->getType());
    if (const auto *pair = dyn_cast<clang::BinaryOperator>(e))
        return pair->isAdditiveOp() && (points(pair->getLHS()) || points(pair->getRHS()));
    if (const auto *choice = dyn_cast<clang::ConditionalOperator>(e))
        return points(choice->getTrueExpr()) || points(choice->getFalseExpr());
    if (const auto *made = dyn_cast<clang::CXXNewExpr>(e))
        return is_hyperobject(made->getAllocatedType());
    return false;
}

void reducer_expressions::keep(const clang::Expr *e) {
    if (e == nullptr)
        return;
    e = without_casts(e);
    if (const auto *choice = dyn_cast<clang::ConditionalOperator>(e)) {
        keep(choice->getTrueExpr());
        keep(choice->getFalseExpr());
    }
    kept_.insert(e);
}

void reducer_expressions::keep_in(const clang::Expr *e) {
    if (e != nullptr && llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(e->IgnoreImpCasts()))
        keep(e);
}

void reducer_expressions::keep_pointer(const clang::Expr *e) {
    if (e == nullptr)
        return;
    e = without_casts(e);
    if (const auto *choice = dyn_cast<clang::ConditionalOperator>(e)) {
        keep_pointer(choice->getTrueExpr());
        keep_pointer(choice->getFalseExpr());
    } else if (const auto *sign = dyn_cast<clang::UnaryOperator>(e)) {
        if (sign->getOpcode() == clang::UO_AddrOf)
            keep(sign->getSubExpr());
    } else if (const auto *call = dyn_cast<clang::CallExpr>(e)) {
        if (is_address_of_reducer(*call))
            bound_.insert(call);
    } else if (const auto *list = dyn_cast<clang::InitListExpr>(e)) {
        if (list->getNumInits() == 1)
            keep_pointer(list->getInit(0));
    }
}

void reducer_expressions::bind(const clang::Expr *e, clang::QualType to) {
    if (e == nullptr)
        return;
    if (to->isReferenceType() && refers_to_hyperobject(to))
        keep(e);
    else if (points_to_hyperobject(to))
        keep_pointer(e);
}

void reducer_expressions::bind_arguments(const clang::FunctionDecl &callee,
                                         const clang::Expr *const *arguments, unsigned count) {
    for (unsigned i = 0; i < count && i < callee.getNumParams(); ++i)
        bind(arguments[i], callee.getParamDecl(i)->getType());
}

void reducer_expressions::bind_returned(const clang::Stmt *s, clang::QualType to) {
    if (s == nullptr || llvm::isa<clang::LambdaExpr>(s))
        return;
    if (const auto *returned = dyn_cast<clang::ReturnStmt>(s))
        bind(returned->getRetValue(), to);
    for (const clang::Stmt *child : s->children())
        bind_returned(child, to);
}

const clang::Expr *reducer_expressions::first_view_in(const clang::CallExpr &call) {
    if (!is_address_of_reducer(call) || !refers(call.getArg(0)))
        return nullptr;
    if (bound_.count(&call) == 0)
        return without_casts(call.getArg(0));
    keep(call.getArg(0));
    return nullptr;
}

} // namespace saguaro::cilkc
