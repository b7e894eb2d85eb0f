// SPDX-License-Identifier: MIT
// Following names, members, calls and pointers to reducers.
#include "cxx/reducer_expressions.hpp"

#include "cxx/reducer_types.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// The type of the function that is called through a pointer, or with arguments that depend on a
// template's parameters as a lambda is; null: it is not known.
const clang::FunctionProtoType *called_type(const clang::CallExpr &call) {
    const clang::Expr *callee = call.getCallee()->IgnoreParens();
    const clang::CXXRecordDecl *record = callee->getType()->getAsCXXRecordDecl();
    if (record != nullptr && record->isLambda() && !record->isGenericLambda())
        return record->getLambdaCallOperator()->getType()->getAs<clang::FunctionProtoType>();
    const auto *through = dyn_cast<clang::BinaryOperator>(callee);
    clang::QualType type = through != nullptr && through->isPtrMemOp()
                               ? through->getRHS()->getType()
                               : callee->getType();
    if (!type->getPointeeType().isNull())
        type = type->getPointeeType();
    return type->getAs<clang::FunctionProtoType>();
}

// The type of what the expression names, as its declaration says.
clang::QualType declared_type(const clang::Expr &e) {
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(&e))
        return llvm::isa<clang::VarDecl>(name->getDecl()) ? name->getDecl()->getType()
                                                          : clang::QualType();
    if (const auto *member = dyn_cast<clang::MemberExpr>(&e))
        return llvm::isa<clang::FieldDecl, clang::VarDecl>(member->getMemberDecl())
                   ? member->getMemberDecl()->getType()
                   : clang::QualType();
    if (const auto *call = dyn_cast<clang::CallExpr>(&e)) {
        if (call->getDirectCallee() != nullptr)
            return call->getDirectCallee()->getReturnType();
        const clang::FunctionProtoType *type = called_type(*call);
        return type == nullptr ? clang::QualType() : type->getReturnType();
    }
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

// The reducer of an array in `&several[i]`; null: it is another expression.
const clang::Expr *element_at(const clang::Expr *e) {
    const auto *sign = dyn_cast<clang::UnaryOperator>(without_casts(e));
    if (sign == nullptr || sign->getOpcode() != clang::UO_AddrOf)
        return nullptr;
    const auto *element = dyn_cast<clang::ArraySubscriptExpr>(without_casts(sign->getSubExpr()));
    return element != nullptr && is_hyperobject(element->getType()) ? element : nullptr;
}

} // namespace

bool reducer_expressions::refers(const clang::Expr *e) const {
    if (e == nullptr)
        return false;
    e = without_casts(e);
    if (refers_to_hyperobject(declared_type(*e)))
        return true;
    // `for (auto &x : several)`
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(e)) {
        const auto *variable = dyn_cast<clang::VarDecl>(name->getDecl());
        return variable != nullptr && variable->isCXXForRangeDecl() &&
               variable->getType()->getContainedAutoType() != nullptr &&
               refers(variable->getInit());
    }
    if (const auto *sign = dyn_cast<clang::UnaryOperator>(e))
        return sign->getOpcode() == clang::UO_Deref && points(sign->getSubExpr());
    const auto *element = dyn_cast<clang::ArraySubscriptExpr>(e);
    return element != nullptr && is_hyperobject(element->getType()) &&
           (points(element->getBase()) || element_at(element->getBase()) != nullptr);
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
               (variable->isImplicit() || !variable->getType()->isReferenceType()) &&
               points(variable->getInit());
    }
    if (const auto *sign = dyn_cast<clang::UnaryOperator>(e))
        return sign->getOpcode() == clang::UO_AddrOf
                   ? kept_.count(without_casts(sign->getSubExpr())) != 0
                   : sign->isIncrementDecrementOp() && points(sign->getSubExpr());
    if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(e))
        return points_to_hyperobject(element->getType());
    if (const auto *pair = dyn_cast<clang::BinaryOperator>(e))
        return pair->isAdditiveOp() && pair->getType()->isPointerType() &&
               (points(pair->getLHS()) || points(pair->getRHS()) ||
                element_at(pair->getLHS()) != nullptr || element_at(pair->getRHS()) != nullptr);
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
    } else if (const auto *pair = dyn_cast<clang::BinaryOperator>(e)) {
        if (pair->isCommaOp())
            keep(pair->getRHS());
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
    } else if (const auto *pair = dyn_cast<clang::BinaryOperator>(e)) {
        if (pair->isCommaOp())
            keep_pointer(pair->getRHS());
        else if (pair->isAdditiveOp())
            keep_pointer(pair->getLHS()->getType()->isPointerType() ? pair->getLHS()
                                                                    : pair->getRHS());
    } else if (const auto *list = dyn_cast<clang::InitListExpr>(e)) {
        if (list->getNumInits() == 1)
            keep_pointer(list->getInit(0));
    }
}

