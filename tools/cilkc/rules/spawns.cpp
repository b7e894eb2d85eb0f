// SPDX-License-Identifier: MIT
// The walk that finds misplaced spawns, syncs and inlets.
#include "rules/spawns.hpp"

#include "parse/markers.hpp"
#include "parse/syntax.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

class spawn_rules {
public:
    explicit spawn_rules(rule_context &context) : context_(context) {}

    void run() {
        if (is_procedure(context_.function) && context_.function.isVariadic()) {
            context_.error(context_.function.getLocation(),
                           "a cilk procedure takes a fixed number of arguments");
        }
        statement(*context_.function.getBody());
    }

private:
    bool mit() const { return context_.language == dialect::mit; }
    std::string word(const char *name) const { return (mit() ? "" : "cilk_") + std::string(name); }

    const clang::UnaryOperator *spawn_in(const clang::Expr *e) const {
        const clang::Expr &plain = *peel(e);
        return marker_at(context_.source, plain) == "_Cilk_spawn"
                   ? dyn_cast<clang::UnaryOperator>(&plain)
                   : nullptr;
    }

    // A place where a statement may stand: here a spawn may be one, or the right side of one.
    void statement(const clang::Stmt &s) {
        if (const auto *e = dyn_cast<clang::Expr>(&s)) {
            expression_statement(*e);
        } else if (const auto *declaration = dyn_cast<clang::DeclStmt>(&s)) {
            for (const clang::Decl *d : declaration->decls()) {
                if (const char *text = misplaced_marker(*d)) {
                    context_.error(d->getLocation(), text);
                    return;
                }
                const auto *variable = dyn_cast<clang::VarDecl>(d);
                if (variable != nullptr && variable->getInit() != nullptr)
                    initializer(*variable);
            }
        } else if (llvm::isa<clang::CompoundStmt, clang::IfStmt, clang::WhileStmt, clang::DoStmt,
                             clang::ForStmt, clang::SwitchStmt, clang::LabelStmt, clang::SwitchCase,
                             clang::AttributedStmt>(s)) {
            parts(s);
        } else {
            for (const clang::Stmt *child : s.children())
                nested(child);
        }
    }

    // What is wrong with a declaration that has the marker of a statement; null if it has none.
    static const char *misplaced_marker(const clang::Decl &d) {
        const auto *marker = d.getAttr<clang::SuppressAttr>();
        if (marker == nullptr || marker->diagnosticIdentifiers_size() != 1)
            return nullptr;
        if (*marker->diagnosticIdentifiers_begin() == "cilk scope")
            return "cilk_scope before a declaration, whose name would mean nothing behind it: "
                   "write 'cilk_scope { ... }'";
        return "cilk_spawn before a declaration: spawn its value, 'T x = cilk_spawn f();', or "
               "assign to it in a statement";
    }

    // The statements in a statement are statements, the expressions (conditions) are not.
    void parts(const clang::Stmt &s) {
        const auto *loop = dyn_cast<clang::ForStmt>(&s);
        const auto *branch = dyn_cast<clang::IfStmt>(&s);
        const clang::Stmt *body = loop != nullptr ? loop->getBody() : nullptr;
        if (const auto *one = dyn_cast<clang::WhileStmt>(&s))
            body = one->getBody();
        else if (const auto *other = dyn_cast<clang::DoStmt>(&s))
            body = other->getBody();
        else if (const auto *selection = dyn_cast<clang::SwitchStmt>(&s))
            body = selection->getBody();
        else if (const auto *label = dyn_cast<clang::LabelStmt>(&s))
            body = label->getSubStmt();
        else if (const auto *value = dyn_cast<clang::SwitchCase>(&s))
            body = value->getSubStmt();
        else if (const auto *attributed = dyn_cast<clang::AttributedStmt>(&s))
            body = attributed->getSubStmt();
        const bool block = llvm::isa<clang::CompoundStmt>(s);
        for (const clang::Stmt *child : s.children()) {
            if (child == nullptr)
                continue;
            const bool is_statement =
                block || child == body || !llvm::isa<clang::Expr>(child) ||
                (branch != nullptr && (child == branch->getThen() || child == branch->getElse()));
            if (is_statement && !(loop != nullptr && child == loop->getInit()))
                statement(*child);
            else
                nested(child);
        }
    }

