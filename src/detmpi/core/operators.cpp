// SPDX-License-Identifier: MIT
#include "detmpi/core/operators.hpp"

#include "detmpi/core/arguments.hpp"
#include "detmpi/core/functions.hpp"
#include "detmpi/core/process.hpp"
#include "detmpi/datatypes/predefined.hpp"

#include <algorithm>
#include <climits>
#include <complex>
#include <cstring>

namespace saguaro::detmpi {

namespace {

template <class T>
struct pair {
    T value;
    int index;
};

template <class T>
struct equal_pair {
    T value;
    T index;
};

// The operators, by the standard's table: MPI 4.1, 6.9.2. A class of them for each group of types.
// Two things go beyond it, because MPICH 4.0.2 accepts them and programs use them: MPI_CHAR and
// MPI_CHARACTER, as C's char, have all operators of integers, and floating numbers the logical
// ones. (Of these MPICH computes MPI_LXOR alone, and ends the program at the other two.)

template <class T, class Operation>
void each(const void *in, void *inout, std::int64_t count, Operation operation) {
    const auto *const a = static_cast<const T *>(in);
    auto *const b = static_cast<T *>(inout);
    for (std::int64_t i = 0; i < count; ++i)
        b[i] = static_cast<T>(operation(a[i], b[i]));
}

template <class T>
bool reduce_sums(op which, const void *in, void *inout, std::int64_t count) {
    switch (which) {
    case op::sum:
        each<T>(in, inout, count, [](T a, T b) { return a + b; });
        return true;
    case op::prod:
        each<T>(in, inout, count, [](T a, T b) { return a * b; });
        return true;
    default:
        return false;
    }
}

template <class T>
bool reduce_numbers(op which, const void *in, void *inout, std::int64_t count) {
    switch (which) {
    case op::min:
        each<T>(in, inout, count, [](T a, T b) { return b < a ? b : a; });
        return true;
    case op::max:
        each<T>(in, inout, count, [](T a, T b) { return a < b ? b : a; });
        return true;
    default:
        return reduce_sums<T>(which, in, inout, count);
    }
}

template <class T>
bool reduce_bits(op which, const void *in, void *inout, std::int64_t count) {
    switch (which) {
    case op::band:
        each<T>(in, inout, count, [](T a, T b) { return a & b; });
        return true;
    case op::bor:
        each<T>(in, inout, count, [](T a, T b) { return a | b; });
        return true;
    case op::bxor:
        each<T>(in, inout, count, [](T a, T b) { return a ^ b; });
        return true;
    default:
        return false;
    }
}

template <class T>
bool reduce_logicals(op which, const void *in, void *inout, std::int64_t count) {
    switch (which) {
    case op::land:
        each<T>(in, inout, count, [](T a, T b) { return a != 0 && b != 0; });
        return true;
    case op::lor:
        each<T>(in, inout, count, [](T a, T b) { return a != 0 || b != 0; });
        return true;
    case op::lxor:
        each<T>(in, inout, count, [](T a, T b) { return (a != 0) != (b != 0); });
        return true;
    default:
        return false;
    }
}

// The place of the least or greatest value; of equal ones the least place.
template <class Pair>
bool reduce_places(op which, const void *in, void *inout, std::int64_t count) {
    const auto choose = [&](auto is_better) {
        each<Pair>(in, inout, count, [&](const Pair &a, const Pair &b) {
            if (is_better(a.value, b.value))
                return a;
            if (is_better(b.value, a.value))
                return b;
            return a.index < b.index ? a : b;
        });
        return true;
    };
    if (which == op::minloc)
        return choose([](const auto &a, const auto &b) { return a < b; });
    if (which == op::maxloc)
        return choose([](const auto &a, const auto &b) { return b < a; });
    return false;
}

// Integers of a group: the standard allows arithmetic, bits and logic for those of C and Fortran,
// bits alone for MPI_BYTE, and logic alone for truth values.
template <class T>
bool reduce_integers(op which, basic_group group, const void *in, void *inout, std::int64_t count) {
    if (group == basic_group::byte)
        return reduce_bits<T>(which, in, inout, count);
    if (group == basic_group::logical)
        return reduce_logicals<T>(which, in, inout, count);
    if (group != basic_group::integer)
        return false;
    return reduce_numbers<T>(which, in, inout, count) || reduce_bits<T>(which, in, inout, count) ||
           reduce_logicals<T>(which, in, inout, count);
}

template <class T>
bool reduce_floating(op which, const void *in, void *inout, std::int64_t count) {
    return reduce_numbers<T>(which, in, inout, count) ||
           reduce_logicals<T>(which, in, inout, count);
}

// False if the operator is not for the type.
bool reduce_basic(op which, const predefined_type &type, const void *in, void *inout,
                  std::int64_t count) {
    const basic_group group = type.group;
    if (group == basic_group::character && size_of(type.kind) == sizeof(char))
        return reduce_integers<char>(which, basic_group::integer, in, inout, count);
    switch (type.kind) {
    case basic_kind::int8:
        return reduce_integers<std::int8_t>(which, group, in, inout, count);
    case basic_kind::int16:
        return reduce_integers<std::int16_t>(which, group, in, inout, count);
    case basic_kind::int32:
        return reduce_integers<std::int32_t>(which, group, in, inout, count);
    case basic_kind::int64:
        return reduce_integers<std::int64_t>(which, group, in, inout, count);
    case basic_kind::uint8:
        return reduce_integers<std::uint8_t>(which, group, in, inout, count);
    case basic_kind::uint16:
        return reduce_integers<std::uint16_t>(which, group, in, inout, count);
    case basic_kind::uint32:
        return reduce_integers<std::uint32_t>(which, group, in, inout, count);
    case basic_kind::uint64:
        return reduce_integers<std::uint64_t>(which, group, in, inout, count);
    case basic_kind::float32:
        return reduce_floating<float>(which, in, inout, count);
    case basic_kind::float64:
        return reduce_floating<double>(which, in, inout, count);
    case basic_kind::long_double:
        return reduce_floating<long double>(which, in, inout, count);
    case basic_kind::complex32:
        return reduce_sums<std::complex<float>>(which, in, inout, count);
    case basic_kind::complex64:
        return reduce_sums<std::complex<double>>(which, in, inout, count);
    case basic_kind::complex_long_double:
        return reduce_sums<std::complex<long double>>(which, in, inout, count);
    case basic_kind::float_int:
        return reduce_places<pair<float>>(which, in, inout, count);
    case basic_kind::double_int:
        return reduce_places<pair<double>>(which, in, inout, count);
    case basic_kind::long_int:
        return reduce_places<pair<long>>(which, in, inout, count);
    case basic_kind::int_int:
        return reduce_places<pair<int>>(which, in, inout, count);
    case basic_kind::short_int:
        return reduce_places<pair<short>>(which, in, inout, count);
    case basic_kind::long_double_int:
        return reduce_places<pair<long double>>(which, in, inout, count);
    case basic_kind::float_float:
        return reduce_places<equal_pair<float>>(which, in, inout, count);
    case basic_kind::double_double:
        return reduce_places<equal_pair<double>>(which, in, inout, count);
    default:
        return false;
    }
}

} // namespace

int check_operator(op which, datatype type) {
    const type_pointer *const t = find_type(type);
    if (t == nullptr)
        return mpi::err_type;
    if (process::mine->ops.find(which) != nullptr || which == op::replace || which == op::no_op)
        return mpi::success;
    const predefined_type *const row = find_predefined(type);
    if (!is_predefined(which) || which == op::null || row == nullptr)
        return mpi::err_op;
    return reduce_basic(which, *row, nullptr, nullptr, 0) ? mpi::success : mpi::err_op;
}

void reduce_elements(op which, datatype type, const void *in, void *inout, std::int64_t count) {
    const datatype_object &t = **find_type(type);
    if (which == op::no_op)
        return;
    if (which == op::replace) {
        copy(t, in, count, t, inout, count, count * t.size());
        return;
    }
    const op_object *const own = process::mine->ops.find(which);
    if (own == nullptr) {
        reduce_basic(which, *find_predefined(type), in, inout, count);
        return;
    }
    // A program's function counts in int.
    for (std::int64_t done = 0; done < count;) {
        const std::int64_t part = std::min<std::int64_t>(count - done, INT_MAX);
        own->function.thunk(own->function.function,
                            static_cast<const char *>(in) + done * t.extent(),
                            static_cast<char *>(inout) + done * t.extent(), part, type);
        done += part;
    }
}

namespace core {

int op_create(reduction function, int commutes, op *out) {
    *out = process::mine->ops.add(op_object{function, commutes != 0});
    return mpi::success;
}

int op_free(op *which) {
    if (process::mine->ops.find(*which) == nullptr)
        return mpi::err_op;
    process::mine->ops.remove(*which);
    *which = op::null;
    return mpi::success;
}

int op_commutative(op which, int *commutes) {
    const op_object *const own = process::mine->ops.find(which);
    if (own == nullptr && (!is_predefined(which) || which == op::null))
        return mpi::err_op;
    *commutes = own == nullptr ? (which == op::replace ? 0 : 1) : own->commutes ? 1 : 0;
    return mpi::success;
}

int reduce_local(const void *in, void *inout, std::int64_t count, datatype type, op which) {
    if (count < 0)
        return mpi::err_count;
    if (const int error = check_operator(which, type))
        return error;
    reduce_elements(which, type, in, inout, count);
    return mpi::success;
}

} // namespace core

} // namespace saguaro::detmpi
