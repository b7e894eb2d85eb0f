// SPDX-License-Identifier: MIT
// The objects whose addresses are the predefined handles of Open MPI's ABI. A program that is not
// position-independent has copies of them, which the dynamic linker makes when it loads the
// program, and it binds the library to these copies. Therefore an object says its own number, and
// the library learns where the objects are from relocations alone.
#pragma once

#include <cstdint>

namespace saguaro::mpi::ompi {

struct object_head {
    std::uint32_t mark;
    std::uint32_t number; // the core's
    std::int32_t fortran; // the number in Open MPI's Fortran, or -1
};

inline constexpr std::uint32_t mark_of_objects = 0x5a60a50;

// Open MPI's objects of a kind have one size in all releases from 3.1 on.
template <unsigned size>
struct alignas(32) object {
    object_head head;
    char unused[size - sizeof(object_head)] = {};

    constexpr object(std::uint32_t number, std::int32_t fortran)
        : head{mark_of_objects, number, fortran} {}
};

// By the core's number; null where Open MPI has no such object.
inline constexpr std::uint32_t last_object = 0x2eb;
extern void *const objects[last_object + 1];

} // namespace saguaro::mpi::ompi
