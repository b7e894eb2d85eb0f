// SPDX-License-Identifier: MIT
// A rank's view of a file: from a displacement on, elements of the file type, one after the other.
// Their bytes are the view's stream; positions count its etypes.
#pragma once

#include "mpi/core/files/representation.hpp"
#include "mpi/datatypes/runs.hpp"

#include <cstdint>

namespace saguaro::mpi {

// MPI_DISPLACEMENT_CURRENT
inline constexpr std::int64_t displacement_current = -1;

class file_view {
public:
    // All bytes of the file.
    file_view();

    // The new view if the arguments are valid, else an error class.
    static int make(std::int64_t displacement, const type_pointer &etype,
                    const type_pointer &filetype, const representation &how, bool writes,
                    file_view *out);

    std::int64_t displacement() const { return displacement_; }
    const type_pointer &etype() const { return etype_; }
    const type_pointer &filetype() const { return filetype_; }
    const representation &how() const { return *how_; }

    void move_to(std::int64_t displacement) { displacement_ = displacement; }

    // In the file.
    std::int64_t etype_size() const { return etype_in_file_->size(); }
    std::int64_t etype_extent() const { return etype_in_file_->extent(); }

    // Whether the stream has no bytes at all.
    bool is_empty() const { return filetype_in_file_->size() == 0; }

    // The byte of the file that holds byte `offset` of the stream.
    std::int64_t place_of(std::int64_t offset) const;
    // How many etypes of the view begin in the first `size` bytes of the file.
    std::int64_t etypes_before(std::int64_t size) const;

    // f(place, size) for each run of bytes of the file that part of the stream is; stops if false.
    template <class Function>
    bool each_run(std::int64_t offset, std::int64_t bytes, Function f) const {
        return mpi::each_run(
            *filetype_in_file_, offset, bytes,
            [&](std::int64_t at, std::int64_t size) { return f(displacement_ + at, size); });
    }

private:
    int check(bool writes) const;

    std::int64_t displacement_ = 0;
    type_pointer etype_;
    type_pointer filetype_;
    type_pointer etype_in_file_;
    type_pointer filetype_in_file_;
    const representation *how_;
};

} // namespace saguaro::mpi
