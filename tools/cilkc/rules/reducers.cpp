// SPDX-License-Identifier: MIT
// The walk over all variables, members and types that looks for misused reducers.
#include "rules/reducers.hpp"

#include "parse/markers.hpp"
#include "parse/reducer.hpp"
#include "parse/syntax.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace saguaro::cilkc {

namespace {

class reducer_rules {
public:
    reducer_rules(const source_text &source, std::vector<problem> &problems)
        : source_(source), problems_(problems) {}

    // All declarations of a function's are its own, those in inner blocks too.
    void check(const clang::DeclContext &declarations) {
        for (const clang::Decl *d : declarations.decls()) {
            if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(d))
                check_variable(*variable);
            else if (const auto *member = llvm::dyn_cast<clang::FieldDecl>(d))
                check_member(*member);
            else if (const auto *inner = llvm::dyn_cast<clang::DeclContext>(d))
                check(*inner);
            const auto *function = llvm::dyn_cast<clang::FunctionDecl>(d);
            if (function != nullptr && names_reducer(function->getReturnType()))
                error(function->getLocation(), misplaced);
        }
    }

private:
    void check_variable(const clang::VarDecl &variable) {
        const std::optional<reducer> found = reducer_of(source_, variable);
        if (!found) {
            if (names_reducer(variable.getType()))
                error(variable.getLocation(), misplaced);
            return;
        }
        if (!found->is_pointer && llvm::isa<clang::ParmVarDecl>(variable)) {
            error(variable.getLocation(), "a parameter cannot be a reducer: it would be a copy; "
                                          "pass a pointer to the reducer");
        } else if (found->value->isArrayType() || found->value->isFunctionType() ||
                   found->value.isVolatileQualified() || found->value.isConstQualified() ||
                   found->value->isAtomicType()) {
            error(variable.getLocation(),
                  "a reducer cannot be of type '" + found->value.getAsString() + "'");
        }
        check_functions(*found->annotation);
        if (variable.isStaticLocal())
            check_static(variable, *found->annotation);
    }

    void check_member(const clang::FieldDecl &member) {
        if (has_annotation(member, "cilk reducer"))
            error(member.getLocation(), "a member of a struct cannot be a reducer");
        else if (names_reducer(member.getType()))
            error(member.getLocation(), misplaced);
    }

    // Whether a name of a reducer's type is in it. It would be taken for that of a view.
    static bool names_reducer(clang::QualType type) {
        if (const auto *name = type->getAs<clang::TypedefType>()) {
            return has_annotation(*name->getDecl(), "cilk reducer") ||
                   names_reducer(name->desugar());
        }
        if (type->isPointerType())
            return names_reducer(type->getPointeeType());
        if (const auto *function = type->getAs<clang::FunctionProtoType>()) {
            return names_reducer(function->getReturnType()) ||
                   llvm::any_of(function->param_types(), names_reducer);
        }
        const auto *array = type->getAsArrayTypeUnsafe();
        return array != nullptr && names_reducer(array->getElementType());
    }

    static constexpr const char *misplaced = "cilk_reducer qualifies a variable, or what a pointer "
                                             "points to; no member, element, result "
                                             "or function behind a pointer";

    void error(clang::SourceLocation where, std::string text) {
        problems_.push_back(problem_at(source_, where, std::move(text)));
    }

    void check_functions(const clang::AnnotateAttr &annotation) {
        if (annotation.args_size() == 2) {
            check_function(function_in(annotation, 0), 1,
                           "the identity of a reducer must be a 'void (void *view)'", annotation);
            check_function(function_in(annotation, 1), 2,
                           "the reduction of a reducer must be a 'void (void *left, void *right)'",
                           annotation);
        }
    }

    void check_function(const clang::Expr &e, unsigned parameters, const char *text,
                        const clang::AnnotateAttr &annotation) {
        clang::QualType type = e.IgnoreParenImpCasts()->getType();
        if (type->isPointerType())
            type = type->getPointeeType();
        const auto *function = type->getAs<clang::FunctionProtoType>();
        bool fits = function != nullptr && function->getReturnType()->isVoidType() &&
                    function->getNumParams() == parameters;
        for (unsigned i = 0; fits && i < parameters; i++)
            fits = function->getParamType(i)->isVoidPointerType();
        if (!fits)
            error(annotation.getLocation(), text);
    }

    // It gets its functions before main, from outside of the function that declares it.
    void check_static(const clang::VarDecl &variable, const clang::AnnotateAttr &annotation) {
        for (unsigned which = 0; which < annotation.args_size(); which++) {
            if (const clang::NamedDecl *local = local_name_in(function_in(annotation, which))) {
                error(variable.getLocation(), "the functions of a static reducer are found before "
                                              "the program begins: they cannot depend on '" +
                                                  local->getName().str() + "'");
                return;
            }
        }
    }

    // Something that a function declares and the expression names; null if there is nothing.
    static const clang::NamedDecl *local_name_in(const clang::Stmt &s) {
        const clang::NamedDecl *found = nullptr;
        contains(&s, [&](const clang::Stmt &one) {
            const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(&one);
            if (name != nullptr && name->getDecl()->getLexicalDeclContext()->isFunctionOrMethod())
                found = name->getDecl();
            return found != nullptr;
        });
        return found;
    }

    const source_text &source_;
    std::vector<problem> &problems_;
};

} // namespace

void check_reducers(const source_text &source, std::vector<problem> &problems) {
    if (source.text().find("_Cilk_reducer") != std::string_view::npos)
        reducer_rules(source, problems).check(*source.ast().getTranslationUnitDecl());
}

} // namespace saguaro::cilkc
