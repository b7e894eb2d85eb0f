/* SPDX-License-Identifier: MIT */
/* The greatest of values. */
#pragma once

#include <cilk/reducer_min_max.h>
