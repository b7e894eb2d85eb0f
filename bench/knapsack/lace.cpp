// SPDX-License-Identifier: MIT
// knapsack as Lace's tasks.
#include "runtimes/lace.hpp"

#include "knapsack/knapsack.hpp"

namespace saguaro::bench {

namespace {

VOID_TASK_4(knapsack_task, knapsack *, problem, int, next, long, room, long, value) {
    if (problem->left_after(next) <= knapsack::serial_things) {
        problem->fill_serially(next, room, value);
        return;
    }
    if (!problem->is_hopeful(next, room, value))
        return;
    const knapsack::thing &thing = problem->at(next);
    // The worker runs what it calls before what it has spawned: the load with the thing comes
    // first, as it does serially, or the bounds would be found late.
    SPAWN(knapsack_task, problem, next + 1, room, value);
    if (thing.weight <= room)
        CALL(knapsack_task, problem, next + 1, room - thing.weight, value + thing.value);
    SYNC(knapsack_task);
}

void solve(knapsack &problem) {
    RUN(knapsack_task, &problem, 0, problem.capacity, 0);
}

} // namespace

double knapsack_lace(long n, int workers) {
    return measure_knapsack<lace_runtime>(n, workers, solve);
}

} // namespace saguaro::bench
