// SPDX-License-Identifier: MIT
// Which operators are for which types, beyond the standard's table: as in MPICH.
#include "mpi/core/ranks.hpp"
#include "mpi/core/short.hpp"

#include <algorithm>
#include <complex>
#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

// On one rank; the body returns 0 if all is well.
// left op right; `left` unless the operator is for the type.
template <class T>
T reduced(op which, datatype type, T left, T right) {
    return core::reduce_local(&left, &right, 1, type, which) == abi::success ? right : left;
}

TEST(operators, take_characters_as_integers) {
    on_one_rank([] {
        for (const datatype type : {datatype::char_, datatype::character}) {
            const auto of = [&](op which, char a, char b) { return reduced(which, type, a, b); };
            const char low = static_cast<char>(-100); // the greater one where char is unsigned
            if (of(op::sum, 2, 3) != 5 || of(op::prod, 2, 3) != 6)
                return 1;
            if (of(op::max, low, 5) != std::max<char>(low, 5) ||
                of(op::min, low, 5) != std::min<char>(low, 5) || of(op::max, 2, 3) != 3)
                return 2;
            if (of(op::band, 6, 3) != 2 || of(op::bor, 6, 3) != 7 || of(op::bxor, 6, 3) != 5)
                return 3;
            if (of(op::land, 6, 3) != 1 || of(op::lor, 6, 0) != 1 || of(op::lxor, 6, 3) != 0)
                return 4;
        }
        wchar_t wide = L'a'; // no character of MPICH's: no operator is for it
        return core::reduce_local(&wide, &wide, 1, datatype::wchar, op::max) == abi::err_op ? 0 : 5;
    });
}

template <class T>
bool has_logicals(datatype type) {
    const auto of = [&](op which, double a, double b) {
        return reduced(which, type, static_cast<T>(a), static_cast<T>(b));
    };
    return of(op::land, 0.5, 0.25) == 1 && of(op::land, 0.5, 0) == 0 && of(op::lor, 0.5, 0) == 1 &&
           of(op::lxor, 0.5, 0.25) == 0 && of(op::lxor, 0.5, 0) == 1 &&
           of(op::bor, 0.5, 0) == T(0.5); // refused
}

TEST(operators, take_floating_numbers_as_truth_values) {
    on_one_rank([] {
        return has_logicals<float>(datatype::float_) && has_logicals<double>(datatype::double_) &&
                       has_logicals<long double>(datatype::long_double) &&
                       has_logicals<double>(datatype::real8)
                   ? 0
                   : 1;
    });
}

// Fortran's kinds are none of the predefined types by their handles.
TEST(operators, take_the_kinds_of_fortran) {
    on_one_rank([] {
        datatype real{};
        datatype complex{};
        datatype integer{};
        core::type_create_f90_real(15, 307, &real);
        core::type_create_f90_complex(6, 30, &complex);
        core::type_create_f90_integer(4, &integer);
        const double sum = reduced(op::sum, real, 3.0, 4.0);
        double all = 0;
        core::allreduce(&sum, &all, 1, real, op::sum, comm::world);
        const std::complex<float> product =
            reduced(op::prod, complex, std::complex<float>(0, 1), std::complex<float>(0, 1));
        return first_false({all == 7, product == std::complex<float>(-1, 0),
                            reduced<short>(op::bxor, integer, 6, 3) == 5,
                            reduced<short>(op::max, integer, 2, 3) == 3,
                            reduced(op::band, real, 3.0, 4.0) == 3.0}); // refused
    });
}

} // namespace
} // namespace saguaro::mpi
