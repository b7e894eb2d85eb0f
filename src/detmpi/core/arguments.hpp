// SPDX-License-Identifier: MIT
// What functions do with their arguments first. An error class is returned, 0 is success.
#pragma once

#include "detmpi/core/communicators.hpp"
#include "detmpi/core/rank.hpp"
#include "detmpi/core/requests.hpp"

#include <cstdint>

namespace saguaro::detmpi {

// The greatest tag: MPI_TAG_UB.
inline constexpr int greatest_tag = 0x7fffffff;

// The description of a type; null if the handle is none.
const type_pointer *find_type(datatype which);

// The same, for who does not keep it.
inline const datatype_object *object_of(datatype which) {
    const type_pointer *const t = find_type(which);
    return t != nullptr ? t->get() : nullptr;
}

// The elements as a stream. `kept`, unless null, keeps a derived type alive.
int make_buffer(typed_buffer &out, const void *buffer, std::int64_t count, datatype type,
                type_pointer *kept = nullptr);

// A request to send or receive, not begun. To or from MPI_PROC_NULL it does nothing.
int make_request(request_object &out, action what, const void *buffer, std::int64_t count,
                 datatype type, int peer, int tag, comm on, bool keeps_type = false);

// What the request's end says.
void make_status(const request_object &of, status *out);

// Of an empty message from nobody.
inline void set_status_of_no_process(status *out) {
    if (out != nullptr)
        *out = {mpi::proc_null, mpi::any_tag, status::error_unset, 0, false};
}

inline void set_empty_status(status *out) {
    if (out != nullptr)
        *out = {};
}

} // namespace saguaro::detmpi
