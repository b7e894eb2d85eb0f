// SPDX-License-Identifier: MIT
// Decides where each variable of a function is in the clones.
#include "analyse/parts.hpp"
#include "parse/syntax.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

const clang::VarDecl *local_of(const clang::DeclRefExpr &name) {
    const auto *v = dyn_cast<clang::VarDecl>(name.getDecl());
    return v != nullptr && v->hasLocalStorage() ? v : nullptr;
}

// Frames and blocks have no more.
constexpr unsigned malloc_alignment = 16;

// Finds the variables that are more than read and assigned: those have an address that somebody
// may keep.
class address_finder {
public:
    explicit address_finder(procedure &p) : p_(p) {}

    void visit(const clang::Stmt *s, bool is_value) {
        if (s == nullptr)
            return;
        if (const auto *name = dyn_cast<clang::DeclRefExpr>(s)) {
            if (!is_value && local_of(*name) != nullptr)
                p_.address_taken.insert(local_of(*name));
        } else if (const auto *cast = dyn_cast<clang::CastExpr>(s)) {
            visit(cast->getSubExpr(), cast->getCastKind() == clang::CK_LValueToRValue ||
                                          cast->getCastKind() == clang::CK_ToVoid ||
                                          (is_value && cast->getCastKind() == clang::CK_NoOp));
        } else if (const auto *parentheses = dyn_cast<clang::ParenExpr>(s)) {
            visit(parentheses->getSubExpr(), is_value);
        } else if (const auto *operation = dyn_cast<clang::BinaryOperator>(s)) {
            visit(operation->getLHS(), operation->isAssignmentOp());
            visit(operation->getRHS(), false);
        } else if (const auto *unary = dyn_cast<clang::UnaryOperator>(s)) {
            visit(unary->getSubExpr(), unary->isIncrementDecrementOp() ||
                                           (is_value && unary->getOpcode() == clang::UO_Extension));
        } else if (const auto *member = dyn_cast<clang::MemberExpr>(s)) {
            visit(member->getBase(), is_value && !member->isArrow());
        } else if (const auto *literal = dyn_cast<clang::CompoundLiteralExpr>(s)) {
            if (!is_value && !literal->isFileScope() && given_to_union(*literal) == nullptr)
                p_.literals.push_back(literal);
            visit(literal->getInitializer(), false);
        } else if (!llvm::isa<clang::UnaryExprOrTypeTraitExpr>(s)) {
            for (const clang::Stmt *child : s->children())
                visit(child, false);
        }
    }

private:
    procedure &p_;
};

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

const clang::VarDecl *root_of(const clang::Expr *lvalue) {
    for (;;) {
        lvalue = lvalue->IgnoreParens();
        const auto *member = dyn_cast<clang::MemberExpr>(lvalue);
        if (member == nullptr || member->isArrow())
            break;
        lvalue = member->getBase();
    }
    const auto *name = dyn_cast<clang::DeclRefExpr>(lvalue);
    return name != nullptr ? local_of(*name) : nullptr;
}

void add_names(const clang::Stmt *s, const procedure &p, std::set<const clang::VarDecl *> &names) {
    if (s == nullptr)
        return;
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(s))
        if (const clang::VarDecl *v = local_of(*name))
            if (p.find(v) != nullptr)
                names.insert(v);
    for (const clang::Stmt *child : s->children())
        add_names(child, p, names);
}

void find_addresses(procedure &p) {
    address_finder(p).visit(p.function->getBody(), false);
}

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
        if (!crosses)
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
