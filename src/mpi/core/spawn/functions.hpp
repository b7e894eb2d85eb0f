// SPDX-License-Identifier: MIT
// MPI's functions that start processes. Arguments before `root` matter at the root alone.
#pragma once

#include "mpi/core/interface/handles.hpp"

namespace saguaro::mpi::core {

int comm_spawn(const char *command, char **arguments, int count, info hints, int root, comm on,
               comm *out, int *errors);
int comm_spawn_multiple(int parts, char **commands, char ***arguments, const int *counts,
                        const info *hints, int root, comm on, comm *out, int *errors);
int open_port(info hints, char *name);
int close_port(const char *name);
// At the root the port must be one that this rank has opened.
int comm_accept(const char *port, info hints, int root, comm on, comm *out);
int comm_connect(const char *port, info hints, int root, comm on, comm *out);
// With the process at the other end of a stream socket, which calls it as well. comm::null if that
// is no other rank of this job on this machine. An error: the socket is none, or carries something
// else.
int comm_join(int fd, comm *out);

// Names of services. `port` may be any text that has room in a port's name.
int publish_name(const char *service, info hints, const char *port);
int unpublish_name(const char *service, info hints, const char *port);
int lookup_name(const char *service, info hints, char *port);

// comm::null in a process that was not spawned.
int comm_get_parent(comm *out);

} // namespace saguaro::mpi::core
