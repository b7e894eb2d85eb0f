/* SPDX-License-Identifier: MIT */
/* The least of values. */
#pragma once

#include <cilk/reducer_min_max.h>
