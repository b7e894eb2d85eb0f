// SPDX-License-Identifier: MIT
// Choosing a home for each variable: local, the result of a child, the frame or a block.
#include "analyse/homes.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// Frames and blocks have no more.
constexpr unsigned malloc_alignment = 16;

// The sizes in an array's type, or in that of what a pointer points to.
std::vector<const clang::Expr *> sizes_of(clang::QualType type) {
    std::vector<const clang::Expr *> sizes;
    if (const auto *pointer = type->getAs<clang::PointerType>())
        type = pointer->getPointeeType();
    while (const auto *array = type->getAsArrayTypeUnsafe()) {
        if (const auto *variable_array = dyn_cast<clang::VariableArrayType>(array))
            sizes.push_back(variable_array->getSizeExpr());
        type = array->getElementType();
    }
    return sizes;
}

} // namespace

void find_homes(const source_text &source, procedure &p) {
    if (std::none_of(p.sites.begin(), p.sites.end(), [](const site &s) { return s.is_left(); }))
        p.literals.clear();
    for (const inlet &in : p.inlets)
        add_names(in.body, p, p.captured);
    std::set<const clang::VarDecl *> results;
    for (const site &s : p.sites) {
        if (s.kind != site_kind::spawn)
            continue;
        if (!needs_inlet(p, s))
            results.insert(s.variable);
        else if (s.destination != nullptr && root_of(s.destination) != nullptr)
            p.captured.insert(root_of(s.destination));
        else if (s.variable != nullptr)
            p.captured.insert(s.variable);
    }
    std::set<std::string> taken{"head", "_cilk_result", "_cilk_block", "_cilk_chain",
                                "_cilk_profile"};
    for (const clang::VarDecl *declaration : p.in_order()) {
        variable &v = p.variables[declaration];
        bool crosses = false;
        for (const site &s : p.sites)
            crosses |= s.is_left() && s.where.end > v.scope.begin && s.where.begin < v.scope.end;
        // A clone is given such a parameter as a `void *`, and finds its sizes in the frame.
        const bool is_sized = v.is_parameter && declaration->getType()->isVariablyModifiedType();
        if (!crosses && !is_sized)
            continue;
        // What has constant members cannot be assigned, so neither saved nor restored.
        const auto *record = declaration->getType()->getAs<clang::RecordType>();
        const bool is_in_memory = p.address_taken.count(declaration) != 0 ||
                                  declaration->getType()->isArrayType() ||
                                  (record != nullptr && record->hasConstFields());
        const auto alignment =
            static_cast<unsigned>(source.ast().getDeclAlign(declaration).getQuantity());
        if (declaration->getType()->isVariablyModifiedType()) {
            v.at = home::frame;
            v.sizes = sizes_of(declaration->getType());
            p.has_chain |= declaration->getType()->isArrayType();
        } else if (is_in_memory || alignment > malloc_alignment) {
            v.at = home::block;
            if (alignment > malloc_alignment)
                p.block_alignment = std::max(p.block_alignment, alignment);
        } else if (p.captured.count(declaration) != 0) {
            v.at = home::frame;
        } else if (results.count(declaration) != 0) {
            v.at = home::result;
        }
        const std::string name = declaration->getNameAsString();
        v.member = name;
        for (unsigned i = 2; !taken.insert(v.member).second; ++i)
            v.member = name + "_" + std::to_string(i);
    }
}

} // namespace saguaro::cilkc
