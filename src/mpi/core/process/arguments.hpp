// SPDX-License-Identifier: MIT
// Checks and conversions of arguments, which come first in most of MPI's functions. An error class
// is returned, 0 is success.
#pragma once

#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/rank.hpp"
#include "mpi/core/requests/requests.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>

namespace saguaro::mpi {

// The greatest tag: MPI_TAG_UB.
inline constexpr int greatest_tag = 0x7fffffff;

// The description of a type; null if the handle is none.
const type_pointer *find_type(datatype which);

// The same of one that may be used for data; null if the program has not committed it.
const type_pointer *find_committed(datatype which);

// Like `find_type`, for who does not keep it.
inline const datatype_object *object_of(datatype which) {
    const type_pointer *const t = find_type(which);
    return t != nullptr ? t->get() : nullptr;
}

// What MPI_X_get_name tells, in room for abi::max_object_name characters.
inline int give_name(std::string_view text, char *name, int *length) {
    std::memcpy(name, text.data(), text.size());
    name[text.size()] = '\0';
    *length = static_cast<int>(text.size());
    return abi::success;
}

// The elements as a stream. `kept`, unless null, keeps a derived type alive. err_type: there is no
// such type, or the program has not committed it.
int make_buffer(typed_buffer &out, const void *buffer, std::int64_t count, datatype type,
                type_pointer *kept = nullptr);

// err_buffer if there is no memory for the elements: a null pointer, unless the type may have
// addresses of its own, or MPI_IN_PLACE where it means nothing.
inline int check_memory(const typed_buffer &what) {
    if (what.bytes == 0) // of which the type may be none
        return abi::success;
    const bool is_null = what.base == nullptr && what.type->predefined() != datatype::null;
    return is_null || is_in_place(what.base) ? abi::err_buffer : abi::success;
}

// Where a message goes or comes from, and its data: what all sends and receives have.
struct message_arguments {
    comm_object *on = nullptr;
    std::uint32_t peer = any_rank; // in the world
    bool is_nobody = false;        // MPI_PROC_NULL
    typed_buffer buffer;
};

// An error class of MPI.
int check_message(message_arguments &out, bool receives, const void *buffer, std::int64_t count,
                  datatype type, int peer, int tag, comm on, type_pointer *kept = nullptr);

// A request to send or receive, not begun. To or from MPI_PROC_NULL it does nothing.
int make_request(request_object &out, action what, const void *buffer, std::int64_t count,
                 datatype type, int peer, int tag, comm on, bool keeps_type = false);

// The same of checked arguments.
void begin_request(request_object &out, action what, const message_arguments &from, int tag);

// Begins a send in partitions, of which none is ready.
void begin_partitions(request_object &send);

// The request is gone, and its communicator has one user less.
void remove_request(request which);
// Removes the requests that the program has freed and that are complete at the clock. Does nothing
// until many have piled up since the last removal. To be called before a request is made or freed.
void remove_freed_requests();

// Whether the request is complete at the clock of a call that asks: as MPI_Test, which tells more.
// `call` is what the program has called.
bool is_complete_now(request_object &which, const char *call);

// What the request's end says.
void make_status(const request_object &of, status *out);

// Of an empty message from nobody.
inline void set_status_of_no_process(status *out) {
    if (out != nullptr)
        *out = {abi::proc_null, abi::any_tag, status::error_unset, 0, false};
}

// What the standard calls an empty status: its error is set, too, unlike that of an operation.
inline void set_empty_status(status *out) {
    if (out != nullptr)
        *out = {abi::any_source, abi::any_tag, abi::success, 0, false};
}

} // namespace saguaro::mpi
