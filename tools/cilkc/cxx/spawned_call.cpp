// SPDX-License-Identifier: MIT
// What a spawned call keeps from before it, and whether the order of that matters.
#include "cxx/spawned_call.hpp"

#include "cxx/workspace.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// What says where something is, and so means the same whatever is evaluated before: a variable's
// name, or a lambda that only refers to variables.
bool is_place(const clang::Expr &e, const std::string &parameter) {
    const clang::Expr *spelled = workspace::spelled(&e);
    if (const auto *lambda = dyn_cast<clang::LambdaExpr>(spelled))
        return std::all_of(lambda->capture_begin(), lambda->capture_end(), [](const auto &one) {
            return one.getCaptureKind() == clang::LCK_ByRef ||
                   one.getCaptureKind() == clang::LCK_This;
        });
    const auto *name = dyn_cast<clang::DeclRefExpr>(spelled);
    return llvm::isa<clang::CXXThisExpr>(spelled) ||
           (name != nullptr && parameter.find('&') != parameter.npos);
}

} // namespace

std::string joined(const std::vector<std::string> &parts) {
    std::string out;
    for (const std::string &one : parts)
        out += (out.empty() ? "" : ", ") + one;
    return out;
}

void spawned_call::keep(const source_text &source, const clang::Expr &e, std::string parameter,
                        unsigned rank) {
    kept.push_back(source.of(e.getSourceRange()));
    before.emplace_back();
    after.emplace_back();
    ranks.push_back(rank);
    if (!is_place(e, parameter)) {
        dependent_ranks.insert(rank);
        has_effects = has_effects || e.HasSideEffects(source.ast());
    }
    parameters.push_back(std::move(parameter));
}

} // namespace saguaro::cilkc
