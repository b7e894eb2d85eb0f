// SPDX-License-Identifier: MIT
// What function, file and line an address in the program's code belongs to.
#pragma once

#include "race/shadow.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace saguaro::race {

using lines = std::vector<std::string>;

// Of each address: "f() prog.cpp:12", the function that the compiler has put there, then those that
// it was inlined into. Where nothing is known, the file of the code and the distance in it. The
// addresses: return addresses, or their low halves.
std::vector<lines> lines_of(const std::vector<address> &places);

// Whether the line is in a header of the library.
bool is_of_a_construct(const std::string &line);

} // namespace saguaro::race
