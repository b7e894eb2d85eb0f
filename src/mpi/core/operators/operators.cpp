// SPDX-License-Identifier: MIT
// The table of operators for each group of types, and operators of the program's own.
#include "mpi/core/operators/operators.hpp"

#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/operators/invariant.hpp"
#include "mpi/core/operators/pairs.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <algorithm>
#include <climits>
#include <complex>
#include <cstring>
#include <vector>

namespace saguaro::mpi {

namespace {

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

int bound_operator::bind(op which, datatype type) {
    const type_pointer *const t = find_committed(type);
    if (t == nullptr)
        return abi::err_type;
    which_ = which;
    number_ = type;
    type_ = *t;
    if (const op_object *const own = process::mine->ops.find(which)) {
        own_ = own->function;
        return abi::success;
    }
    if (which == op::replace || which == op::no_op)
        return abi::success;
    row_ = find_row(*type_);
    if (!is_predefined(which) || which == op::null || row_ == nullptr)
        return abi::err_op;
    return reduce_basic(which, *row_, nullptr, nullptr, 0) ? abi::success : abi::err_op;
}

void bound_operator::reduce(const void *in, void *inout, std::int64_t count) const {
    if (own_.thunk != nullptr)
        call_program(in, inout, count);
    else if (which_ == op::replace)
        copy(*type_, in, count, *type_, inout, count, count * type_->size());
    else if (which_ != op::no_op)
        reduce_basic(which_, *row_, in, inout, count);
}

bool bound_operator::needs_all_values() const {
    return row_ != nullptr && invariant::defines(which_, *row_);
}

void bound_operator::combine(std::span<void *const> values, std::int64_t count) const {
    if (needs_all_values()) {
        const std::vector<const void *> read(values.begin(), values.end());
        invariant::combine(which_, *row_, read, values.back(), count);
        return;
    }
    for (std::size_t v = 1; v < values.size(); ++v)
        reduce(values[v - 1], values[v], count);
}

void bound_operator::call_program(const void *in, void *inout, std::int64_t count) const {
    // The program's function may ask for what the type is. If the program has freed its handle
    // since, the function gets another one.
    const bool is_freed = object_of(number_) != type_.get();
    datatype number = number_;
    if (is_freed) {
        number = process::mine->types.add(type_);
        process::mine->types.commit(number);
    }
    const program_call outside;
    // It counts in int.
    for (std::int64_t done = 0; done < count;) {
        const std::int64_t part = std::min<std::int64_t>(count - done, INT_MAX);
        own_.thunk(own_.function, static_cast<const char *>(in) + done * type_->extent(),
                   static_cast<char *>(inout) + done * type_->extent(), part, number);
        done += part;
    }
    if (is_freed)
        process::mine->types.free(&number);
}

int check_operator(op which, datatype type) {
    return bound_operator().bind(which, type);
}

void reduce_elements(op which, datatype type, const void *in, void *inout, std::int64_t count) {
    bound_operator bound;
    if (bound.bind(which, type) == abi::success)
        bound.reduce(in, inout, count);
}

reduction *function_of(op which) {
    op_object *const own = process::mine->ops.find(which);
    return own != nullptr ? &own->function : nullptr;
}

void set_thunk(op which, decltype(reduction::thunk) thunk) {
    if (reduction *const own = function_of(which))
        own->thunk = thunk;
}

namespace core {

int op_create(reduction function, int commutes, op *out) {
    *out = process::mine->ops.add(op_object{function, commutes != 0});
    return abi::success;
}

int op_free(op *which) {
    if (process::mine->ops.find(*which) == nullptr)
        return abi::err_op;
    process::mine->ops.remove(*which);
    *which = op::null;
    return abi::success;
}

int op_commutative(op which, int *commutes) {
    const op_object *const own = process::mine->ops.find(which);
    if (own == nullptr && (!is_predefined(which) || which == op::null))
        return abi::err_op;
    *commutes = own == nullptr ? (which == op::replace ? 0 : 1) : own->commutes ? 1 : 0;
    return abi::success;
}

int reduce_local(const void *in, void *inout, std::int64_t count, datatype type, op which) {
    if (count < 0)
        return abi::err_count;
    bound_operator bound;
    if (const int error = bound.bind(which, type))
        return error;
    const auto is_memory = [](const void *buffer) {
        return buffer != nullptr && !is_in_place(buffer);
    };
    if (count != 0 && (!is_memory(in) || !is_memory(inout) || in == inout))
        return abi::err_buffer;
    void *const values[] = {const_cast<void *>(in), inout};
    bound.combine(values, count);
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
