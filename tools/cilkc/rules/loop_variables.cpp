// SPDX-License-Identifier: MIT
// Looking for uses of a loop's variable that would see the loop's last value.
#include "rules/loop_variables.hpp"

#include "parse/syntax.hpp"
#include "parse/tree_walker.hpp"

#include <clang/AST/ASTContext.h>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// Whether control may come into the statement elsewhere than at its beginning.
bool has_entry(const clang::Stmt *s) {
    if (s == nullptr || llvm::isa<clang::SwitchStmt>(s))
        return s != nullptr && contains_a<clang::LabelStmt>(s);
    if (llvm::isa<clang::LabelStmt, clang::SwitchCase>(s))
        return true;
    for (const clang::Stmt *child : s->children())
        if (has_entry(child))
            return true;
    return false;
}

class use_checker : public tree_walker {
public:
    use_checker(const clang::ForStmt &loop, const clang::VarDecl &variable)
        : loop_(loop), variable_(variable) {}

    // A loop that assigns the variable first: what stands in it sees no earlier value.
    bool walk_loop(clang::ForStmt *loop) override {
        const clang::Expr *first = assigned(loop->getInit());
        if (first == nullptr || has_entry(loop->getBody()))
            return loop != &loop_ && walk_inside(loop);
        // What is around the loop would see the value.
        if (loop == &loop_ && depth_ != 0)
            return false;
        if (!walk(first))
            return false;
        ++depth_;
        const bool is_good = walk(loop->getCond()) && walk(loop->getInc()) && walk(loop->getBody());
        --depth_;
        return is_good;
    }

    bool visit_name(clang::DeclRefExpr *name) override {
        return name->getDecl() != &variable_ || depth_ != 0;
    }

    bool visit_unary(clang::UnaryOperator *operation) override {
        const auto *name = dyn_cast<clang::DeclRefExpr>(operation->getSubExpr()->IgnoreParens());
        return operation->getOpcode() != clang::UO_AddrOf || name == nullptr ||
               name->getDecl() != &variable_;
    }

private:
    // What the statement, which may be null, assigns to the variable, if it does nothing else.
    const clang::Expr *assigned(const clang::Stmt *init) const {
        const auto *assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(init);
        if (assignment == nullptr || assignment->getOpcode() != clang::BO_Assign)
            return nullptr;
        const auto *name = dyn_cast<clang::DeclRefExpr>(peel(assignment->getLHS()));
        return name != nullptr && name->getDecl() == &variable_ ? assignment->getRHS() : nullptr;
    }

    const clang::ForStmt &loop_;
    const clang::VarDecl &variable_;
    unsigned depth_ = 0; // of loops that assign the variable first
};

} // namespace

bool may_own_variable(const clang::FunctionDecl &function, const clang::ForStmt &loop,
                      const clang::VarDecl &variable) {
    return variable.hasLocalStorage() && !variable.getType()->isVariablyModifiedType() &&
           use_checker(loop, variable).walk(function.getBody());
}

} // namespace saguaro::cilkc
