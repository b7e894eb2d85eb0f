// SPDX-License-Identifier: MIT
// cilk2c's errors about a program: `file:line:column: error: text`, at the user's place.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace saguaro::cilkc {

// One error: a place in the user's files, as line markers give it, and what is wrong there. Lines
// and columns count from 1, columns in bytes.
struct problem {
    std::string file;
    std::uint32_t line;
    std::uint32_t column;
    std::string text;
};

// Prints them in their order, each once, with the line of the user's file and a caret below it
// where that file can be read.
void print_problems(std::ostream &out, const std::vector<problem> &found);

} // namespace saguaro::cilkc
