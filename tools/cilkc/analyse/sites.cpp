// SPDX-License-Identifier: MIT
// Finds the sites of a function: a walk over its statements. A spawn, or a call of a function with
// a fast clone, is a site where it is a statement, assigned, an initializer, or returned.
#include "analyse/sites.hpp"

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

const clang::Expr *under_marker(const clang::Expr *e) {
    return peel(llvm::cast<clang::UnaryOperator>(e)->getSubExpr());
}

// Whether what is in the statement runs once at most, each time that the statement does.
bool repeats_nothing(const clang::Stmt &s) {
    return !contains_a<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::LabelStmt>(&s);
}

class site_finder {
public:
    site_finder(const source_text &source, const fast_clones &with_clone, procedure &p)
        : source_(source), with_clone_(with_clone), p_(p) {}

    void run() {
        for (const clang::ParmVarDecl *parameter : p_.function->parameters())
            add_variable(parameter, p_.body, true);
        const auto *body = llvm::cast<clang::CompoundStmt>(p_.function->getBody());
        has_labels_ = contains_a<clang::LabelStmt>(body);
        compound(*body);
        elide_spawns();
        unsigned number = 0;
        for (site &s : p_.sites)
            s.number = ++number;
    }

private:
    void add_variable(const clang::VarDecl *v, span scope, bool is_parameter) {
        variable entry;
        entry.scope = scope;
        entry.is_parameter = is_parameter;
        if (!has_labels_ && !is_parameter)
            entry.scope.begin = source_.offset(v->getBeginLoc());
        p_.variables.emplace(v, entry);
    }

    void add_static(const clang::VarDecl *v) {
        p_.statics.emplace(v, span{source_.offset(v->getBeginLoc()), scope_.end});
    }

    void compound(const clang::CompoundStmt &block) {
        const span outer = scope_;
        scope_ = source_.of(block.getSourceRange());
        const bool is_body = &block == p_.function->getBody();
        for (auto child = block.body_begin(); child != block.body_end(); ++child) {
            const std::size_t before = p_.sites.size();
            if (const auto *declaration = inlet_declaration(*child)) {
                inlet(declaration, *child, child + 1 != block.body_end() ? child[1] : nullptr);
                ++child;
                continue;
            }
            statement(*child);
            if (p_.sites.size() != before + 1 || !repeats_nothing(**child))
                continue;
            const clang::Stmt *next = child + 1 != block.body_end() ? child[1] : nullptr;
            if (next == nullptr ? is_body && p_.function->getReturnType()->isVoidType()
                                : ends_strand(*next))
                before_sync_.push_back(before);
        }
        scope_ = outer;
    }

    // Whether nothing is gained by running something beside what comes up to the end of this.
    bool ends_strand(const clang::Stmt &next) const {
        if (const auto *e = dyn_cast<clang::Expr>(&next))
            return marker_of(source_, *peel(e)) == "_Cilk_sync";
        const auto *end = dyn_cast<clang::ReturnStmt>(&next);
        return end != nullptr && !contains_a<clang::CallExpr>(end->getRetValue());
    }

    const clang::VarDecl *inlet_declaration(const clang::Stmt *s) const {
        const auto *declaration = dyn_cast<clang::DeclStmt>(s);
        if (declaration == nullptr || !declaration->isSingleDecl())
            return nullptr;
        const auto *name = dyn_cast<clang::VarDecl>(declaration->getSingleDecl());
        return name != nullptr && has_annotation(*name, "cilk inlet") ? name : nullptr;
    }

    void inlet(const clang::VarDecl *name, const clang::Stmt *declaration,
               const clang::Stmt *body) {
        const auto *attributed = dyn_cast<clang::AttributedStmt>(body);
        cilkc::inlet in;
        in.name = name;
        in.declaration = declaration;
        in.statement = body;
        in.body = attributed != nullptr ? attributed->getSubStmt() : body;
        in.body_where = source_.of(in.body->getSourceRange());
        p_.inlets.push_back(in);
    }

