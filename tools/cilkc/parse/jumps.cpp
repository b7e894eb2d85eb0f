// SPDX-License-Identifier: MIT
// The search for jumps out of a statement.
#include "parse/jumps.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

class jump_finder {
public:
    jump_finder(const source_text &source, const clang::Stmt &statement)
        : source_(source), where_(source.of(statement.getSourceRange())) {
        visit(statement, false, false);
    }

    std::vector<const clang::Stmt *> found;

private:
    // `breaks`, `continues`: there is a statement around, within the scope, that takes them.
    void visit(const clang::Stmt &s, bool breaks, bool continues) {
        const auto *jump = llvm::dyn_cast<clang::GotoStmt>(&s);
        if ((llvm::isa<clang::BreakStmt>(s) && !breaks) ||
            (llvm::isa<clang::ContinueStmt>(s) && !continues) ||
            (jump != nullptr && leaves(*jump))) {
            found.push_back(&s);
        }
        const bool loop = llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s);
        for (const clang::Stmt *child : s.children())
            if (child != nullptr)
                visit(*child, breaks || loop || llvm::isa<clang::SwitchStmt>(s), continues || loop);
    }

    bool leaves(const clang::GotoStmt &jump) const {
        const unsigned to = source_.offset(jump.getLabel()->getLocation());
        return to < where_.begin || to >= where_.end;
    }

    const source_text &source_;
    span where_;
};

} // namespace

std::vector<const clang::Stmt *> jumps_out_of(const source_text &source,
                                              const clang::Stmt &statement) {
    return jump_finder(source, statement).found;
}

} // namespace saguaro::cilkc
