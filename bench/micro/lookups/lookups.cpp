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

variant in_turn(const char *bench, const char *name, bool parallel, double (*run)(long, int)) {
    return {
        .bench = bench, .name = name, .parallel = parallel, .greatest_size = any_size, .run = run};
}

/// The four ways of one extremum; M is its monoid.
template <typename extremum, monoid M>
std::vector<variant> extremum_n(const char *bench) {
    return {
        in_turn(bench, "array", false, extremum_array<extremum>),
        in_turn(bench, "saguaro", true, extremum_reducers<extremum, reducer<M>>),
        in_turn(bench, "hypermap", true, extremum_reducers<extremum, hypermap_reducer<M>>),
        in_turn(bench, "spinlock", false, extremum_locked<extremum>),
    };
}

} // namespace

std::vector<variant> add_n_variants() {
    std::vector<variant> all = {
        in_turn("add-n", "array", false, add_array),
        in_turn("add-n", "saguaro", true, add_reducers<reducer<add<long>>>),
        in_turn("add-n", "hypermap", true, add_reducers<hypermap_reducer<add<long>>>),
        in_turn("add-n", "spinlock", false, add_locked),
    };
    for (variant &one : extremum_n<minimum, min<long>>("min-n")) {
        all.push_back(std::move(one));
    }
    for (variant &one : extremum_n<maximum, max<long>>("max-n")) {
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace saguaro::bench
