// SPDX-License-Identifier: MIT
// Finding out whether a default value may be found at any time.
#include "cxx/default_values.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// Whether the object keeps its value: a constant, or a part of one.
bool is_fixed(const clang::Expr *e) {
    e = e->IgnoreParenImpCasts();
    if (const auto *member = dyn_cast<clang::MemberExpr>(e))
        return !member->isArrow() && member->getType().isConstQualified() &&
               is_fixed(member->getBase());
    if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(e))
        return element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType() &&
               is_fixed(element->getBase());
    const auto *name = dyn_cast<clang::DeclRefExpr>(e);
    if (name == nullptr)
        return llvm::isa<clang::StringLiteral, clang::PredefinedExpr>(e);
    if (!llvm::isa<clang::VarDecl>(name->getDecl()))
        return true;
    clang::QualType type = name->getDecl()->getType();
    if (type->isArrayType())
        type = name->getDecl()->getASTContext().getBaseElementType(type);
    return type.isConstQualified() && !type.isVolatileQualified();
}

// Whether an object may be changed through what is written. A lambda's body runs in the call.
bool names_variable(const clang::Stmt *s) {
    if (s == nullptr)
        return false;
    if (const auto *lambda = dyn_cast<clang::LambdaExpr>(s))
        return std::any_of(lambda->capture_init_begin(), lambda->capture_init_end(),
                           names_variable);
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(s))
        return !is_fixed(name);
    return std::any_of(s->child_begin(), s->child_end(), names_variable);
}

// Whether a constructor gives the same object at any time. Those of the standard library's classes
// read nothing but their arguments.
bool makes_same(const clang::CXXConstructExpr &made) {
    const clang::CXXConstructorDecl &with = *made.getConstructor();
    return (with.isConstexpr() || with.isTrivial() || with.getParent()->isInStdNamespace()) &&
           std::none_of(made.arg_begin(), made.arg_end(), names_variable);
}

// The default value of a parameter; null: it has none, or none that was read yet.
const clang::Expr *default_of(const clang::ParmVarDecl &parameter) {
    if (!parameter.hasDefaultArg() || parameter.hasUnparsedDefaultArg())
        return nullptr;
    return parameter.hasUninstantiatedDefaultArg() ? parameter.getUninstantiatedDefaultArg()
                                                   : parameter.getDefaultArg();
}

} // namespace

bool depends_on_time(const clang::Stmt *s) {
    if (s == nullptr || llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr>(s))
        return false;
    if (const auto *lambda = dyn_cast<clang::LambdaExpr>(s))
        return std::any_of(lambda->capture_init_begin(), lambda->capture_init_end(),
                           depends_on_time);
    if (llvm::isa<clang::CXXNewExpr, clang::CXXDeleteExpr, clang::CXXThrowExpr>(s))
        return true;
    // What a template's parameters decide has no conversions yet.
    if (const auto *e = dyn_cast<clang::Expr>(s))
        if (e->isTypeDependent() && names_variable(e))
            return true;
    if (const auto *nested = dyn_cast<clang::CXXDefaultArgExpr>(s))
        return depends_on_time(nested->getExpr());
    if (const auto *nested = dyn_cast<clang::CXXDefaultInitExpr>(s))
        return depends_on_time(nested->getExpr());
    if (const auto *call = dyn_cast<clang::CallExpr>(s))
        if (call->getDirectCallee() == nullptr || !call->getDirectCallee()->isConstexpr() ||
            names_variable(call))
            return true;
    if (const auto *made = dyn_cast<clang::CXXConstructExpr>(s))
        if (!makes_same(*made))
            return true;
    if (const auto *cast = dyn_cast<clang::ImplicitCastExpr>(s))
        if (cast->getCastKind() == clang::CK_LValueToRValue && !is_fixed(cast->getSubExpr()))
            return true;
    const auto *sign = dyn_cast<clang::UnaryOperator>(s);
    const auto *pair = dyn_cast<clang::BinaryOperator>(s);
    if ((sign != nullptr && sign->isIncrementDecrementOp()) ||
        (pair != nullptr && pair->isAssignmentOp()))
        return true;
    return std::any_of(s->child_begin(), s->child_end(), depends_on_time);
}

const clang::ParmVarDecl *timed_default(const std::vector<const clang::FunctionDecl *> &functions,
                                        std::size_t count) {
    for (const clang::FunctionDecl *one : functions) {
        if (one->getMinRequiredArguments() > count)
            continue;
        for (std::size_t i = count; i < one->getNumParams(); ++i) {
            const clang::ParmVarDecl *parameter = one->getParamDecl(static_cast<unsigned>(i));
            if (depends_on_time(default_of(*parameter)))
                return parameter;
        }
    }
    return nullptr;
}

} // namespace saguaro::cilkc
