// SPDX-License-Identifier: MIT
// Type maps as the standard defines them: an explicit list of every basic element and its
// displacement. Slow, and too simple to be wrong.
#pragma once

#include "mpi/core/interface/handles.hpp"
#include "mpi/datatypes/datatype.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace datatypes_test {

namespace mpi = saguaro::mpi;

inline const mpi::type_pointer &basic(mpi::datatype which) {
    return mpi::predefined_object(which);
}
inline const mpi::type_pointer &an_int() {
    return basic(mpi::datatype::int_);
}

struct entry {
    enum class kind : std::uint8_t {
        data,
        reach, // the end of what a C compiler would add for alignment: an upper bound of no
               // strength
        lower_marker,
        upper_marker,
    };
    kind what;
    std::int64_t displacement;
    mpi::datatype basic; // of data
};

// A pair type is two entries of data here.
struct type_map {
    std::vector<entry> entries;

    std::int64_t size() const;
    std::int64_t lower() const;
    std::int64_t upper() const;
    std::int64_t extent() const { return upper() - lower(); }
    std::int64_t true_lower() const;
    std::int64_t true_upper() const;
    std::int64_t alignment() const;
    std::int64_t elements() const;

    // The displacement of each byte of the stream of `count` elements.
    std::vector<std::int64_t> bytes(std::int64_t count) const;
};

type_map map_of(mpi::datatype basic);
void append(type_map &to, const type_map &of, std::int64_t displacement);
type_map repeat(const type_map &of, std::int64_t count, std::int64_t stride);

// One for each constructor; `lengths` and `places` as in MPI.
type_map vector_map(std::int64_t count, std::int64_t length, std::int64_t stride_bytes,
                    const type_map &old);
type_map indexed_map(const std::vector<std::int64_t> &lengths,
                     const std::vector<std::int64_t> &places, std::int64_t unit,
                     const type_map &old);
type_map struct_map(const std::vector<std::int64_t> &lengths,
                    const std::vector<std::int64_t> &places, const std::vector<type_map> &old);
type_map resized_map(const type_map &old, std::int64_t lower, std::int64_t extent);
type_map subarray_map(const std::vector<std::int64_t> &sizes,
                      const std::vector<std::int64_t> &subsizes,
                      const std::vector<std::int64_t> &starts, bool fortran, const type_map &old);

// Which indices of a dimension a process has, by the standard's words.
struct distribution {
    std::int64_t size;
    int kind;
    int argument;
    int processes;
};
bool owns(const distribution &dimension, std::int64_t index, int coordinate);
type_map darray_map(const std::vector<distribution> &dimensions, int rank, bool fortran,
                    const type_map &old);

// A type both ways.
struct twins {
    mpi::type_pointer type;
    type_map map;
};

// A random type of up to `depth` constructors, most of them small, none of more than some thousand
// basic elements. `basics` are what it is made of.
twins random_type(std::mt19937 &random, int depth, const std::vector<mpi::datatype> &basics);

// Common ones, and pairs.
extern const std::vector<mpi::datatype> usual_basics;

// Whether size, bounds and elements are the same.
void expect_same_bounds(const mpi::datatype_object &type, const type_map &map);

// Memory for `count` elements, filled with random bytes, and where a buffer of them is in it.
class memory {
public:
    memory(const type_map &map, std::int64_t count, std::mt19937 &random);
    std::byte *buffer() { return bytes_.data() - first_; }
    std::byte &at(std::int64_t displacement) {
        return bytes_[static_cast<std::size_t>(displacement - first_)];
    }
    bool operator==(const memory &) const = default;

private:
    std::int64_t first_ = 0;
    std::vector<std::byte> bytes_;
};

} // namespace datatypes_test
