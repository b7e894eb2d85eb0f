// SPDX-License-Identifier: MIT
// The functions of text.hpp, as C++14, without exceptions.
#define TEXT_NAME without_exceptions
#define TEXT_STANDARD "C++14, without exceptions"
#include "cilk/cxx/text.hpp"
