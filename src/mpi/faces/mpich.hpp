// SPDX-License-Identifier: MIT
// The face of MPICH's ABI: handles are ints with bits for the kind, and nearly all constants have
// numbers of their own. `mpich_constants.hpp` is generated from functions/constants.txt.
#pragma once

#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/core/interface/status.hpp"
#include "mpi/faces/domain.hpp"
#include "mpi/faces/mpich_types.hpp"
#include "mpi/faces/translated.hpp"
#include "mpich_constants.hpp"

#include <cstdint>
#include <type_traits>

namespace saguaro::mpi::mpich {

// A handle's bits: 31 and 30 say predefined (01), of the program (10) or none (00); 29 to 26 say
// the kind; the rest is the object's number. All handles of a kind that were made by the program
// begin with the kind's null handle plus bit 31. A message's begin as a request's do.
inline constexpr std::uint32_t kind_bits = 0x3c000000;
inline constexpr std::uint32_t made_by_program = 0x80000000;
inline constexpr std::uint32_t number_bits = 0x03ffffff;

template <class kind>
constexpr std::uint32_t first_bits() {
    return (predefined<kind>[0].face & kind_bits) | made_by_program;
}

// Types whose names say their number: 0x4cSSSSNN, where NN differs for all but the pairs, which are
// 0x8c000000 to 0x8c000004. So the way in needs no search.
inline constexpr auto types_by_number = [] {
    struct {
        handle_pair named[256];
        handle_pair pairs[8];
    } table{};
    for (const handle_pair &pair : predefined<datatype>)
        if ((pair.face & 0xff000000) == 0x4c000000)
            table.named[pair.face & 0xff] = pair;
        else if ((pair.face & 0xff000000) == 0x8c000000)
            table.pairs[pair.face & 7] = pair;
    return table;
}();

template <class kind>
constexpr kind predefined_in(std::uint32_t value) {
    for (const handle_pair &pair : predefined<kind>)
        if (pair.face == value)
            return static_cast<kind>(pair.core);
    return kind{};
}

template <>
constexpr datatype predefined_in<datatype>(std::uint32_t value) {
    const handle_pair &named = types_by_number.named[value & 0xff];
    if (named.face == value)
        return static_cast<datatype>(named.core);
    const handle_pair &pair = types_by_number.pairs[value & 7];
    if (pair.face == value)
        return static_cast<datatype>(pair.core);
    return value == predefined<datatype>[0].face ? datatype::null : datatype{};
}

template <class kind>
constexpr kind bits_in(std::uint32_t value) {
    const std::uint32_t number = value & number_bits;
    if ((value & ~number_bits) == first_bits<kind>() && number >= first_dynamic)
        return static_cast<kind>(number);
    return predefined_in<kind>(value);
}

template <class kind>
constexpr std::uint32_t bits_out(kind h) {
    if (!is_predefined(h))
        return first_bits<kind>() | number(h);
    for (const handle_pair &pair : predefined<kind>)
        if (pair.core == number(h))
            return pair.face;
    return predefined<kind>[0].face;
}

struct face {
    template <class kind>
    using handle = std::conditional_t<std::is_same_v<kind, file>, MPI_File, int>;
    using status_type = MPI_Status;

    static constexpr int version = 4;
    static constexpr int subversion = 0;

    template <class kind>
    static kind in(handle<kind> h) {
        if constexpr (std::is_same_v<kind, file>)
            return file_in(reinterpret_cast<std::uintptr_t>(h));
        else
            return bits_in<kind>(static_cast<std::uint32_t>(h));
    }

    template <class kind>
    static handle<kind> out(kind h) {
        if constexpr (std::is_same_v<kind, file>)
            return reinterpret_cast<MPI_File>(h == file::null ? std::uintptr_t{0}
                                                              : std::uintptr_t{number(h)});
        else
            return static_cast<int>(bits_out<kind>(h));
    }

    // MPI_Comm_c2f and the like.
    template <class kind>
    static int to_int(handle<kind> h) {
        if constexpr (std::is_same_v<kind, file>)
            return static_cast<int>(reinterpret_cast<std::uintptr_t>(h));
        else
            return h;
    }

    template <class kind>
    static handle<kind> from_int(int h) {
        if constexpr (std::is_same_v<kind, file>)
            return reinterpret_cast<MPI_File>(static_cast<std::uintptr_t>(h));
        else
            return h;
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
        const auto value = reinterpret_cast<std::intptr_t>(p);
        return value == in_place ? reinterpret_cast<const void *>(addresses::in_place)
               : value == buffer_automatic
                   ? reinterpret_cast<const void *>(addresses::buffer_automatic)
                   : p;
    }

    static const void *buffer_out(const void *p) {
        return is_buffer_automatic(p) ? reinterpret_cast<const void *>(buffer_automatic) : p;
    }

    static const int *weights(const int *p) { return p; }
    static void *pvar(void *p) { return p; }

    static std::int64_t view_offset(std::int64_t offset) {
        return faces::translated_offset(displacement_current, offset);
    }

    // MPI_STATUS_IGNORE is 1. A null pointer is none of MPICH's, but nothing can be written there.
    static bool is_ignored(const MPI_Status *p) { return reinterpret_cast<std::uintptr_t>(p) <= 1; }

    // MPI_DUP_FN is a function here, MPIR_Dup_fn.
    static bool is_duplicate(any_function) { return false; }

    static status read(const MPI_Status &from) {
        const auto low = static_cast<std::uint32_t>(from.count_lo);
        // Unsigned, as its top bit is one of the count's.
        const auto high_and_cancelled = static_cast<std::uint32_t>(from.count_hi_and_cancelled);
        return {to_core<faces::domain::rank>(from.MPI_SOURCE),
                to_core<faces::domain::tag>(from.MPI_TAG),
                to_core<faces::domain::error>(from.MPI_ERROR),
                (std::int64_t{high_and_cancelled >> 1} << 32) + low, (high_and_cancelled & 1) != 0};
    }

    static void write(MPI_Status &to, const status &from) {
        const auto bytes = static_cast<std::uint64_t>(from.bytes);
        to.count_lo = static_cast<int>(bytes & 0xffffffff);
        to.count_hi_and_cancelled =
            static_cast<int>(static_cast<std::uint32_t>(bytes >> 32) * 2 + from.cancelled);
        to.MPI_SOURCE = to_face<faces::domain::rank>(from.source);
        to.MPI_TAG = to_face<faces::domain::tag>(from.tag);
        if (from.error != status::error_unset)
            to.MPI_ERROR = to_face<faces::domain::error>(from.error);
    }

private:
    static constexpr std::intptr_t in_place = -1;
    static constexpr std::intptr_t buffer_automatic = -2;

    static file file_in(std::uintptr_t value) {
        if (value == 0)
            return file::null;
        return value >= first_dynamic && value <= last_dynamic ? static_cast<file>(value) : file{};
    }
};

} // namespace saguaro::mpi::mpich
