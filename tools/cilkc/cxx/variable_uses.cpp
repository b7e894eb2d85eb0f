// SPDX-License-Identifier: MIT
// Reads, assignments and references of a function's variables.
#include "cxx/variable_uses.hpp"

#include "cxx/reducer_types.hpp"
#include "parse/syntax.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

const clang::Expr *without_parentheses(const clang::Expr *e) {
    while (const auto *parentheses = dyn_cast<clang::ParenExpr>(e))
        e = parentheses->getSubExpr();
    return e;
}

const clang::VarDecl *named(const clang::Expr *e) {
    const auto *name = dyn_cast<clang::DeclRefExpr>(without_parentheses(e));
    return name == nullptr ? nullptr : dyn_cast<clang::VarDecl>(name->getDecl());
}

// Whether the values of the expressions that stand in it as statements are not used. The conditions
// in it are converted, and so read.
bool drops_values(const clang::Stmt &s, bool is_dropped) {
    if (llvm::isa<clang::ExprWithCleanups, clang::ParenExpr>(s))
        return is_dropped;
    return llvm::isa<clang::CompoundStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                     clang::IfStmt, clang::SwitchStmt, clang::SwitchCase, clang::LabelStmt,
                     clang::AttributedStmt, clang::CXXForRangeStmt>(s);
}

const clang::Stmt *body_of_loop(const clang::Stmt &s) {
    if (const auto *loop = dyn_cast<clang::ForStmt>(&s))
        return loop->getBody();
    if (const auto *loop = dyn_cast<clang::WhileStmt>(&s))
        return loop->getBody();
    if (const auto *loop = dyn_cast<clang::DoStmt>(&s))
        return loop->getBody();
    const auto *range = dyn_cast<clang::CXXForRangeStmt>(&s);
    return range == nullptr ? nullptr : range->getBody();
}

bool is_within(unsigned offset, span where) {
    return offset >= where.begin && offset < where.end;
}

bool any_within(const std::vector<unsigned> &offsets, span where) {
    return std::any_of(offsets.begin(), offsets.end(),
                       [&](unsigned one) { return is_within(one, where); });
}

} // namespace

variable_uses::variable_uses(const source_text &source, const clang::FunctionDecl &function)
    : source_(source), function_(function) {
    visit(function.getBody(), false);
}

void variable_uses::visit(const clang::Stmt *s, bool is_dropped) {
    if (s == nullptr || is_change(*s, is_dropped))
        return;
    has_labels_ |= llvm::isa<clang::LabelStmt>(s);
    if (const clang::Stmt *body = body_of_loop(*s))
        loops_.push_back(source_.of(body->getSourceRange()));
    if (const auto *cast = dyn_cast<clang::ImplicitCastExpr>(s);
        cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue) {
        if (const clang::VarDecl *variable = named(cast->getSubExpr()))
            uses_[variable].reads.push_back(source_.offset(cast->getBeginLoc()));
        else
            visit(cast->getSubExpr(), true); // of an assignment, the value
        return;
    }
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(s)) {
        if (const auto *variable = dyn_cast<clang::VarDecl>(name->getDecl()))
            uses_[variable].has_references = true;
        return;
    }
    if (const auto *lambda = dyn_cast<clang::LambdaExpr>(s)) {
        for (const clang::Expr *captured : lambda->capture_inits())
            visit(captured, false);
        visit(lambda->getBody(), false);
        return;
    }
    const bool drops = drops_values(*s, is_dropped);
    for (const clang::Stmt *child : s->children())
        visit(child, drops);
}

bool variable_uses::is_change(const clang::Stmt &s, bool is_dropped) {
    if (const auto *sign = dyn_cast<clang::UnaryOperator>(&s);
        sign != nullptr && sign->isIncrementDecrementOp()) {
        const clang::VarDecl *variable = named(sign->getSubExpr());
        if (variable != nullptr)
            change(*variable, *sign, is_dropped || sign->isPostfix());
        return variable != nullptr;
    }
    const auto *pair = dyn_cast<clang::BinaryOperator>(&s);
    const clang::VarDecl *variable =
        pair != nullptr && pair->isAssignmentOp() ? named(pair->getLHS()) : nullptr;
    if (variable == nullptr)
        return false;
    change(*variable, *pair, is_dropped);
    visit(pair->getRHS(), false);
    return true;
}

// What uses the result of an assignment has a reference.
void variable_uses::change(const clang::VarDecl &variable, const clang::Expr &at, bool is_dropped) {
    uses_of_one &uses = uses_[&variable];
    uses.writes.push_back(source_.offset(at.getBeginLoc()));
    uses.has_references |= !is_dropped;
}

bool variable_uses::is_private(const clang::VarDecl &variable) const {
    const clang::QualType type = variable.getType();
    if (variable.getDeclContext() != &function_ || !variable.hasLocalStorage() ||
        variable.isInitCapture() || variable.isParameterPack() || type->isDependentType() ||
        !type->isScalarType() || is_hyperobject(type) || type.isVolatileQualified()) {
        return false;
    }
    const auto found = uses_.find(&variable);
    return found == uses_.end() || !found->second.has_references;
}

std::string variable_uses::captures(span where, span unchanged) const {
    return captures_if(unchanged.begin, [&](const clang::VarDecl &, const uses_of_one &uses) {
        return any_within(uses.reads, where) && !any_within(uses.writes, unchanged);
    });
}

std::string variable_uses::captures_of_rest(span spawn, unsigned end, bool &changes) const {
    const span piece{spawn.begin, end}, rest{spawn.end, end};
    return captures_if(spawn.begin, [&](const clang::VarDecl &variable, const uses_of_one &uses) {
        if (!any_within(uses.writes, piece))
            return any_within(uses.reads, rest);
        const bool is_copied = !any_within(uses.writes, spawn) && is_over(variable, uses, piece);
        changes |= is_copied;
        return is_copied;
    });
}

std::string variable_uses::captures_if(
    unsigned begin,
    const std::function<bool(const clang::VarDecl &, const uses_of_one &)> &is_copied) const {
    std::vector<const clang::VarDecl *> found;
    for (const auto &[variable, uses] : uses_) {
        // A variable that has no value yet is none to copy.
        const bool has_value =
            llvm::isa<clang::ParmVarDecl>(variable) ||
            (variable->hasInit() && source_.offset(variable->getLocation()) < begin);
        if (has_value && is_private(*variable) &&
            !variable->isUsableInConstantExpressions(variable->getASTContext()) &&
            is_copied(*variable, uses))
            found.push_back(variable);
    }
    std::sort(found.begin(), found.end(), [](const clang::VarDecl *a, const clang::VarDecl *b) {
        return a->getLocation() < b->getLocation();
    });
    std::string text = "[&";
    for (const clang::VarDecl *one : found)
        text += ", " + one->getNameAsString();
    return text + "]";
}

// Whether the variable's value is not used behind the piece: not further below, and not by the next
// iteration of a loop around it.
bool variable_uses::is_over(const clang::VarDecl &variable, const uses_of_one &uses,
                            span piece) const {
    const auto is_behind = [&](unsigned offset) { return offset >= piece.end; };
    const unsigned declared = source_.offset(variable.getLocation());
    return !has_labels_ && std::none_of(uses.reads.begin(), uses.reads.end(), is_behind) &&
           std::none_of(uses.writes.begin(), uses.writes.end(), is_behind) &&
           std::none_of(loops_.begin(), loops_.end(), [&](span body) {
               return is_within(piece.begin, body) && !is_within(declared, body);
           });
}

} // namespace saguaro::cilkc
