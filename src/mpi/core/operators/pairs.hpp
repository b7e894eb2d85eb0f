// SPDX-License-Identifier: MIT
// The elements of MPI_MINLOC and MPI_MAXLOC: a value and its place.
#pragma once

namespace saguaro::mpi {

template <class T>
struct pair {
    T value;
    int index;
};

// Fortran's.
template <class T>
struct equal_pair {
    T value;
    T index;
};

} // namespace saguaro::mpi
