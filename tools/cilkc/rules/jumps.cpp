// SPDX-License-Identifier: MIT
// The walk that finds forbidden jumps, and forbidden statements in functions that spawn.
#include "rules/jumps.hpp"

#include "parse/jumps.hpp"
#include "parse/markers.hpp"
#include "parse/reducer.hpp"
#include "parse/syntax.hpp"
#include "rules/loop_header.hpp"
#include "rules/loop_variables.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <iterator>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

constexpr std::string_view setjmps[] = {"setjmp",      "_setjmp",          "sigsetjmp",
                                        "__sigsetjmp", "__builtin_setjmp", "savectx"};

class jump_rules {
public:
    explicit jump_rules(rule_context &context)
        : context_(context), spawns_(has_spawns(context.source, *context.function.getBody())) {}

    void run() {
        visit(*context_.function.getBody());
        for (const clang::GotoStmt *jump : gotos_)
            check_entry(*jump);
    }

private:
    // A statement whose inside becomes another function, or must be left by its end.
    struct region {
        span where;
        std::string name;
        bool is_parallel = false; // runs beside what is around it
        unsigned again = 0; // a jump from inside to between this and its beginning enters it, too

        bool has(unsigned offset) const { return offset >= where.begin && offset < where.end; }
    };

    void visit(const clang::Stmt &s) {
        const std::string annotation = annotation_of(s);
        if (annotation == "cilk for") {
            const auto &loop = llvm::cast<clang::ForStmt>(annotated(s));
            if (const auto header = read_header(context_.source, loop, context_.problems)) {
                check_variable(loop, *header->variable);
                find_changes(*loop.getBody(), *header->variable);
            }
            closed(loop.getBody(), "the body of a cilk_for", true);
        } else if (annotation == "cilk spawn block") {
            closed(&annotated(s), "a spawned block", false);
        } else if (annotation == "cilk inlet body") {
            closed(&annotated(s), "an inlet", false);
        } else if (annotation == "cilk scope") {
            regions_.push_back({span_of(annotated(s)), "a cilk_scope"});
        }
        check(s);
        for (const clang::Stmt *child : s.children())
            if (child != nullptr)
                visit(*child);
    }

    void check(const clang::Stmt &s) {
        if (const auto *jump = dyn_cast<clang::GotoStmt>(&s)) {
            gotos_.push_back(jump);
        } else if (const auto *call = dyn_cast<clang::CallExpr>(&s)) {
            check_call(*call);
        } else if (const auto *block = dyn_cast<clang::CompoundStmt>(&s)) {
            check_cleanups(*block);
            check_reducers(*block);
        } else if (const auto *loop = dyn_cast<clang::ForStmt>(&s)) {
            const auto *first = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
            if (first != nullptr && declares_reducer(*first)) {
                context_.error(first->getBeginLoc(),
                               "a reducer is declared in a block, not in the header of a loop");
            }
        } else if (spawns_ && llvm::isa<clang::IndirectGotoStmt, clang::AddrLabelExpr>(s)) {
            context_.error(s.getBeginLoc(), "computed goto in a function that spawns: its code "
                                            "exists twice, and so do its labels");
        } else if (spawns_ && llvm::isa<clang::AsmStmt>(s) &&
                   dyn_cast<clang::GCCAsmStmt>(&s) != nullptr &&
                   llvm::cast<clang::GCCAsmStmt>(s).isAsmGoto()) {
            context_.error(s.getBeginLoc(), "asm goto in a function that spawns: its code exists "
                                            "twice, and so do its labels");
        }
    }

    void check_call(const clang::CallExpr &call) {
        const clang::FunctionDecl *callee = call.getDirectCallee();
        const std::string name = callee == nullptr ? std::string() : callee->getName().str();
        if ((spawns_ || is_procedure(context_.function)) &&
            std::find(std::begin(setjmps), std::end(setjmps), name) != std::end(setjmps)) {
            context_.error(call.getBeginLoc(), "setjmp in a function that spawns: its frame may "
                                               "have gone elsewhere when longjmp comes");
        }
    }

    // Strands that run a nested loop side by side cannot leave its last value in one variable.
    // Where nobody looks at it, each loop gets a variable of its own (desugar/loop_variables.hpp).
    void check_variable(const clang::ForStmt &loop, const clang::VarDecl &variable) {
        const unsigned at = context_.source.offset(loop.getBeginLoc());
        const unsigned declared = context_.source.offset(variable.getLocation());
        const auto shares = [&](const region &one) {
            return one.is_parallel && one.has(at) && !one.has(declared);
        };
        const auto around = std::find_if(regions_.begin(), regions_.end(), shares);
        if (around != regions_.end() && !may_own_variable(context_.function, loop, variable))
            context_.error(loop.getInit()->getBeginLoc(),
                           "the variable '" + variable.getName().str() +
                               "' of this cilk_for is declared outside of " + around->name +
                               " around it, whose strands would share it, and used outside of such "
                               "loops: declare it in the header of the loop");
    }

