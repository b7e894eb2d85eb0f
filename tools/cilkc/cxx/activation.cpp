// SPDX-License-Identifier: MIT
// The text around an activation: its frame, its handler and its last sync.
#include "cxx/activation.hpp"

#include "cxx/statements.hpp"
#include "cxx/workspace.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

// Whether the end of a function's result may call something.
bool has_destructor(clang::QualType result) {
    if (result->isDependentType() || result->isUndeducedType())
        return true;
    const clang::CXXRecordDecl *record = result->getAsCXXRecordDecl();
    return record != nullptr && record->hasDefinition() && !record->hasTrivialDestructor();
}

} // namespace

std::string beginning_of(workspace &space, const activation &a) {
    if (!a.spawns)
        return {};
    return " ::saguaro::cilk::frame " + a.frame + ";" + (space.has_exceptions ? " try {" : "") +
           " ::saguaro::cilk::last_sync " + space.new_name() + "(" + a.frame + ");";
}

std::string end_of(const workspace &space, const activation &a) {
    return a.spawns && space.has_exceptions ? "} catch (...) { " + a.frame + ".caught(); }" : "";
}

void sync_before_result(workspace &space, const clang::FunctionDecl &function,
                        const clang::ReturnStmt &s, int depth, const activation &in) {
    if (s.getRetValue() == nullptr || in.outer == nullptr ||
        !has_destructor(function.getReturnType()))
        return;
    const unsigned begin = space.source.offset(s.getBeginLoc());
    const unsigned end = end_of_statement(space, s);
    // Whether they spawn is known further below.
    space.later.push_back([&space, &in, begin, end, depth] {
        std::string syncs;
        for (const activation *one = &in; one->outer != nullptr; one = one->outer)
            if (one->spawns)
                syncs += one->frame + ".sync(); ";
        if (syncs.empty())
            return;
        space.edits.open(begin, depth, "{ " + syncs);
        space.edits.close(end, depth, " }");
    });
}

} // namespace saguaro::cilkc
