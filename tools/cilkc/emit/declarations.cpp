// SPDX-License-Identifier: MIT
// Splitting declarations in clones into storage elsewhere and an assignment here.
#include "emit/declarations.hpp"

#include "emit/sites.hpp"
#include "parse/declare.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

class declaration_editor {
public:
    explicit declaration_editor(clone_text &text) : clone_(text) {}

    void edit(const clang::DeclStmt &declaration) {
        if (must_split(declaration))
            clone_.edits.replace(clone_.source.statement(declaration.getSourceRange()),
                                 split(declaration), true);
    }

    // `for (int i = 0; ...)` with `i` elsewhere: the declaration goes in front, both into braces.
    void edit_header(const clang::ForStmt &loop) {
        const auto *declaration = dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
        if (declaration == nullptr || !must_split(*declaration))
            return;
        const span init = clone_.source.statement(declaration->getSourceRange());
        const span whole = clone_.source.statement(loop.getSourceRange());
        const std::string text = split(*declaration);
        clone_.edits.replace(init, ";", false);
        clone_.edits.insert(whole.begin, "{ " + text);
        clone_.edits.insert(whole.end, " }");
    }

private:
    // Whether the declaration cannot stand in this clone as the user has written it.
    bool must_split(const clang::DeclStmt &declaration) const {
        for (const clang::Decl *d : declaration.decls()) {
            if (clone_.p.lifted_declarations.count(d) != 0)
                return true;
            const auto *v = dyn_cast<clang::VarDecl>(d);
            const variable *found = v != nullptr ? clone_.p.find(v) : nullptr;
            if (found == nullptr)
                continue;
            if (clone_.access(*v) != v->getName() ||
                (v->getType().isConstQualified() && clone_.which == clone::slow))
                return true;
            for (const site &s : clone_.p.sites)
                if (s.statement == &declaration && clone_.which != clone::serial)
                    return true;
        }
        return false;
    }

    // The value as an assignment.
    std::string initialize(const clang::VarDecl &v) const {
        const std::string type = declare(clone_.source, v.getType(), "");
        std::string value = clone_.text_of(*v.getInit());
        const bool is_list = llvm::isa<clang::InitListExpr>(v.getInit());
        if (v.getType()->isArrayType()) {
            if (!is_list)
                value = "{" + value + "}";
            return "__builtin_memcpy(" + clone_.access(v) + ", (" + type + ")" + value +
                   ", sizeof " + clone_.access(v) + ");";
        }
        const auto *record = v.getType()->getAs<clang::RecordType>();
        if (record != nullptr && record->hasConstFields())
            return "__builtin_memcpy(&" + clone_.access(v) + ", " +
                   (is_list ? "&(" + type + ")" + value : "(" + type + "[]){" + value + "}") +
                   ", sizeof " + clone_.access(v) + ");";
        if (is_list && record != nullptr)
            value = "(" + type + ")" + value;
        else if (is_list)
            value = "((" + type + ")" + value + ")";
        return clone_.access(v) + " = " + value + ";";
    }

    // `[[maybe_unused]]`, as the user has it: else compilers warn of what the user has said is
    // right.
    static std::string unused(const clang::VarDecl &v) {
        return v.hasAttr<clang::UnusedAttr>() ? " __attribute__((unused))" : "";
    }

    // The declarators one after the other, each as this clone needs it.
    std::string split(const clang::DeclStmt &declaration) {
        std::string text;
        for (const clang::Decl *d : declaration.decls()) {
            const auto *v = dyn_cast<clang::VarDecl>(d);
            if (clone_.p.lifted_declarations.count(d) != 0 ||
                (v == nullptr && !llvm::isa<clang::FunctionDecl>(d)))
                continue;
            const site *at = nullptr;
            for (const site &s : clone_.p.sites)
                if (clone_.which != clone::inlet && clone_.which != clone::serial &&
                    s.statement == &declaration && s.variable == v)
                    at = &s;
            if (v == nullptr || !v->hasLocalStorage()) {
                // A declaration of something elsewhere.
                text += "extern " +
                        declare(clone_.source, llvm::cast<clang::ValueDecl>(d)->getType(),
                                llvm::cast<clang::ValueDecl>(d)->getName().str()) +
                        "; ";
                continue;
            }
            const bool is_declared = clone_.access(*v) == v->getName();
            const std::string name = v->getName().str() + unused(*v);
            if (is_declared && at == nullptr && v->getInit() != nullptr &&
                (clone_.which != clone::slow || !v->getType().isConstQualified())) {
                const char *qualifier = v->getType().isConstQualified() ? "const " : "";
                text += qualifier + declare(clone_.source, v->getType(), name) + " = " +
                        clone_.text_of(*v->getInit()) + "; ";
                continue;
            }
            if (is_declared)
                text += declare(clone_.source, v->getType(), name) +
                        (at == nullptr && v->getInit() != nullptr
                             ? " = " + clone_.text_of(*v->getInit())
                             : "") +
                        "; ";
            if (clone_.p.find(v) != nullptr && !clone_.p.find(v)->sizes.empty())
                text += clone_.set_sizes(*v);
            if (at != nullptr)
                text += site_text(clone_, *at) + " ";
            else if (!is_declared && v->getInit() != nullptr)
                text += initialize(*v) + " ";
        }
        return text.empty() ? ";" : text;
    }

    clone_text &clone_;
};

} // namespace

void edit_declaration(clone_text &text, const clang::DeclStmt &declaration) {
    declaration_editor(text).edit(declaration);
}

void edit_for(clone_text &text, const clang::ForStmt &loop) {
    declaration_editor(text).edit_header(loop);
}

} // namespace saguaro::cilkc
