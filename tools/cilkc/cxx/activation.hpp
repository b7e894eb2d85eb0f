// SPDX-License-Identifier: MIT
// A function, lambda, loop's body, try block or cilk_scope: what has children of its own.
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
class ReturnStmt;
} // namespace clang

namespace saguaro::cilkc {

class workspace;

struct activation {
    activation *outer; // the one that waits for this one's children as well; null: none
    std::string frame; // the name of its frame
    bool is_scope = false;
    bool spawns = false;
    bool has_inner = false; // an activation that belongs to it spawns
    bool syncs = false;     // there is a sync in it, or in one that belongs to it

    void note_spawn() {
        spawns = true;
        for (activation *one = outer; one != nullptr; one = one->outer)
            one->has_inner = true;
    }
    void note_sync() {
        for (activation *one = this; one != nullptr; one = one->outer)
            one->syncs = true;
    }

    // The one whose children a sync here waits for; null: there are none.
    const activation *waiting() const {
        const activation *one = this;
        while (one != nullptr && !one->spawns)
            one = one->outer;
        return one;
    }
};

// The text at the beginning and at the end of an activation that spawns.
std::string beginning_of(workspace &space, const activation &a);
std::string end_of(const workspace &space, const activation &a);

// `return e;` where the result has a destructor, in a try block, handler or cilk_scope that spawns:
// its children are waited for before the result is made. A child's exception would otherwise leave
// after that, and gcc 12 destroys the result once more for each handler that the exception passes.
void sync_before_result(workspace &space, const clang::FunctionDecl &function,
                        const clang::ReturnStmt &s, int depth, const activation &in);

} // namespace saguaro::cilkc
