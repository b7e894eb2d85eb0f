// SPDX-License-Identifier: MIT
// A message: its elements in the program's memory, and the numbers that identify it.
#pragma once

#include "mpi/core/world/layout.hpp"
#include "mpi/datatypes/datatype.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace saguaro::mpi {

// Elements in the program's memory, as the stream of bytes that a message carries.
struct typed_buffer {
    void *base = nullptr;
    std::int64_t count = 0;
    const datatype_object *type = nullptr; // null: `count` bytes
    std::int64_t bytes = 0;

    bool is_contiguous() const { return type == nullptr || type->contiguous(); }
    // As numbers: from MPI_BOTTOM, which is null, a type's bounds are addresses.
    char *first() const {
        const std::int64_t offset = type == nullptr ? 0 : type->true_lower_bound();
        return reinterpret_cast<char *>(reinterpret_cast<std::intptr_t>(base) + offset);
    }

    // Copies the first `size` bytes of the stream out of the elements, or into them.
    void read(void *to, std::size_t size) const {
        if (size == 0)
            return;
        if (is_contiguous())
            std::memcpy(to, first(), size);
        else
            pack(*type, base, count, 0, to, static_cast<std::int64_t>(size));
    }
    void write(const void *from, std::size_t size) const {
        if (size == 0)
            return;
        if (is_contiguous())
            std::memcpy(first(), from, size);
        else
            unpack(*type, base, count, 0, from, static_cast<std::int64_t>(size));
    }
};

// Identifies a message.
struct envelope {
    clock_value stamp;
    std::uint32_t source; // in the world
    context_value context;
    std::int32_t tag;
    std::uint32_t number; // as in a record
    std::uint64_t bytes;

    bool is_synchronous() const { return mpi::is_synchronous(context, number); }
};

} // namespace saguaro::mpi
