// SPDX-License-Identifier: MIT
#include "../kernels/add_n.hpp"

#include "saguaro_runtime.hpp"
#include "variants.hpp"

#include <atomic>

namespace saguaro::bench {

namespace {

/// A counter with a lock of its own, as a program without reducers would share it.
struct locked_counter {
    std::atomic_flag taken;
    long value = 0;

    void add_one() {
        // acquire: pairs with the release of clear() below, whoever held the lock before.
        while (taken.test_and_set(std::memory_order_acquire)) {
        }
        value += 1;
        // release: pairs with the acquire of test_and_set() above, whoever takes the lock next.
        taken.clear(std::memory_order_release);
    }
};

// Volatile: each update is a load and a store of L1, which is what no lookup can undercut.
double add_array(long n, int) {
    return measure_add_n<saguaro_runtime, volatile long>(
        n, [](volatile long &cell) { cell = cell + 1; },
        [](const volatile long &cell) { return cell; });
}

double add_reducers(long n, int) {
    using counter = reducer<add<long>>;
    return measure_add_n<saguaro_runtime, counter>(
        n, [](counter &cell) { *cell += 1; }, [](counter &cell) { return cell.get(); });
}

double add_locked(long n, int) {
    return measure_add_n<saguaro_runtime, locked_counter>(
        n, [](locked_counter &cell) { cell.add_one(); },
        [](const locked_counter &cell) { return cell.value; });
}

variant add_n(const char *name, double (*run)(long, int)) {
    return {
        .bench = "add-n", .name = name, .parallel = false, .greatest_size = any_size, .run = run};
}

} // namespace

std::vector<variant> add_n_variants() {
    return {add_n("array", add_array), add_n("saguaro", add_reducers),
            add_n("spinlock", add_locked)};
}

} // namespace saguaro::bench
