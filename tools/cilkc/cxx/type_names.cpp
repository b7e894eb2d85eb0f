// SPDX-License-Identifier: MIT
// Types whose names begin at the outermost scope, and private ones.
#include "cxx/type_names.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/NestedNameSpecifier.h>

#include <algorithm>
#include <vector>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

class type_namer {
public:
    explicit type_namer(const clang::ASTContext &ast) : ast_(ast) {}

    clang::QualType named(clang::QualType type) const {
        type = type.getCanonicalType();
        return ast_.getQualifiedType(unqualified(*type), type.getQualifiers());
    }

private:
    clang::QualType unqualified(const clang::Type &type) const {
        if (const auto *to = dyn_cast<clang::PointerType>(&type))
            return ast_.getPointerType(named(to->getPointeeType()));
        if (const auto *to = dyn_cast<clang::LValueReferenceType>(&type))
            return ast_.getLValueReferenceType(named(to->getPointeeType()));
        if (const auto *to = dyn_cast<clang::RValueReferenceType>(&type))
            return ast_.getRValueReferenceType(named(to->getPointeeType()));
        if (const auto *to = dyn_cast<clang::MemberPointerType>(&type))
            return ast_.getMemberPointerType(
                named(to->getPointeeType()),
                named(clang::QualType(to->getClass(), 0)).getTypePtr());
        if (const auto *array = dyn_cast<clang::ConstantArrayType>(&type))
            return ast_.getConstantArrayType(named(array->getElementType()), array->getSize(),
                                             array->getSizeExpr(), array->getSizeModifier(),
                                             array->getIndexTypeCVRQualifiers());
        if (const auto *function = dyn_cast<clang::FunctionProtoType>(&type)) {
            std::vector<clang::QualType> parameters;
            for (const clang::QualType one : function->param_types())
                parameters.push_back(named(one));
            return ast_.getFunctionType(named(function->getReturnType()), parameters,
                                        function->getExtProtoInfo());
        }
        const auto *tag = dyn_cast<clang::TagType>(&type);
        return tag == nullptr ? clang::QualType(&type, 0) : of_tag(*tag);
    }

    clang::QualType of_tag(const clang::TagType &type) const {
        const clang::TagDecl &tag = *type.getDecl();
        const auto *record = dyn_cast<clang::CXXRecordDecl>(&tag);
        if (tag.getIdentifier() == nullptr || (record != nullptr && record->isLambda()))
            return {&type, 0};
        const auto keyword =
            hidden(tag) ? clang::TypeWithKeyword::getKeywordForTagTypeKind(tag.getTagKind())
                        : clang::ElaboratedTypeKeyword::None;
        return ast_.getElaboratedType(keyword, scope_of(tag), with_arguments(type));
    }

    clang::QualType with_arguments(const clang::TagType &type) const {
        const clang::QualType plain(&type, 0);
        const auto *made = dyn_cast<clang::ClassTemplateSpecializationDecl>(type.getDecl());
        if (made == nullptr)
            return plain;
        std::vector<clang::TemplateArgument> arguments;
        for (const clang::TemplateArgument &one : made->getTemplateArgs().asArray())
            add_argument(one, arguments);
        return ast_.getTemplateSpecializationType(
            clang::TemplateName(made->getSpecializedTemplate()), arguments, plain);
    }

    void add_argument(const clang::TemplateArgument &one,
                      std::vector<clang::TemplateArgument> &to) const {
        if (one.getKind() == clang::TemplateArgument::Pack)
            for (const clang::TemplateArgument &part : one.pack_elements())
                add_argument(part, to);
        else if (one.getKind() == clang::TemplateArgument::Type)
            to.emplace_back(named(one.getAsType()));
        else
            to.push_back(one);
    }

    // Null: only a function has the name.
    clang::NestedNameSpecifier *scope_of(const clang::Decl &one) const {
        return around(*one.getDeclContext()->getRedeclContext());
    }

    clang::NestedNameSpecifier *around(const clang::DeclContext &scope) const {
        if (scope.isTranslationUnit())
            return clang::NestedNameSpecifier::GlobalSpecifier(ast_);
        if (const auto *space = dyn_cast<clang::NamespaceDecl>(&scope))
            return space->isAnonymousNamespace()
                       ? scope_of(*space)
                       : clang::NestedNameSpecifier::Create(ast_, scope_of(*space), space);
        const auto *tag = dyn_cast<clang::TagDecl>(&scope);
        if (tag == nullptr)
            return nullptr;
        const auto &type = *llvm::cast<clang::TagType>(ast_.getTagDeclType(tag).getCanonicalType());
        return clang::NestedNameSpecifier::Create(ast_, scope_of(*tag), false,
                                                  with_arguments(type).getTypePtr());
    }

    static bool hidden(const clang::TagDecl &tag) {
        const clang::DeclContext &scope = *tag.getDeclContext()->getRedeclContext();
        if (!scope.isFileContext() && !scope.isRecord())
            return false;
        const auto found = scope.lookup(tag.getDeclName());
        return std::any_of(found.begin(), found.end(), [](const clang::NamedDecl *one) {
            return llvm::isa<clang::ValueDecl, clang::FunctionTemplateDecl>(
                one->getUnderlyingDecl());
        });
    }

    const clang::ASTContext &ast_;
};

} // namespace

clang::QualType named_from_outermost(const clang::ASTContext &ast, clang::QualType type) {
    return type_namer(ast).named(type);
}

bool is_hidden_in(const clang::DeclContext &scope, clang::QualType type) {
    type = type.getNonReferenceType();
    while (!type->getPointeeType().isNull())
        type = type->getPointeeType();
    const clang::TagDecl *tag = type->getAsTagDecl();
    for (const clang::Decl *one = tag; one != nullptr && one->getDeclContext()->isRecord();
         one = llvm::cast<clang::Decl>(one->getDeclContext())) {
        const bool is_private =
            one->getAccess() == clang::AS_private || one->getAccess() == clang::AS_protected;
        if (is_private && !one->getDeclContext()->Encloses(&scope))
            return true;
    }
    const auto *made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(tag);
    if (made == nullptr)
        return false;
    const auto arguments = made->getTemplateArgs().asArray();
    return std::any_of(arguments.begin(), arguments.end(), [&](const clang::TemplateArgument &one) {
        return one.getKind() == clang::TemplateArgument::Type &&
               is_hidden_in(scope, one.getAsType());
    });
}

} // namespace saguaro::cilkc