    void initializer(const clang::VarDecl &variable) {
        if (const clang::UnaryOperator *spawned = spawn_in(variable.getInit()))
            spawn(*spawned);
        else
            nested(variable.getInit());
    }

    void expression_statement(const clang::Expr &e) {
        const clang::Expr &plain = *unused_value(context_.source, &e);
        const auto *assignment = dyn_cast<clang::BinaryOperator>(&plain);
        if (const clang::UnaryOperator *spawned = spawn_in(&plain)) {
            spawn(*spawned);
        } else if (assignment != nullptr && assignment->isAssignmentOp() &&
                   spawn_in(assignment->getRHS()) != nullptr) {
            nested(assignment->getLHS());
            spawn(*spawn_in(assignment->getRHS()));
        } else if (assignment != nullptr &&
                   marker_of(context_.source, plain) == "_Cilk_inlet_call") {
            inlet_call(*assignment);
        } else if (marker_at(context_.source, plain).empty()) {
            nested(&e);
        }
    }

    void spawn(const clang::UnaryOperator &spawned) {
        const auto *call = dyn_cast<clang::CallExpr>(spawned.getSubExpr()->IgnoreParens());
        if (call == nullptr) {
            context_.error(spawned.getBeginLoc(),
                           word("spawn") + " must be followed by the call of a " +
                               (mit() ? "cilk procedure" : "function or by a block"));
            nested(spawned.getSubExpr());
            return;
        }
        const clang::FunctionDecl *callee = call->getDirectCallee();
        if (callee != nullptr && is_undeclared(*callee)) {
            context_.error(call->getCallee()->getBeginLoc(), word("spawn") + " of '" +
                                                                 callee->getName().str() +
                                                                 "', which is not declared");
        } else if (mit() && !is_schedulable(*call->getCallee())) {
            context_.error(
                call->getCallee()->getBeginLoc(),
                "spawn of " +
                    (callee != nullptr ? "'" + callee->getName().str() + "', " : std::string()) +
                    "a plain C function: only procedures declared with 'cilk' are "
                    "spawned");
        }
        nested(call->getCallee());
        for (const clang::Expr *argument : call->arguments())
            nested(argument);
    }

    // Clang declares what it meets first in a call, and the compiler's own functions.
    static bool is_undeclared(const clang::FunctionDecl &callee) {
        return callee.isImplicit() && !callee.getName().starts_with("__");
    }

