// SPDX-License-Identifier: MIT
// The functions of spmc.h that concern spaces.
#include "saguaro/spmc.h"
#include "spmc/ends.hpp"
#include "spmc/job.hpp"
#include "spmc/lines.hpp"
#include "spmc/spaces.hpp"

#include <cerrno>
#include <cinttypes>
#include <cstring>

namespace saguaro::spmc {

namespace {

spmc_space index_in(slot which) {
    return job::mine().space_in(which).index;
}

// 0 or the error number, of which it says a line.
int begun(int refused, slot which, const char *what, spmc_space *out) {
    if (refused != 0)
        say("the system refuses a space for %s: %s", what, std::strerror(refused));
    else if (out != nullptr)
        *out = index_in(which);
    return refused;
}

} // namespace

} // namespace saguaro::spmc

using namespace saguaro::spmc;

extern "C" {

int spmc_space_create(spmc_space *out, int (*function)(void *), void *argument) {
    if (function == nullptr) {
        say("spmc_space_create was given a null pointer for the function");
        return EINVAL;
    }
    slot which = 0;
    const int refused = begin_space(function, argument, which);
    return begun(refused, which, "a function", out);
}

int spmc_space_exec(spmc_space *out, const char *path, char *const arguments[]) {
    if (path == nullptr || arguments == nullptr) {
        say("spmc_space_exec was given a null pointer for the %s",
            path == nullptr ? "path" : "arguments");
        return EINVAL;
    }
    slot which = 0;
    const int refused = begin_program(path, arguments, which);
    return begun(refused, which, path, out);
}

int spmc_space_wait(spmc_space space, int *status) {
    const job &all = job::mine();
    const slot which = slot_of(space);
    if (which == all.self_slot()) {
        say("spmc_space_wait was given space %" PRIu64 ", which is the caller itself", space);
        return EINVAL;
    }
    wait_for_end(which);
    const int how = status_of(all, which);
    if (status != nullptr) {
        *status = how;
    } else if (how != 0) {
        char name[name_bytes];
        char cause[cause_bytes];
        give_up("waits for space %s, which has failed: %s", name_of(which, name),
                cause_of(all, which, cause));
    }
    return 0;
}

int spmc_space_terminate(spmc_space space) {
    const job &all = job::mine();
    const slot which = slot_of(space);
    if (all.space_in(which).parent != all.self_slot()) {
        say("spmc_space_terminate was given space %" PRIu64 ", which is no child of the caller",
            space);
        return EINVAL;
    }
    if (const int refused = terminate(which)) {
        char name[name_bytes];
        say("the system refuses to end space %s: %s", name_of(which, name), std::strerror(refused));
        return refused;
    }
    wait_for_end(which);
    return 0;
}

spmc_space spmc_space_self(void) {
    return index_in(job::mine().self_slot());
}

spmc_space spmc_space_parent(void) {
    const slot parent = job::mine().self().parent;
    return index_in(parent != 0 ? parent : root_slot);
}

} // extern "C"
