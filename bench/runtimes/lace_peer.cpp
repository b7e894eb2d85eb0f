// SPDX-License-Identifier: MIT
//
// A peer for whoever has Lace (https://github.com/trolando/lace): the benches that fork, as Lace's
// own tasks, with the base cases that all variants share. Nothing here builds it; README.md has the
// commands.
//
// Lace's tasks are C functions behind macros: SPAWN puts one on the worker's deque, SYNC takes back
// the last one that was spawned, CALL runs one at once.
#include "cilksort/cilksort.hpp"
#include "fib/fib.hpp"
#include "heat/heat.hpp"
#include "knapsack/knapsack.hpp"
#include "matmul/matmul.hpp"
#include "nqueens/nqueens.hpp"
#include "runtimes/peer_main.hpp"
#include "strassen/strassen.hpp"

#include <cstring>
#include <lace.h>

namespace {

using namespace saguaro::bench;

TASK_1(long, fib_task, long, n) {
    if (n < 2) {
        return n;
    }
    SPAWN(fib_task, n - 1);
    long b = CALL(fib_task, n - 2);
    long a = SYNC(fib_task);
    return a + b;
}

TASK_3(int, queens_task, int, n, int, row, const signed char *, board) {
    if (row == n) {
        return 1;
    }
    signed char boards[BENCH_QUEENS_MAX][BENCH_QUEENS_MAX];
    int spawned = 0;
    for (int column = 0; column < n; column++) {
        std::memcpy(boards[column], board, static_cast<std::size_t>(row));
        boards[column][row] = static_cast<signed char>(column);
        if (bench_queens_safe(row + 1, boards[column])) {
            SPAWN(queens_task, n, row + 1, boards[column]);
            spawned++;
        }
    }
    int solutions = 0;
    for (; spawned > 0; spawned--) {
        solutions += SYNC(queens_task);
    }
    return solutions;
}

VOID_TASK_5(merge_task, const int *, a, long, a_size, const int *, b, long, b_size, int *, out) {
    if (a_size + b_size < BENCH_MERGE_CUTOFF) {
        bench_merge_serial(a, a_size, b, b_size, out);
        return;
    }
    if (a_size < b_size) {
        CALL(merge_task, b, b_size, a, a_size, out);
        return;
    }
    long middle = a_size / 2;
    long cut = bench_lower_bound(b, b_size, a[middle]);
    out[middle + cut] = a[middle];
    SPAWN(merge_task, a, middle, b, cut, out);
    CALL(merge_task, a + middle + 1, a_size - middle - 1, b + cut, b_size - cut,
         out + middle + cut + 1);
    SYNC(merge_task);
}

VOID_TASK_3(sort_task, int *, array, int *, scratch, long, n) {
    if (n < BENCH_SORT_CUTOFF) {
        bench_quick_sort(array, n);
        return;
    }
    long quarter = n / 4;
    long half = 2 * quarter;
    long rest = n - 3 * quarter;
    SPAWN(sort_task, array, scratch, quarter);
    SPAWN(sort_task, array + quarter, scratch + quarter, quarter);
    SPAWN(sort_task, array + half, scratch + half, quarter);
    CALL(sort_task, array + half + quarter, scratch + half + quarter, rest);
    SYNC(sort_task);
    SYNC(sort_task);
    SYNC(sort_task);
    SPAWN(merge_task, array, quarter, array + quarter, quarter, scratch);
    CALL(merge_task, array + half, quarter, array + half + quarter, rest, scratch + half);
    SYNC(merge_task);
    CALL(merge_task, scratch, half, scratch + half, n - half, array);
}

VOID_TASK_4(matmul_task, double *, c, const double *, a, const double *, b, long, side) {
    if (side == BENCH_TILE) {
        bench_tile_multiply(c, a, b);
        return;
    }
    for (int step = 0; step < 8; step++) {
        bench_product p = bench_matmul_step(c, a, b, side, step);
        if (step % 4 != 3) {
            SPAWN(matmul_task, p.c, p.a, p.b, side / 2);
            continue;
        }
        CALL(matmul_task, p.c, p.a, p.b, side / 2);
        SYNC(matmul_task);
        SYNC(matmul_task);
        SYNC(matmul_task);
    }
}

VOID_TASK_4(strassen_task, double *, c, const double *, a, const double *, b, long, side) {
    if (side <= BENCH_STRASSEN_CUTOFF) {
        bench_strassen_leaf(c, a, b, side);
        return;
    }
    bench_strassen level = bench_strassen_begin(c, a, b, side);
    for (int step = 0; step < 6; step++) {
        bench_product p = bench_strassen_step(&level, step);
        SPAWN(strassen_task, p.c, p.a, p.b, side / 2);
    }
    bench_product last = bench_strassen_step(&level, 6);
    CALL(strassen_task, last.c, last.a, last.b, side / 2);
    for (int step = 0; step < 6; step++) {
        SYNC(strassen_task);
    }
    bench_strassen_end(&level);
}

VOID_TASK_5(heat_task, double *, to, const double *, from, long, n, long, first, long, last) {
    if (last - first <= BENCH_HEAT_ROWS) {
        bench_heat_rows(to, from, n, first, last);
        return;
    }
    long middle = first + (last - first) / 2;
    SPAWN(heat_task, to, from, n, first, middle);
    CALL(heat_task, to, from, n, middle, last);
    SYNC(heat_task);
}

VOID_TASK_3(heat_steps, double *, grid, double *, other, long, n) {
    for (int i = 0; i < BENCH_HEAT_STEPS; i += 2) {
        CALL(heat_task, other, grid, n, 1, n + 1);
        CALL(heat_task, grid, other, n, 1, n + 1);
    }
}

VOID_TASK_4(knapsack_task, knapsack *, problem, int, next, long, room, long, value) {
    if (problem->left_after(next) <= knapsack::serial_things) {
        problem->fill_serially(next, room, value);
        return;
    }
    if (!problem->is_hopeful(next, room, value)) {
        return;
    }
    const knapsack::thing &thing = problem->at(next);
    // The worker runs what it calls before what it has spawned: the load with the thing comes
    // first, as it does serially, or the bounds would be found late.
    SPAWN(knapsack_task, problem, next + 1, room, value);
    if (thing.weight <= room) {
        CALL(knapsack_task, problem, next + 1, room - thing.weight, value + thing.value);
    }
    SYNC(knapsack_task);
}

long fib_lace(long n) {
    return RUN(fib_task, n);
}

int nqueens_lace(int n) {
    const signed char board[BENCH_QUEENS_MAX] = {};
    return RUN(queens_task, n, 0, board);
}

void cilksort_lace(int *array, int *scratch, long n) {
    RUN(sort_task, array, scratch, n);
}

void matmul_lace(double *c, const double *a, const double *b, long side) {
    RUN(matmul_task, c, a, b, side);
}

void strassen_lace(double *c, const double *a, const double *b, long side) {
    RUN(strassen_task, c, a, b, side);
}

void heat_lace(double *grid, double *other, long n) {
    RUN(heat_steps, grid, other, n);
}

void knapsack_lace(knapsack &problem) {
    RUN(knapsack_task, &problem, 0, problem.capacity, 0);
}

/// Lace as the kernels see it. A run is handed to its workers from outside.
struct lace_runtime {
    static void enter(int workers, auto &&work) {
        lace_start(static_cast<unsigned>(workers), 0);
        work();
        lace_stop();
    }
};

using rt = lace_runtime;

const peer_entry entries[] = {
    {"fib", [](long n, int workers) { return measure_fib<rt>(n, workers, fib_lace); }},
    {"nqueens", [](long n, int workers) { return measure_nqueens<rt>(n, workers, nqueens_lace); }},
    {"cilksort",
     [](long n, int workers) { return measure_cilksort<rt>(n, workers, cilksort_lace); }},
    {"matmul", [](long n, int workers) { return measure_product<rt>(n, workers, matmul_lace); }},
    {"strassen",
     [](long n, int workers) { return measure_product<rt>(n, workers, strassen_lace); }},
    {"heat", [](long n, int workers) { return measure_heat<rt>(n, workers, heat_lace); }},
    {"knapsack",
     [](long n, int workers) { return measure_knapsack<rt>(n, workers, knapsack_lace); }},
};

} // namespace

int main(int argc, char **argv) {
    return saguaro::bench::peer_main(argc, argv, entries);
}
