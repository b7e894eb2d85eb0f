// SPDX-License-Identifier: MIT
// Applying all rules to each function of a text.
#include "rules/rules.hpp"

#include "rules/jumps.hpp"
#include "rules/reducers.hpp"
#include "rules/spawns.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace saguaro::cilkc {

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
