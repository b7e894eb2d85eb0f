// SPDX-License-Identifier: MIT
// Operands of spawned operators, and the order in which they are evaluated.
#include "cxx/operators.hpp"

#include "cxx/arguments.hpp"
#include "cxx/changing.hpp"
#include "cxx/workspace.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace saguaro::cilkc {

using llvm::dyn_cast;

namespace {

// Whether the left operand is evaluated first, as of a builtin operator.
bool is_left_first(const std::string &sign) {
    return sign == "<<" || sign == ">>" || sign == "->*";
}

bool changes_first(const clang::CXXOperatorCallExpr &call) {
    return call.isAssignmentOp() || call.getOperator() == clang::OO_PlusPlus ||
           call.getOperator() == clang::OO_MinusMinus;
}

class operator_parts : private kept_arguments {
public:
    operator_parts(workspace &space, spawned_call &into) : kept_arguments(space, into) {}

    bool run(const clang::Expr &e) {
        if (const auto *operation = dyn_cast<clang::CXXOperatorCallExpr>(&e))
            return operation_of(*operation);
        if (const auto *pair = dyn_cast<clang::BinaryOperator>(&e))
            return dependent_operation(*pair);
        if (const auto *one = dyn_cast<clang::UnaryOperator>(&e))
            return dependent_operation(*one);
        if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(&e))
            return dependent_element(*element);
        return rewritten(llvm::cast<clang::CXXRewrittenBinaryOperator>(e));
    }

private:
    // `a + b` where it is a function.
    bool operation_of(const clang::CXXOperatorCallExpr &call) {
        const clang::FunctionDecl *known = call.getDirectCallee();
        const bool is_member = llvm::isa_and_nonnull<clang::CXXMethodDecl>(known);
        if (call.getOperator() == clang::OO_Arrow || call.getOperator() == clang::OO_Comma)
            return fail(call, std::string(no_call));
        const bool is_postfix =
            call.getNumArgs() == 2 && (call.getOperator() == clang::OO_PlusPlus ||
                                       call.getOperator() == clang::OO_MinusMinus);
        const std::string sign = clang::getOperatorSpelling(call.getOperator());
        std::vector<std::string> operands;
        for (unsigned i = 0; i < call.getNumArgs(); ++i) {
            if (is_postfix && i == 1)
                break;
            if (call.isAssignmentOp())
                rank_ = 1 - i; // `a += b` evaluates b first
            const int parameter = static_cast<int>(i) - (is_member ? 1 : 0);
            taking how;
            if (known != nullptr && parameter >= 0)
                how = as_declared(known->getParamDecl(static_cast<unsigned>(parameter))->getType());
            else
                how.by = taking::reference;
            if (known == nullptr)
                operands.push_back(
                    dependent_operand(*call.getArg(i), i == 0 && changes_first(call)));
            else if (!argument(*call.getArg(i), how, operands))
                return false;
            if (is_left_first(sign) || (call.getOperator() == clang::OO_Subscript && i == 0))
                ++rank_;
        }
        if (call.getOperator() == clang::OO_Subscript) {
            const std::vector<std::string> places(operands.begin() + 1, operands.end());
            into_.call = operands[0] + "[" + joined(places) + "]";
            return true;
        }
        into_.call = operands.size() == 2 ? operands[0] + " " + sign + " " + operands[1]
                     : is_postfix         ? operands[0] + sign
                                          : sign + operands[0];
        return true;
    }

    // An operand of an operator that is looked up when the template is instantiated.
    std::string dependent_operand(const clang::Expr &e, bool is_changed = false) {
        if (is_constant(&e))
            return space_.text_of(space_.source.of(e.getSourceRange()));
        const std::string name = keep(e, "auto &&");
        const std::string inner = space_.new_name();
        if (!is_changed && changes_meanwhile(space_.body, e))
            into_.changing |= 1ULL << into_.on.size();
        into_.on.push_back({name, inner, false, into_.on.size()});
        return "static_cast<decltype(" + inner + ")>(" + inner + ")";
    }

    bool dependent_operation(const clang::BinaryOperator &pair) {
        const std::string sign = pair.getOpcodeStr().str();
        rank_ = pair.isAssignmentOp() ? 1 : 0; // `a += b` evaluates b first
        const std::string left = dependent_operand(*pair.getLHS(), pair.isAssignmentOp());
        rank_ = pair.isAssignmentOp() ? 0 : is_left_first(sign) ? 1 : 0;
        const std::string right = dependent_operand(*pair.getRHS());
        into_.call = left + " " + sign + " " + right;
        return true;
    }

    bool dependent_operation(const clang::UnaryOperator &one) {
        const std::string sign = clang::UnaryOperator::getOpcodeStr(one.getOpcode()).str();
        const std::string operand =
            dependent_operand(*one.getSubExpr(), one.isIncrementDecrementOp());
        into_.call = one.isPostfix() ? operand + sign : sign + operand;
        return true;
    }

    bool dependent_element(const clang::ArraySubscriptExpr &element) {
        const std::string array = dependent_operand(*element.getLHS());
        ++rank_;
        into_.call = array + "[" + dependent_operand(*element.getRHS()) + "]";
        return true;
    }

    // `a != b` that calls `b == a`.
    bool rewritten(const clang::CXXRewrittenBinaryOperator &compared) {
        const auto form = compared.getDecomposedForm();
        const auto *inner = dyn_cast<clang::CXXOperatorCallExpr>(form.InnerBinOp->IgnoreImplicit());
        const clang::FunctionDecl *known = inner == nullptr ? nullptr : inner->getDirectCallee();
        const int from = llvm::isa_and_nonnull<clang::CXXMethodDecl>(known) ? 1 : 0;
        const auto way = [&](int place) {
            taking how;
            how.by = taking::reference;
            const int parameter = (compared.isReversed() ? 1 - place : place) - from;
            return known == nullptr || parameter < 0
                       ? how
                       : as_declared(
                             known->getParamDecl(static_cast<unsigned>(parameter))->getType());
        };
        std::vector<std::string> operands;
        if (!argument(*form.LHS, way(0), operands) || !argument(*form.RHS, way(1), operands))
            return false;
        into_.call = operands[0] + " " + compared.getOpcodeStr().str() + " " + operands[1];
        return true;
    }
};

} // namespace

bool is_operation(const clang::Expr &e) {
    if (const auto *operation = dyn_cast<clang::CXXOperatorCallExpr>(&e))
        return operation->getOperator() != clang::OO_Call;
    if (llvm::isa<clang::CXXRewrittenBinaryOperator>(e))
        return true;
    if (!e.isTypeDependent())
        return false;
    if (const auto *pair = dyn_cast<clang::BinaryOperator>(&e))
        return !pair->isCommaOp();
    if (const auto *one = dyn_cast<clang::UnaryOperator>(&e))
        return one->getOpcode() != clang::UO_AddrOf;
    return llvm::isa<clang::ArraySubscriptExpr>(e);
}

bool take_operation_apart(workspace &space, const clang::Expr &e, spawned_call &into) {
    return operator_parts(space, into).run(e);
}

} // namespace saguaro::cilkc
