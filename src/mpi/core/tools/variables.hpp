// SPDX-License-Identifier: MIT
// The variables and categories of the library that tools can see.
#pragma once

#include "mpi/core/interface/handles.hpp"
#include "platform/settings.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace saguaro::mpi::tools {

enum class category : int { library, messages, waiting, objects, settings };

struct category_row {
    const char *name;
    const char *meaning;
    category parent; // of `library` itself
};
std::span<const category_row> categories();

// An int, or a string of the environment. None can be set while the program runs.
struct control_row {
    const char *name;
    const char *meaning;
    int constant;                // its value,
    const platform::setting *of; // or, unless null, the environment's
    category in;

    bool is_string() const { return of != nullptr; }
};
std::span<const control_row> controls();
// The environment's string, as it was when MPI_T began.
const std::string &setting(const control_row &of);

struct enumeration {
    const char *name;
    std::span<const char *const> items; // their values are 0, 1, ...
};

// All are MPI_UNSIGNED_LONG_LONG, but those with an enumeration, which are MPI_INT.
struct performance_row {
    const char *name;
    const char *meaning;
    int variable_class; // abi::t_pvar_class_...
    std::uint64_t (*now)();
    const enumeration *names;
    category in;

    // A counter is counted from its handle's start on; others show what is.
    bool is_counted() const;
};
std::span<const performance_row> performances();

} // namespace saguaro::mpi::tools
