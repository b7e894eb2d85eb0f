// SPDX-License-Identifier: MIT
// Printing types and declarators as C that any compiler takes.
#include "parse/declare.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace saguaro::cilkc {

namespace {

// How text is made of types: not all compilers that take C23 know `bool`.
clang::PrintingPolicy policy_of(const clang::ASTContext &ast) {
    clang::PrintingPolicy policy(ast.getLangOpts());
    policy.Bool = false;
    return policy;
}

// Whether the type, as written, has a name in it that only its function knows.
bool has_local_name(clang::QualType type) {
    const clang::Type *t = type.getTypePtr();
    if (const auto *name = llvm::dyn_cast<clang::TypedefType>(t))
        return name->getDecl()->getParentFunctionOrMethod() != nullptr;
    if (const auto *named = llvm::dyn_cast<clang::ElaboratedType>(t))
        return has_local_name(named->getNamedType());
    if (const auto *inner = llvm::dyn_cast<clang::ParenType>(t))
        return has_local_name(inner->getInnerType());
    if (const auto *adjusted = llvm::dyn_cast<clang::AdjustedType>(t))
        return has_local_name(adjusted->getOriginalType());
    if (const auto *pointer = llvm::dyn_cast<clang::PointerType>(t))
        return has_local_name(pointer->getPointeeType());
    if (const auto *array = llvm::dyn_cast<clang::ArrayType>(t))
        return has_local_name(array->getElementType());
    if (const auto *function = llvm::dyn_cast<clang::FunctionProtoType>(t)) {
        return has_local_name(function->getReturnType()) ||
               llvm::any_of(function->param_types(), has_local_name);
    }
    return llvm::isa<clang::TypeOfExprType, clang::TypeOfType>(t);
}

// The type that a typeof stands for: the names in it mean something else, or nothing, elsewhere.
clang::QualType without_typeof(const clang::ASTContext &ast, clang::QualType type) {
    const clang::Type *t = type.getTypePtr();
    clang::QualType plain(t, 0);
    if (llvm::isa<clang::TypeOfExprType, clang::TypeOfType>(t))
        plain = without_typeof(ast, plain.getSingleStepDesugaredType(ast));
    else if (const auto *parentheses = llvm::dyn_cast<clang::ParenType>(t))
        plain = without_typeof(ast, parentheses->getInnerType());
    else if (const auto *pointer = llvm::dyn_cast<clang::PointerType>(t))
        plain = ast.getPointerType(without_typeof(ast, pointer->getPointeeType()));
    else if (const auto *array = llvm::dyn_cast<clang::ConstantArrayType>(t))
        plain =
            ast.getConstantArrayType(without_typeof(ast, array->getElementType()), array->getSize(),
                                     nullptr, clang::ArraySizeModifier::Normal, 0);
    return ast.getQualifiedType(plain, type.getLocalQualifiers());
}

} // namespace

std::string printed(const clang::Decl &declaration) {
    clang::PrintingPolicy policy = policy_of(declaration.getASTContext());
    policy.PolishForDeclaration = true;
    std::string text;
    llvm::raw_string_ostream out(text);
    declaration.print(out, policy);
    return out.str();
}

std::string announced(const clang::TagDecl &type) {
    const bool is_alone = type.isThisDeclarationADefinition() && type.isFirstDecl();
    return is_alone ? "" : type.getKindName().str() + " " + type.getName().str() + "; ";
}

void rename(clang::NamedDecl &declaration, const std::string &name) {
    const clang::DeclarationName new_name(&declaration.getASTContext().Idents.get(name));
    if (auto *type = llvm::dyn_cast<clang::TagDecl>(&declaration))
        for (clang::TagDecl *one : type->redecls())
            one->setDeclName(new_name);
    declaration.setDeclName(new_name);
}

std::string declare(const source_text &source, clang::QualType type, const std::string &name) {
    if (const auto *adjusted = type->getAs<clang::AdjustedType>())
        type = adjusted->getAdjustedType();
    // What a pointer to arrays of variable size points to has no name outside of its function.
    if (type->isPointerType() && type->isVariablyModifiedType())
        type = source.ast().VoidPtrTy;
    clang::Qualifiers none;
    type = source.ast().getUnqualifiedArrayType(without_typeof(source.ast(), type), none);
    std::string text;
    llvm::raw_string_ostream out(text);
    type.print(out, policy_of(source.ast()), name);
    return out.str();
}

std::string declared_as(const clang::ASTContext &ast, clang::QualType type,
                        const std::string &name) {
    std::string text;
    llvm::raw_string_ostream out(text);
    (has_local_name(type) ? type.getCanonicalType() : type).print(out, policy_of(ast), name);
    return text;
}

} // namespace saguaro::cilkc
