// SPDX-License-Identifier: MIT
// Finding the procedures of a text, and which of them turn out to be serial.
#include "analyse/analyse.hpp"

#include "analyse/addresses.hpp"
#include "analyse/frame_layout.hpp"
#include "analyse/homes.hpp"
#include "analyse/names.hpp"
#include "analyse/sites.hpp"
#include "parse/markers.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

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

using procedures = std::vector<std::unique_ptr<procedure>>;

// Finds the serial functions: those that have no spawn left and call no function that has one.
// Their syncs mean nothing. A serial function has one clone, the fast one, which measures nothing.
void find_serial(const procedures &found) {
    std::set<const clang::FunctionDecl *> serial;
    // Others' files may call the fast clone of a procedure of MIT Cilk's, and know nothing of it.
    for (const auto &p : found)
        if (!is_procedure(*p->function))
            serial.insert(p->function->getCanonicalDecl());
    const auto leaves_it = [&](const site &s) {
        return s.kind == site_kind::spawn || (s.callee != nullptr && serial.count(s.callee) == 0);
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto &p : found)
            if (std::any_of(p->sites.begin(), p->sites.end(), leaves_it))
                changed |= serial.erase(p->function->getCanonicalDecl()) != 0;
    }
    for (const auto &p : found) {
        for (site &s : p->sites)
            s.calls_serial = serial.count(s.callee) != 0;
        if (serial.count(p->function->getCanonicalDecl()) == 0)
            continue;
        p->is_serial = true;
        p->is_profiled = false;
        std::erase_if(p->sites, [](const site &s) { return s.kind == site_kind::sync; });
    }
}

} // namespace

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
            problems.push_back(
                problem_at(source, p->function->getLocation(),
                           "a function that spawns takes a fixed number of arguments"));
        }
        find_names(source, *p);
        find_addresses(*p);
        find_sites(source, with_clone, *p);
    }
    find_serial(found);
    for (const auto &p : found) {
        find_homes(source, *p);
        for (const site &s : p->sites) {
            if (s.kind == site_kind::spawn && stores_by_address(*p, s) &&
                !bit_field_of(s).has_type_name) {
                problems.push_back(
                    problem_at(source, s.where.begin,
                               "the result of a spawn cannot go to a bit-field of a struct "
                               "or union that has no name"));
            }
            const auto *element = vector_element_of(s);
            if (s.kind == site_kind::spawn && element != nullptr &&
                element->getType()->isBooleanType()) {
                problems.push_back(problem_at(source, s.where.begin,
                                              "the result of a spawn cannot go to an element of a "
                                              "vector of bits"));
            }
        }
    }
    return found;
}

} // namespace saguaro::cilkc
