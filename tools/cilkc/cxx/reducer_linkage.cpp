// SPDX-License-Identifier: MIT
// Finding reducers with functions that other files do not see.
#include "cxx/reducer_linkage.hpp"

#include "cxx/reducer_types.hpp"
#include "cxx/workspace.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/TypeLoc.h>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// The function in the expression that only this file sees; null: there is none.
const clang::FunctionDecl *internal_in(const clang::Stmt *s) {
    if (s == nullptr)
        return nullptr;
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(s)) {
        const auto *function = dyn_cast<clang::FunctionDecl>(name->getDecl());
        return function != nullptr && !function->isExternallyVisible() ? function : nullptr;
    }
    for (const clang::Stmt *child : s->children())
        if (const clang::FunctionDecl *found = internal_in(child))
            return found;
    return nullptr;
}

// The same among the functions of the reducer that the type is, refers or points to.
const clang::FunctionDecl *internal_in(clang::TypeLoc type) {
    while (!type.isNull()) {
        if (auto attributed = type.getAs<clang::AttributedTypeLoc>())
            if (const auto *annotation = attributed.getAttrAs<clang::AnnotateTypeAttr>())
                for (const clang::Expr *one : annotation->args())
                    if (const clang::FunctionDecl *found = internal_in(one))
                        return found;
        const auto name = type.getAs<clang::TypedefTypeLoc>();
        const clang::TypeSourceInfo *named =
            name ? name.getTypedefNameDecl()->getTypeSourceInfo() : nullptr;
        type = named != nullptr ? named->getTypeLoc() : type.getNextTypeLoc();
    }
    return nullptr;
}

const clang::FunctionDecl *internal_in(const clang::DeclaratorDecl &declared) {
    const clang::TypeSourceInfo *written = declared.getTypeSourceInfo();
    return written == nullptr || !mentions_hyperobject(declared.getType())
               ? nullptr
               : internal_in(written->getTypeLoc());
}

// Whether each file that has the definition means the one variable.
bool is_defined_in_headers(const clang::VarDecl &variable) {
    const auto *around = dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
    return variable.isInline() || variable.getDescribedVarTemplate() != nullptr ||
           (variable.isStaticDataMember() && variable.getDeclContext()->isDependentContext()) ||
           (around != nullptr && variable.isStaticLocal() &&
            (around->isInlined() || around->isDependentContext()));
}

void report(workspace &space, clang::SourceLocation at, const clang::FunctionDecl &function) {
    space.error(space.source.offset(at),
                "files share this reducer, but its function '" + function.getNameAsString() +
                    "' is static or in an unnamed namespace: each file would have a reducer of its "
                    "own; declare the function 'inline' instead");
}

} // namespace

void check_linkage(workspace &space, const clang::VarDecl &variable) {
    if (!variable.hasGlobalStorage() || !variable.isExternallyVisible() || !variable.isFirstDecl())
        return;
    const bool is_elsewhere = variable.getDefinition() == nullptr && variable.isUsed();
    if (is_elsewhere || is_defined_in_headers(variable))
        if (const clang::FunctionDecl *internal = internal_in(variable))
            report(space, variable.getLocation(), *internal);
}

void check_linkage(workspace &space, const clang::FunctionDecl &function) {
    if (!function.isExternallyVisible() || function.isDefined() || !function.isUsed() ||
        !function.isFirstDecl())
        return;
    const clang::FunctionDecl *internal = nullptr;
    for (const clang::ParmVarDecl *one : function.parameters())
        if (internal == nullptr)
            internal = internal_in(*one);
    if (internal != nullptr)
        report(space, function.getLocation(), *internal);
}

} // namespace saguaro::cilkc
