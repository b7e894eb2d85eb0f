// SPDX-License-Identifier: MIT
// Reading a loop's header: variable, bounds, comparison and step.
#include "rules/loop_header.hpp"

#include "parse/markers.hpp"
#include "parse/syntax.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

class header_reader {
public:
    header_reader(const source_text &source, const clang::ForStmt &loop,
                  std::vector<problem> &problems)
        : source_(source), loop_(loop), problems_(problems) {}

    std::optional<loop_header> run() {
        header_.body = loop_.getBody();
        if (read_first() && read_variable() && read_condition() && read_increment() &&
            check_direction()) {
            return header_;
        }
        return std::nullopt;
    }

private:
    bool fail(clang::SourceLocation where, std::string text) {
        problems_.push_back(problem_at(source_, where, std::move(text)));
        return false;
    }

    bool read_first() {
        const clang::Stmt *init = loop_.getInit();
        if (const auto *declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(init))
            return read_declaration(*declaration);
        const auto *assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(init);
        if (assignment != nullptr && assignment->getOpcode() == clang::BO_Assign) {
            header_.variable = variable_of(assignment->getLHS());
            header_.first = assignment->getRHS();
            header_.declares = false;
        }
        return header_.variable != nullptr ||
               fail(init != nullptr ? init->getBeginLoc() : loop_.getForLoc(),
                    "cilk_for needs a loop variable: the first part of its header declares and "
                    "initializes it");
    }

    bool read_declaration(const clang::DeclStmt &declaration) {
        const auto *variable = declaration.isSingleDecl()
                                   ? dyn_cast<clang::VarDecl>(declaration.getSingleDecl())
                                   : nullptr;
        if (variable == nullptr)
            return fail(declaration.getBeginLoc(), "cilk_for declares more than one loop variable");
        if (variable->getInit() == nullptr) {
            return fail(variable->getLocation(),
                        "the loop variable of cilk_for has no initial value");
        }
        header_.variable = variable;
        header_.first = variable->getInit();
        header_.declares = true;
        return true;
    }

    bool read_variable() {
        const clang::VarDecl &variable = *header_.variable;
        const clang::QualType type = variable.getType();
        if (!type->isIntegerType() && !type->isPointerType()) {
            return fail(variable.getLocation(), "the loop variable of cilk_for must be an integer "
                                                "or a pointer, not '" +
                                                    type.getAsString() + "'");
        }
        if (type->isIntegerType() && source_.ast().getIntWidth(type) > 128) {
            return fail(variable.getLocation(),
                        "the loop variable of cilk_for must have at most 128 bits");
        }
        if (type.isVolatileQualified() || type->isAtomicType() ||
            (header_.declares && variable.isStaticLocal())) {
            return fail(variable.getLocation(), "the loop variable of cilk_for must be an ordinary "
                                                "variable: each iteration has its own copy");
        }
        return true;
    }

    const clang::VarDecl *variable_of(const clang::Expr *e) const {
        const auto *reference = dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
        return reference == nullptr ? nullptr : dyn_cast<clang::VarDecl>(reference->getDecl());
    }

    bool is_variable(const clang::Expr *e) const { return variable_of(e) == header_.variable; }

    bool mentions_variable(const clang::Stmt *s) const {
        return contains(s, [&](const clang::Stmt &one) {
            const auto *reference = dyn_cast<clang::DeclRefExpr>(&one);
            return reference != nullptr && reference->getDecl() == header_.variable;
        });
    }

    bool read_condition() {
        if (loop_.getCond() == nullptr) {
            return fail(loop_.getForLoc(), "cilk_for has no condition: its number of iterations "
                                           "must be known when it starts");
        }
        const auto *condition =
            dyn_cast<clang::BinaryOperator>(loop_.getCond()->IgnoreParenImpCasts());
        if (condition == nullptr || !set_comparison(condition->getOpcode())) {
            return fail(loop_.getCond()->getExprLoc(),
                        "the condition of cilk_for must compare the loop variable by "
                        "<, <=, >, >= or !=");
        }
        const bool left = is_variable(condition->getLHS());
        if (!left && !is_variable(condition->getRHS())) {
            return fail(condition->getOperatorLoc(),
                        "the condition of cilk_for must compare the loop variable '" +
                            header_.variable->getName().str() + "'");
        }
        if (!left)
            turn_comparison();
        header_.limit = left ? condition->getRHS() : condition->getLHS();
        header_.compared = condition->getLHS()->getType().getUnqualifiedType();
        if (mentions_variable(header_.limit)) {
            return fail(header_.limit->getBeginLoc(), "the limit of cilk_for must not depend on "
                                                      "the loop variable");
        }
        if (!header_.compared->isIntegerType() && !header_.compared->isPointerType()) {
            return fail(header_.limit->getBeginLoc(),
                        "the limit of cilk_for must be an integer or a pointer");
        }
        return true;
    }

