// SPDX-License-Identifier: MIT
// MPI's functions of windows and one-sided communication, as ../interface/functions.hpp has the
// others.
#pragma once

#include "mpi/core/interface/handles.hpp"

#include <cstdint>

namespace saguaro::mpi::core {

// ---- Windows ----

// Memory that a window allocates begins as zeros. *base is the memory: `base` is a pointer to a
// pointer.
int win_create(void *base, std::int64_t size, std::int64_t unit, info hints, comm on, win *out);
int win_allocate(std::int64_t size, std::int64_t unit, info hints, comm on, void *base, win *out);
int win_allocate_shared(std::int64_t size, std::int64_t unit, info hints, comm on, void *base,
                        win *out);
int win_create_dynamic(info hints, comm on, win *out);
int win_attach(win which, void *base, std::int64_t size);
int win_detach(win which, const void *base);
int win_free(win *which);
int win_shared_query(win of, int rank, std::int64_t *size, std::int64_t *unit, void *base);
int win_get_group(win of, group *out);
// Hints that the standard names are kept, with its defaults, and change nothing.
int win_set_info(win which, info hints);
int win_get_info(win of, info *out);
int win_set_name(win which, const char *name);
int win_get_name(win which, char *name, int *length);
// The predefined attributes. Of MPI_WIN_BASE *value is the memory, of MPI_WIN_SIZE the address of a
// pointer-sized integer, of the others that of an int.
int win_get_attr(win of, int keyval, void **value, int *flag);

// ---- Operations ----

int put(const void *origin, std::int64_t count, datatype type, int target, std::int64_t place,
        std::int64_t target_count, datatype target_type, win on);
int get(void *origin, std::int64_t count, datatype type, int target, std::int64_t place,
        std::int64_t target_count, datatype target_type, win on);
int accumulate(const void *origin, std::int64_t count, datatype type, int target,
               std::int64_t place, std::int64_t target_count, datatype target_type, op which,
               win on);
int get_accumulate(const void *origin, std::int64_t count, datatype type, void *result,
                   std::int64_t result_count, datatype result_type, int target, std::int64_t place,
                   std::int64_t target_count, datatype target_type, op which, win on);
int fetch_and_op(const void *origin, void *result, datatype type, int target, std::int64_t place,
                 op which, win on);
int compare_and_swap(const void *origin, const void *compared, void *result, datatype type,
                     int target, std::int64_t place, win on);
// The requests are complete at once.
int rput(const void *origin, std::int64_t count, datatype type, int target, std::int64_t place,
         std::int64_t target_count, datatype target_type, win on, request *out);
int rget(void *origin, std::int64_t count, datatype type, int target, std::int64_t place,
         std::int64_t target_count, datatype target_type, win on, request *out);
int raccumulate(const void *origin, std::int64_t count, datatype type, int target,
                std::int64_t place, std::int64_t target_count, datatype target_type, op which,
                win on, request *out);
int rget_accumulate(const void *origin, std::int64_t count, datatype type, void *result,
                    std::int64_t result_count, datatype result_type, int target, std::int64_t place,
                    std::int64_t target_count, datatype target_type, op which, win on,
                    request *out);

// ---- Synchronization ----

int win_fence(int assertions, win on);
int win_post(group origins, int assertions, win on);
int win_start(group targets, int assertions, win on);
int win_complete(win on);
int win_wait(win on);
int win_test(win on, int *flag);
int win_lock(int type, int target, int assertions, win on);
int win_unlock(int target, win on);
int win_lock_all(int assertions, win on);
int win_unlock_all(win on);
int win_flush(int target, win on);
int win_flush_all(win on);
int win_flush_local(int target, win on);
int win_flush_local_all(win on);
int win_sync(win on);

} // namespace saguaro::mpi::core
