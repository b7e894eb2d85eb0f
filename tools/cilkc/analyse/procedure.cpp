// SPDX-License-Identifier: MIT
#include "analyse/procedure.hpp"

#include "analyse/frame_layout.hpp"
#include "analyse/parts.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

bool has_marker(std::string_view text, std::string_view marker) {
    return text.find(marker) != text.npos;
}

// The definition, if its body was parsed.
const clang::FunctionDecl *parsed_definition(const clang::Decl *declaration) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (function == nullptr || !function->isThisDeclarationADefinition() ||
        function->hasSkippedBody() || function->getBody() == nullptr)
        return nullptr;
    return function;
}

} // namespace

bool procedure::has_block() const {
    return !literals.empty() || !at_home(home::block).empty();
}

bool procedure::has_saved_state() const {
    return has_chain || saves_errno || is_profiled || !at_home(home::frame).empty();
}

bool has_inlets(const procedure &p) {
    for (const site &s : p.sites)
        if (needs_inlet(p, s))
            return true;
    return false;
}

const site *procedure::site_at(const clang::Stmt *statement) const {
    for (const site &s : sites)
        if (s.statement == statement)
            return &s;
    return nullptr;
}

const variable *procedure::find(const clang::VarDecl *declaration) const {
    const auto found = variables.find(declaration);
    return found == variables.end() ? nullptr : &found->second;
}

std::vector<const clang::VarDecl *> procedure::in_order() const {
    std::vector<const clang::VarDecl *> all;
    for (const auto &[declaration, v] : variables)
        all.push_back(declaration);
    std::sort(all.begin(), all.end(), [](const auto *a, const auto *b) {
        return a->getLocation().getRawEncoding() < b->getLocation().getRawEncoding();
    });
    return all;
}

std::vector<const clang::VarDecl *> procedure::at_home(home at) const {
    std::vector<const clang::VarDecl *> some = in_order();
    std::erase_if(some, [&](const clang::VarDecl *v) { return find(v)->at != at; });
    return some;
}

bool has_annotation(const clang::Decl &declaration, llvm::StringRef text) {
    for (const auto *annotation : declaration.specific_attrs<clang::AnnotateAttr>())
        if (annotation->getAnnotation() == text)
            return true;
    return false;
}

bool is_procedure(const clang::FunctionDecl &function) {
    for (const clang::FunctionDecl *declaration : function.redecls())
        if (has_annotation(*declaration, "cilk procedure"))
            return true;
    return false;
}

std::string marker_of(const source_text &source, const clang::Stmt &statement) {
    const std::string_view text = source.text().substr(source.offset(statement.getBeginLoc()), 40);
    if (text.substr(0, 6) != "_Cilk_")
        return {};
    return std::string(text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_C")));
}

std::string marker_at(const source_text &source, const clang::Stmt &s) {
    const auto *extension = llvm::dyn_cast<clang::UnaryOperator>(&s);
    return extension != nullptr && extension->getOpcode() == clang::UO_Extension
               ? marker_of(source, s)
               : std::string();
}

std::vector<std::unique_ptr<procedure>> find_procedures(const source_text &source, bool is_profiled,
                                                        std::vector<problem> &problems) {
    std::vector<std::unique_ptr<procedure>> found;
    fast_clones with_clone;
    for (const clang::Decl *declaration : source.ast().getTranslationUnitDecl()->decls()) {
        const auto *any = llvm::dyn_cast<clang::FunctionDecl>(declaration);
        if (any != nullptr && is_procedure(*any))
            with_clone.insert(any->getCanonicalDecl());
        const clang::FunctionDecl *function = parsed_definition(declaration);
        if (function == nullptr)
            continue;
        const span body = source.of(function->getBody()->getSourceRange());
        const bool is_cilk = is_procedure(*function);
        if (!is_cilk &&
            !has_marker(source.text().substr(body.begin, body.end - body.begin), "_Cilk_spawn"))
            continue;
        auto p = std::make_unique<procedure>();
        p->function = function;
        p->name = function->getNameAsString();
        p->where = source.definition(*function);
        p->body = body;
        p->external = is_cilk && function->isExternallyVisible();
        p->is_profiled = is_profiled;
        with_clone.insert(function->getCanonicalDecl());
        found.push_back(std::move(p));
    }
    for (const auto &p : found) {
        if (p->function->isVariadic()) {
            const place at = source.lines().where(source.offset(p->function->getLocation()));
            problems.push_back({at.file, at.line, at.column,
                                "a function that spawns takes a fixed number of arguments"});
        }
        find_names(source, *p);
        find_addresses(*p);
        find_sites(source, with_clone, *p);
        find_homes(source, *p);
        for (const site &s : p->sites) {
            if (s.kind == site_kind::spawn && stores_by_address(*p, s) &&
                !bit_field_of(s).has_type_name) {
                const place at = source.lines().where(s.where.begin);
                problems.push_back({at.file, at.line, at.column,
                                    "the result of a spawn cannot go to a bit-field of a struct "
                                    "or union that has no name"});
            }
        }
    }
    return found;
}

} // namespace saguaro::cilkc
