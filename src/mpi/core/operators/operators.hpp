// SPDX-License-Identifier: MIT
// Operators of reductions.
#pragma once

#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/datatypes/datatype.hpp"

#include <cstdint>
#include <span>

namespace saguaro::mpi {

struct predefined_type;

// An operator of the program's own.
struct op_object {
    reduction function;
    bool commutes;
};

// From now on this thunk calls the function of an operator that the program has made.
void set_thunk(op which, decltype(reduction::thunk) thunk);

// The function of an operator that the program has made; null if it has not.
reduction *function_of(op which);

// An operator for a type. It stays good when the program frees both, as it may while a collective
// is under way.
class bound_operator {
public:
    // Whether the operator is one, and is for elements of that type: 0, err_op or err_type.
    int bind(op which, datatype type);

    const datatype_object &type() const { return *type_; }

    // inout[i] = in[i] op inout[i].
    void reduce(const void *in, void *inout, std::int64_t count) const;

    // Combines the values of all ranks, in their order; the last one becomes the result, the others
    // may change. If it needs all of them at a time, the result is not that of `reduce` from left
    // to right (invariant.hpp).
    void combine(std::span<void *const> values, std::int64_t count) const;
    bool needs_all_values() const;

private:
    void call_program(const void *in, void *inout, std::int64_t count) const;

    op which_ = op::null;
    datatype number_ = datatype::null;
    type_pointer type_;
    const predefined_type *row_ = nullptr;
    reduction own_; // with a thunk if the operator is the program's
};

// Whether the operator is one, and is for elements of that type: 0, err_op or err_type.
int check_operator(op which, datatype type);

// inout[i] = in[i] op inout[i]. The operator and the type go together.
void reduce_elements(op which, datatype type, const void *in, void *inout, std::int64_t count);

} // namespace saguaro::mpi
