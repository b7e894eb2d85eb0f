// SPDX-License-Identifier: MIT
// The one error of a program that is compiled with an older standard than C++20.
#pragma once

#if __cplusplus < 202002L
#error "Saguaro needs C++20 or later: compile with -std=c++20"
// No compiler goes on after a header that it cannot find, so that hundreds of errors do not follow.
#include "see the error above"
#endif
