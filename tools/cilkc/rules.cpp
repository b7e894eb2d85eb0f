// SPDX-License-Identifier: MIT
#include "rules.hpp"

#include "rules_parts.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace saguaro::cilkc {

std::string marker_at(const source_text &source, const clang::Stmt &s) {
    const auto *extension = llvm::dyn_cast<clang::UnaryOperator>(&s);
    return extension != nullptr && extension->getOpcode() == clang::UO_Extension
               ? marker_of(source, s)
               : std::string();
}

void check_rules(const source_text &source, dialect language, std::vector<problem> &problems) {
    for (const clang::Decl *declaration : source.ast().getTranslationUnitDecl()->decls()) {
        const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
        if (function != nullptr && function->doesThisDeclarationHaveABody() &&
            function->getBody() != nullptr) {
            check_spawns({source, *function, language, problems});
            check_jumps({source, *function, language, problems});
        }
    }
    check_reducers(source, problems);
}

} // namespace saguaro::cilkc
