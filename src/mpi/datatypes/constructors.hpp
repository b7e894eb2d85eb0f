// SPDX-License-Identifier: MIT
// MPI's constructors of datatypes. Each returns an error class: 0, or
//   err_type   an old type is null
//   err_count  a count or block length is negative, or the new type's size or bounds take more than
//              63 bits
//   err_arg    another argument is out of its range
// and stores the new type in *made, which an error leaves as it was. Names and arguments are those
// of MPI's functions. `form` says whether the _c variant was called; only MPI_Type_get_envelope and
// MPI_Type_get_contents tell the difference. A call takes time and memory proportional to the
// lengths of its arrays, whatever the counts in them are.
#pragma once

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/datatype.hpp"

#include <cstdint>

namespace saguaro::mpi {

enum class call_form : bool { plain, large };

int type_contiguous(std::int64_t count, const type_pointer &old, type_pointer *made,
                    call_form form = call_form::plain);
// `stride` in extents of the old type; in hvector in bytes.
int type_vector(std::int64_t count, std::int64_t block_length, std::int64_t stride,
                const type_pointer &old, type_pointer *made, call_form form = call_form::plain);
int type_hvector(std::int64_t count, std::int64_t block_length, std::int64_t stride,
                 const type_pointer &old, type_pointer *made, call_form form = call_form::plain);
// Displacements in extents of the old type; where the name has an h, in bytes.
int type_indexed(std::int64_t count, const std::int64_t *block_lengths,
                 const std::int64_t *displacements, const type_pointer &old, type_pointer *made,
                 call_form form = call_form::plain);
int type_hindexed(std::int64_t count, const std::int64_t *block_lengths,
                  const std::int64_t *displacements, const type_pointer &old, type_pointer *made,
                  call_form form = call_form::plain);
int type_indexed_block(std::int64_t count, std::int64_t block_length,
                       const std::int64_t *displacements, const type_pointer &old,
                       type_pointer *made, call_form form = call_form::plain);
int type_hindexed_block(std::int64_t count, std::int64_t block_length,
                        const std::int64_t *displacements, const type_pointer &old,
                        type_pointer *made, call_form form = call_form::plain);
// Displacements in bytes. The extent is rounded up to the strictest alignment of the basic types,
// as a C compiler does, unless an upper bound was set by MPI_Type_create_resized. By MPICH's rule
// (bounds_rule.hpp) it is then as well, but not if all members are of one type.
int type_struct(std::int64_t count, const std::int64_t *block_lengths,
                const std::int64_t *displacements, const type_pointer *types, type_pointer *made,
                call_form form = call_form::plain);

int type_resized(const type_pointer &old, std::int64_t lower_bound, std::int64_t extent,
                 type_pointer *made, call_form form = call_form::plain);
int type_dup(const type_pointer &old, type_pointer *made);

} // namespace saguaro::mpi
