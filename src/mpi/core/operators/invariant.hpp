// SPDX-License-Identifier: MIT
// Reductions that give the same bits for any number of ranks: detmpiexec -reduce invariant.
//
// By default a reduction combines the ranks' values from left to right. Integers, truth values and
// bits give the same then wherever the values lie. Floating numbers do not: a sum is rounded behind
// each rank, and a least number depends on where a NaN or a zero with a sign stands. These have
// another definition here, which does not depend on an order:
//
// - a sum is exact, and rounded once (exact_sum.hpp); of complex numbers so is each part;
// - a least or greatest number is NaN if any is, and -0 is less than +0; of values with places a
//   NaN comes first, too.
//
// Products of floating numbers and operators of the program stay in the order of the ranks.
#pragma once

#include "mpi/core/interface/handles.hpp"

#include <cstdint>
#include <span>

namespace saguaro::mpi {
struct predefined_type;
} // namespace saguaro::mpi

namespace saguaro::mpi::invariant {

// Looks at the variable. Ends the process with a line if the value is wrong.
void begin();

// Whether reductions combine by `combine` what this predefined operator and type name.
bool defines(op which, const predefined_type &type);

// result[i] = values[0][i] op values[1][i] op ...; `result` may be one of the values.
void combine(op which, const predefined_type &type, std::span<const void *const> values,
             void *result, std::int64_t count);

} // namespace saguaro::mpi::invariant
