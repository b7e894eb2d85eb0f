// SPDX-License-Identifier: MIT
//
// fib N; fib several N, with two spawns before the sync; fib loop N, with a loop that spawns; fib
// scope N, with a cilk_scope; fib for N, N iterations of a cilk_for: the common shapes in C++,
// compiled by cilkc++ as users compile them. gate.py counts the instructions.
#include <cilk/cilk.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static int fib(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

// Each number is the sum of three.
static int fib3(int n) {
    if (n < 3)
        return n;
    int x = cilk_spawn fib3(n - 1);
    int y = cilk_spawn fib3(n - 2);
    int z = fib3(n - 3);
    cilk_sync;
    return x + y + z;
}

static int fib_in_loop(int n) {
    if (n < 2)
        return n;
    int parts[2] = {};
    for (int i = 0; i < 2; i++)
        parts[i] = cilk_spawn fib_in_loop(n - 1 - i);
    cilk_sync;
    return parts[0] + parts[1];
}

// The end of the scope waits, and what follows the spawn changes a variable.
static int fib_in_scope(int n) {
    if (n < 2)
        return n;
    int x, y;
    cilk_scope {
        x = cilk_spawn fib_in_scope(n - 1);
        n -= 2;
        y = fib_in_scope(n);
    }
    return x + y;
}

// What the body reads lies outside of the loop, and its stores may go anywhere.
static int sum_of_loop(int n) {
    std::vector<int> numbers(static_cast<std::size_t>(n)), sums(numbers.size());
    cilk_for(int i = 0; i < n; i++) {
        const auto at = static_cast<std::size_t>(i);
        for (int more = 0; more < 4; more++)
            __atomic_store_n(&sums[at], sums[at] + numbers[at] + n, __ATOMIC_RELAXED);
    }
    return sums[0];
}

int main(int argc, char **argv) {
    if (argc != 2 && argc != 3)
        return 2;
    const int n = std::atoi(argv[argc - 1]);
    const auto is = [&](const char *name) { return argc == 3 && std::strcmp(argv[1], name) == 0; };
    std::printf("%d\n", is("several") ? fib3(n)
                        : is("loop")  ? fib_in_loop(n)
                        : is("scope") ? fib_in_scope(n)
                        : is("for")   ? sum_of_loop(n)
                                      : fib(n));
    return 0;
}
