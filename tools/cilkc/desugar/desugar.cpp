// SPDX-License-Identifier: MIT
// The loop over the desugaring steps: parse, check, rewrite the outermost constructs, again.
#include "desugar/desugar.hpp"

#include "desugar/block.hpp"
#include "desugar/constants.hpp"
#include "desugar/loop.hpp"
#include "desugar/loop_variables.hpp"
#include "desugar/program.hpp"
#include "desugar/reducers.hpp"
#include "desugar/rewriting.hpp"
#include "desugar/types.hpp"
#include "parse/debug_names.hpp"
#include "parse/markers.hpp"
#include "parse/nested_edits.hpp"
#include "rules/rules.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

// The outermost constructs of one function.
class function_rewriter {
public:
    function_rewriter(rewriting &work, const clang::FunctionDecl &function)
        : work_(work), function_(function) {}

    bool run() {
        if (work_.kind != program::serial && has_constructs())
            lift_types(work_, function_, around_);
        visit(*function_.getBody());
        const span where = work_.source.definition(function_);
        if (!around_.before.empty()) {
            work_.edits.insert(where.begin, around_.before);
            work_.edits.insert(where.end, around_.behind);
        }
        return found_;
    }

private:
    // That become functions.
    bool has_constructs() const {
        const span body = work_.source.of(function_.getBody()->getSourceRange());
        const std::string_view text = work_.source.text().substr(body.begin, body.end - body.begin);
        return text.find("_Cilk_for") != text.npos || text.find("_Cilk_spawn_block") != text.npos;
    }

    void visit(const clang::Stmt &s) {
        const std::string annotation = annotation_of(s);
        if (work_.kind == program::serial) {
            // Its markers mean nothing, but its loops must be loops of Cilk.
            if (annotation == "cilk for")
                check_loop(work_, s);
        } else if (annotation == "cilk for") {
            rewrite_loop(work_, function_, s, around_);
            found_ = true;
            return;
        } else if (annotation == "cilk spawn block") {
            rewrite_block(work_, function_, s, around_);
            found_ = true;
            return;
        }
        for (const clang::Stmt *child : s.children())
            if (child != nullptr)
                visit(*child);
        // Behind its parts: where one ends with the scope, its edits there come first.
        if (work_.kind != program::serial && annotation == "cilk scope") {
            rewrite_scope(work_, s);
            found_ = true;
        }
    }

    rewriting &work_;
    const clang::FunctionDecl &function_;
    around_function around_;
    bool found_ = false;
};

// The text with one level of constructs less; empty if there was none.
std::string rewritten(const unit &parsed, unsigned &numbers, program kind, debug_names &names,
                      std::vector<problem> &problems) {
    const source_text source(parsed);
    rewriting work{source, nested_edits(source), numbers, kind, names, problems};
    bool found = rewrite_reducers(work) || lift_constants(work) || own_loop_variables(work);
    if (!found) {
        for (const clang::Decl *declaration : source.ast().getTranslationUnitDecl()->decls()) {
            const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
            if (function != nullptr && function->doesThisDeclarationHaveABody() &&
                function->getBody() != nullptr) {
                found |= function_rewriter(work, *function).run();
            }
        }
    }
    return found ? work.edits.render({0, static_cast<unsigned>(source.text().size())})
                 : std::string();
}

std::unique_ptr<unit> parse(std::string text, std::string_view name, standard version,
                            std::vector<problem> &problems) {
    auto parsed = std::make_unique<unit>(std::move(text), name, version);
    problems.insert(problems.end(), parsed->errors().begin(), parsed->errors().end());
    return problems.empty() ? std::move(parsed) : nullptr;
}

} // namespace

std::unique_ptr<unit> front_end(std::string core, std::string_view name, dialect language,
                                standard version, program kind, debug_names &names,
                                std::vector<problem> &problems) {
    std::unique_ptr<unit> parsed = parse(std::move(core), name, version, problems);
    if (parsed != nullptr)
        check_rules(source_text(*parsed), language, problems);
    unsigned numbers = 0;
    while (problems.empty()) {
        std::string next = rewritten(*parsed, numbers, kind, names, problems);
        if (next.empty())
            return parsed;
        if (problems.empty())
            parsed = parse(std::move(next), name, version, problems);
    }
    return nullptr;
}

} // namespace saguaro::cilkc