    // Whether what is called has been declared with `cilk`: a procedure, or what points to one.
    bool is_schedulable(const clang::Expr &callee) const {
        const clang::Expr *e = callee.IgnoreParenImpCasts();
        if (const auto *target = dyn_cast<clang::UnaryOperator>(e))
            return is_schedulable(*target->getSubExpr());
        if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(e))
            return is_schedulable(*element->getBase());
        if (const auto *name = dyn_cast<clang::DeclRefExpr>(e)) {
            const auto *function = dyn_cast<clang::FunctionDecl>(name->getDecl());
            return function != nullptr ? is_procedure(*function)
                                       : declares_procedure(*name->getDecl());
        }
        const auto *member = dyn_cast<clang::MemberExpr>(e);
        return member == nullptr || declares_procedure(*member->getMemberDecl());
    }

    static bool declares_procedure(const clang::ValueDecl &d) {
        return has_annotation(d, "cilk procedure") || names_procedure(d.getType());
    }

    static bool names_procedure(clang::QualType type) {
        if (const auto *name = type->getAs<clang::TypedefType>()) {
            return has_annotation(*name->getDecl(), "cilk procedure") ||
                   names_procedure(name->getDecl()->getUnderlyingType());
        }
        if (type->isPointerType())
            return names_procedure(type->getPointeeType());
        const auto *array = type->getAsArrayTypeUnsafe();
        return array != nullptr && names_procedure(array->getElementType());
    }

    // `_Cilk_inlet_call [x,] in, _Cilk_spawn f(...), a, b`
    void inlet_call(const clang::BinaryOperator &call) {
        std::vector<const clang::Expr *> operands;
        flatten(call, operands);
        std::size_t at = 0;
        while (at < operands.size() && spawn_in(operands[at]) == nullptr)
            at++;
        if (at == 0 || at == operands.size())
            return;
        const auto *name = dyn_cast<clang::DeclRefExpr>(operands[at - 1]);
        if (name == nullptr || !has_annotation(*name->getDecl(), "cilk inlet"))
            return;
        const clang::UnaryOperator &spawned = *spawn_in(operands[at]);
        spawn(spawned);
        const bool has_result = !spawned.getType()->isVoidType();
        check_inlet_arguments(*name, operands.size() - at - (has_result ? 0 : 1));
        const auto *type = name->getType()->getPointeeType()->getAs<clang::FunctionType>();
        if (at == 1 && !type->getReturnType()->isVoidType()) {
            context_.error(name->getBeginLoc(), "inlet '" + name->getDecl()->getName().str() +
                                                    "' returns a value: assign it, or declare the "
                                                    "inlet void");
        } else if (at > 1 && type->getReturnType()->isVoidType()) {
            context_.error(name->getBeginLoc(), "inlet '" + name->getDecl()->getName().str() +
                                                    "' is void: it has no value to assign");
        }
        for (std::size_t i = at + 1; i < operands.size(); i++)
            nested(operands[i]);
    }

    void check_inlet_arguments(const clang::DeclRefExpr &name, std::size_t given) {
        const auto *type = name.getType()->getPointeeType()->getAs<clang::FunctionProtoType>();
        const std::size_t wanted = type == nullptr ? 0 : type->getNumParams();
        if (given != wanted) {
            context_.error(name.getBeginLoc(), "inlet '" + name.getDecl()->getName().str() +
                                                   "' takes " + std::to_string(wanted) +
                                                   " arguments, the result of the spawned "
                                                   "procedure (unless it is void) included, not " +
                                                   std::to_string(given));
        }
    }

    void flatten(const clang::Expr &e, std::vector<const clang::Expr *> &operands) const {
        const auto *comma = dyn_cast<clang::BinaryOperator>(&e);
        if (comma != nullptr && comma->getOpcode() == clang::BO_Comma) {
            flatten(*comma->getLHS(), operands);
            flatten(*comma->getRHS(), operands);
        } else {
            operands.push_back(marker_at(context_.source, e) == "_Cilk_inlet_call"
                                   ? operand_of_marker(&e)
                                   : peel(&e));
        }
    }

    // A part of an expression: nothing may be spawned or synced here.
    void nested(const clang::Stmt *s) {
        if (s == nullptr)
            return;
        const std::string marker = marker_at(context_.source, *s);
        if (marker == "_Cilk_spawn") {
            context_.error(s->getBeginLoc(),
                           word("spawn") + " in an expression: it may only be a statement, or the "
                                           "whole right side of an assignment or initialization");
            return;
        }
        if (marker == "_Cilk_sync") {
            context_.error(s->getBeginLoc(), word("sync") + " is a statement of its own");
            return;
        }
        if (const auto *block = dyn_cast<clang::StmtExpr>(s)) {
            if (has_spawns(context_.source, *block->getSubStmt())) {
                context_.error(block->getBeginLoc(),
                               word("spawn") + " or " + word("sync") +
                                   " in a statement "
                                   "expression: a function cannot go on in the middle of one");
                return;
            }
        }
        if (const auto *call = dyn_cast<clang::CallExpr>(s)) {
            plain_call(*call);
            return;
        }
        if (const auto *name = dyn_cast<clang::DeclRefExpr>(s)) {
            if (has_annotation(*name->getDecl(), "cilk inlet")) {
                context_.error(name->getBeginLoc(), "inlet '" + name->getDecl()->getName().str() +
                                                        "' used as a value: it can only be called");
            }
        }
        for (const clang::Stmt *child : s->children())
            nested(child);
    }

    void plain_call(const clang::CallExpr &call) {
        const clang::FunctionDecl *callee = call.getDirectCallee();
        if (mit() && callee != nullptr && is_procedure(*callee)) {
            context_.error(call.getBeginLoc(), "cilk procedure '" + callee->getName().str() +
                                                   "' called without spawn: procedures are "
                                                   "spawned, not called");
        }
        const auto *name = dyn_cast<clang::DeclRefExpr>(peel(call.getCallee()));
        if (name == nullptr || !has_annotation(*name->getDecl(), "cilk inlet"))
            nested(call.getCallee());
        for (const clang::Expr *argument : call.arguments())
            nested(argument);
    }

    rule_context &context_;
};

} // namespace

void check_spawns(rule_context context) {
    spawn_rules(context).run();
}

} // namespace saguaro::cilkc
