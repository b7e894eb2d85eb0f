// SPDX-License-Identifier: MIT
// One access to a target's memory, from its call to its effect.
#pragma once

#include "mpi/core/interface/handles.hpp"
#include "mpi/core/requests/requests.hpp"
#include "mpi/core/windows/memory.hpp"

#include <cstdint>

namespace saguaro::mpi {

enum class access : std::uint8_t { put, get, accumulate, compare_and_swap };

struct operation {
    access what = access::put;
    int target = 0;
    target_elements there;
    typed_buffer origin;             // what is put or accumulated, or swapped in
    typed_buffer result;             // where to what was there goes; without elements: nowhere
    const void *compared = nullptr;  // of compare_and_swap
    op with = op::replace;           // of accumulate,
    datatype basic = datatype::null; // and the type of all basic elements
    type_pointer kept[3];            // derived types stay alive

    // Its effect on these elements, which are the target's or a copy of them. An error class.
    int carry_out(const target_elements &at) const;
    int carry_out() const { return carry_out(there); }
};

// The predefined type of which all basic elements of a type are; null if they differ.
datatype basic_of(const datatype_object &type);

} // namespace saguaro::mpi
