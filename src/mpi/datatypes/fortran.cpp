// SPDX-License-Identifier: MIT
// The tables of gfortran's real and integer kinds, and the search for the least that suffices.
#include "mpi/datatypes/fortran.hpp"

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/composition.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <cfloat>
#include <utility>

namespace saguaro::mpi {
namespace {

struct real_kind {
    int precision, range;
    datatype real, complex;
};

constexpr real_kind real_kinds[] = {
    {6, 37, datatype::real4, datatype::complex8},
    {15, 307, datatype::real8, datatype::complex16},
#if LDBL_MANT_DIG == 64
    {18, 4931, datatype::long_double, datatype::c_long_double_complex},
#endif
    {33, 4931, datatype::real16, datatype::complex32},
};

struct integer_kind {
    int range;
    datatype integer;
};

constexpr integer_kind integer_kinds[] = {
    {2, datatype::integer1},  {4, datatype::integer2},   {9, datatype::integer4},
    {18, datatype::integer8}, {38, datatype::integer16},
};

int alias(datatype of, combiner made_by, std::vector<int> arguments, type_pointer *made) {
    const type_pointer &original = predefined_object(of);
    contents made_from;
    made_from.made_by = made_by;
    made_from.integers = std::move(arguments);
    *made = std::make_shared<const datatype_object>(composition_of(*original), std::move(made_from),
                                                    original->group());
    return abi::success;
}

const real_kind *find_kind(int precision, int range) {
    if (precision == abi::undefined && range == abi::undefined)
        return nullptr;
    for (auto &kind : real_kinds)
        if ((precision == abi::undefined || precision <= kind.precision) &&
            (range == abi::undefined || range <= kind.range))
            return &kind;
    return nullptr;
}

} // namespace

int type_f90_real(int precision, int range, type_pointer *made) {
    const real_kind *kind = find_kind(precision, range);
    return kind ? alias(kind->real, combiner::f90_real, {precision, range}, made) : abi::err_arg;
}

int type_f90_complex(int precision, int range, type_pointer *made) {
    const real_kind *kind = find_kind(precision, range);
    return kind ? alias(kind->complex, combiner::f90_complex, {precision, range}, made)
                : abi::err_arg;
}

int type_f90_integer(int range, type_pointer *made) {
    for (auto &kind : integer_kinds)
        if (range <= kind.range)
            return alias(kind.integer, combiner::f90_integer, {range}, made);
    return abi::err_arg;
}

} // namespace saguaro::mpi
