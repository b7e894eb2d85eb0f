// SPDX-License-Identifier: MIT
//
// empty: the paper's Empty. One thread creates n threads that do nothing, then waits for them; the
// others run them meanwhile. Each run is a process of its own, whose peak of memory is the run's.
#pragma once

#include "driver/grid.hpp"

namespace saguaro::bench {

// The variants, by file. `uses` has what the run took beside time.

outcome empty_saguaro_dsr(long n, int workers); // nanothreads.cpp
outcome empty_saguaro_lsa(long n, int workers); // nanothreads.cpp
outcome empty_saguaro_dos(long n, int workers); // nanothreads.cpp
outcome empty_tbb(long n, int workers);         // tbb.cpp

} // namespace saguaro::bench