    void statement(const clang::Stmt *s) {
        if (s == nullptr)
            return;
        if (const auto *block = dyn_cast<clang::CompoundStmt>(s)) {
            compound(*block);
        } else if (const auto *loop = dyn_cast<clang::ForStmt>(s)) {
            const span outer = scope_;
            scope_ = source_.of(loop->getSourceRange());
            if (const auto *init = dyn_cast_or_null<clang::DeclStmt>(loop->getInit()))
                variables(*init);
            statement(loop->getBody());
            scope_ = outer;
        } else if (const auto *choice = dyn_cast<clang::IfStmt>(s)) {
            statement(choice->getThen());
            statement(choice->getElse());
        } else if (const auto *declaration = dyn_cast<clang::DeclStmt>(s)) {
            variables(*declaration);
            initializers(*declaration);
        } else if (const auto *end = dyn_cast<clang::ReturnStmt>(s)) {
            site found;
            if (end->getRetValue() != nullptr && is_call_or_spawn(end->getRetValue(), found)) {
                found.use = result_use::returned;
                add(found, s);
            }
        } else if (const auto *e = dyn_cast<clang::Expr>(s)) {
            expression(e);
        } else if (!llvm::isa<clang::SwitchStmt, clang::WhileStmt, clang::DoStmt, clang::LabelStmt,
                              clang::SwitchCase, clang::AttributedStmt>(s)) {
            return;
        } else {
            // Their conditions are expressions of other statements: nothing in them is a site.
            for (const clang::Stmt *child : s->children())
                if (child != nullptr && !llvm::isa<clang::Expr>(child))
                    statement(child);
            if (const clang::Stmt *body = body_that_is_expression(s))
                statement(body);
        }
    }

    static const clang::Stmt *body_that_is_expression(const clang::Stmt *s) {
        const clang::Stmt *body = nullptr;
        if (const auto *choice = dyn_cast<clang::SwitchStmt>(s))
            body = choice->getBody();
        else if (const auto *loop = dyn_cast<clang::WhileStmt>(s))
            body = loop->getBody();
        else if (const auto *other_loop = dyn_cast<clang::DoStmt>(s))
            body = other_loop->getBody();
        else if (const auto *label = dyn_cast<clang::LabelStmt>(s))
            body = label->getSubStmt();
        else if (const auto *in_switch = dyn_cast<clang::SwitchCase>(s))
            body = in_switch->getSubStmt();
        else if (const auto *attributed = dyn_cast<clang::AttributedStmt>(s))
            body = attributed->getSubStmt();
        return body != nullptr && llvm::isa<clang::Expr>(body) ? body : nullptr;
    }

    void variables(const clang::DeclStmt &declaration) {
        for (const clang::Decl *d : declaration.decls())
            if (const auto *v = dyn_cast<clang::VarDecl>(d))
                v->hasLocalStorage() ? add_variable(v, scope_, false) : add_static(v);
    }

    void initializers(const clang::DeclStmt &declaration) {
        for (const clang::Decl *d : declaration.decls()) {
            const auto *v = dyn_cast<clang::VarDecl>(d);
            site found;
            if (v == nullptr || !v->hasLocalStorage() || v->getInit() == nullptr ||
                !is_call_or_spawn(v->getInit(), found))
                continue;
            found.use = result_use::assigned;
            found.variable = v;
            add(found, &declaration);
        }
    }

    void expression(const clang::Expr *statement) {
        site found;
        const clang::Expr *e = unused_value(source_, statement);
        if (marker_of(source_, *e) == "_Cilk_sync") {
            add(found, statement);
        } else if (const auto *operation = dyn_cast<clang::BinaryOperator>(e)) {
            if (operation->getOpcode() == clang::BO_Comma &&
                marker_of(source_, *e) == "_Cilk_inlet_call") {
                inlet_call(*operation, statement);
            } else if (operation->isAssignmentOp() &&
                       is_call_or_spawn(operation->getRHS(), found)) {
                destination(*operation, found);
                add(found, statement);
            }
        } else if (is_call_or_spawn(e, found)) {
            add(found, statement);
        }
    }

    void destination(const clang::BinaryOperator &operation, site &found) {
        const auto *name = dyn_cast<clang::DeclRefExpr>(peel(operation.getLHS()));
        const auto *v = name != nullptr ? dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
        found.destination = operation.getLHS();
        found.operation = operation.getOpcodeStr().str();
        if (v != nullptr && v->hasLocalStorage() && operation.getOpcode() == clang::BO_Assign) {
            found.use = result_use::assigned;
            found.variable = v;
        } else {
            found.use = result_use::stored;
        }
    }

