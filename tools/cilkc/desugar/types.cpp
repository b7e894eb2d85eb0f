// SPDX-License-Identifier: MIT
// Lifting the types that a function declares to file scope, in the text and in the tree.
#include "desugar/types.hpp"

#include "parse/declare.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/TypeLoc.h>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

class type_lifter {
public:
    type_lifter(rewriting &work, around_function &around) : work_(work), around_(around) {}

    void run(const clang::FunctionDecl &function) {
        find_declarations(*function.getBody());
        find_incomplete(function);
        if (!lifted_)
            return;
        // Now that all have their new names: types may point to types that come later.
        for (const clang::NamedDecl *type : found_)
            if (const auto *tag = dyn_cast<clang::TagDecl>(type))
                around_.before += announced(*tag);
        for (const clang::NamedDecl *type : found_)
            around_.before += declaration_of(*type);
        find_uses(*function.getBody());
    }

private:
    void find_declarations(const clang::Stmt &s) {
        if (const auto *declaration = dyn_cast<clang::DeclStmt>(&s))
            lift_from(*declaration);
        for (const clang::Stmt *child : s.children())
            if (child != nullptr)
                find_declarations(*child);
    }

    // A declaration of types alone goes; in `struct s { ... } x;` the name of the type stays.
    void lift_from(const clang::DeclStmt &declaration) {
        bool all = true;
        for (clang::Decl *d : declaration.decls()) {
            auto *tag = dyn_cast<clang::TagDecl>(d);
            auto *name = dyn_cast<clang::TypedefNameDecl>(d);
            if (tag != nullptr) {
                if (tag->isThisDeclarationADefinition())
                    lift_tag(*tag);
            } else if (name != nullptr && is_lifted(*name)) {
                new_name(*name);
                found_.push_back(name);
            } else {
                all = false;
            }
        }
        if (all)
            work_.edits.replace(work_.source.statement(declaration.getSourceRange()), ";", true);
    }

    // Types that the function declares and leaves incomplete: `struct node *first;` declares node.
    void find_incomplete(const clang::FunctionDecl &function) {
        for (clang::Decl *d : function.decls()) {
            auto *tag = dyn_cast<clang::TagDecl>(d);
            if (tag == nullptr || !tag->isFirstDecl() || tag->getDefinition() != nullptr)
                continue;
            new_name(*tag);
            found_.push_back(tag);
        }
    }

    // A name for arrays of variable length stays: its lengths are the function's.
    static bool is_lifted(const clang::TypedefNameDecl &name) {
        return !name.getUnderlyingType()->isVariablyModifiedType();
    }

    std::string new_name(clang::NamedDecl &d) {
        lifted_ = true;
        const std::string name = "_cilk_type_" + std::to_string(work_.next_number());
        rename(d, name);
        return name;
    }

    void lift_tag(clang::TagDecl &type) {
        const std::string name = new_name(type);
        type.setTypedefNameForAnonDecl(nullptr); // it has a name of its own now
        if (auto *list = dyn_cast<clang::EnumDecl>(&type))
            for (clang::EnumConstantDecl *constant : list->enumerators())
                new_name(*constant);
        found_.push_back(&type);
        work_.edits.replace(work_.source.of(type.getSourceRange()),
                            type.getKindName().str() + " " + name, true);
    }

    std::string declaration_of(const clang::NamedDecl &type) const {
        if (const auto *tag = dyn_cast<clang::TagDecl>(&type))
            return tag->isThisDeclarationADefinition() ? printed(*tag) + "; " : "";
        const auto &name = llvm::cast<clang::TypedefNameDecl>(type);
        return "typedef " +
               declared_as(work_.source.ast(), name.getUnderlyingType().getCanonicalType(),
                           name.getName().str()) +
               "; ";
    }

    void find_uses(const clang::Stmt &s) {
        if (const auto *reference = dyn_cast<clang::DeclRefExpr>(&s)) {
            use_constant(*reference);
        } else if (const auto *declaration = dyn_cast<clang::DeclStmt>(&s)) {
            for (const clang::Decl *d : declaration->decls())
                if (const auto *variable = dyn_cast<clang::DeclaratorDecl>(d))
                    use_type(variable->getTypeSourceInfo());
                else if (const auto *name = dyn_cast<clang::TypedefNameDecl>(d))
                    use_type(is_lifted(*name) ? nullptr : name->getTypeSourceInfo());
        } else if (const auto *cast = dyn_cast<clang::ExplicitCastExpr>(&s)) {
            use_type(cast->getTypeInfoAsWritten());
        } else if (const auto *size = dyn_cast<clang::UnaryExprOrTypeTraitExpr>(&s)) {
            use_type(size->isArgumentType() ? size->getArgumentTypeInfo() : nullptr);
        } else if (const auto *literal = dyn_cast<clang::CompoundLiteralExpr>(&s)) {
            use_type(literal->getTypeSourceInfo());
        }
        for (const clang::Stmt *child : s.children())
            if (child != nullptr)
                find_uses(*child);
    }

    static bool is_local(const clang::Decl &d) { return d.getParentFunctionOrMethod() != nullptr; }

    void use_constant(const clang::DeclRefExpr &reference) {
        const auto *constant = dyn_cast<clang::EnumConstantDecl>(reference.getDecl());
        if (constant != nullptr && is_local(*constant)) {
            work_.edits.replace(work_.source.of(reference.getSourceRange()),
                                constant->getName().str(), true);
        }
    }

    void use_type(const clang::TypeSourceInfo *type) {
        if (type != nullptr)
            use_type(type->getTypeLoc());
    }

    void use_type(clang::TypeLoc at) {
        for (; !at.isNull(); at = at.getNextTypeLoc()) {
            if (const auto tag = at.getAs<clang::TagTypeLoc>()) {
                if (is_local(*tag.getDecl()) && !tag.isDefinition())
                    put_name(tag.getNameLoc(), *tag.getDecl());
            } else if (const auto name = at.getAs<clang::TypedefTypeLoc>()) {
                if (is_local(*name.getTypedefNameDecl()))
                    put_name(name.getNameLoc(), *name.getTypedefNameDecl());
            } else if (const auto function = at.getAs<clang::FunctionTypeLoc>()) {
                for (const clang::ParmVarDecl *parameter : function.getParams())
                    use_type(parameter->getTypeSourceInfo());
            }
        }
    }

    void put_name(clang::SourceLocation where, const clang::NamedDecl &d) {
        work_.edits.replace(work_.source.of(clang::SourceRange(where)), d.getName().str(), true);
    }

    rewriting &work_;
    around_function &around_;
    std::vector<const clang::NamedDecl *> found_;
    bool lifted_ = false;
};

} // namespace

void lift_types(rewriting &work, const clang::FunctionDecl &function, around_function &around) {
    type_lifter(work, around).run(function);
}

} // namespace saguaro::cilkc
