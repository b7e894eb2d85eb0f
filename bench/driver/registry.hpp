// SPDX-License-Identifier: MIT
//
// The variants each runtime brings, one function for each file of this folder. A new runtime is a
// new file here and a line in registry.cpp.
#pragma once

#include "driver/grid.hpp"

#include <vector>

namespace saguaro::bench {

/// The serial elisions.
std::vector<variant> serial_variants();

/// Saguaro's fork-join: C clones, parallel_invoke, scope, parallel_for.
std::vector<variant> saguaro_variants();

/// Reducers, and what they stand beside in add-n, min-n and max-n.
std::vector<variant> add_n_variants();

/// Reducers of the runtime and of the hypermap in reduce-overhead.
std::vector<variant> reduce_overhead_variants();

/// What steals, wake-ups and idleness cost.
std::vector<variant> micro_scheduler_variants();

/// Calls from threads that are not the runtime's.
std::vector<variant> entry_variants();

/// Two flows that take turns: what leaving one and going on with the other costs.
std::vector<variant> switch_variants();

/// The Master of vms.h and its plug-ins, in cycles.
std::vector<variant> vms_variants();

/// Nano-threads in empty. Each run wants a process of its own.
std::vector<variant> empty_variants();

/// oneTBB in empty; likewise.
std::vector<variant> tbb_empty_variants();

/// Floating-point sums: the plain loop, and what one answer on any number of workers costs.
std::vector<variant> sum_variants();

/// The breadth-first search of examples/pbfs.
std::vector<variant> pbfs_variants();

/// Condition variables and mutexes of Vthread beside those of the system.
std::vector<variant> vthread_variants();

/// A matrix product by spawns of VCilk.
std::vector<variant> vcilk_variants();

/// oneTBB. Only built, with SG_BENCH_TBB defined to 1, where it is found.
std::vector<variant> tbb_variants();

/// oneTBB called from threads that are not its own.
std::vector<variant> tbb_entry_variants();

/// The OpenMP programs that were built beside this one; see runtimes/openmp_peer.cpp.
std::vector<variant> openmp_variants();

/// The programs of examples/cilk that were built beside this one, and their serial elisions.
std::vector<variant> cilkc_variants();

} // namespace saguaro::bench
