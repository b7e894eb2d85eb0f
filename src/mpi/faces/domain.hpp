// SPDX-License-Identifier: MIT
// The kinds of integers whose special values differ between the faces: the sections of
// functions/constants.txt that a parameter of a function can have.
#pragma once

#include <cstdint>

namespace saguaro::mpi::faces {

enum class domain : std::uint8_t {
    access_mode,
    assertion,
    binding,
    combiner,
    comparison,
    distribution,
    distribution_argument,
    error,
    flavor,
    keyval,
    lock_type,
    model,
    order,
    pvar_class,
    rank,
    scope,
    split_type,
    tag,
    thread_level,
    topology,
    typeclass,
    verbosity,
    whence,
};

// Values of these are sets of bits.
constexpr bool is_set_of_bits(domain of) {
    return of == domain::access_mode || of == domain::assertion;
}

} // namespace saguaro::mpi::faces
