// SPDX-License-Identifier: MIT
// Common parts of the functions of MPI_T. Tools may be threads of their own, and begin before
// MPI_Init: one lock is for all.
#pragma once

#include "mpi/core/interface/constants.hpp"

#include <mutex>
#include <string_view>

namespace saguaro::mpi::tools {

// Held while a function of MPI_T works; says whether MPI_T has begun.
class entry {
public:
    entry();
    int error() const; // 0 or abi::t_err_not_initialized

private:
    std::lock_guard<std::mutex> hold_;
};

// A text for a program that has room for *length bytes. *length becomes what the text needs, with
// its final 0.
void say(std::string_view text, char *to, int *length);

// Stores what the caller wants.
template <class value>
void put(value *to, value what) {
    if (to != nullptr)
        *to = what;
}

} // namespace saguaro::mpi::tools
