// SPDX-License-Identifier: MIT
// Types of parameters that keep arguments, and what needs none.
#include "cxx/arguments.hpp"

#include "cxx/call.hpp"
#include "cxx/reducer_types.hpp"
#include "cxx/workspace.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace saguaro::cilkc {

using llvm::dyn_cast;

namespace {

// Whether an object of a class is made of the argument, by the constructor that the user wrote.
bool makes_object(const taking &how) {
    return !how.type.isNull() && how.type.getNonReferenceType()->isRecordType();
}

clang::QualType by_name(clang::QualType type) {
    return type->isReferenceType() ? type : type.getUnqualifiedType();
}

// Whether the argument becomes another object on its way, which is to be made before the spawn,
// or is a bit-field, to which nothing refers.
bool needs_type(const clang::Expr &written, const taking &how) {
    if (how.type.isNull() || how.type->isDependentType() || written.isTypeDependent())
        return false;
    if (mentions_hyperobject(how.type))
        return false;
    const clang::QualType to = how.type.getNonReferenceType();
    const clang::QualType from = written.getType();
    if (to->isBuiltinType() && how.by == taking::value)
        return true;
    if (how.by == taking::reference && written.refersToBitField())
        return true;
    if (to->isRecordType() && from->isRecordType()) {
        const clang::CXXRecordDecl *base = to->getAsCXXRecordDecl();
        const clang::CXXRecordDecl *derived = from->getAsCXXRecordDecl();
        if (base->getCanonicalDecl() == derived->getCanonicalDecl())
            return false;
        return how.by == taking::value || !derived->hasDefinition() ||
               !derived->isDerivedFrom(base);
    }
    if (to->isRecordType() || from->isRecordType())
        return true;
    return how.by == taking::reference &&
           to.getCanonicalType().getUnqualifiedType() !=
               from.getCanonicalType().getUnqualifiedType() &&
           !to->isArrayType() && !to->isFunctionType();
}

// A type that can be named from the outermost scope, whatever is declared in between: a builtin one
// or a class or enumeration of a namespace, and what refers or points to such.
std::optional<std::string> global_name(const workspace &space, clang::QualType type) {
    const auto around = [&](const char *sign) {
        const auto inner = global_name(space, type->getPointeeType());
        return inner ? std::optional(*inner + sign) : std::nullopt;
    };
    if (mentions_hyperobject(type))
        return std::nullopt;
    if (type->isLValueReferenceType())
        return around(" &");
    if (type->isRValueReferenceType())
        return around(" &&");
    std::string qualifiers = type.getCanonicalType().getQualifiers().getAsString();
    if (type->isPointerType()) {
        const auto inner = around(" *");
        return inner ? std::optional(*inner + qualifiers) : std::nullopt;
    }
    if (type->isBuiltinType())
        return type->isNullPtrType() ? std::nullopt : space.type_text(type);
    const clang::TagDecl *tag = type->getAsTagDecl();
    if (tag == nullptr || tag->getIdentifier() == nullptr ||
        llvm::isa<clang::ClassTemplateSpecializationDecl>(tag))
        return std::nullopt;
    const clang::DeclContext *scope = tag->getDeclContext()->getRedeclContext();
    // A function of its name would hide it.
    if (!scope->isFileContext() || !scope->lookup(tag->getDeclName()).isSingleResult())
        return std::nullopt;
    std::string name = tag->getNameAsString();
    for (; const auto *space_around = dyn_cast<clang::NamespaceDecl>(scope);
         scope = scope->getParent()->getRedeclContext())
        if (space_around->getIdentifier() != nullptr)
            name = space_around->getNameAsString() + "::" + name;
    return qualifiers + (qualifiers.empty() ? "::" : " ::") + name;
}

std::string passed(const std::string &name, const taking &how) {
    const bool is_scalar = how.by == taking::value && !how.type.isNull() &&
                           !how.type->isDependentType() && how.type->isScalarType();
    return is_scalar ? name : forwarded(name);
}

} // namespace

taking as_declared(clang::QualType type) {
    taking how;
    how.type = type;
    how.by = type->isReferenceType() ? taking::reference : taking::value;
    return how;
}

std::string forwarded(const std::string &name) {
    return "static_cast<decltype(" + name + ") &&>(" + name + ")";
}

