// SPDX-License-Identifier: MIT
// The functions of text.hpp, as C++20.
#define TEXT_NAME as_cxx20
#define TEXT_STANDARD "C++20"
#include "cilk/cxx/text.hpp"
