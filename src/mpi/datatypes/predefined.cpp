// SPDX-License-Identifier: MIT
// The table of predefined datatypes with their sizes, here and in external32.
#include "mpi/datatypes/predefined.hpp"

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/composition.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cwchar>
#include <iterator>
#include <utility>

namespace saguaro::mpi {
namespace {

using enum basic_kind;

template <class type>
constexpr basic_kind signed_kind() {
    return sizeof(type) == 1 ? int8 : sizeof(type) == 2 ? int16 : sizeof(type) == 4 ? int32 : int64;
}

template <class type>
constexpr basic_kind unsigned_kind() {
    return sizeof(type) == 1   ? uint8
           : sizeof(type) == 2 ? uint16
           : sizeof(type) == 4 ? uint32
                               : uint64;
}

// Fortran's kinds are gfortran's: INTEGER, REAL and LOGICAL have 4 bytes. The last column is the
// standard's table of external32 (MPI 4.1, 14.5.2).
constexpr predefined_type all[] = {
    {datatype::aint, "MPI_AINT", int64, basic_group::integer, 8},
    {datatype::count, "MPI_COUNT", int64, basic_group::integer, 8},
    {datatype::offset, "MPI_OFFSET", int64, basic_group::integer, 8},
    {datatype::lb, "MPI_LB", none, basic_group::none, 0},
    {datatype::ub, "MPI_UB", none, basic_group::none, 0},
    {datatype::packed, "MPI_PACKED", uint8, basic_group::packed, 1},
    {datatype::short_, "MPI_SHORT", int16, basic_group::integer, 2},
    {datatype::int_, "MPI_INT", int32, basic_group::integer, 4},
    {datatype::long_, "MPI_LONG", signed_kind<long>(), basic_group::integer, 4},
    {datatype::long_long, "MPI_LONG_LONG_INT", int64, basic_group::integer, 8},
    {datatype::unsigned_short, "MPI_UNSIGNED_SHORT", uint16, basic_group::integer, 2},
    {datatype::unsigned_, "MPI_UNSIGNED", uint32, basic_group::integer, 4},
    {datatype::unsigned_long, "MPI_UNSIGNED_LONG", unsigned_kind<unsigned long>(),
     basic_group::integer, 4},
    {datatype::unsigned_long_long, "MPI_UNSIGNED_LONG_LONG", uint64, basic_group::integer, 8},
    {datatype::float_, "MPI_FLOAT", float32, basic_group::floating, 4},
    {datatype::c_float16, "MPIX_C_FLOAT16", float16, basic_group::floating, 2},
    {datatype::c_float_complex, "MPI_C_COMPLEX", complex32, basic_group::complex, 8},
    {datatype::cxx_float_complex, "MPI_CXX_FLOAT_COMPLEX", complex32, basic_group::complex, 8},
    {datatype::double_, "MPI_DOUBLE", float64, basic_group::floating, 8},
    {datatype::c_double_complex, "MPI_C_DOUBLE_COMPLEX", complex64, basic_group::complex, 16},
    {datatype::cxx_double_complex, "MPI_CXX_DOUBLE_COMPLEX", complex64, basic_group::complex, 16},
    {datatype::logical, "MPI_LOGICAL", int32, basic_group::logical, 4},
    {datatype::integer, "MPI_INTEGER", int32, basic_group::integer, 4},
    {datatype::real, "MPI_REAL", float32, basic_group::floating, 4},
    {datatype::complex, "MPI_COMPLEX", complex32, basic_group::complex, 8},
    {datatype::double_precision, "MPI_DOUBLE_PRECISION", float64, basic_group::floating, 8},
    {datatype::double_complex, "MPI_DOUBLE_COMPLEX", complex64, basic_group::complex, 16},
    {datatype::character, "MPI_CHARACTER", uint8, basic_group::character, 1},
    {datatype::long_double, "MPI_LONG_DOUBLE", long_double, basic_group::floating, 16},
    {datatype::c_long_double_complex, "MPI_C_LONG_DOUBLE_COMPLEX", complex_long_double,
     basic_group::complex, 32},
    {datatype::cxx_long_double_complex, "MPI_CXX_LONG_DOUBLE_COMPLEX", complex_long_double,
     basic_group::complex, 32},
    {datatype::float_int, "MPI_FLOAT_INT", float_int, basic_group::pair, 8},
    {datatype::double_int, "MPI_DOUBLE_INT", double_int, basic_group::pair, 12},
    {datatype::long_int, "MPI_LONG_INT", long_int, basic_group::pair, 8},
    {datatype::two_int, "MPI_2INT", int_int, basic_group::pair, 8},
    {datatype::short_int, "MPI_SHORT_INT", short_int, basic_group::pair, 6},
    {datatype::long_double_int, "MPI_LONG_DOUBLE_INT", long_double_int, basic_group::pair, 20},
    {datatype::two_real, "MPI_2REAL", float_float, basic_group::pair, 8},
    {datatype::two_double_precision, "MPI_2DOUBLE_PRECISION", double_double, basic_group::pair, 16},
    {datatype::two_integer, "MPI_2INTEGER", int_int, basic_group::pair, 8},
    {datatype::c_bool, "MPI_C_BOOL", uint8, basic_group::logical, 1},
    {datatype::cxx_bool, "MPI_CXX_BOOL", uint8, basic_group::logical, 1},
    {datatype::wchar, "MPI_WCHAR", unsigned_kind<wchar_t>(), basic_group::character, 2},
    {datatype::int8_t, "MPI_INT8_T", int8, basic_group::integer, 1},
    {datatype::uint8_t, "MPI_UINT8_T", uint8, basic_group::integer, 1},
    {datatype::char_, "MPI_CHAR", int8, basic_group::character, 1},
    {datatype::signed_char, "MPI_SIGNED_CHAR", int8, basic_group::integer, 1},
    {datatype::unsigned_char, "MPI_UNSIGNED_CHAR", uint8, basic_group::integer, 1},
    {datatype::byte, "MPI_BYTE", uint8, basic_group::byte, 1},
    {datatype::int16_t, "MPI_INT16_T", int16, basic_group::integer, 2},
    {datatype::uint16_t, "MPI_UINT16_T", uint16, basic_group::integer, 2},
    {datatype::int32_t, "MPI_INT32_T", int32, basic_group::integer, 4},
    {datatype::uint32_t, "MPI_UINT32_T", uint32, basic_group::integer, 4},
    {datatype::int64_t, "MPI_INT64_T", int64, basic_group::integer, 8},
    {datatype::uint64_t, "MPI_UINT64_T", uint64, basic_group::integer, 8},
    {datatype::logical1, "MPI_LOGICAL1", int8, basic_group::logical, 1},
    {datatype::integer1, "MPI_INTEGER1", int8, basic_group::integer, 1},
    {datatype::logical2, "MPI_LOGICAL2", int16, basic_group::logical, 2},
    {datatype::integer2, "MPI_INTEGER2", int16, basic_group::integer, 2},
    {datatype::real2, "MPI_REAL2", float16, basic_group::floating, 2},
    {datatype::logical4, "MPI_LOGICAL4", int32, basic_group::logical, 4},
    {datatype::integer4, "MPI_INTEGER4", int32, basic_group::integer, 4},
    {datatype::real4, "MPI_REAL4", float32, basic_group::floating, 4},
    {datatype::complex4, "MPI_COMPLEX4", complex16, basic_group::complex, 4},
    {datatype::logical8, "MPI_LOGICAL8", int64, basic_group::logical, 8},
    {datatype::integer8, "MPI_INTEGER8", int64, basic_group::integer, 8},
    {datatype::real8, "MPI_REAL8", float64, basic_group::floating, 8},
    {datatype::complex8, "MPI_COMPLEX8", complex32, basic_group::complex, 8},
    {datatype::logical16, "MPI_LOGICAL16", int128, basic_group::logical, 16},
    {datatype::integer16, "MPI_INTEGER16", int128, basic_group::integer, 16},
    {datatype::real16, "MPI_REAL16", float128, basic_group::floating, 16},
    {datatype::complex16, "MPI_COMPLEX16", complex64, basic_group::complex, 16},
    {datatype::complex32, "MPI_COMPLEX32", complex128, basic_group::complex, 32},
};
static_assert(std::is_sorted(std::begin(all), std::end(all),
                             [](auto &a, auto &b) { return a.number < b.number; }));

constexpr std::uint32_t first_number = number(datatype::null);
constexpr std::uint32_t numbers = number(datatype::complex32) + 1 - first_number;

// The row of each number, plus one.
constexpr auto rows = [] {
    std::array<std::uint8_t, numbers> made{};
    for (std::size_t row = 0; row != std::size(all); ++row)
        made[number(all[row].number) - first_number] = static_cast<std::uint8_t>(row + 1);
    return made;
}();

struct machine_type {
    std::int64_t size, alignment;
};

template <class type>
constexpr machine_type machine_type_of{sizeof(type), alignof(type)};

// _Float16 and __int128 are not everywhere, but a binary from elsewhere may carry them.
machine_type machine(basic_kind kind) {
    switch (kind) {
    case none:
        return {0, 1};
    case int8:
    case uint8:
        return {1, 1};
    case int16:
    case uint16:
    case float16:
        return {2, 2};
    case int32:
    case uint32:
    case float32:
        return {4, 4};
    case int64:
    case uint64:
    case float64:
        return {8, 8};
    case int128:
    case float128:
        return {16, 16};
    case long_double:
        return machine_type_of<long double>;
    case complex16:
        return {4, 2};
    case complex32:
        return {8, 4};
    case complex64:
        return {16, 8};
    case complex128:
        return {32, 16};
    case complex_long_double:
        return {2 * sizeof(long double), alignof(long double)};
    default:
        break;
    }
    auto [value, index, index_at] = parts_of(kind);
    return {machine(value).size + machine(index).size,
            std::max(machine(value).alignment, machine(index).alignment)};
}

type_pointer describe(const predefined_type &row) {
    composition made;
    auto [value, index, index_at] = parts_of(row.kind);
    auto [size, alignment] = machine(row.kind);
    made.range.alignment = alignment;
    // The two have no bytes: they say where the bounds of a struct are that has them.
    made.range.lower_is_set = row.number == datatype::lb;
    made.range.upper_is_set = row.number == datatype::ub;
    if (size == 0) {
        made.layout = layouts::run(0, 0);
    } else if (value == none) {
        made.layout = layouts::run(0, size);
        made.basics = basic_signature(row.kind, row.external_size);
        made.range.upper = made.range.true_upper = size;
    } else {
        layouts::sequence both;
        both.add(layouts::run(0, size_of(value)));
        both.add(layouts::run(index_at, size_of(index)));
        made.layout = both.finish();
        std::int64_t index_external = 4;
        if (row.kind == double_double)
            index_external = 8;
        made.basics = joined_signature({basic_signature(value, row.external_size - index_external),
                                        basic_signature(index, index_external)});
        made.range.true_upper = index_at + size_of(index);
        made.range.upper = (made.range.true_upper + alignment - 1) / alignment * alignment;
    }
    return std::make_shared<const datatype_object>(std::move(made), row.number, row.kind,
                                                   row.group);
}

} // namespace

std::span<const predefined_type> predefined_types() {
    return all;
}

const predefined_type *find_predefined(datatype wanted) {
    std::uint32_t place = number(wanted) - first_number;
    if (place >= numbers || rows[place] == 0)
        return nullptr;
    return &all[rows[place] - 1];
}

const predefined_type *find_row(const datatype_object &of) {
    if (of.predefined() != datatype::null)
        return find_predefined(of.predefined());
    // A kind of Fortran's is made of nothing.
    if (!of.made_from().types.empty() || of.kind() == basic_kind::none)
        return nullptr;
    const auto *const found = std::find_if(std::begin(all), std::end(all), [&](const auto &row) {
        return row.kind == of.kind() && row.group == of.group();
    });
    return found != std::end(all) ? found : nullptr;
}

const type_pointer &predefined_object(datatype wanted) {
    static const auto objects = [] {
        // One more, which stays null.
        std::array<type_pointer, std::size(all) + 1> made;
        std::transform(std::begin(all), std::end(all), made.begin() + 1, describe);
        return made;
    }();
    std::uint32_t place = number(wanted) - first_number;
    return objects[place < numbers ? rows[place] : 0];
}

std::int64_t size_of(basic_kind kind) {
    return machine(kind).size;
}
std::int64_t alignment_of(basic_kind kind) {
    return machine(kind).alignment;
}

pair_parts parts_of(basic_kind pair) {
    switch (pair) {
    case float_int:
        return {float32, int32, 4};
    case double_int:
        return {float64, int32, 8};
    case long_int:
        return {signed_kind<long>(), int32, sizeof(long)};
    case int_int:
        return {int32, int32, 4};
    case short_int:
        return {int16, int32, 4};
    case long_double_int:
        return {long_double, int32, sizeof(long double)};
    case float_float:
        return {float32, float32, 4};
    case double_double:
        return {float64, float64, 8};
    default:
        return {none, none, 0};
    }
}

datatype match_size(int type_class, std::int64_t size) {
    auto wanted = basic_group::floating;
    switch (type_class) {
    case abi::typeclass_logical:
        wanted = basic_group::logical;
        break;
    case abi::typeclass_integer:
        wanted = basic_group::integer;
        break;
    case abi::typeclass_real:
        break;
    case abi::typeclass_complex:
        wanted = basic_group::complex;
        break;
    default:
        return datatype::null;
    }
    // The sized Fortran types have the numbers from MPI_LOGICAL1 on.
    for (auto &row : all)
        if (row.number >= datatype::logical1 && row.group == wanted && size_of(row.kind) == size)
            return row.number;
    return datatype::null;
}

datatype match_value_index(datatype value, datatype index) {
    constexpr struct {
        datatype value, index, pair;
    } pairs[] = {
        {datatype::float_, datatype::int_, datatype::float_int},
        {datatype::double_, datatype::int_, datatype::double_int},
        {datatype::long_, datatype::int_, datatype::long_int},
        {datatype::int_, datatype::int_, datatype::two_int},
        {datatype::short_, datatype::int_, datatype::short_int},
        {datatype::long_double, datatype::int_, datatype::long_double_int},
        {datatype::real, datatype::real, datatype::two_real},
        {datatype::double_precision, datatype::double_precision, datatype::two_double_precision},
        {datatype::integer, datatype::integer, datatype::two_integer},
    };
    for (auto &pair : pairs)
        if (pair.value == value && pair.index == index)
            return pair.pair;
    return datatype::null;
}

} // namespace saguaro::mpi
