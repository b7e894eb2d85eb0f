/* SPDX-License-Identifier: MIT */
/* Lists to which strands add at one end, in serial order: Cilk Plus's, for C++ alone. See
 * <cilk/reducer.h>. */
#pragma once

#ifdef __cplusplus
#include <cilk/cxx/list.hpp>
#endif
