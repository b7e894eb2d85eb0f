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
    std::thread([] { std::printf("another thread %d\n", spawns()); }).join();
}

/* Output:
at first 0 0
233 leaves, 2661239569764358646
then 6 0
167
100 steps
another thread 101
*/
