// SPDX-License-Identifier: MIT
// Reading the three parts of a loop's header, whose operators may be functions.
#include "cxx/loop_header.hpp"

#include "cxx/workspace.hpp"
#include "parse/syntax.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// An operator with its operands, whether it is a function or not.
struct operation {
    std::string sign;
    const clang::Expr *left = nullptr;
    const clang::Expr *right = nullptr; // null: there is one operand
};

operation operation_of(const clang::Expr *e) {
    e = workspace::spelled(e);
    if (const auto *rewritten = dyn_cast<clang::CXXRewrittenBinaryOperator>(e)) {
        const auto parts = rewritten->getDecomposedForm();
        return {clang::BinaryOperator::getOpcodeStr(parts.Opcode).str(), parts.LHS, parts.RHS};
    }
    if (const auto *pair = dyn_cast<clang::BinaryOperator>(e))
        return {pair->getOpcodeStr().str(), pair->getLHS(), pair->getRHS()};
    if (const auto *one = dyn_cast<clang::UnaryOperator>(e))
        return {clang::UnaryOperator::getOpcodeStr(one->getOpcode()).str(), one->getSubExpr()};
    if (const auto *call = dyn_cast<clang::CXXOperatorCallExpr>(e)) {
        const std::string sign = clang::getOperatorSpelling(call->getOperator());
        if (call->getNumArgs() == 1 || sign == "++" || sign == "--")
            return {sign, call->getArg(0)};
        if (call->getNumArgs() == 2)
            return {sign, call->getArg(0), call->getArg(1)};
    }
    return {};
}

class cxx_header_reader {
public:
    cxx_header_reader(workspace &space, const clang::ForStmt &loop) : space_(space), loop_(loop) {}

    std::optional<cxx_loop_header> run() {
        if (read_variable() && read_condition() && read_increment() && check_direction())
            return header_;
        return std::nullopt;
    }

private:
    bool fail(clang::SourceLocation where, std::string text) {
        space_.error(space_.source.offset(where), std::move(text));
        return false;
    }

    bool read_variable() {
        const auto *declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(loop_.getInit());
        if (declaration == nullptr) {
            return fail(loop_.getInit() != nullptr ? loop_.getInit()->getBeginLoc()
                                                   : loop_.getForLoc(),
                        "cilk_for needs a loop variable: the first part of its header declares and "
                        "initializes it");
        }
        if (!declaration->isSingleDecl())
            return fail(declaration->getBeginLoc(),
                        "cilk_for declares more than one loop variable");
        variable_ = dyn_cast<clang::VarDecl>(declaration->getSingleDecl());
        if (variable_ == nullptr || variable_->getInit() == nullptr) {
            return fail(declaration->getBeginLoc(),
                        "the loop variable of cilk_for has no initial value");
        }
        return check_type(*variable_) && read_first(*declaration);
    }

    bool check_type(const clang::VarDecl &variable) {
        const clang::QualType type = variable.getType();
        if (type->isReferenceType() || type.isVolatileQualified() || variable.isStaticLocal() ||
            type->isAtomicType()) {
            return fail(variable.getLocation(), "the loop variable of cilk_for must be an ordinary "
                                                "variable: each iteration has its own copy");
        }
        if (type->isDependentType() || type->isIntegralOrEnumerationType() ||
            type->isPointerType() || type->isRecordType()) {
            return true;
        }
        return fail(variable.getLocation(), "the loop variable of cilk_for must be an integer, a "
                                            "pointer or an iterator, not '" +
                                                type.getAsString() + "'");
    }