    // Iterations have copies of the loop variable: what they do to it is not seen by the next one.
    void find_changes(const clang::Stmt &s, const clang::VarDecl &variable) {
        const clang::Expr *changed = nullptr;
        if (const auto *assignment = dyn_cast<clang::BinaryOperator>(&s))
            changed = assignment->isAssignmentOp() ? assignment->getLHS() : nullptr;
        else if (const auto *step = dyn_cast<clang::UnaryOperator>(&s))
            changed = step->isIncrementDecrementOp() ? step->getSubExpr() : nullptr;
        const auto *name =
            changed == nullptr ? nullptr : dyn_cast<clang::DeclRefExpr>(peel(changed));
        if (name != nullptr && name->getDecl() == &variable) {
            context_.error(name->getBeginLoc(),
                           "the body of a cilk_for changes its loop variable '" +
                               variable.getName().str() + "'");
        }
        for (const clang::Stmt *child : s.children())
            if (child != nullptr)
                find_changes(*child, variable);
    }

    // A clone that is stolen is left in the middle of the block, and entered there by another.
    void check_cleanups(const clang::CompoundStmt &block) {
        for (const clang::Stmt *child : block.body()) {
            const auto *declaration = dyn_cast<clang::DeclStmt>(child);
            if (declaration == nullptr)
                continue;
            for (const clang::Decl *d : declaration->decls()) {
                if (d->hasAttr<clang::CleanupAttr>() && may_be_stolen_in(block)) {
                    context_.error(d->getLocation(),
                                   "cleanup of a variable in a block that spawns: "
                                   "the block may end in another function");
                }
            }
        }
    }

    // Whether it has spawns, or calls of functions that this file shows to spawn.
    bool may_be_stolen_in(const clang::CompoundStmt &block) const {
        return has_spawns(context_.source, block) || contains(&block, [&](const clang::Stmt &s) {
                   const auto *call = dyn_cast<clang::CallExpr>(&s);
                   const clang::FunctionDecl *callee =
                       call != nullptr ? call->getDirectCallee() : nullptr;
                   return callee != nullptr && callee->hasBody(callee) &&
                          has_spawns(context_.source, *callee->getBody());
               });
    }

    // A reducer lives from where it is declared, and is registered there, to the end of the block.
    void check_reducers(const clang::CompoundStmt &block) {
        const span whole = span_of(block);
        const std::string name = "the scope of a reducer";
        bool is_behind_one = false;
        for (const clang::Stmt *child : block.body()) {
            if (is_behind_one)
                find_cases(*child, name);
            const auto *declaration = dyn_cast<clang::DeclStmt>(child);
            if (declaration != nullptr && declares_reducer(*declaration)) {
                is_behind_one = true;
                regions_.push_back({{span_of(*child).end, whole.end}, name, false, whole.begin});
            }
        }
    }

    bool declares_reducer(const clang::DeclStmt &declaration) const {
        return std::any_of(declaration.decl_begin(), declaration.decl_end(), [&](auto *d) {
            const auto *variable = dyn_cast<clang::VarDecl>(d);
            const auto found = variable != nullptr && variable->hasLocalStorage()
                                   ? reducer_of(context_.source, *variable)
                                   : std::nullopt;
            return found && !found->is_pointer;
        });
    }

    span span_of(const clang::Stmt &s) const { return context_.source.of(s.getSourceRange()); }

    // Control enters `body` at its beginning, and leaves it at its end alone.
    void closed(const clang::Stmt *body, std::string name, bool loop) {
        for (const clang::Stmt *jump : jumps_out_of(context_.source, *body))
            if (!(loop && llvm::isa<clang::ContinueStmt>(jump)))
                context_.error(jump->getBeginLoc(), word_of(*jump) + " out of " + name);
        if (name != "an inlet")
            find_returns(*body, name);
        find_cases(*body, name);
        const bool is_parallel = name != "an inlet";
        regions_.push_back({span_of(*body), std::move(name), is_parallel});
    }

    static std::string word_of(const clang::Stmt &jump) {
        return llvm::isa<clang::BreakStmt>(jump)      ? "break"
               : llvm::isa<clang::ContinueStmt>(jump) ? "continue"
                                                      : "goto";
    }

    void find_returns(const clang::Stmt &s, const std::string &name) {
        if (llvm::isa<clang::ReturnStmt>(s))
            context_.error(s.getBeginLoc(), "return out of " + name);
        if (annotation_of(s).empty()) {
            for (const clang::Stmt *child : s.children())
                if (child != nullptr)
                    find_returns(*child, name);
        }
    }

    // Labels of a switch around it.
    void find_cases(const clang::Stmt &s, const std::string &name) {
        if (llvm::isa<clang::SwitchCase>(s))
            context_.error(s.getBeginLoc(), "a switch jumps into " + name);
        if (!llvm::isa<clang::SwitchStmt>(s)) {
            for (const clang::Stmt *child : s.children())
                if (child != nullptr)
                    find_cases(*child, name);
        }
    }

    void check_entry(const clang::GotoStmt &jump) {
        const unsigned from = context_.source.offset(jump.getGotoLoc());
        const unsigned to = context_.source.offset(jump.getLabel()->getLocation());
        for (const region &one : regions_) {
            const bool from_inside = one.has(from);
            const bool to_inside = one.has(to);
            const bool to_again = one.again != 0 && to >= one.again && to < one.where.begin;
            if (from_inside ? to_again : to_inside)
                context_.error(jump.getBeginLoc(), "goto into " + one.name);
        }
    }

    rule_context &context_;
    bool spawns_;
    std::vector<region> regions_;
    std::vector<const clang::GotoStmt *> gotos_;
};

} // namespace

void check_jumps(rule_context context) {
    jump_rules(context).run();
}

} // namespace saguaro::cilkc
