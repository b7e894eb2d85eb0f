// SPDX-License-Identifier: MIT
// C as it was before 1999 declares the variables of loops first:
//
//     int i, j;
//     cilk_for (i = 0; i < n; i++)
//         cilk_for (j = 0; j < n; j++) ...
//
// The inner loops run side by side, each with a `j`. So that becomes `cilk_for (int j = 0; ...`, as
// Cilk Plus had it. The rules have seen that nobody looks at what the loops leave in the other one.
#include "desugar/loop_variables.hpp"

#include "desugar/program.hpp"
#include "parse/declare.hpp"
#include "parse/markers.hpp"
#include "rules/loop_header.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <set>
#include <vector>

namespace saguaro::cilkc {

namespace {

class variable_mover {
public:
    variable_mover(rewriting &work, const clang::FunctionDecl &function)
        : work_(work), function_(function) {}

    bool run() {
        visit(*function_.getBody());
        if (!moved_.empty())
            mark_used(*function_.getBody());
        return !moved_.empty();
    }

private:
    void visit(const clang::Stmt &s) {
        const std::string annotation = annotation_of(s);
        const auto outer = strands_;
        if (annotation == "cilk for") {
            const auto &loop = llvm::cast<clang::ForStmt>(annotated(s));
            move_variable(loop);
            strands_.push_back(work_.source.of(loop.getBody()->getSourceRange()));
        } else if (annotation == "cilk spawn block") {
            strands_.push_back(work_.source.of(annotated(s).getSourceRange()));
        }
        for (const clang::Stmt *child : s.children())
            if (child != nullptr)
                visit(*child);
        strands_ = outer;
    }

    void move_variable(const clang::ForStmt &loop) {
        std::vector<problem> known; // to the rules
        const auto header = read_header(work_.source, loop, known);
        if (!header || header->declares)
            return;
        const unsigned declared = work_.source.offset(header->variable->getLocation());
        const bool is_shared = std::any_of(strands_.begin(), strands_.end(), [&](span strand) {
            return declared < strand.begin || declared >= strand.end;
        });
        if (!is_shared)
            return;
        const auto &first = llvm::cast<clang::BinaryOperator>(*loop.getInit());
        work_.edits.replace(work_.source.of(first.getLHS()->getSourceRange()),
                            declared_as(work_.source.ast(),
                                        header->variable->getType().getUnqualifiedType(),
                                        header->variable->getName().str()),
                            true);
        moved_.insert(header->variable);
    }

    // Compilers would warn of variables that only the loops' headers used.
    void mark_used(const clang::Stmt &s) {
        for (const clang::Stmt *child : s.children()) {
            if (child == nullptr)
                continue;
            const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(child);
            if (declaration != nullptr && llvm::isa<clang::CompoundStmt>(s))
                mark_used_behind(*declaration);
            mark_used(*child);
        }
    }

    void mark_used_behind(const clang::DeclStmt &declaration) {
        std::string text;
        for (const clang::Decl *d : declaration.decls())
            if (const auto *v = llvm::dyn_cast<clang::VarDecl>(d); moved_.count(v) != 0)
                text += " (void)" + v->getName().str() + ";";
        if (!text.empty())
            work_.edits.insert(work_.source.statement(declaration.getSourceRange()).end, text);
    }

    rewriting &work_;
    const clang::FunctionDecl &function_;
    std::vector<span> strands_; // around the statement
    std::set<const clang::VarDecl *> moved_;
};

} // namespace

bool own_loop_variables(rewriting &work) {
    bool found = false;
    if (work.kind == program::serial)
        return found;
    for (const clang::Decl *declaration : work.source.ast().getTranslationUnitDecl()->decls()) {
        const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
        if (function != nullptr && function->doesThisDeclarationHaveABody() &&
            function->getBody() != nullptr) {
            found |= variable_mover(work, *function).run();
        }
    }
    return found;
}

} // namespace saguaro::cilkc
