// SPDX-License-Identifier: MIT
// The names of a function's own: where they stand, and which of them must change.
//
// The text of a function appears in two clones, and parts of it (types of variables, for one) at
// file scope. So types and statics of its own are lifted to file scope under new names, and a
// variable that hides another gets a name of its own, for both may have to be saved in one place.
// The declarations in the tree are renamed: what prints a type prints the new name.
#include "analyse/names.hpp"

#include "parse/block_declarations.hpp"
#include "parse/declare.hpp"
#include "parse/syntax.hpp"
#include "parse/tree_walker.hpp"

#include <clang/AST/ASTContext.h>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

class name_finder : public tree_walker {
public:
    name_finder(const source_text &source, procedure &p) : source_(source), p_(p) {}

    bool visit_name(clang::DeclRefExpr *e) override {
        if (e->getDecl()->getParentFunctionOrMethod() != nullptr)
            add(e->getLocation(), e->getDecl());
        return true;
    }

    bool visit_variable(clang::VarDecl *v) override {
        if (v->getParentFunctionOrMethod() != nullptr && !v->getName().empty())
            add(v->getLocation(), v);
        return true;
    }

    bool visit_tag(clang::TagTypeLoc type) override {
        if (type.getDecl()->getParentFunctionOrMethod() != nullptr &&
            !type.getDecl()->getName().empty())
            add(type.getNameLoc(), type.getDecl());
        return true;
    }

    bool visit_typedef(clang::TypedefTypeLoc type) override {
        if (type.getTypedefNameDecl()->getParentFunctionOrMethod() != nullptr)
            add(type.getNameLoc(), type.getTypedefNameDecl());
        return true;
    }

    bool visit_call(clang::CallExpr *call) override {
        const clang::FunctionDecl *callee = call->getDirectCallee();
        p_.has_chain |= callee != nullptr && is_alloca(*callee);
        p_.saves_errno |= callee != nullptr && callee->getName() == "__errno_location";
        return true;
    }

private:
    void add(clang::SourceLocation location, const clang::NamedDecl *what) {
        const unsigned at = source_.offset(location);
        p_.uses.push_back({{at, at + static_cast<unsigned>(what->getName().size())}, what});
    }

    const source_text &source_;
    procedure &p_;
};

class name_changer {
public:
    name_changer(const source_text &source, procedure &p) : source_(source), p_(p) {}

    void run() {
        for (const clang::ParmVarDecl *parameter : p_.function->parameters())
            visible_.emplace(parameter->getName().str(), 0);
        visit(p_.function->getBody());
        for (const clang::NamedDecl *d : lifted_)
            if (const auto *type = dyn_cast<clang::TagDecl>(d))
                p_.lifted.push_back(announced(*type));
        for (const clang::NamedDecl *d : lifted_)
            lifted_text(*d);
    }

private:
    void visit(const clang::Stmt *s) {
        if (s == nullptr)
            return;
        if (const auto *declaration = dyn_cast<clang::DeclStmt>(s))
            for (clang::Decl *d : declaration->decls())
                change(d);
        const auto before = visible_;
        for (const clang::Stmt *child : s->children())
            visit(child);
        if (llvm::isa<clang::CompoundStmt, clang::ForStmt>(s))
            visible_ = before;
    }

    void change(clang::Decl *d) {
        if (auto *v = dyn_cast<clang::VarDecl>(d)) {
            // A table of labels belongs to one function: each clone has its own.
            if (v->isStaticLocal() && !contains_a<clang::AddrLabelExpr>(v->getInit()))
                lift(*v);
            else if (v->hasLocalStorage() &&
                     (!visible_.emplace(v->getName().str(), 0).second || hides_type(*v)))
                rename(*v, "_cilk_" + v->getName().str() + "_" + std::to_string(++count_));
        } else if (auto *type = dyn_cast<clang::TagDecl>(d)) {
            lift_type(*type);
        } else if (auto *name = dyn_cast<clang::TypedefNameDecl>(d)) {
            if (!name->getUnderlyingType()->isVariablyModifiedType())
                lift(*name);
        }
    }

    // What is put in beside the variable may need the type's name.
    bool hides_type(const clang::VarDecl &v) const {
        for (const clang::NamedDecl *d :
             source_.ast().getTranslationUnitDecl()->lookup(v.getDeclName()))
            if (llvm::isa<clang::TypedefNameDecl>(d))
                return true;
        return false;
    }

    void lift(clang::NamedDecl &d) {
        const std::string name = d.getName().str();
        rename(d, "_cilk_" + p_.name + "_" + (name.empty() ? "type" : name) + "_" +
                      std::to_string(++count_));
        lifted_.push_back(&d);
        p_.lifted_declarations.insert(&d);
    }

    void lifted_text(const clang::NamedDecl &d) {
        const auto *v = dyn_cast<clang::VarDecl>(&d);
        const clang::Expr *value = v != nullptr ? v->getInit() : nullptr;
        p_.lifted.push_back(
            (value != nullptr ? declare_again(declared_around(source_, *value)) : "") + printed(d) +
            ";");
    }

    void lift_type(clang::TagDecl &type) {
        if (auto *list = dyn_cast<clang::EnumDecl>(&type))
            for (clang::EnumConstantDecl *constant : list->enumerators())
                rename(*constant, "_cilk_" + p_.name + "_" + constant->getName().str() + "_" +
                                      std::to_string(++count_));
        lift(type);
    }

    const source_text &source_;
    procedure &p_;
    std::map<std::string, int> visible_;
    std::vector<const clang::NamedDecl *> lifted_;
    unsigned count_ = 0;
};

} // namespace

bool is_alloca(const clang::FunctionDecl &function) {
    const llvm::StringRef name = function.getName();
    return name == "alloca" || name == "__builtin_alloca" || name == "Cilk_alloca";
}

void find_names(const source_text &source, procedure &p) {
    name_finder(source, p).walk(p.function->getBody());
    name_changer(source, p).run();
}

} // namespace saguaro::cilkc