    bool read_first(const clang::DeclStmt &declaration) {
        const unsigned begin = space_.source.offset(declaration.getBeginLoc());
        const unsigned name = space_.source.offset(variable_->getLocation());
        header_.type = space_.text_of({begin, name});
        header_.name = variable_->getNameAsString();
        header_.is_deduced = variable_->getType()->getContainedDeducedType() != nullptr ||
                             header_.type == "auto" || header_.type == "const auto";
        header_.variable = (header_.is_deduced ? "auto" : header_.type) + " " + header_.name;
        set_known_type();
        if (read_list(*variable_->getInit()->IgnoreImplicit()))
            return true;
        const clang::Expr *first = variable_->getInit();
        if (variable_->getInitStyle() != clang::VarDecl::CInit) {
            if (const auto *list = dyn_cast<clang::ParenListExpr>(first))
                first = list->getNumExprs() == 1 ? list->getExpr(0) : nullptr;
            else if (const auto *braces = dyn_cast<clang::InitListExpr>(first))
                first = braces->getNumInits() == 1 ? braces->getInit(0) : nullptr;
            else if (const auto *made = dyn_cast<clang::CXXConstructExpr>(first->IgnoreImplicit()))
                first = made->getNumArgs() == 1 ? made->getArg(0) : nullptr;
        }
        if (first == nullptr) {
            return fail(variable_->getLocation(),
                        "the loop variable of cilk_for needs one initial value");
        }
        header_.first = space_.source.of(first->getSourceRange());
        return true;
    }

    // `T i{a, b}`, `T i = {a}`, `T i(a, b)`.
    bool read_list(const clang::Expr &init) {
        clang::SourceRange brackets;
        if (const auto *braces = dyn_cast<clang::InitListExpr>(&init))
            brackets = {braces->getLBraceLoc(), braces->getRBraceLoc()};
        else if (const auto *list = dyn_cast<clang::ParenListExpr>(&init);
                 list != nullptr && list->getNumExprs() != 1)
            brackets = {list->getLParenLoc(), list->getRParenLoc()};
        else if (const auto *made = dyn_cast<clang::CXXConstructExpr>(&init);
                 made != nullptr && made->getNumArgs() != 1 &&
                 (made->isListInitialization() ||
                  variable_->getInitStyle() != clang::VarDecl::CInit))
            brackets = made->getParenOrBraceRange();
        if (brackets.isInvalid() || header_.is_deduced)
            return false;
        const unsigned open = space_.source.offset(brackets.getBegin());
        header_.first = {open + 1, space_.source.offset(brackets.getEnd())};
        header_.first_bracket = space_.source.text()[open];
        return true;
    }

    // What was written is not enough where the declarator goes around the name, and g++ lets no
    // closure with an `auto` parameter refer to an array of variable size.
    void set_known_type() {
        const clang::QualType type = variable_->getType();
        const bool is_around = type->isPointerType() && (type->getPointeeType()->isArrayType() ||
                                                         type->isFunctionPointerType());
        if (type->isDependentType() ||
            (!is_around && !(header_.is_deduced && type->isBuiltinType())))
            return;
        const auto text = space_.type_text(type);
        const auto variable = space_.type_text(type, header_.name);
        if (!text || !variable)
            return;
        header_.type = *text;
        header_.variable = *variable;
        header_.is_deduced = false;
    }

    bool is_variable(const clang::Expr *e) const {
        const auto *name = dyn_cast<clang::DeclRefExpr>(workspace::spelled(e));
        return name != nullptr && name->getDecl() == variable_;
    }

    bool mentions_variable(const clang::Expr *e) const {
        return contains(e, [&](const clang::Stmt &one) {
            const auto *name = dyn_cast<clang::DeclRefExpr>(&one);
            return name != nullptr && name->getDecl() == variable_;
        });
    }

