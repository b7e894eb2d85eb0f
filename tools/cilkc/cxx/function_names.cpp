// SPDX-License-Identifier: MIT
// Replacing `__func__` by a literal.
#include "cxx/function_names.hpp"

#include "cxx/workspace.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>

#include <set>
#include <string>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

class name_writer {
public:
    name_writer(workspace &space, std::string name)
        : space_(space), literal_('"' + std::move(name) + '"') {}

    void visit(const clang::Stmt *s) {
        if (s == nullptr)
            return;
        if (const auto *lambda = dyn_cast<clang::LambdaExpr>(s)) {
            for (const clang::Expr *captured : lambda->capture_inits())
                visit(captured);
            return;
        }
        if (const auto *name = dyn_cast<clang::PredefinedExpr>(s)) {
            const span where = space_.source.of(name->getSourceRange());
            const auto text = space_.source.text().substr(where.begin, where.end - where.begin);
            // A tree has some nodes twice.
            if ((text == "__func__" || text == "__FUNCTION__") && seen_.insert(where.begin).second)
                space_.edits.put_in_place(where.begin, where.end, literal_);
            return;
        }
        for (const clang::Stmt *child : s->children())
            visit(child);
    }

private:
    workspace &space_;
    const std::string literal_;
    std::set<unsigned> seen_;
};

} // namespace

void write_function_names(workspace &space, const clang::FunctionDecl &function) {
    const auto kind = function.getDeclName().getNameKind();
    if (kind == clang::DeclarationName::Identifier ||
        kind == clang::DeclarationName::CXXOperatorName)
        name_writer(space, function.getNameAsString()).visit(function.getBody());
}

} // namespace saguaro::cilkc
