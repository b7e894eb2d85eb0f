// SPDX-License-Identifier: MIT
//
// The microbenchmarks of lookups: add-n, min-n, max-n.
#include "micro/lookups/add_n.hpp"

#include "driver/registry.hpp"
#include "micro/lookups/hypermap.hpp"
#include "micro/lookups/min_n.hpp"
#include "runtimes/saguaro.hpp"

#include <atomic>

namespace saguaro::bench {

namespace {

/// A number with a lock of its own, as a program without reducers would share it.
template <long identity>
struct locked_number {
    std::atomic_flag taken;
    long value = identity;

    void update(auto change) {
        // acquire: pairs with the release of clear() below, whoever held the lock before.
        while (taken.test_and_set(std::memory_order_acquire)) {
        }
        change(value);
        // release: pairs with the acquire of test_and_set() above, whoever takes the lock next.
        taken.clear(std::memory_order_release);
    }
};

/// Volatile: each update is a load and a store of L1, which is what no lookup can undercut.
template <long identity>
struct plain_number {
    volatile long value = identity;
};

double add_array(long n, int workers) {
    using cell = plain_number<0>;
    return measure_add_n<saguaro_runtime, cell>(
        n, workers, [](cell &one) { one.value = one.value + 1; },
        [](cell &one) { return one.value; });
}

template <typename cell>
double add_reducers(long n, int workers) {
    return measure_add_n<saguaro_runtime, cell>(
        n, workers, [](cell &one) { *one += 1; }, [](cell &one) { return *one; });
}

double add_locked(long n, int workers) {
    using cell = locked_number<0>;
    return measure_add_n<saguaro_runtime, cell>(
        n, workers, [](cell &one) { one.update([](long &value) { value += 1; }); },
        [](cell &one) { return one.value; });
}

template <typename extremum>
double extremum_array(long n, int workers) {
    using cell = plain_number<extremum::identity>;
    return measure_extremum_n<saguaro_runtime, extremum, cell>(
        n, workers, [](cell &one, long candidate) { improve<extremum>(one.value, candidate); },
        [](cell &one) { return one.value; });
}

template <typename extremum, typename cell>
double extremum_reducers(long n, int workers) {
    return measure_extremum_n<saguaro_runtime, extremum, cell>(
        n, workers, [](cell &one, long candidate) { improve<extremum>(*one, candidate); },
        [](cell &one) { return *one; });
}

template <typename extremum>
double extremum_locked(long n, int workers) {
    using cell = locked_number<extremum::identity>;
    return measure_extremum_n<saguaro_runtime, extremum, cell>(
        n, workers,
        [](cell &one, long candidate) {
            one.update([candidate](long &value) { improve<extremum>(value, candidate); });
        },
        [](cell &one) { return one.value; });
}

/// The four ways of one extremum; M is its monoid.
template <typename extremum, monoid M>
registry_entry extremum_bench(const kernel &problem) {
    const std::vector<variant> variants = {
        fixed("array", extremum_array<extremum>),
        parallel("saguaro", extremum_reducers<extremum, reducer<M>>),
        parallel("hypermap", extremum_reducers<extremum, hypermap_reducer<M>>),
        fixed("spinlock", extremum_locked<extremum>),
    };
    return entry_of(problem, {variants});
}

} // namespace

registry_entry add_n_bench() {
    const kernel problem = {.name = "add-n",
                            .meaning = "20 million additions to n reducers in turn",
                            .base = "array",
                            .sizes = {4, 16, 64, 256, 1024},
                            .greatest_n = 65536,
                            .operations = add_n_operations};
    const std::vector<variant> variants = {
        fixed("array", add_array),
        parallel("saguaro", add_reducers<reducer<add<long>>>),
        parallel("hypermap", add_reducers<hypermap_reducer<add<long>>>),
        fixed("spinlock", add_locked),
    };
    return entry_of(problem, {variants});
}

registry_entry min_n_bench() {
    return extremum_bench<minimum, min<long>>(
        {.name = "min-n",
         .meaning = "the least of 20 million random numbers, kept in n reducers in turn",
         .base = "array",
         .sizes = {4, 16, 64, 256, 1024},
         .greatest_n = 65536,
         .operations = add_n_operations});
}

registry_entry max_n_bench() {
    return extremum_bench<maximum, max<long>>(
        {.name = "max-n",
         .meaning = "the greatest of 20 million random numbers, kept in n reducers in turn",
         .base = "array",
         .sizes = {4, 16, 64, 256, 1024},
         .greatest_n = 65536,
         .operations = add_n_operations});
}

} // namespace saguaro::bench