    bool read_condition() {
        if (loop_.getCond() == nullptr) {
            return fail(loop_.getForLoc(), "cilk_for has no condition: its number of iterations "
                                           "must be known when it starts");
        }
        const operation compared = operation_of(loop_.getCond());
        constexpr const char *names[][3] = {{"<", "less", "greater"},
                                            {"<=", "less_equal", "greater_equal"},
                                            {">", "greater", "less"},
                                            {">=", "greater_equal", "less_equal"},
                                            {"!=", "unequal", "unequal"}};
        const bool is_left = compared.right != nullptr && is_variable(compared.left);
        for (const auto &[sign, left, right] : names)
            if (compared.right != nullptr && compared.sign == sign)
                header_.until = is_left ? left : right;
        if (header_.until.empty()) {
            return fail(loop_.getCond()->getExprLoc(),
                        "the condition of cilk_for must compare the loop variable by "
                        "<, <=, >, >= or !=");
        }
        if (!is_left && !is_variable(compared.right)) {
            return fail(loop_.getCond()->getExprLoc(),
                        "the condition of cilk_for must compare the loop variable '" +
                            header_.name + "'");
        }
        const clang::Expr *limit = is_left ? compared.right : compared.left;
        if (mentions_variable(limit)) {
            return fail(limit->getBeginLoc(),
                        "the limit of cilk_for must not depend on the loop variable");
        }
        header_.limit = space_.source.of(limit->getSourceRange());
        return true;
    }

    bool read_increment() {
        if (loop_.getInc() == nullptr)
            return fail(loop_.getForLoc(), "cilk_for has no increment");
        const clang::Expr *step = nullptr;
        if (!read_step(operation_of(loop_.getInc()), step)) {
            return fail(loop_.getInc()->getExprLoc(),
                        "the increment of cilk_for must be ++, --, += or -= of the loop variable "
                        "'" +
                            header_.name + "', or an assignment such as i = i + step");
        }
        if (step == nullptr)
            return true;
        if (mentions_variable(step)) {
            return fail(step->getBeginLoc(),
                        "the step of cilk_for must not depend on the loop variable");
        }
        const clang::QualType type = step->getType();
        if (!type->isDependentType() && !type->isIntegralOrEnumerationType())
            return fail(step->getBeginLoc(), "the step of cilk_for must be an integer");
        header_.step = space_.source.of(step->getSourceRange());
        step_ = step;
        return true;
    }

    bool read_step(const operation &done, const clang::Expr *&step) {
        if (done.left == nullptr || !is_variable(done.left))
            return false;
        if (done.right == nullptr) {
            header_.down = done.sign == "--";
            return done.sign == "++" || done.sign == "--";
        }
        step = done.right;
        header_.down = done.sign == "-=";
        if (done.sign == "+=" || done.sign == "-=")
            return true;
        if (done.sign != "=")
            return false;
        const operation sum = operation_of(done.right);
        if (sum.right == nullptr || (sum.sign != "+" && sum.sign != "-"))
            return false;
        header_.down = sum.sign == "-";
        const bool is_left = is_variable(sum.left);
        step = is_left ? sum.right : sum.left;
        return is_left || (!header_.down && is_variable(sum.right));
    }

    bool check_direction() {
        std::int64_t by = 1;
        if (step_ != nullptr) {
            clang::Expr::EvalResult value;
            // As it is written: `i += -2` of an unsigned variable counts down.
            const clang::Expr *written = step_->IgnoreParenImpCasts();
            if (step_->isValueDependent() || !written->getType()->isIntegralOrEnumerationType() ||
                !written->EvaluateAsInt(value, space_.source.ast()))
                return true;
            const llvm::APSInt &given = value.Val.getInt();
            if (given.getSignificantBits() + (given.isUnsigned() ? 1 : 0) >= 64)
                return true;
            by = given.getExtValue();
        }
        by = header_.down ? -by : by;
        const clang::SourceLocation where = loop_.getInc()->getExprLoc();
        if (by == 0)
            return fail(where, "the step of cilk_for is zero");
        const bool up = header_.until.compare(0, 4, "less") == 0;
        if (header_.until != "unequal" && up != (by > 0))
            return fail(where, "cilk_for counts away from its limit");
        return true;
    }

    workspace &space_;
    const clang::ForStmt &loop_;
    const clang::VarDecl *variable_ = nullptr;
    const clang::Expr *step_ = nullptr;
    cxx_loop_header header_{};
};

} // namespace

std::optional<cxx_loop_header> read_cxx_header(workspace &space, const clang::ForStmt &loop) {
    return cxx_header_reader(space, loop).run();
}

} // namespace saguaro::cilkc
