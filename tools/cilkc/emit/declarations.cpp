// SPDX-License-Identifier: MIT
// Declarations in clones: of variables that are in the frame or in a block, of constants that a
// slow clone must restore, and of variables that a spawn or a call initializes.
#include "analyse/frame_layout.hpp"
#include "emit/clone.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

using llvm::dyn_cast;

// Whether the declaration cannot stand in this clone as the user has written it.
bool clone_writer::must_split(const clang::DeclStmt &declaration) const {
    for (const clang::Decl *d : declaration.decls()) {
        if (p_.lifted_declarations.count(d) != 0)
            return true;
        const auto *v = dyn_cast<clang::VarDecl>(d);
        const variable *found = v != nullptr ? p_.find(v) : nullptr;
        if (found == nullptr)
            continue;
        if (access(*v) != v->getName() ||
            (v->getType().isConstQualified() && which_ == clone::slow))
            return true;
        for (const site &s : p_.sites)
            if (s.statement == &declaration && which_ != clone::serial)
                return true;
    }
    return false;
}

// The value as an assignment.
std::string clone_writer::initialize(const clang::VarDecl &v) const {
    const std::string type = declare(source_, v.getType(), "");
    std::string value = text_of(*v.getInit());
    const bool is_list = llvm::isa<clang::InitListExpr>(v.getInit());
    if (v.getType()->isArrayType()) {
        if (!is_list)
            value = "{" + value + "}";
        return "__builtin_memcpy(" + access(v) + ", (" + type + ")" + value + ", sizeof " +
               access(v) + ");";
    }
    const auto *record = v.getType()->getAs<clang::RecordType>();
    if (record != nullptr && record->hasConstFields())
        return "__builtin_memcpy(&" + access(v) + ", " +
               (is_list ? "&(" + type + ")" + value : "(" + type + "[]){" + value + "}") +
               ", sizeof " + access(v) + ");";
    if (is_list && record != nullptr)
        value = "(" + type + ")" + value;
    else if (is_list)
        value = "((" + type + ")" + value + ")";
    return access(v) + " = " + value + ";";
}

// The variable's type, with its sizes from the frame: "int (*)[_cilk_frame.n]".
std::string clone_writer::array_declarator(const clang::VarDecl &v,
                                           const std::string &inner) const {
    const variable &found = *p_.find(&v);
    clang::QualType type = v.getType();
    if (const auto *pointer = type->getAs<clang::PointerType>())
        type = pointer->getPointeeType();
    std::string text = inner;
    unsigned i = 0;
    while (const auto *array = type->getAsArrayTypeUnsafe()) {
        if (const auto *constant = dyn_cast<clang::ConstantArrayType>(array))
            text += "[" + std::to_string(constant->getSize().getZExtValue()) + "]";
        else
            text += "[" + frame("_cilk_size_" + std::to_string(i++) + "_" + found.member) + "]";
        type = array->getElementType();
    }
    return declare(source_, type, text);
}

std::string clone_writer::set_sizes(const clang::VarDecl &v) const {
    const variable &found = *p_.find(&v);
    std::string text;
    unsigned i = 0;
    for (const clang::Expr *size : found.sizes)
        text += frame("_cilk_size_" + std::to_string(i++) + "_" + found.member) + " = (size_t)(" +
                text_of(*size) + "); ";
    if (v.getType()->isArrayType())
        text += frame(found.member) + " = sg_block_add(&" + frame("_cilk_chain") + ", sizeof(" +
                array_declarator(v, "") + ")); ";
    return text;
}

// The declarators one after the other, each as this clone needs it.
std::string clone_writer::split(const clang::DeclStmt &declaration) {
    std::string text;
    for (const clang::Decl *d : declaration.decls()) {
        const auto *v = dyn_cast<clang::VarDecl>(d);
        if (p_.lifted_declarations.count(d) != 0 ||
            (v == nullptr && !llvm::isa<clang::FunctionDecl>(d)))
            continue;
        const site *at = nullptr;
        for (const site &s : p_.sites)
            if (which_ != clone::inlet && which_ != clone::serial && s.statement == &declaration &&
                s.variable == v)
                at = &s;
        if (v == nullptr || !v->hasLocalStorage()) {
            // A declaration of something elsewhere.
            text += "extern " +
                    declare(source_, llvm::cast<clang::ValueDecl>(d)->getType(),
                            llvm::cast<clang::ValueDecl>(d)->getName().str()) +
                    "; ";
            continue;
        }
        const bool is_declared = access(*v) == v->getName();
        if (is_declared && at == nullptr && v->getInit() != nullptr &&
            (which_ != clone::slow || !v->getType().isConstQualified())) {
            const char *qualifier = v->getType().isConstQualified() ? "const " : "";
            text += qualifier + declare(source_, v->getType(), v->getName().str()) + " = " +
                    text_of(*v->getInit()) + "; ";
            continue;
        }
        if (is_declared)
            text +=
                declare(source_, v->getType(), v->getName().str()) +
                (at == nullptr && v->getInit() != nullptr ? " = " + text_of(*v->getInit()) : "") +
                "; ";
        if (p_.find(v) != nullptr && !p_.find(v)->sizes.empty())
            text += set_sizes(*v);
        if (at != nullptr)
            text += site_text(*at) + " ";
        else if (!is_declared && v->getInit() != nullptr)
            text += initialize(*v) + " ";
    }
    return text.empty() ? ";" : text;
}

void clone_writer::edit_declaration(const clang::DeclStmt &declaration) {
    if (must_split(declaration))
        edits_.replace(source_.statement(declaration.getSourceRange()), split(declaration), true);
}

// `for (int i = 0; ...)` with `i` elsewhere: the declaration goes in front, both into braces.
void clone_writer::edit_for(const clang::ForStmt &loop) {
    const auto *declaration = dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
    if (declaration == nullptr || !must_split(*declaration))
        return;
    const span init = source_.statement(declaration->getSourceRange());
    const span whole = source_.statement(loop.getSourceRange());
    const std::string text = split(*declaration);
    edits_.replace(init, ";", false);
    edits_.insert(whole.begin, "{ " + text);
    edits_.insert(whole.end, " }");
}

} // namespace saguaro::cilkc
