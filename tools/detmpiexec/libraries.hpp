// SPDX-License-Identifier: MIT
// Which MPI library a program will load.
#pragma once

#include <string>

namespace saguaro::detmpiexec {

// The folder that has the project's MPI libraries under every name by which programs ask for them.
// Empty if the launcher stands where no such folder is near it.
std::string own_libraries();

// Puts that folder first into the value of LD_LIBRARY_PATH.
std::string with_own_libraries(const std::string &former);

struct library_search {
    bool finds_own = false; // the program loads the project's MPI library
    std::string why_not;    // the program would not be a rank of the job; or empty
};

// By the dynamic linker's own search: a program would not be a rank if it loads another MPI
// library, or would find none, or if it has one inside. The environment is the caller's.
library_search search_libraries(const std::string &program);

// Another MPI library that the process has loaded; empty if there is none, or if it has loaded the
// project's as well: mpi4py opens the system's to learn which of its own modules to use.
std::string other_library_of(int pid);

} // namespace saguaro::detmpiexec
