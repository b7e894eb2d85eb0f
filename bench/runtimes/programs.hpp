// SPDX-License-Identifier: MIT
//
// Variants that are programs of their own, built beside this one. A list is empty where the
// programs are missing.
#pragma once

#include "driver/grid.hpp"

#include <string>
#include <vector>

namespace saguaro::bench {

/// The kernel by OpenMP, of each compiler that has it (openmp_peer.cpp). A kernel that the program
/// knows in several forms names them, such as "-tree" and "-loop": each is a variant.
std::vector<variant> openmp_programs(const kernel &bench,
                                     const std::vector<std::string> &forms = {""});

/// The program of examples/cilk that has the kernel's name: its serial elision, compiled by
/// `cilkc`, and in MIT Cilk's dialect where there is such a twin.
std::vector<variant> cilkc_programs(const kernel &bench);

/// One program of examples/cilk, as the variant `cilkc` of a kernel of another name.
std::vector<variant> cilkc_program(const kernel &bench, const std::string &program);

} // namespace saguaro::bench
