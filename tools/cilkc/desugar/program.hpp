// SPDX-License-Identifier: MIT
// The three kinds of program that cilk2c makes of one text.
#pragma once

namespace saguaro::cilkc {

// What is made of the text: procedures with clones, the same with loops that measure themselves, or
// the serial elision.
enum class program { parallel, profiled, serial };

} // namespace saguaro::cilkc
