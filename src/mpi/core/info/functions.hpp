// SPDX-License-Identifier: MIT
// MPI's functions of info objects, as ../interface/functions.hpp has the others. All may be called
// before MPI_Init, after MPI_Finalize, and by several threads at a time.
#pragma once

#include "mpi/core/interface/handles.hpp"

namespace saguaro::mpi::core {

int info_create(info *out);
// What is known of how this process began, as in MPI_INFO_ENV. The arguments are those of `main`;
// without them the process asks the system.
int info_create_env(int argc, char **argv, info *out);
int info_dup(info from, info *out);
int info_free(info *which);
int info_set(info which, const char *key, const char *value);
int info_delete(info which, const char *key);
// `*length` is the room at `value`, and then what the value needs with its final 0.
int info_get_string(info of, const char *key, int *length, char *value, int *flag);
// `value` has room for `length` characters and a final 0.
int info_get(info of, const char *key, int length, char *value, int *flag);
int info_get_valuelen(info of, const char *key, int *length, int *flag);
int info_get_nkeys(info of, int *count);
int info_get_nthkey(info of, int n, char *key);

} // namespace saguaro::mpi::core
