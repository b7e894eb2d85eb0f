// SPDX-License-Identifier: MIT
// MPI's functions that begin processes. Arguments before `root` matter at the root alone.
#pragma once

#include "detmpi/core/handles.hpp"

namespace saguaro::detmpi::core {

int comm_spawn(const char *command, char **arguments, int count, info hints, int root, comm on,
               comm *out, int *errors);
int comm_spawn_multiple(int parts, char **commands, char ***arguments, const int *counts,
                        const info *hints, int root, comm on, comm *out, int *errors);
int open_port(info hints, char *name);
int close_port(const char *name);
// At the root the port must be one that this rank has opened.
int comm_accept(const char *port, info hints, int root, comm on, comm *out);
int comm_connect(const char *port, info hints, int root, comm on, comm *out);
// comm::null in a process that was not spawned.
int comm_get_parent(comm *out);

} // namespace saguaro::detmpi::core
