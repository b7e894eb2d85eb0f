// SPDX-License-Identifier: MIT
//
// The registry: all benches, each with its kernel and its variants. A bench describes itself in its
// own folder, in a function that this header declares and registry.cpp calls.
#pragma once

#include "driver/grid.hpp"

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace saguaro::bench {

/// A kernel with all its variants, in the order of the table: the base comes first.
struct registry_entry {
    kernel problem;
    std::vector<variant> variants;
};

/// The entry whose variants are those of the lists, one list behind the other.
registry_entry entry_of(const kernel &problem, std::initializer_list<std::vector<variant>> lists);

using variant_run = std::function<outcome(long n, int workers)>;

// What entries are made of. entry_of() says of which bench a variant is.

/// A variant that takes no worker count.
variant fixed(const std::string &name, variant_run run);

/// A variant that takes a worker count.
variant parallel(const std::string &name, variant_run run, long greatest_size = any_size);

/// The same variant. Each of its runs is to be a process of its own.
variant alone(variant one);

/// The operations of a run of size n, where that is n; for kernel::operations.
double n_operations(long n);

// The benches, by folder.
registry_entry fib_bench();
registry_entry nqueens_bench();
registry_entry cilksort_bench();
registry_entry matmul_bench();
registry_entry strassen_bench();
registry_entry heat_bench();
registry_entry loop_bench();
registry_entry sum_bench();
registry_entry pbfs_bench();
registry_entry pbfs_rmat_bench();
registry_entry blas_strassen_bench();
registry_entry blas_cholesky_bench();
registry_entry empty_bench();
registry_entry vms_matmul_bench();
registry_entry knapsack_bench();

// cilk/
registry_entry rectmul_bench();
registry_entry fft_bench();
registry_entry lu_bench();
registry_entry cholesky_bench();
registry_entry queens_bench();
registry_entry connect4_bench();
registry_entry words_bench();

// micro/
registry_entry phases_bench();
registry_entry add_n_bench();
registry_entry min_n_bench();
registry_entry max_n_bench();
registry_entry reduce_overhead_bench();
registry_entry steal_bench();
registry_entry wake_bench();
registry_entry entry_bench();
registry_entry idle_bench();
registry_entry crowd_bench();
registry_entry jobs_bench();
registry_entry switch_bench();
registry_entry vms_bench();
registry_entry message_bench();
registry_entry bandwidth_bench();
registry_entry page_bench();
registry_entry terabyte_bench();
registry_entry endless_bench();
registry_entry capacity_bench();
registry_entry steps_bench();
registry_entry barrier_bench();
registry_entry vthread_cond_bench();
registry_entry vthread_mutex_bench();

} // namespace saguaro::bench
