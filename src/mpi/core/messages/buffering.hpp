// SPDX-License-Identifier: MIT
// The buffers of MPI_Bsend: the program attaches them and gets them back. Every send is buffered,
// in memory of the library's own, so they are always empty.
#pragma once

#include "mpi/core/interface/handles.hpp"

#include <cstddef>
#include <cstdint>

namespace saguaro::mpi {

struct attached_buffer {
    void *memory = nullptr;
    std::int64_t bytes = 0;

    // An error class: there may be one at a time.
    int attach(void *buffer, std::int64_t size);
    // *address is the memory.
    void detach(void *address, std::int64_t *size);
};

// How many the program has attached to the process and to communicators, and not taken back. An
// automatic one is no memory of the program's.
std::size_t attached_buffers();

// A request that is complete and sends and receives nothing.
int give_empty_request(request *out);

} // namespace saguaro::mpi