    // `_Cilk_inlet_call [destination,] in, _Cilk_spawn f(x), argument, ...`
    void inlet_call(const clang::BinaryOperator &commas, const clang::Expr *statement) {
        std::vector<const clang::Expr *> operands;
        const clang::Expr *e = &commas;
        for (;;) {
            const auto *comma = dyn_cast<clang::BinaryOperator>(e);
            if (comma == nullptr || comma->getOpcode() != clang::BO_Comma)
                break;
            operands.insert(operands.begin(), comma->getRHS());
            e = comma->getLHS();
        }
        const auto *to_void = llvm::cast<clang::CStyleCastExpr>(under_marker(e));
        operands.insert(operands.begin(), to_void->getSubExpr());
        site found;
        std::size_t next = 0;
        if (inlet_of(operands[0]) == nullptr) {
            found.destination = peel(operands[0]);
            found.operation = "=";
            ++next;
        }
        found.in = inlet_of(operands[next]);
        if (found.in == nullptr || !is_call_or_spawn(operands[next + 1], found))
            return;
        found.inlet_arguments.assign(operands.begin() + static_cast<std::ptrdiff_t>(next) + 2,
                                     operands.end());
        found.use = result_use::to_inlet;
        add(found, statement);
    }

    const cilkc::inlet *inlet_of(const clang::Expr *e) const {
        const auto *name = dyn_cast<clang::DeclRefExpr>(peel(e));
        for (const cilkc::inlet &in : p_.inlets)
            if (name != nullptr && in.name == name->getDecl())
                return &in;
        return nullptr;
    }

    // Lengths of arrays in a cast's type are evaluated beside the call.
    static const clang::Expr *within_casts(const clang::Expr *e) {
        while (const auto *cast = dyn_cast<clang::CStyleCastExpr>(e)) {
            if (cast->getTypeAsWritten()->isVariablyModifiedType())
                return e;
            e = peel(cast->getSubExpr());
        }
        return e;
    }

    // Fills in kind, call, value and callee.
    bool is_call_or_spawn(const clang::Expr *e, site &found) const {
        e = peel(e);
        if (const auto *cast = dyn_cast<clang::CStyleCastExpr>(e))
            if (cast->getType()->isVoidType())
                e = peel(cast->getSubExpr());
        if (marker_at(source_, *e) == "_Cilk_spawn") {
            found.kind = site_kind::spawn;
            e = under_marker(e);
        } else {
            found.kind = site_kind::call;
        }
        found.call = dyn_cast<clang::CallExpr>(e);
        if (found.call == nullptr && found.kind == site_kind::call) {
            found.call = dyn_cast<clang::CallExpr>(within_casts(e));
            found.value = e;
        }
        if (found.call == nullptr)
            return false;
        const clang::FunctionDecl *callee = found.call->getDirectCallee();
        if (callee != nullptr && with_clone_.count(callee->getCanonicalDecl()) != 0)
            found.callee = callee->getCanonicalDecl();
        return found.kind == site_kind::spawn || found.callee != nullptr;
    }

    void add(site &found, const clang::Stmt *statement) {
        found.statement = statement;
        found.where = source_.statement(statement->getSourceRange());
        p_.sites.push_back(found);
    }

    // A spawn right before a sync is a call, for nothing could run beside it; not where inlets must
    // keep their order.
    void elide_spawns() {
        std::vector<bool> is_last(p_.sites.size());
        for (const std::size_t i : before_sync_)
            is_last[i] = true;
        for (std::size_t i = 0; i < p_.sites.size(); ++i) {
            const site &s = p_.sites[i];
            if (s.kind == site_kind::spawn && needs_inlet(p_, s) &&
                (!is_last[i] || s.use == result_use::to_inlet))
                return;
        }
        for (std::size_t i = 0; i < p_.sites.size(); ++i)
            if (p_.sites[i].kind == site_kind::spawn && is_last[i])
                p_.sites[i].kind = site_kind::call;
    }

    const source_text &source_;
    const fast_clones &with_clone_;
    procedure &p_;
    span scope_{};
    bool has_labels_ = false;
    std::vector<std::size_t> before_sync_; // sites right before a sync
};

} // namespace

void find_sites(const source_text &source, const fast_clones &with_clone, procedure &p) {
    site_finder(source, with_clone, p).run();
}

} // namespace saguaro::cilkc
