// SPDX-License-Identifier: MIT
// The face of Open MPI's ABI, whose handles are pointers. A predefined handle is the address of an
// object that the library exports. Any other handle is twice the core's number plus 1, and points
// to nothing. Addresses of objects are even, so they cannot be confused with numbers, even in
// programs whose copies of the objects lie as low as 0x404000 because they are not
// position-independent. `ompi_constants.hpp` is generated from functions/constants.txt.
#pragma once

#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/core/interface/status.hpp"
#include "mpi/faces/domain.hpp"
#include "mpi/faces/ompi_object.hpp"
#include "mpi/faces/ompi_types.hpp"
#include "mpi/faces/pointer_of.hpp"
#include "mpi/faces/translated.hpp"
#include "ompi_constants.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace saguaro::mpi::ompi {

struct face {
    template <class kind>
    using handle =
        faces::pointer_of<kind, MPI_Comm, MPI_Group, MPI_Datatype, MPI_Request, MPI_Op,
                          MPI_Errhandler, MPI_Info, MPI_Win, MPI_File, MPI_Session, MPI_Message>;
    using status_type = MPI_Status;

    static constexpr int version = 3;
    static constexpr int subversion = 1;

    template <class kind>
    static kind in(handle<kind> h) {
        const auto value = reinterpret_cast<std::uintptr_t>(h);
        if (value % 2 != 0) {
            const std::uintptr_t n = value / 2;
            return n <= last_dynamic ? static_cast<kind>(n) : kind{};
        }
        if (h == nullptr)
            return kind{};
        const auto *head = reinterpret_cast<const object_head *>(h);
        return head->mark == mark_of_objects ? static_cast<kind>(head->number) : kind{};
    }

    template <class kind>
    static handle<kind> out(kind h) {
        const std::uint32_t n = number(h);
        if (n > last_object || objects[n] == nullptr)
            return reinterpret_cast<handle<kind>>(std::uintptr_t{n} * 2 + 1);
        return static_cast<handle<kind>>(objects[n]);
    }

    // MPI_Comm_c2f and the like. What has no number in Open MPI's Fortran keeps the core's, which
    // is greater than all of these.
    template <class kind>
    static int to_int(handle<kind> h) {
        return fortran_number(in<kind>(h));
    }

    template <class kind>
    static handle<kind> from_int(int h) {
        return out(from_fortran<kind>(h));
    }

    template <class kind>
    static int fortran_number(kind h) {
        const std::uint32_t n = number(h);
        if (n <= last_object && objects[n] != nullptr) {
            const int in_fortran = static_cast<const object_head *>(objects[n])->fortran;
            if (in_fortran >= 0)
                return in_fortran;
        }
        return static_cast<int>(n);
    }

    template <class kind>
    static constexpr kind from_fortran(int h) {
        const auto n = static_cast<std::uint32_t>(h);
        if (n < std::size(in_fortran<kind>))
            return static_cast<kind>(in_fortran<kind>[n]);
        return n > last_of_fortran && n <= last_dynamic ? static_cast<kind>(n) : kind{};
    }

    template <faces::domain of>
    static constexpr int to_core(int value) {
        return faces::convert<of>(integers<of>, value, &integer_pair::face, &integer_pair::core);
    }

    template <faces::domain of>
    static constexpr int to_face(int value) {
        return faces::convert<of>(integers<of>, value, &integer_pair::core, &integer_pair::face);
    }

    static const void *buffer(const void *p) {
        return reinterpret_cast<std::uintptr_t>(p) == buffer_automatic
                   ? reinterpret_cast<const void *>(addresses::buffer_automatic)
                   : p;
    }

    static const void *buffer_out(const void *p) {
        return is_buffer_automatic(p) ? reinterpret_cast<const void *>(buffer_automatic) : p;
    }

    static const int *weights(const int *p) {
        const auto value = reinterpret_cast<std::uintptr_t>(p);
        return value == unweighted      ? reinterpret_cast<const int *>(addresses::unweighted)
               : value == weights_empty ? reinterpret_cast<const int *>(addresses::weights_empty)
                                        : p;
    }

    static void *pvar(void *p) {
        return reinterpret_cast<std::intptr_t>(p) == all_pvars
                   ? reinterpret_cast<void *>(addresses::all_pvars)
                   : p;
    }

    static std::int64_t view_offset(std::int64_t offset) {
        return faces::translated_offset(displacement_current, offset);
    }

    static bool is_ignored(const MPI_Status *p) { return p == nullptr; }

    // MPI_COMM_DUP_FN is a function here, OMPI_C_MPI_COMM_DUP_FN.
    static bool is_duplicate(any_function) { return false; }

    static status read(const MPI_Status &from) {
        return {to_core<faces::domain::rank>(from.MPI_SOURCE),
                to_core<faces::domain::tag>(from.MPI_TAG),
                to_core<faces::domain::error>(from.MPI_ERROR),
                static_cast<std::int64_t>(from.bytes), from.cancelled != 0};
    }

    static void write(MPI_Status &to, const status &from) {
        to.MPI_SOURCE = to_face<faces::domain::rank>(from.source);
        to.MPI_TAG = to_face<faces::domain::tag>(from.tag);
        if (from.error != status::error_unset)
            to.MPI_ERROR = to_face<faces::domain::error>(from.error);
        to.cancelled = from.cancelled;
        to.bytes = static_cast<std::size_t>(from.bytes);
    }

private:
    // The greatest number of a predefined handle in Fortran; the core's own begin at 32.
    static constexpr std::uint32_t last_of_fortran = std::size(in_fortran<datatype>) - 1;
    static constexpr std::intptr_t all_pvars = -1; // MPI_T_PVAR_ALL_HANDLES
    static constexpr std::uintptr_t unweighted = 2;
    static constexpr std::uintptr_t weights_empty = 3;
    static constexpr std::uintptr_t buffer_automatic = 4; // from Open MPI 6 on
};

} // namespace saguaro::mpi::ompi
