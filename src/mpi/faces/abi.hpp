// SPDX-License-Identifier: MIT
// The face of the standard ABI of MPI 5. The core's numbers are that ABI's, so a handle needs no
// more than a cast and an integer nothing.
#pragma once

#include "mpi.h"
#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/core/interface/status.hpp"
#include "mpi/faces/domain.hpp"
#include "mpi/faces/pointer_of.hpp"

#include <cstdint>
#include <limits>

namespace saguaro::mpi::abi {

struct face {
    template <class kind>
    using handle =
        faces::pointer_of<kind, MPI_Comm, MPI_Group, MPI_Datatype, MPI_Request, MPI_Op,
                          MPI_Errhandler, MPI_Info, MPI_Win, MPI_File, MPI_Session, MPI_Message>;
    using status_type = MPI_Status;

    static constexpr int version = 4;
    static constexpr int subversion = 1;

    template <class kind>
    static kind in(handle<kind> h) {
        const auto value = reinterpret_cast<std::uintptr_t>(h);
        return value <= last_dynamic ? static_cast<kind>(value) : kind{};
    }

    template <class kind>
    static handle<kind> out(kind h) {
        return reinterpret_cast<handle<kind>>(static_cast<std::uintptr_t>(number(h)));
    }

    // MPI_Comm_toint and the like.
    template <class kind>
    static int to_int(handle<kind> h) {
        return static_cast<int>(reinterpret_cast<std::uintptr_t>(h));
    }

    template <class kind>
    static handle<kind> from_int(int h) {
        return reinterpret_cast<handle<kind>>(static_cast<std::uintptr_t>(h));
    }

    template <faces::domain>
    static constexpr int to_core(int value) {
        return value;
    }

    template <faces::domain>
    static constexpr int to_face(int value) {
        return value;
    }

    static const void *buffer(const void *p) { return p; }
    static const int *weights(const int *p) { return p; }
    static void *pvar(void *p) { return p; }
    static const void *buffer_out(const void *p) { return p; }
    static std::int64_t view_offset(std::int64_t offset) { return offset; }
    static bool is_ignored(const MPI_Status *p) { return p == nullptr; }
    static bool is_duplicate(any_function f) { return reinterpret_cast<std::uintptr_t>(f) == 1; }

    // MPI_internal: the bytes' lower and upper half, and whether the operation was cancelled.
    static status read(const MPI_Status &from) {
        const auto low = static_cast<std::uint32_t>(from.MPI_internal[0]);
        const auto high = static_cast<std::int64_t>(from.MPI_internal[1]);
        return {from.MPI_SOURCE, from.MPI_TAG, from.MPI_ERROR, high * (std::int64_t{1} << 32) + low,
                from.MPI_internal[2] != 0};
    }

    static void write(MPI_Status &to, const status &from) {
        to.MPI_SOURCE = from.source;
        to.MPI_TAG = from.tag;
        if (from.error != status::error_unset)
            to.MPI_ERROR = from.error;
        to.MPI_internal[0] = static_cast<int>(from.bytes & 0xffffffff);
        to.MPI_internal[1] = static_cast<int>(from.bytes >> 32);
        to.MPI_internal[2] = from.cancelled;
    }
};

} // namespace saguaro::mpi::abi
