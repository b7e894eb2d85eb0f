// SPDX-License-Identifier: MIT
// Liveness of local variables over Clang's control flow graph, backwards, until nothing changes.
#include "analyse/liveness.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Analysis/CFG.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;
using variables = std::set<const clang::VarDecl *>;

class live_finder {
public:
    live_finder(const source_text &source, procedure &p) : source_(source), p_(p) {
        mark_targets(p.function->getBody());
        for (site &s : p.sites)
            if (s.is_left())
                mark_site(s);
    }

    void run() {
        clang::CFG::BuildOptions options;
        options.setAllAlwaysAdd();
        // A test of a constant that can only go one way may be the user's switch between variants.
        options.PruneTriviallyFalseEdges = false;
        const std::unique_ptr<clang::CFG> graph =
            clang::CFG::buildCFG(p_.function, p_.function->getBody(), &source_.ast(), options);
        if (graph == nullptr) {
            everything_is_live();
            return;
        }
        std::map<const clang::CFGBlock *, variables> at_begin;
        for (bool changes = true; changes;) {
            changes = false;
            // Numbered from the exit on: about the order of a backward walk.
            for (const clang::CFGBlock *block : *graph) {
                variables live = at_end(*block, at_begin);
                walk(*block, live, false);
                variables &old = at_begin[block];
                if (old != live) {
                    old = std::move(live);
                    changes = true;
                }
            }
        }
        for (const clang::CFGBlock *block : *graph) {
            variables live = at_end(*block, at_begin);
            walk(*block, live, true);
        }
    }

private:
    // Names that are assigned, not read.
    void mark_targets(const clang::Stmt *s) {
        if (s == nullptr)
            return;
        if (const auto *operation = dyn_cast<clang::BinaryOperator>(s))
            if (operation->getOpcode() == clang::BO_Assign)
                if (const auto *name = target(*operation))
                    targets_.insert(name);
        for (const clang::Stmt *child : s->children())
            mark_targets(child);
    }

    static const clang::DeclRefExpr *target(const clang::BinaryOperator &assignment) {
        return dyn_cast<clang::DeclRefExpr>(assignment.getLHS()->IgnoreParens());
    }

    // The element of the graph behind which the site's clones go on.
    void mark_site(site &s) {
        if (s.use == result_use::assigned && s.destination == nullptr)
            initializers_[s.variable] = &s;
        else if (s.use == result_use::none && s.call != nullptr)
            elements_[s.call] = &s;
        else if (const auto *e = dyn_cast<clang::Expr>(s.statement))
            // The graph has no `__extension__`, which markers are.
            elements_[e->IgnoreParens()] = &s;
    }

    static variables at_end(const clang::CFGBlock &block,
                            const std::map<const clang::CFGBlock *, variables> &at_begin) {
        variables live;
        for (const clang::CFGBlock::AdjacentBlock &next : block.succs()) {
            const clang::CFGBlock *to = next.getReachableBlock();
            if (to == nullptr)
                to = next.getPossiblyUnreachableBlock();
            const auto found = at_begin.find(to);
            if (found != at_begin.end())
                live.insert(found->second.begin(), found->second.end());
        }
        return live;
    }

    void walk(const clang::CFGBlock &block, variables &live, bool note_sites) {
        for (auto element = block.rbegin(); element != block.rend(); ++element)
            if (const auto statement = element->getAs<clang::CFGStmt>())
                pass(*statement->getStmt(), live, note_sites);
    }

    void pass(const clang::Stmt &s, variables &live, bool note_sites) {
        if (note_sites)
            if (site *found = site_behind(s))
                note(*found, live);
        if (const auto *name = dyn_cast<clang::DeclRefExpr>(&s)) {
            const auto *v = dyn_cast<clang::VarDecl>(name->getDecl());
            if (v != nullptr && targets_.count(name) == 0 && p_.find(v) != nullptr)
                live.insert(v);
        } else if (const auto *operation = dyn_cast<clang::BinaryOperator>(&s)) {
            if (operation->getOpcode() == clang::BO_Assign)
                if (const auto *assigned = target(*operation))
                    live.erase(dyn_cast<clang::VarDecl>(assigned->getDecl()));
        } else if (const auto *declaration = dyn_cast<clang::DeclStmt>(&s)) {
            for (const clang::Decl *d : declaration->decls())
                live.erase(dyn_cast<clang::VarDecl>(d));
        }
    }

    site *site_behind(const clang::Stmt &s) const {
        if (const auto *declaration = dyn_cast<clang::DeclStmt>(&s)) {
            for (const clang::Decl *d : declaration->decls()) {
                const auto found = initializers_.find(dyn_cast<clang::VarDecl>(d));
                if (found != initializers_.end())
                    return found->second;
            }
        }
        const auto found = elements_.find(&s);
        return found == elements_.end() ? nullptr : found->second;
    }

    void note(site &s, const variables &live) {
        variables needed = live;
        if (s.use == result_use::assigned)
            needed.erase(s.variable);
        // Where a call's result goes is worked out when the clone goes on.
        else if (s.kind == site_kind::call && s.destination != nullptr)
            add_names(s.destination, p_, needed);
        for (const clang::VarDecl *v : needed)
            if (may_be_saved(s, *v))
                s.live.push_back(v);
        const auto place = [](const clang::VarDecl *v) {
            return v->getLocation().getRawEncoding();
        };
        std::sort(s.live.begin(), s.live.end(),
                  [&](const auto *a, const auto *b) { return place(a) < place(b); });
        s.live.erase(std::unique(s.live.begin(), s.live.end()), s.live.end());
    }

    bool may_be_saved(const site &s, const clang::VarDecl &v) const {
        const variable *found = p_.find(&v);
        return found->is_variable() && s.where.begin < found->scope.end &&
               s.where.end > found->scope.begin;
    }

    // For what Clang has no graph of.
    void everything_is_live() {
        for (site &s : p_.sites)
            for (const auto &[declaration, v] : p_.variables)
                if (may_be_saved(s, *declaration))
                    s.live.push_back(declaration);
    }

    const source_text &source_;
    procedure &p_;
    std::set<const clang::DeclRefExpr *> targets_;
    std::map<const clang::Stmt *, site *> elements_;
    std::map<const clang::VarDecl *, site *> initializers_;
};

} // namespace

void find_live(const source_text &source, procedure &p) {
    live_finder(source, p).run();
}

} // namespace saguaro::cilkc