void reducer_expressions::keep_in_pair(const clang::BinaryOperator &pair) {
    const clang::Expr *left = pair.getLHS(), *right = pair.getRHS();
    if (pair.getOpcode() == clang::BO_Assign) {
        if (points(left))
            keep_pointer(right);
        return;
    }
    if (!pair.isComparisonOp() && !pair.isAdditiveOp())
        return;
    const bool is_arithmetic = !pair.isEqualityOp();
    if (points(left) || (is_arithmetic && element_at(left) != nullptr)) {
        keep_pointer(right);
        keep(element_at(left));
    } else if (points(right) || (is_arithmetic && element_at(right) != nullptr)) {
        keep_pointer(left);
        keep(element_at(right));
    }
}

void reducer_expressions::keep_in_subscript(const clang::ArraySubscriptExpr &element) {
    keep(element_at(element.getBase()));
}

void reducer_expressions::bind(const clang::Expr *e, clang::QualType to) {
    if (e == nullptr)
        return;
    // `auto p = &several[0]` may be counted: views are no elements of an array.
    if (to->getContainedAutoType() != nullptr && !to->isReferenceType())
        keep(element_at(e));
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

void reducer_expressions::bind_in_call(const clang::CallExpr &call) {
    if (const clang::FunctionDecl *callee = call.getDirectCallee()) {
        const auto *method = dyn_cast<clang::CXXMethodDecl>(callee);
        const unsigned objects =
            llvm::isa<clang::CXXOperatorCallExpr>(call) && method != nullptr && !method->isStatic();
        bind_arguments(*callee, call.getArgs() + objects, call.getNumArgs() - objects);
    } else if (const auto *overloads = dyn_cast<clang::OverloadExpr>(call.getCallee())) {
        for (const clang::NamedDecl *one : overloads->decls())
            if (const clang::FunctionDecl *function = one->getUnderlyingDecl()->getAsFunction())
                bind_arguments(*function, call.getArgs(), call.getNumArgs());
    } else if (const clang::FunctionProtoType *type = called_type(call)) {
        for (unsigned i = 0; i < call.getNumArgs() && i < type->getNumParams(); ++i)
            bind(call.getArg(i), type->getParamType(i));
    }
}

void reducer_expressions::bind_members(const clang::InitListExpr &list, values &made) {
    const clang::InitListExpr &all =
        list.getSemanticForm() != nullptr ? *list.getSemanticForm() : list;
    const auto bind_one = [&](const clang::Expr *e, clang::QualType to) {
        if (e == nullptr)
            return;
        bind(e, to);
        if (is_hyperobject(to))
            made.emplace_back(e, to);
        else if (const auto *inner = dyn_cast<clang::InitListExpr>(e))
            bind_members(*inner, made);
    };
    if (const clang::ArrayType *array = all.getType()->getAsArrayTypeUnsafe()) {
        for (const clang::Expr *one : all.inits())
            bind_one(one, array->getElementType());
        return;
    }
    const auto *record = all.getType()->getAsCXXRecordDecl();
    if (record == nullptr || !record->isAggregate() || record->isUnion())
        return;
    unsigned at = record->getNumBases();
    for (const clang::FieldDecl *field : record->fields())
        if (!field->isUnnamedBitField() && at < all.getNumInits())
            bind_one(all.getInit(at++), field->getType());
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
