// SPDX-License-Identifier: MIT
// A function calls itself again as a worker, or its body becomes a lambda that a worker calls.
#include "cxx/entry.hpp"

#include "cxx/call.hpp"
#include "cxx/workspace.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <optional>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// The parameters as the function hands them to itself. Nothing: one has no name.
std::optional<std::string> own_arguments(const clang::FunctionDecl &function) {
    std::string out;
    for (const clang::ParmVarDecl *parameter : function.parameters()) {
        const std::string name = parameter->getNameAsString();
        if (name.empty() || name == function.getNameAsString())
            return std::nullopt;
        // It could not be moved on.
        const clang::QualType type = parameter->getType();
        if (!can_move(type) || (type.isConstQualified() && !type->isScalarType()))
            return std::nullopt;
        out += (out.empty() ? "static_cast<decltype(" : ", static_cast<decltype(") + name +
               ") &&>(" + name + ")" + (parameter->isParameterPack() ? "..." : "");
    }
    return out;
}

// `<T, n, Ts...>`, for a function template. Nothing: one has no name.
std::optional<std::string> own_template_arguments(const clang::FunctionDecl &function) {
    const clang::FunctionTemplateDecl *pattern = function.getDescribedFunctionTemplate();
    if (pattern == nullptr)
        return std::string();
    std::string out;
    for (const clang::NamedDecl *one : *pattern->getTemplateParameters()) {
        if (one->getNameAsString().empty() || one->isImplicit())
            return std::nullopt;
        out += (out.empty() ? "<" : ", ") + one->getNameAsString() +
               (one->isTemplateParameterPack() ? "..." : "");
    }
    return out + ">";
}

// Whether a call of the one by its own parameters may mean the other: they differ only in how they
// take them, or Clang cannot tell.
bool may_be_taken_for(const clang::FunctionDecl &one, const clang::FunctionDecl &other) {
    if (one.getDescribedFunctionTemplate() != nullptr)
        return true;
    if (other.getDescribedFunctionTemplate() != nullptr)
        return false;
    if (other.getMinRequiredArguments() > one.getNumParams())
        return false;
    for (unsigned i = 0; i < std::min(one.getNumParams(), other.getNumParams()); ++i) {
        const auto type = [i](const clang::FunctionDecl &f) {
            return f.getParamDecl(i)->getType().getNonReferenceType().getCanonicalType();
        };
        const clang::QualType a = type(one);
        const clang::QualType b = type(other);
        if (!a->isDependentType() && !b->isDependentType() &&
            a.getUnqualifiedType() != b.getUnqualifiedType())
            return false;
    }
    return true;
}

// Whether its name and its parameters do not say which function it is.
bool is_ambiguous(const clang::FunctionDecl &function) {
    const clang::DeclContext *scope = function.getDeclContext()->getRedeclContext();
    for (const clang::NamedDecl *found : scope->lookup(function.getDeclName())) {
        const clang::NamedDecl *one = found->getUnderlyingDecl();
        if (llvm::isa<clang::UnresolvedUsingValueDecl>(one))
            return true;
        if (const auto *pattern = dyn_cast<clang::FunctionTemplateDecl>(one))
            one = pattern->getTemplatedDecl();
        const auto *other = dyn_cast<clang::FunctionDecl>(one);
        if (other != nullptr && other->getCanonicalDecl() != function.getCanonicalDecl() &&
            may_be_taken_for(function, *other))
            return true;
    }
    return false;
}

// The function's name as it can call itself by. In parentheses no function of another namespace is
// found by the arguments' types.
std::optional<std::string> own_name(const clang::FunctionDecl &function) {
    const auto arguments = own_template_arguments(function);
    if (!arguments || function.isTemplateInstantiation() ||
        function.getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization ||
        function.getFriendObjectKind() != clang::Decl::FOK_None ||
        llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl, clang::CXXConversionDecl>(
            function) ||
        is_ambiguous(function)) {
        return std::nullopt;
    }
    const std::string name = function.getNameAsString() + *arguments;
    const auto *method = dyn_cast<clang::CXXMethodDecl>(&function);
    if (method == nullptr)
        return "(" + name + ")";
    if (method->isStatic())
        return arguments->empty() ? std::optional(name) : std::nullopt;
    if (method->getRefQualifier() != clang::RQ_None || !arguments->empty())
        return std::nullopt;
    // Named with its class, it is no virtual call. A class that depends on a template's parameters
    // may be derived from one that declares the method as virtual.
    const std::string of = method->getParent()->getNameAsString();
    return of.empty() ? std::nullopt : std::optional("this->" + of + "::" + name);
}

bool is_deduced(clang::QualType type) {
    return type->getContainedDeducedType() != nullptr;
}

// `const auto &` and the like. Nothing: it has parts that cannot be written.
std::optional<std::string> deduced_text(clang::QualType type) {
    const std::string constant = type.isConstQualified() ? "const " : "";
    if (const auto *deduced = dyn_cast<clang::AutoType>(type.getTypePtr()))
        return constant + (deduced->isDecltypeAuto() ? "decltype(auto)" : "auto");
    const char *sign = type->isLValueReferenceType()   ? " &"
                       : type->isRValueReferenceType() ? " &&"
                       : type->isPointerType()         ? " *"
                                                       : nullptr;
    if (sign == nullptr)
        return std::nullopt;
    const auto inner = deduced_text(type->getPointeeType());
    return inner ? std::optional(*inner + sign + (constant.empty() ? "" : " const")) : std::nullopt;
}

entry_text around(workspace &space, const clang::FunctionDecl &function, bool has_result_type) {
    const bool returns = !llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(function);
    const bool is_main = function.isMain();
    const clang::QualType type = function.getReturnType();
    std::string result;
    if (returns && has_result_type) {
        if (const auto text = is_deduced(type) ? deduced_text(type) : space.type_text(type))
            result = " -> " + *text;
    }
    return {std::string(returns ? " return" : " ") + " ::saguaro::cilk::enter_or_call([&]()" +
                result + " {",
            is_main ? " return 0; });" : "});"};
}

} // namespace

entry_text entry_of(workspace &space, const clang::FunctionDecl &function) {
    // Only the caller's own worker can read the arguments, or make what cannot be moved.
    if (function.isVariadic() || !can_move(function.getReturnType()))
        return {};
    if (!function.isMain() && !is_deduced(function.getReturnType())) {
        const auto name = own_name(function);
        const auto arguments = own_arguments(function);
        if (name && arguments)
            return {" if (::saguaro::cilk::is_outside()) return ::saguaro::cilk::enter([&]() -> "
                    "decltype(auto) { return " +
                        *name + "(" + *arguments + "); });",
                    ""};
    }
    return around(space, function, true);
}

entry_text entry_of_lambda(workspace &space, const clang::FunctionDecl &call,
                           bool has_result_type) {
    return can_move(call.getReturnType()) ? around(space, call, has_result_type) : entry_text();
}

} // namespace saguaro::cilkc