    bool set_comparison(clang::BinaryOperatorKind kind) {
        switch (kind) {
        case clang::BO_LT:
            header_.until = loop_limit::below;
            return true;
        case clang::BO_LE:
            header_.until = loop_limit::up_to;
            return true;
        case clang::BO_GT:
            header_.until = loop_limit::above;
            return true;
        case clang::BO_GE:
            header_.until = loop_limit::down_to;
            return true;
        case clang::BO_NE:
            header_.until = loop_limit::other;
            return true;
        default:
            return false;
        }
    }

    // For `n > i`.
    void turn_comparison() {
        switch (header_.until) {
        case loop_limit::below:
            header_.until = loop_limit::above;
            break;
        case loop_limit::up_to:
            header_.until = loop_limit::down_to;
            break;
        case loop_limit::above:
            header_.until = loop_limit::below;
            break;
        case loop_limit::down_to:
            header_.until = loop_limit::up_to;
            break;
        case loop_limit::other:
            break;
        }
    }

    bool read_increment() {
        const clang::Expr *increment = loop_.getInc();
        const auto *pair = llvm::dyn_cast_or_null<clang::BinaryOperator>(increment);
        if (pair != nullptr && pair->getOpcode() == clang::BO_Comma &&
            marker_of(source_, *pair->getLHS()) == "_Cilk_grain") {
            header_.grain = operand_of_marker(pair->getLHS());
            increment = pair->getRHS();
        }
        if (increment == nullptr)
            return fail(loop_.getForLoc(), "cilk_for has no increment");
        increment = increment->IgnoreParenImpCasts();
        if (!read_step(*increment)) {
            return fail(increment->getExprLoc(),
                        "the increment of cilk_for must be ++, --, += or -= of the loop variable "
                        "'" +
                            header_.variable->getName().str() +
                            "', or an assignment such as "
                            "i = i + step");
        }
        if (header_.step != nullptr && mentions_variable(header_.step)) {
            return fail(header_.step->getBeginLoc(),
                        "the step of cilk_for must not depend on the loop variable");
        }
        if (header_.step != nullptr && !header_.step->getType()->isIntegerType())
            return fail(header_.step->getBeginLoc(), "the step of cilk_for must be an integer");
        return true;
    }

    bool read_step(const clang::Expr &increment) {
        if (const auto *unary = dyn_cast<clang::UnaryOperator>(&increment)) {
            header_.minus = unary->isDecrementOp();
            return unary->isIncrementDecrementOp() && is_variable(unary->getSubExpr());
        }
        const auto *assignment = dyn_cast<clang::BinaryOperator>(&increment);
        if (assignment == nullptr || !is_variable(assignment->getLHS()))
            return false;
        header_.step = assignment->getRHS();
        header_.minus = assignment->getOpcode() == clang::BO_SubAssign;
        if (header_.minus || assignment->getOpcode() == clang::BO_AddAssign)
            return true;
        return assignment->getOpcode() == clang::BO_Assign && read_sum(*header_.step);
    }

    // `i + step`, `step + i`, `i - step`.
    bool read_sum(const clang::Expr &e) {
        const auto *sum = dyn_cast<clang::BinaryOperator>(e.IgnoreParenImpCasts());
        if (sum == nullptr || !sum->isAdditiveOp())
            return false;
        header_.minus = sum->getOpcode() == clang::BO_Sub;
        const bool left = is_variable(sum->getLHS());
        header_.step = left ? sum->getRHS() : sum->getLHS();
        return left || (!header_.minus && is_variable(sum->getRHS()));
    }

    bool is_zero_in_variable(const llvm::APSInt &step) const {
        const clang::QualType type = header_.variable->getType();
        return type->isIntegerType() && !type->isBooleanType() &&
               step.countr_zero() >= source_.ast().getIntWidth(type);
    }

    bool check_direction() {
        std::int64_t step = 1;
        if (header_.step != nullptr) {
            clang::Expr::EvalResult value;
            // As it is written: `i += -2` of an unsigned variable counts down.
            if (!header_.step->IgnoreParenImpCasts()->EvaluateAsInt(value, source_.ast()))
                return true;
            const llvm::APSInt &given = value.Val.getInt();
            if (!given.isZero() && is_zero_in_variable(given))
                return fail(loop_.getInc()->getExprLoc(),
                            "the step of cilk_for is zero in the bits of the loop variable");
            if (given.getSignificantBits() + (given.isUnsigned() ? 1 : 0) >= 64)
                return true;
            step = given.getExtValue();
        }
        step = header_.minus ? -step : step;
        header_.fixed = step;
        const clang::SourceLocation where = loop_.getInc()->getExprLoc();
        if (step == 0)
            return fail(where, "the step of cilk_for is zero");
        const bool up = header_.until == loop_limit::below || header_.until == loop_limit::up_to;
        if (header_.until != loop_limit::other && up != (step > 0))
            return fail(where, "cilk_for counts away from its limit");
        return true;
    }

    const source_text &source_;
    const clang::ForStmt &loop_;
    std::vector<problem> &problems_;
    loop_header header_{};
};

} // namespace

std::optional<loop_header> read_header(const source_text &source, const clang::ForStmt &loop,
                                       std::vector<problem> &problems) {
    return header_reader(source, loop, problems).run();
}

} // namespace saguaro::cilkc
