// SPDX-License-Identifier: MIT
// The options that a program in MIT Cilk takes from its own command line.
#pragma once

#include "saguaro/saguaro.h"

namespace saguaro::cilk {

struct mit_options {
    sg_options start{}; // for sg_start
    int statistics = 0; // --stats: what is printed at the end
};

// Reads what stands before the first argument that is none of them, or before and with `--`, and
// moves the rest up behind argv[0]. --help and --version print and end the program with 0; a value
// that is not accepted ends it with one line and 2.
mit_options take_options(int &argc, char **argv);

} // namespace saguaro::cilk
