/* SPDX-License-Identifier: MIT */
/* The older name of <cilk-lib.cilkh>. */
#pragma once

#include <cilk-lib.cilkh>
