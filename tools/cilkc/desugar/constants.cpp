// SPDX-License-Identifier: MIT
// C23's `constexpr` variables. A frame cannot have them, nor can a function be given them: lengths
// of arrays, cases and assertions must go on naming a constant. So they are lifted, before the
// function is divided:
//
//     constexpr static int _cilk_constant_1 __attribute__((unused)) = 10;
//
// What cannot be said at file scope stays, and is then a variable like others: a value of a type of
// the function's own.
#include "desugar/constants.hpp"

#include "desugar/program.hpp"
#include "parse/declare.hpp"
#include "parse/tree_walker.hpp"

#include <clang/AST/ASTContext.h>

#include <map>
#include <optional>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

struct constant_declaration {
    const clang::DeclStmt *statement;
    span scope; // of its variables
};

// The declarations of constants, and where constants are named, in the order of the text.
class constant_finder : tree_walker {
public:
    constant_finder(const source_text &source, clang::Stmt &body) : source_(source) { walk(&body); }

    bool walk_block(clang::CompoundStmt *block) override {
        const unsigned outer = end_;
        end_ = source_.of(block->getSourceRange()).end;
        const bool goes_on = walk_inside(block);
        end_ = outer;
        return goes_on;
    }

    bool visit_declarations(clang::DeclStmt *s) override {
        if (std::all_of(s->decl_begin(), s->decl_end(), is_constant))
            declarations.push_back({s, {source_.of(s->getSourceRange()).begin, end_}});
        return true;
    }

    bool visit_name(clang::DeclRefExpr *name) override {
        if (is_constant(name->getDecl()))
            uses.push_back(name);
        return true;
    }

    std::vector<constant_declaration> declarations;
    std::vector<const clang::DeclRefExpr *> uses;

private:
    static bool is_constant(const clang::Decl *d) {
        const auto *v = dyn_cast<clang::VarDecl>(d);
        return v != nullptr && v->isConstexpr() && v->getInit() != nullptr &&
               v->getParentFunctionOrMethod() != nullptr;
    }

    const source_text &source_;
    unsigned end_ = 0;
};

using new_names = std::map<const clang::ValueDecl *, std::string>;

// Whether an expression names what only its function knows, other than lifted constants.
class local_finder : public tree_walker {
public:
    explicit local_finder(const new_names &lifted) : lifted_(lifted) {}

    bool visit_name(clang::DeclRefExpr *name) override {
        return !is_local(*name->getDecl()) || lifted_.count(name->getDecl()) != 0;
    }
    bool visit_tag(clang::TagTypeLoc type) override { return !is_local(*type.getDecl()); }
    bool visit_typedef(clang::TypedefTypeLoc type) override {
        return !is_local(*type.getTypedefNameDecl());
    }

    static bool is_local(const clang::Decl &d) { return d.getParentFunctionOrMethod() != nullptr; }

private:
    const new_names &lifted_;
};

class constant_lifter {
public:
    constant_lifter(rewriting &work, const clang::FunctionDecl &function)
        : work_(work), function_(function), found_(work.source, *function.getBody()) {}

    bool run() {
        std::vector<const constant_declaration *> chosen;
        for (const constant_declaration &one : found_.declarations)
            if (choose(one))
                chosen.push_back(&one);
        for (const clang::DeclRefExpr *use : found_.uses) {
            const auto name = names_.find(use->getDecl());
            if (name != names_.end())
                work_.edits.replace(work_.source.of(use->getSourceRange()), name->second, true);
        }
        const unsigned begin = work_.source.definition(function_).begin;
        std::string text;
        for (const constant_declaration *one : chosen)
            text += lifted(*one);
        if (chosen.empty())
            return false;
        work_.edits.insert(begin, text + work_.source.lines().jump(begin));
        return true;
    }

private:
    // Gives the variables of the declaration their names, if all of them can be lifted.
    bool choose(const constant_declaration &one) {
        new_names more;
        for (const clang::Decl *d : one.statement->decls()) {
            const auto *v = llvm::cast<clang::VarDecl>(d);
            const clang::TagDecl *tag = v->getType()->getBaseElementTypeUnsafe()->getAsTagDecl();
            if (tag != nullptr && local_finder::is_local(*tag))
                return false;
            names_.emplace(v, "_cilk_constant_" + std::to_string(work_.next_number()));
            more.insert(*names_.find(v));
            if (!can_move(*v) && !number(*v)) {
                for (const auto &[name, _] : more)
                    names_.erase(name);
                return false;
            }
        }
        return true;
    }

    bool can_move(const clang::VarDecl &v) const { return local_finder(names_).walk(v.getInit()); }

    // The value where its text cannot be moved, as `sizeof a` with an array of the function's.
    std::optional<std::string> number(const clang::VarDecl &v) const {
        if (!v.getType()->isIntegerType())
            return std::nullopt;
        const clang::APValue *value = v.evaluateValue();
        if (value == nullptr || !value->isInt() || value->getInt().getSignificantBits() > 63)
            return std::nullopt;
        return std::to_string(value->getInt().getExtValue()) + "LL";
    }

    std::string lifted(const constant_declaration &one) {
        std::string text;
        for (const clang::Decl *d : one.statement->decls()) {
            const auto *v = llvm::cast<clang::VarDecl>(d);
            const std::string &name = names_.at(v);
            text += work_.source.lines().jump(work_.source.offset(v->getLocation())) +
                    "constexpr static " +
                    declared_as(work_.source.ast(), v->getType().getUnqualifiedType(), name) +
                    " __attribute__((unused" + alignment(*v) +
                    ")) = " + (can_move(*v) ? work_.text_of(*v->getInit()) : *number(*v)) + "; ";
            work_.names.add(work_.source, one.scope, v->getName().str(), name);
        }
        work_.edits.replace(work_.source.statement(one.statement->getSourceRange()), ";", true);
        return text;
    }

    std::string alignment(const clang::VarDecl &v) const {
        const auto wanted = work_.source.ast().getDeclAlign(&v);
        return v.hasAttr<clang::AlignedAttr>()
                   ? ", aligned(" + std::to_string(wanted.getQuantity()) + ")"
                   : "";
    }

    rewriting &work_;
    const clang::FunctionDecl &function_;
    constant_finder found_;
    new_names names_;
};

// Whether the function may be divided. In the serial elision only one with inlets is.
bool is_divided(const rewriting &work, const clang::FunctionDecl &function) {
    const span body = work.source.of(function.getBody()->getSourceRange());
    const std::string_view text = work.source.text().substr(body.begin, body.end - body.begin);
    return text.find("constexpr") != text.npos &&
           text.find(work.kind == program::serial ? "_Cilk_inlet" : "_Cilk_") != text.npos;
}

} // namespace

bool lift_constants(rewriting &work) {
    bool found = false;
    for (const clang::Decl *declaration : work.source.ast().getTranslationUnitDecl()->decls()) {
        const auto *function = dyn_cast<clang::FunctionDecl>(declaration);
        if (function != nullptr && function->doesThisDeclarationHaveABody() &&
            function->getBody() != nullptr && is_divided(work, *function)) {
            found |= constant_lifter(work, *function).run();
        }
    }
    return found;
}

} // namespace saguaro::cilkc
