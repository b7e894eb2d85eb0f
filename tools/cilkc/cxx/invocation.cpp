// SPDX-License-Identifier: MIT
// What closures of spawns capture and return.
#include "cxx/invocation.hpp"

#include "cxx/statements.hpp"
#include "cxx/straight.hpp"
#include "cxx/variable_uses.hpp"
#include "cxx/workspace.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

constexpr std::string_view no_target = "::saguaro::cilk::nothing()";

// Moves the declarations of what becomes a closure before it.
std::string declarations_before(workspace &space, const straight_piece &piece) {
    std::string moved;
    const auto declare = [&](const clang::VarDecl &variable) {
        moved += *space.type_text(variable.getType(), variable.getNameAsString()) + "; ";
    };
    if (!piece.is_inner)
        for (const clang::DeclStmt *one : piece.spawned)
            declare(*llvm::cast<clang::VarDecl>(one->getSingleDecl()));
    for (const clang::DeclStmt *one : piece.declarations) {
        const auto &variable = *llvm::cast<clang::VarDecl>(one->getSingleDecl());
        const std::string name = variable.getNameAsString();
        declare(variable);
        const span where = space.source.of(one->getSourceRange());
        if (variable.getInit() == nullptr)
            space.edits.replace(where.begin, end_of_statement(space, *one), "");
        else if (one != piece.last)
            space.edits.replace(where.begin,
                                space.source.of(variable.getInit()->getSourceRange()).begin,
                                name + " = ");
    }
    return moved;
}

std::string target(const clang::VarDecl *variable) {
    return variable == nullptr ? std::string(no_target) : variable->getNameAsString();
}

spawn_manner invocation_of(workspace &space, const variable_uses &uses,
                           const straight_piece &piece) {
    const unsigned begin = space.source.of(piece.spawn->getSourceRange()).begin;
    const unsigned rest = end_of_statement(space, *piece.spawn);
    const unsigned end = piece.end;
    spawn_manner how;
    how.is_declared = piece.is_inner;
    how.declarations = declarations_before(space, piece);
    how.targets = target(piece.of_child) + ", " + target(piece.of_rest);
    if (piece.of_child != nullptr)
        how.result = space.new_name();
    how.captures = uses.captures({begin, rest}, {begin, rest});
    bool changes = false;
    how.rest = uses.captures_of_rest({begin, rest}, end, changes) + "()";
    const std::string in_place = inlined(space, rest);
    if (changes) // as the compiler's grammar has it
        how.rest += space.is_for_clang ? in_place + " mutable" : " mutable" + in_place;
    else
        how.rest += in_place;
    if (piece.of_rest != nullptr) {
        how.rest += " -> " + *space.type_text(piece.of_rest->getType());
        space.edits.replace(space.source.of(piece.last->getSourceRange()).begin,
                            space.source.of(piece.last_value->getSourceRange()).begin, "return ");
    }
    how.rest += " {";
    return how;
}

// Blocks of an activation at whose ends its children are waited for: branches of an `if` behind
// which there is a cilk_sync, or which is the last statement of such a block.
void note_waiting_ends(const workspace &space, const clang::CompoundStmt &block, bool waits,
                       std::set<const clang::Stmt *> &found) {
    for (auto one = block.body_begin(); one != block.body_end(); ++one) {
        const bool is_last = one + 1 == block.body_end();
        if (is_last ? !waits : !is_sync(space, *one[1]))
            continue;
        const clang::Stmt *next = *one;
        while (const auto *choice = llvm::dyn_cast_or_null<clang::IfStmt>(next)) {
            found.insert(choice->getThen());
            next = choice->getElse();
        }
        if (next != nullptr)
            found.insert(next);
    }
}

std::string end_of(int pieces) {
    std::string end = "})";
    for (int i = 1; i < pieces; ++i)
        end += "; })";
    return end;
}

} // namespace

void invocations::find(workspace &space, const variable_uses &uses,
                       const clang::CompoundStmt &block, int depth) {
    const bool waits = waiting_ends_.count(&block) != 0;
    note_waiting_ends(space, block, waits, waiting_ends_);
    int at_brace = 0;
    for (const auto &[spawn, piece] : straight_pieces(space, uses, block, waits)) {
        spawns_[spawn] = invocation_of(space, uses, piece);
        ++(piece.has_sync ? ends_[piece.end] : at_brace);
    }
    if (at_brace != 0)
        space.edits.close(space.source.offset(block.getRBracLoc()), depth, end_of(at_brace) + "; ");
}

const spawn_manner *invocations::spawn(const clang::Stmt &s) const {
    const auto found = spawns_.find(&s);
    return found == spawns_.end() ? nullptr : &found->second;
}

std::string invocations::end_at(unsigned sync) const {
    const auto found = ends_.find(sync);
    return found == ends_.end() ? "" : end_of(found->second);
}

spawn_manner spawn_by_frame(const workspace &space, const variable_uses &uses,
                            const std::string &frame, const clang::Stmt &spawn) {
    const span where = space.source.of(spawn.getSourceRange());
    return {frame, "", "", uses.captures(where, where), "", ""};
}

} // namespace saguaro::cilkc
