// SPDX-License-Identifier: MIT
// The functions of text.hpp, as C++14.
#define TEXT_NAME as_cxx14
#define TEXT_STANDARD "C++14"
#include "cilk/cxx/text.hpp"
