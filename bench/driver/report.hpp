// SPDX-License-Identifier: MIT
// The grid's output: a table for people and JSON for programs.
#pragma once

#include "driver/rounds.hpp"

#include <iosfwd>
#include <vector>

namespace saguaro::bench {

/// The heading of the table that print_rows() continues. Table on stdout.
void print_heading();

/// One line for each row, at once, so that a long run shows what it has so far.
void print_rows(const std::vector<row> &rows);

/// An array of objects with the members of `row`; README.md says what each means.
void write_json(std::ostream &out, const std::vector<row> &rows);

} // namespace saguaro::bench
