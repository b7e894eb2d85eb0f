// SPDX-License-Identifier: MIT
// Pedigrees by Cilk Plus's names: the same on any number of workers, and another for each strand.
// serial: differs
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>

#include <cstdio>
#include <set>
#include <thread>
#include <vector>

static std::vector<unsigned long> strand() {
    const __cilkrts_pedigree here = __cilkrts_get_pedigree();
    std::vector<unsigned long> numbers;
    for (const __cilkrts_pedigree *p = &here; p != nullptr; p = p->parent)
        numbers.push_back(p->rank);
    return numbers;
}

static void print(const char *where) {
    std::printf("%s", where);
    for (const unsigned long one : strand())
        std::printf(" %lu", one);
    std::printf("\n");
}

static std::set<std::vector<unsigned long>> leaves(int n) {
    if (n < 2)
        return {strand()};
    std::set<std::vector<unsigned long>> left = cilk_spawn leaves(n - 1);
    std::set<std::vector<unsigned long>> right = leaves(n - 2);
    cilk_sync;
    left.insert(right.begin(), right.end());
    return left;
}

static unsigned long hash_of(const std::set<std::vector<unsigned long>> &all) {
    unsigned long hash = 0;
    for (const auto &one : all)
        for (const unsigned long number : one)
            hash = hash * 31 + number + 1;
    return hash;
}

static int spawns() {
    int x = cilk_spawn [] {
        __cilkrts_bump_worker_rank();
        const unsigned long first = strand()[0];
        return static_cast<int>(first * 10 + strand()[1]);
    }();
    const unsigned long rank = strand()[0];
    cilk_sync;
    return x * 10 + static_cast<int>(rank);
}

static unsigned long draws(int n) {
    if (n < 2)
        return __cilkrts_get_dprand();
    unsigned long left = cilk_spawn draws(n - 1);
    const unsigned long right = draws(n - 2);
    cilk_sync;
    return left * 3 + right + __cilkrts_get_dprand();
}

static void numbers() {
    __cilkrts_init_dprng();
    uint64_t rank = 0, later = 0;
    __cilkrts_get_worker_rank(&rank);
    const unsigned long first = draws(14);
    __cilkrts_get_worker_rank(&later);
    const unsigned long second = draws(14);
    __cilkrts_dprand_set_seed(17);
    std::printf("ranks %d, numbers %d %d\n", later > rank, first != second, first != draws(14));
    std::vector<unsigned long> drawn(200);
    cilk_for (int i = 0; i < 200; i++) {
        __cilkrts_bump_loop_rank();
        drawn[static_cast<unsigned>(i)] = __cilkrts_get_dprand();
    }
    unsigned long hash = first;
    for (const unsigned long one : drawn)
        hash = hash * 31 + one;
    std::printf("%zu numbers, %lu\n", std::set<unsigned long>(drawn.begin(), drawn.end()).size(),
                hash);
}

int main() {
    print("at first");
    const auto all = leaves(12);
    std::printf("%zu leaves, %lu\n", all.size(), hash_of(all));
    print("then");
    std::printf("%d\n", spawns());
    std::set<std::vector<unsigned long>> steps;
    std::vector<std::vector<unsigned long>> by_step(100);
    cilk_for (int i = 0; i < 100; i++)
        by_step[static_cast<unsigned>(i)] = strand();
    steps.insert(by_step.begin(), by_step.end());
    std::printf("%zu steps\n", steps.size());
    numbers();
    std::thread([] { std::printf("another thread %d\n", spawns()); }).join();
}

/* Output:
at first 0 0
233 leaves, 2661239569764358646
then 6 0
167
100 steps
ranks 1, numbers 1 1
200 numbers, 7622162892062277703
another thread 101
*/
