// SPDX-License-Identifier: MIT
// The buffer of MPI_Bsend: the program attaches it and gets it back. Every send is buffered, in
// memory of the library's own.
#include "detmpi/core/addresses.hpp"
#include "detmpi/core/functions.hpp"

#include <cstring>

namespace saguaro::detmpi::core {

namespace {

void *attached = nullptr;
std::int64_t attached_bytes = 0;

} // namespace

int buffer_attach(void *buffer, std::int64_t size) {
    if (attached != nullptr)
        return mpi::err_buffer;
    if (size < 0 && !is_buffer_automatic(buffer))
        return mpi::err_arg;
    attached = buffer;
    attached_bytes = size;
    return mpi::success;
}

int buffer_detach(void *address, std::int64_t *size) {
    std::memcpy(address, &attached, sizeof(attached));
    *size = attached_bytes;
    attached = nullptr;
    attached_bytes = 0;
    return mpi::success;
}

} // namespace saguaro::detmpi::core
