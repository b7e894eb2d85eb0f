// SPDX-License-Identifier: MIT
// Finding jumps out of loops' bodies and spawned blocks.
#include "cxx/closed.hpp"

#include "cxx/workspace.hpp"
#include "parse/markers.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>

namespace saguaro::cilkc {

namespace {

class closed_statement {
public:
    closed_statement(workspace &space, const clang::Stmt &body, const std::string &name)
        : space_(space), where_(space.source.of(body.getSourceRange())), name_(name) {}

    void visit(const clang::Stmt *s, bool breaks, bool continues) {
        if (s == nullptr || annotation_of(*s) == "cilk for")
            return; // that is checked as itself
        if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(s)) {
            for (const clang::Expr *captured : lambda->capture_inits())
                visit(captured, breaks, continues);
            return;
        }
        if (llvm::isa<clang::ReturnStmt, clang::CoreturnStmt>(s))
            error(*s, "return");
        else if (llvm::isa<clang::BreakStmt>(s) && !breaks)
            error(*s, "break");
        else if (llvm::isa<clang::ContinueStmt>(s) && !continues)
            error(*s, "continue");
        else if (llvm::isa<clang::IndirectGotoStmt>(s))
            error(*s, "goto");
        else if (const auto *jump = llvm::dyn_cast<clang::GotoStmt>(s))
            check(*jump);
        const bool loops =
            llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
        const bool switches = llvm::isa<clang::SwitchStmt>(s);
        for (const clang::Stmt *child : s->children())
            visit(child, breaks || loops || switches, continues || loops);
    }

private:
    void check(const clang::GotoStmt &jump) {
        const clang::LabelStmt *label = jump.getLabel()->getStmt();
        const unsigned to =
            label == nullptr ? where_.begin : space_.source.offset(label->getBeginLoc());
        if (to < where_.begin || to >= where_.end)
            error(jump, "goto");
    }

    void error(const clang::Stmt &s, const std::string &word) {
        space_.error(space_.source.offset(s.getBeginLoc()), "'" + word + "' out of " + name_);
    }

    workspace &space_;
    const span where_;
    const std::string name_;
};

} // namespace

void check_closed(workspace &space, const clang::Stmt &body, const std::string &name,
                  bool continues) {
    closed_statement(space, body, name).visit(&body, false, continues);
}

} // namespace saguaro::cilkc
