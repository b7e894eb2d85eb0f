// SPDX-License-Identifier: MIT
// The predefined datatypes.
#pragma once

#include "mpi/core/interface/handles.hpp"
#include "mpi/datatypes/basic.hpp"
#include "mpi/datatypes/datatype.hpp"

#include <cstdint>
#include <span>

namespace saguaro::mpi {

struct predefined_type {
    datatype number;
    const char *name; // "MPI_INT"
    basic_kind kind;
    basic_group group;
    std::int64_t external_size; // in external32
};

// All of them, by rising number.
std::span<const predefined_type> predefined_types();

// The row of a predefined type; null if the number is none, or is MPI_DATATYPE_NULL.
const predefined_type *find_predefined(datatype number);

// The row of a predefined type, or of one that is like a type of MPI_Type_create_f90_real and its
// like; null for other derived types. It costs a search through the table for Fortran's kinds.
const predefined_type *find_row(const datatype_object &of);

// The description of a predefined type; null if the number is none. It costs a look into a table.
const type_pointer &predefined_object(datatype number);

// The bytes and alignment of a kind in memory. A pair's bytes are those of its two parts.
std::int64_t size_of(basic_kind kind);
std::int64_t alignment_of(basic_kind kind);

// The parts of a pair, and where the second one is; for other kinds both are `none`.
struct pair_parts {
    basic_kind value, index;
    std::int64_t index_at;
};
pair_parts parts_of(basic_kind pair);

// MPI_Type_match_size: the Fortran type of this class and size; null if there is none. `type_class`
// is abi::typeclass_real and so on.
datatype match_size(int type_class, std::int64_t size);

// MPI_Type_get_value_index: the pair type of these two; null if there is none.
datatype match_value_index(datatype value, datatype index);

} // namespace saguaro::mpi
