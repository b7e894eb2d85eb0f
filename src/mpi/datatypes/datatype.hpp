// SPDX-License-Identifier: MIT
// The description of an MPI datatype: where the bytes of an element lie, what they are, and how the
// type was made. A description never changes after it is made, so any thread may use it, and a
// message keeps it alive after MPI_Type_free. Handles, names and the state "committed" are in
// table.hpp.
#pragma once

#include "mpi/core/interface/constants.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/datatypes/basic.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace saguaro::mpi {

namespace layouts {
struct placed;
}
struct composition;
struct signature;
class datatype_object;

// How code holds a description. Null is no type (MPI_DATATYPE_NULL).
using type_pointer = std::shared_ptr<const datatype_object>;

// Which constructor made a type: MPI_Type_get_envelope's combiner.
enum class combiner : int {
    named = abi::combiner_named,
    dup = abi::combiner_dup,
    contiguous = abi::combiner_contiguous,
    vector = abi::combiner_vector,
    hvector = abi::combiner_hvector,
    indexed = abi::combiner_indexed,
    hindexed = abi::combiner_hindexed,
    indexed_block = abi::combiner_indexed_block,
    hindexed_block = abi::combiner_hindexed_block,
    structure = abi::combiner_struct,
    subarray = abi::combiner_subarray,
    darray = abi::combiner_darray,
    f90_real = abi::combiner_f90_real,
    f90_complex = abi::combiner_f90_complex,
    f90_integer = abi::combiner_f90_integer,
    resized = abi::combiner_resized,
};

// What a constructor was called with, in the order of MPI_Type_get_contents. A constructor whose
// name ends in _c puts what is a count there into `counts`, the others into `integers` and
// `addresses`; what has no int to go into makes a constructor count as one of _c.
struct contents {
    combiner made_by = combiner::named;
    std::vector<int> integers;
    std::vector<std::int64_t> addresses;
    std::vector<std::int64_t> counts;
    std::vector<type_pointer> types;
};

// Where the bytes of a type begin and end, relative to the address of a buffer.
struct bounds {
    std::int64_t lower = 0; // MPI_Type_get_extent's lower bound,
    std::int64_t upper = 0; // and that plus the extent
    std::int64_t true_lower = 0;
    std::int64_t true_upper = 0;
    // By MPI_Type_create_resized: such bounds outlive other constructors. Not by MPICH's rule.
    bool lower_is_set = false;
    bool upper_is_set = false;
    std::int64_t alignment = 1; // the strictest of the basic types
};

class datatype_object {
public:
    // For the constructors only (constructors.hpp, predefined.hpp).
    datatype_object(composition &&of, contents &&made_from, basic_group group = basic_group::none);
    datatype_object(composition &&of, datatype predefined, basic_kind kind, basic_group group);
    ~datatype_object();
    datatype_object(const datatype_object &) = delete;
    datatype_object &operator=(const datatype_object &) = delete;

    // The bytes of data in an element; what MPI_Pack takes for it.
    std::int64_t size() const { return size_; }
    std::int64_t extent() const { return bounds_.upper - bounds_.lower; }
    std::int64_t lower_bound() const { return bounds_.lower; }
    std::int64_t true_lower_bound() const { return bounds_.true_lower; }
    std::int64_t true_extent() const { return bounds_.true_upper - bounds_.true_lower; }
    const bounds &all_bounds() const { return bounds_; }

    // Whether any number of elements are one piece of memory, which begins true_lower_bound() bytes
    // after the buffer's address and has count * size() bytes, in the order of the stream.
    bool contiguous() const { return contiguous_; }

    // How the type was made. For a predefined type the combiner is `named` and the rest is empty.
    const contents &made_from() const { return made_from_; }

    // The predefined type that this is; datatype::null if it is a derived one. A duplicate is
    // derived.
    datatype predefined() const { return predefined_; }

    // The kind of a predefined type; for others of their basic elements, if all are of one kind,
    // else basic_kind::none. Reductions use it.
    basic_kind kind() const { return kind_; }

    // Which operators there are for it. A derived type has none, unless it is a duplicate or a type
    // of MPI_Type_create_f90_real and its like.
    basic_group group() const { return group_; }

    // How many basic elements (MPI_Get_elements; a pair such as MPI_FLOAT_INT has two) there are in
    // an element, and in the first `bytes` of a stream of elements: -1 if the last one is not
    // whole.
    std::int64_t elements() const;
    std::int64_t elements_in(std::int64_t bytes) const;
    // The bytes of the first `some` basic elements of a stream; 0 if the type has none.
    std::int64_t bytes_of(std::int64_t some) const;
    bool has_bytes_of(std::int64_t some) const; // whether they can be counted

    // How many whole elements are `bytes` (MPI_Get_count): -1 if no number of them.
    std::int64_t count_in(std::int64_t bytes) const;

    const layouts::placed &layout() const { return *layout_; }
    const std::shared_ptr<const signature> &basics() const { return signature_; }

private:
    std::int64_t size_;
    bounds bounds_;
    bool contiguous_;
    basic_kind kind_;
    basic_group group_;
    datatype predefined_;
    std::unique_ptr<const layouts::placed> layout_;
    std::shared_ptr<const signature> signature_;
    contents made_from_;
};

// The stream of `count` elements is their bytes in the order of the type map, without gaps: what
// MPI_Pack writes and a message carries. pack() copies `bytes` of it, from `offset` on, from the
// elements at `buffer` to `out`; unpack() copies them from `in` into the elements. Chunks may be
// cut anywhere; a call costs O(depth of nesting + log(blocks)) besides the copying, and no memory.
// The caller answers for 0 <= offset, 0 <= bytes and offset + bytes <= count * size(). `buffer` may
// be null, which is MPI_BOTTOM, with absolute addresses as displacements.
void pack(const datatype_object &type, const void *buffer, std::int64_t count, std::int64_t offset,
          void *out, std::int64_t bytes);
void unpack(const datatype_object &type, void *buffer, std::int64_t count, std::int64_t offset,
            const void *in, std::int64_t bytes);

// Copies the first `bytes` of the stream of elements at `from` into elements at `to`, as a message
// does whose sender and receiver are one process. The two must not overlap.
void copy(const datatype_object &from_type, const void *from, std::int64_t from_count,
          const datatype_object &to_type, void *to, std::int64_t to_count, std::int64_t bytes);

} // namespace saguaro::mpi
