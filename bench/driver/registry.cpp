// SPDX-License-Identifier: MIT
// The list of all benches, and the helpers that build their variants.
#include "driver/registry.hpp"

#include "driver/alone.hpp"
#include "driver/ceiling.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace saguaro::bench {

namespace {

/// In the order of --list.
constexpr registry_entry (*benches[])() = {
    fib_bench,
    nqueens_bench,
    cilksort_bench,
    matmul_bench,
    strassen_bench,
    heat_bench,
    rectmul_bench,
    fft_bench,
    lu_bench,
    cholesky_bench,
    knapsack_bench,
    queens_bench,
    connect4_bench,
    words_bench,
    loop_bench,
    phases_bench,
    add_n_bench,
    min_n_bench,
    max_n_bench,
    reduce_overhead_bench,
    steal_bench,
    wake_bench,
    entry_bench,
    idle_bench,
    crowd_bench,
    switch_bench,
    vms_bench,
    empty_bench,
    sum_bench,
    vthread_cond_bench,
    vthread_mutex_bench,
    vms_matmul_bench,
    pbfs_bench,
    pbfs_rmat_bench,
    message_bench,
    bandwidth_bench,
    page_bench,
    terabyte_bench,
    endless_bench,
    capacity_bench,
    steps_bench,
    barrier_bench,
    jobs_bench,
    blas_strassen_bench,
    blas_cholesky_bench,
};

const std::vector<registry_entry> &entries() {
    static const std::vector<registry_entry> all = [] {
        std::vector<registry_entry> made;
        for (const auto make : benches)
            made.push_back(make());
        return made;
    }();
    return all;
}

/// Whether the variant is the serial version to which its kernel's parallel ones are compared, in
/// C, in Cilk or with OpenBLAS. Other bases have workers, of which a process has one set.
bool is_serial_base(const kernel &bench, const variant &one) {
    return one.name == bench.base && (one.name == "serial" || one.name.ends_with("-serial"));
}

} // namespace

registry_entry entry_of(const kernel &problem, std::initializer_list<std::vector<variant>> lists) {
    registry_entry entry{.problem = problem, .variants = {}};
    for (const std::vector<variant> &list : lists) {
        for (variant one : list) {
            one.bench = problem.name;
            entry.variants.push_back(std::move(one));
        }
    }
    return entry;
}

variant fixed(const std::string &name, variant_run run) {
    return {.bench = "",
            .name = name,
            .parallel = false,
            .greatest_size = any_size,
            .run = std::move(run)};
}

variant parallel(const std::string &name, variant_run run, long greatest_size) {
    return {.bench = "",
            .name = name,
            .parallel = true,
            .greatest_size = greatest_size,
            .run = std::move(run)};
}

variant alone(variant one) {
    one.alone = true;
    return one;
}

double n_operations(long n) {
    return static_cast<double>(n);
}

const std::vector<kernel> &kernels() {
    static const std::vector<kernel> all = [] {
        std::vector<kernel> problems;
        for (const registry_entry &bench : entries())
            problems.push_back(bench.problem);
        return problems;
    }();
    return all;
}

std::vector<variant> built_in_variants() {
    std::vector<variant> all;
    for (const registry_entry &bench : entries()) {
        for (const variant &one : bench.variants) {
            all.push_back(one.alone ? in_own_process(one) : one);
            if (is_serial_base(bench.problem, one))
                all.push_back(ceiling_of(one));
        }
    }
    return all;
}

std::vector<variant> lone_variants() {
    std::vector<variant> all;
    for (const registry_entry &bench : entries())
        std::ranges::copy_if(bench.variants, std::back_inserter(all), &variant::alone);
    return all;
}

} // namespace saguaro::bench
