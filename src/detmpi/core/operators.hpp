// SPDX-License-Identifier: MIT
// Operators of reductions.
#pragma once

#include "detmpi/core/callbacks.hpp"
#include "detmpi/core/handles.hpp"
#include "detmpi/datatypes/datatype.hpp"

#include <cstdint>

namespace saguaro::detmpi {

// An operator of the program's own.
struct op_object {
    reduction function;
    bool commutes;
};

// Whether the operator is one, and is for elements of that type: 0, err_op or err_type.
int check_operator(op which, datatype type);

// inout[i] = in[i] op inout[i]. The operator and the type go together.
void reduce_elements(op which, datatype type, const void *in, void *inout, std::int64_t count);

} // namespace saguaro::detmpi
