// SPDX-License-Identifier: MIT
// cilk_spawn { ... }, or of another statement that is no call, becomes a function with what the
// statement uses as parameters, and a spawn of it;
// cilk_scope { ... } a block with a sync at its end, and before each jump out of it.
#include "desugar/block.hpp"

#include "desugar/captures.hpp"
#include "parse/jumps.hpp"
#include "parse/markers.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

std::string at_place_of(const rewriting &work, const clang::Stmt &s) {
    return work.source.lines().jump(work.source.offset(s.getBeginLoc()));
}

} // namespace

void rewrite_block(rewriting &work, const clang::FunctionDecl &function, const clang::Stmt &block,
                   around_function &around) {
    const clang::Stmt &body = annotated(block);
    const std::string name = "_cilk_block_" + std::to_string(work.next_number());
    const captures taken = take_captures(work, function, body, nullptr);
    const std::string head =
        "static void " + name + "(" + (taken.members.empty() ? "void" : taken.parameters()) + ")";
    around.before += head + "; ";
    around.behind += at_place_of(work, block) + head + " { " + taken.prologue +
                     at_place_of(work, body) +
                     work.edits.render(work.source.statement(body.getSourceRange())) + " }\n";
    work.edits.replace(work.source.statement(block.getSourceRange()),
                       "_Cilk_spawn " + name + "(" + taken.values() + ");", true);
}

void rewrite_scope(rewriting &work, const clang::Stmt &scope) {
    const clang::Stmt &body = annotated(scope);
    const unsigned begin = work.source.offset(scope.getBeginLoc());
    const span inner = work.source.statement(body.getSourceRange());
    work.edits.replace({begin, inner.begin}, "{ ", true);
    if (!has_spawns(work.source, body)) {
        work.edits.insert(inner.end, "}");
        return;
    }
    for (const clang::Stmt *jump : jumps_out_of(work.source, body)) {
        const span where = work.source.statement(jump->getSourceRange());
        work.edits.insert(where.begin, "{ _Cilk_sync; ");
        work.edits.insert(where.end, "}");
    }
    // Last: the scope may end with such a jump, as `cilk_scope if (a) ... else break;`.
    work.edits.insert(inner.end, " _Cilk_sync; }");
}

} // namespace saguaro::cilkc
