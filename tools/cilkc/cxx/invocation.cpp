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

} // namespace

spawn_manner invocation_of(workspace &space, const variable_uses &uses,
                           const straight_piece &piece) {
    const unsigned begin = space.source.of(piece.spawn->getSourceRange()).begin;
    const unsigned rest = end_of_statement(space, *piece.spawn);
    const unsigned end = space.source.offset(piece.sync->getBeginLoc());
    spawn_manner how;
    how.is_declared = piece.is_inner;
    how.declarations = declarations_before(space, piece);
    how.targets = target(piece.of_child) + ", " + target(piece.of_rest);
    if (piece.of_child != nullptr)
        how.result = space.new_name();
    how.captures = uses.captures({begin, rest}, {begin, rest});
    how.rest = uses.captures({rest, end}, {begin, end}) + "()" + inlined(space, rest);
    if (piece.of_rest != nullptr) {
        how.rest += " -> " + *space.type_text(piece.of_rest->getType());
        space.edits.replace(space.source.of(piece.last->getSourceRange()).begin,
                            space.source.of(piece.last_value->getSourceRange()).begin, "return ");
    }
    how.rest += " {";
    return how;
}

spawn_manner spawn_by_frame(const workspace &space, const variable_uses &uses,
                            const std::string &frame, const clang::Stmt &spawn) {
    const span where = space.source.of(spawn.getSourceRange());
    return {frame, "", "", uses.captures(where, where), "", ""};
}

} // namespace saguaro::cilkc
