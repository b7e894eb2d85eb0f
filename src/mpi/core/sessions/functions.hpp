// SPDX-License-Identifier: MIT
// MPI's functions of sessions. Those that have no session yet, or none any more, may be called at
// any time.
#pragma once

#include "mpi/core/interface/handles.hpp"

#include <cstdint>

namespace saguaro::mpi::core {

int session_init(info hints, errhandler handler, session *out);
int session_finalize(session *which);
int session_get_info(session of, info *out);
// There are two sets of processes: "mpi://WORLD" and "mpi://SELF".
int session_get_num_psets(session of, info hints, int *count);
// `*length` is the room at `name`, 0 if there is none, and then what the name needs.
int session_get_nth_pset(session of, info hints, int n, int *length, char *name);
int session_get_pset_info(session of, const char *name, info *out);
int group_from_session_pset(session of, const char *name, group *out);

int session_attach_buffer(session on, void *buffer, std::int64_t size);
int session_detach_buffer(session on, void *address, std::int64_t *size);
int session_flush_buffer(session on);
int session_iflush_buffer(session on, request *out);

} // namespace saguaro::mpi::core
