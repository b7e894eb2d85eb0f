// SPDX-License-Identifier: MIT
// Recognising assignments and spawns, and finding the semicolon of a statement.
#include "cxx/statements.hpp"

#include "parse/markers.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

namespace saguaro::cilkc {

using llvm::dyn_cast;

std::pair<const clang::Expr *, const clang::Expr *> assignment_in(const clang::Expr &e) {
    const clang::Expr *spelled = workspace::spelled(&e);
    if (const auto *pair = dyn_cast<clang::BinaryOperator>(spelled))
        if (pair->getOpcode() == clang::BO_Assign)
            return {pair->getLHS(), pair->getRHS()};
    if (const auto *call = dyn_cast<clang::CXXOperatorCallExpr>(spelled))
        if (call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2)
            return {call->getArg(0), call->getArg(1)};
    return {};
}

spawned_value spawned_in(const workspace &space, const clang::Expr &e) {
    const clang::Expr *spelled = workspace::spelled(&e);
    const unsigned begin = space.source.offset(spelled->getBeginLoc());
    if (marker_at(space.source, *spelled) == "_Cilk_spawn")
        return {llvm::cast<clang::UnaryOperator>(spelled)->getSubExpr(), begin, false};
    const cilk_word *const word = space.last_word_before(begin);
    if (word == nullptr ||
        space.source.text().substr(word->offset, value_marker.size()) != value_marker ||
        space.source.skip_blanks(word->offset + static_cast<unsigned>(value_marker.size())) !=
            begin)
        return {};
    return {spelled, word->offset, true};
}

bool is_operator_call(const clang::Expr &e) {
    const clang::Expr *spelled = workspace::spelled(&e);
    if (const auto *operation = dyn_cast<clang::CXXOperatorCallExpr>(spelled))
        return operation->getOperator() != clang::OO_Equal;
    if (const auto *pair = dyn_cast<clang::BinaryOperator>(spelled))
        return pair->isTypeDependent() && !pair->isAssignmentOp();
    return llvm::isa<clang::CXXRewrittenBinaryOperator>(spelled);
}

unsigned end_of_statement(const workspace &space, const clang::Stmt &s) {
    if (const auto *block = dyn_cast<clang::CompoundStmt>(&s))
        return space.source.offset(block->getRBracLoc()) + 1;
    if (const auto *one = dyn_cast<clang::IfStmt>(&s))
        return end_of_statement(space,
                                one->getElse() != nullptr ? *one->getElse() : *one->getThen());
    if (const auto *one = dyn_cast<clang::ForStmt>(&s))
        return end_of_statement(space, *one->getBody());
    if (const auto *one = dyn_cast<clang::WhileStmt>(&s))
        return end_of_statement(space, *one->getBody());
    if (const auto *one = dyn_cast<clang::CXXForRangeStmt>(&s))
        return end_of_statement(space, *one->getBody());
    if (const auto *one = dyn_cast<clang::SwitchStmt>(&s))
        return end_of_statement(space, *one->getBody());
    if (const auto *one = dyn_cast<clang::AttributedStmt>(&s))
        return end_of_statement(space, *one->getSubStmt());
    if (const auto *one = dyn_cast<clang::LabelStmt>(&s))
        return end_of_statement(space, *one->getSubStmt());
    if (const auto *one = dyn_cast<clang::CXXTryStmt>(&s))
        return end_of_statement(space,
                                *one->getHandler(one->getNumHandlers() - 1)->getHandlerBlock());
    const unsigned end = space.source.of(s.getSourceRange()).end;
    if (space.source.text()[end - 1] == ';' && !llvm::isa<clang::Expr>(s))
        return end;
    const unsigned next = space.source.skip_blanks(end);
    return space.source.text()[next] == ';' ? next + 1 : end;
}

} // namespace saguaro::cilkc
