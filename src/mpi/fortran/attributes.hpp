// SPDX-License-Identifier: MIT
// The values of attributes. C attaches pointers and Fortran attaches integers, and each reads what
// the other has attached (MPI 4.1, 19.3.7): of an integer C gets a pointer to it, of a pointer
// Fortran gets the address. So what Fortran attaches is, for C, a pointer to a cell of this layer.
#pragma once

#include "mpi/fortran/face.hpp"

#include <cstdint>

namespace saguaro::mpi::fortran {

// A new cell. Threads may call these functions at any time.
void *make_cell(std::int64_t value);
// What Fortran sees of an attribute's value: the integer of a cell, or the address.
std::int64_t value_for_fortran(const void *attribute);
bool is_cell(const void *attribute);
// The attribute is gone, and if its value is a cell, that goes too. Nobody calls this for a key of
// C's, whose copies may have one cell.
void forget_cell(void *attribute);

// An attribute that Fortran sets.
class attribute_in {
public:
    explicit attribute_in(std::int64_t value) : cell_(make_cell(value)) {}
    void *pass() { return cell_; }
    void finish(bool done) {
        if (!done)
            forget_cell(cell_);
    }

private:
    void *cell_;
};

} // namespace saguaro::mpi::fortran
