// SPDX-License-Identifier: MIT
// A buffer in mpi_f08: gfortran's own descriptor of an array, which may be a section with gaps.
#pragma once

#include "mpi/fortran/arguments.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::mpi::fortran {

// What gfortran passes for type(*), dimension(..) since its version 9.
struct descriptor {
    struct dimension {
        std::ptrdiff_t stride, lower, upper; // the stride in units of span
    };

    void *base;
    std::size_t offset;
    std::size_t element;
    int version;
    signed char rank, type;
    short attribute;
    std::ptrdiff_t span;
    dimension dimensions[15];

    std::ptrdiff_t unit() const { return span != 0 ? span : static_cast<std::ptrdiff_t>(element); }
    // The elements of an array of assumed size end nowhere: its last dimension says 0 or less.
    std::int64_t extent(int i) const {
        return std::int64_t{dimensions[i].upper} - dimensions[i].lower + 1;
    }
    bool is_contiguous() const;
    bool is_special() const { return c_buffer(base) != base; }
};

// The runs of elements without gaps, in the order of the array.
struct run {
    MPI_Aint displacement; // in bytes
    std::int64_t elements;
};
std::vector<run> runs_of(const descriptor &array, std::int64_t elements);

// Lays `count` elements of `*type` over the array's elements. `*type` becomes MPI_DATATYPE_NULL,
// which the call refuses, if that cannot be; false then.
bool type_with_gaps(const descriptor &array, std::int64_t count, MPI_Datatype *type);

// A buffer with its count and type. A section with gaps is one element of a type that knows them.
template <class count_type>
class section {
public:
    section(const descriptor *array, count_type count, integer type)
        : address_(c_buffer(array->base)), count_(count), type_(to_c<MPI_Datatype>(type)) {
        if (count > 0 && !array->is_special() && !array->is_contiguous())
            made_ = type_with_gaps(*array, count, &type_);
        if (made_)
            count_ = 1;
    }
    section(const section &) = delete;
    section &operator=(const section &) = delete;
    ~section() {
        if (made_) // a pending operation keeps it
            PMPI_Type_free(&type_);
    }

    void *address() const { return address_; }
    count_type count() const { return count_; }
    MPI_Datatype type() const { return type_; }

private:
    void *address_;
    count_type count_;
    MPI_Datatype type_;
    bool made_ = false;
};

// Whether a call that returns before it is finished cannot take this buffer, which has gaps. Raises
// MPI_ERR_BUFFER then.
bool refuses(const descriptor *array, integer comm, integer *error);

// A buffer whose count and type are not its alone: the call gets a copy without gaps.
class copied {
public:
    explicit copied(const descriptor *array);
    void *address() { return copy_.empty() ? c_buffer(array_.base) : copy_.data(); }
    void write_back();

private:
    const descriptor &array_;
    std::vector<run> runs_;
    std::vector<std::byte> copy_;
};

} // namespace saguaro::mpi::fortran