bool is_constant(const clang::Expr *e) {
    e = workspace::spelled(e);
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(e)) {
        // A reference to a class's constant would ask for its definition.
        if (const auto *variable = dyn_cast<clang::VarDecl>(name->getDecl()))
            return variable->getType().isConstQualified() &&
                   variable->getType()->isIntegralOrEnumerationType() &&
                   !variable->getType()->isDependentType() && !variable->isLocalVarDecl() &&
                   variable->isUsableInConstantExpressions(variable->getASTContext());
        return llvm::isa<clang::EnumConstantDecl, clang::FunctionDecl,
                         clang::NonTypeTemplateParmDecl>(name->getDecl()) &&
               !name->getDecl()->getType()->isReferenceType();
    }
    if (const auto *sign = dyn_cast<clang::UnaryOperator>(e)) {
        return (sign->isArithmeticOp() || sign->getOpcode() == clang::UO_AddrOf) &&
               is_constant(sign->getSubExpr());
    }
    if (const auto *pair = dyn_cast<clang::BinaryOperator>(e))
        return !pair->isAssignmentOp() && is_constant(pair->getLHS()) &&
               is_constant(pair->getRHS());
    if (const auto *cast = dyn_cast<clang::ExplicitCastExpr>(e))
        return !cast->getType()->isRecordType() && !cast->isTypeDependent() &&
               is_constant(cast->getSubExpr());
    if (const auto *list = dyn_cast<clang::InitListExpr>(e)) {
        const clang::InitListExpr *shown =
            list->isSyntacticForm() || list->getSyntacticForm() == nullptr
                ? list
                : list->getSyntacticForm();
        return std::all_of(shown->begin(), shown->end(), [](const clang::Stmt *one) {
            const auto *value = dyn_cast<clang::Expr>(one);
            return value != nullptr && is_constant(value);
        });
    }
    return llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CharacterLiteral,
                     clang::StringLiteral, clang::CXXBoolLiteralExpr, clang::CXXNullPtrLiteralExpr,
                     clang::GNUNullExpr, clang::UnresolvedLookupExpr, clang::CXXThisExpr>(e) ||
           (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(e) &&
            !llvm::cast<clang::UnaryExprOrTypeTraitExpr>(e)
                 ->getTypeOfArgument()
                 ->isVariablyModifiedType());
}

bool kept_arguments::fail(const clang::Expr &e, std::string text) {
    space_.error(space_.source.offset(e.getBeginLoc()), std::move(text));
    return false;
}

std::string kept_arguments::keep(const clang::Expr &e, const std::string &type) {
    const std::string name = space_.new_name();
    keep_as(e, type + " " + name);
    return name;
}

void kept_arguments::keep_as(const clang::Expr &e, std::string parameter) {
    into_.keep(space_.source, e, std::move(parameter), rank_);
}

bool kept_arguments::argument(const clang::Expr &e, const taking &how,
                              std::vector<std::string> &to) {
    if (is_constant(&e) && !makes_object(how)) {
        to.push_back(space_.text_of(space_.source.of(e.getSourceRange())));
        return true;
    }
    if (const auto *pack = dyn_cast<clang::PackExpansionExpr>(&e)) {
        const std::string name = keep(*pack, how.by == taking::value ? "auto..." : "auto &&...");
        to.push_back(forwarded(name) + "...");
        return true;
    }
    const clang::Expr *written = workspace::spelled(&e);
    const bool is_list =
        llvm::isa<clang::InitListExpr>(written) || is_braced(space_.source.of(e.getSourceRange()));
    if (how.by == taking::value && !how.type.isNull() && !can_move(how.type)) {
        return fail(e, "an argument of type '" + how.type.getAsString() +
                           "' of a spawned call: such objects can be neither copied nor moved");
    }
    if (is_list || needs_type(*written, how)) {
        const std::string name = space_.new_name();
        const auto parameter =
            how.type.isNull() ? std::nullopt : space_.type_text(by_name(how.type), name);
        if (!parameter)
            return fail(e, "an argument of a spawned call whose parameter's type has no name: "
                           "keep it in a variable of that type before");
        keep_as(e, *parameter);
        to.push_back(passed(name, how));
        return true;
    }
    // With a parameter of a known type the call means what it means here; with `auto` it would
    // be looked up once more, where the closure is called.
    if (const auto type = known_name(how)) {
        const std::string name = keep(e, *type);
        to.push_back(passed(name, how));
        return true;
    }
    to.push_back(passed(keep(e, how.by == taking::value ? "auto" : "auto &&"), how));
    return true;
}

std::optional<std::string> kept_arguments::known_name(const taking &how) const {
    if (how.type.isNull() || how.type->isDependentType())
        return std::nullopt;
    return global_name(space_, by_name(how.type));
}

bool kept_arguments::is_braced(span where) const {
    return space_.source.text()[where.begin] == '{';
}

} // namespace saguaro::cilkc
