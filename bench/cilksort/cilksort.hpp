// SPDX-License-Identifier: MIT
//
// cilksort: divide and conquer whose leaves are long; memory bandwidth matters as much as spawns.
#pragma once

#include "cilksort/cilksort.h"
#include "driver/measure.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace saguaro::bench {

/// Merges two sorted runs into out, which overlaps neither; both halves of the work in parallel.
template <typename runtime>
void cilkmerge(const int *a, long a_size, const int *b, long b_size, int *out) {
    if (a_size + b_size < BENCH_MERGE_CUTOFF) {
        bench_merge_serial(a, a_size, b, b_size, out);
        return;
    }
    if (a_size < b_size) {
        cilkmerge<runtime>(b, b_size, a, a_size, out);
        return;
    }
    long middle = a_size / 2;
    long cut = bench_lower_bound(b, b_size, a[middle]);
    out[middle + cut] = a[middle];
    runtime::invoke([&] { cilkmerge<runtime>(a, middle, b, cut, out); },
                    [&] {
                        cilkmerge<runtime>(a + middle + 1, a_size - middle - 1, b + cut,
                                           b_size - cut, out + middle + cut + 1);
                    });
}

/// Sorts array[0 .. n-1]; scratch holds n more elements.
template <typename runtime>
void cilksort(int *array, int *scratch, long n) {
    if (n < BENCH_SORT_CUTOFF) {
        bench_quick_sort(array, n);
        return;
    }
    long quarter = n / 4;
    long half = 2 * quarter;
    long rest = n - 3 * quarter;
    int *b = array + quarter;
    int *c = array + half;
    int *d = c + quarter;
    runtime::invoke([&] { cilksort<runtime>(array, scratch, quarter); },
                    [&] { cilksort<runtime>(b, scratch + quarter, quarter); },
                    [&] { cilksort<runtime>(c, scratch + half, quarter); },
                    [&] { cilksort<runtime>(d, scratch + half + quarter, rest); });
    runtime::invoke([&] { cilkmerge<runtime>(array, quarter, b, quarter, scratch); },
                    [&] { cilkmerge<runtime>(c, quarter, d, rest, scratch + half); });
    cilkmerge<runtime>(scratch, half, scratch + half, n - half, array);
}

/// The same n numbers in the same disorder on every machine.
inline std::vector<int> disordered_numbers(long n) {
    std::vector<int> numbers(static_cast<std::size_t>(n));
    std::uint64_t state = 1;
    for (int &number : numbers) {
        // Knuth's MMIX generator; its low bits are poor, so the high ones are taken.
        state = state * 6364136223846793005u + 1442695040888963407u;
        number = static_cast<int>(state >> 33);
    }
    return numbers;
}

/// Does not depend on the order of the numbers: what goes into a sort must come out of it.
inline long order_free_sum(const std::vector<int> &numbers) {
    std::uint64_t sum = 0;
    for (int number : numbers) {
        auto value = static_cast<std::uint64_t>(number);
        sum += value * value + value;
    }
    return static_cast<long>(sum);
}

/// The seconds that sort(array, scratch, n) takes inside the runtime; the order and the numbers
/// are checked.
template <typename runtime>
double measure_cilksort(long n, int workers, void (*sort)(int *, int *, long)) {
    std::vector<int> numbers = disordered_numbers(n);
    std::vector<int> scratch(numbers.size());
    long sum = order_free_sum(numbers);
    double seconds = measure<runtime>(workers, [&] { sort(numbers.data(), scratch.data(), n); });
    if (!std::is_sorted(numbers.begin(), numbers.end()))
        throw wrong_answer("the array is not sorted");
    expect_equal(sum, order_free_sum(numbers));
    return seconds;
}

// The variants, by file. Each solves the problem once, checks the answer and returns the seconds.

double cilksort_saguaro_c(long n, int workers);      // clones.c, measured in saguaro.cpp
double cilksort_saguaro_invoke(long n, int workers); // saguaro.cpp
double cilksort_tbb(long n, int workers);            // tbb.cpp
double cilksort_openmp(long n, int workers);         // openmp.cpp, in a program of its own
double cilksort_lace(long n, int workers);           // lace.cpp, in a program of its own

} // namespace saguaro::bench
