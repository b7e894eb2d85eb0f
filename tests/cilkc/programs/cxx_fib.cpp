// SPDX-License-Identifier: MIT
// The first programs: a function, a template of iterators, a method, a loop.
#include <algorithm>
#include <cilk/cilk.h>
#include <cstdio>
#include <memory>
#include <vector>

static int fib(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

template <class Iterator>
static void quicksort(Iterator begin, Iterator end) {
    if (begin == end)
        return;
    --end;
    const int pivot = *end;
    Iterator middle = std::partition(begin, end, [=](int x) { return x < pivot; });
    std::swap(*end, *middle);
    cilk_spawn quicksort(begin, middle);
    quicksort(++middle, ++end);
    cilk_sync;
}

struct tree {
    int value = 0;
    std::unique_ptr<tree> left, right;

    static std::unique_ptr<tree> of_depth(int depth) {
        if (depth == 0)
            return nullptr;
        std::unique_ptr<tree> root(new tree);
        root->value = depth;
        root->left = cilk_spawn of_depth(depth - 1);
        root->right = of_depth(depth - 1);
        cilk_sync;
        return root;
    }

    int sum() const {
        int below_left = 0;
        int below_right = 0;
        if (left)
            below_left = cilk_spawn left->sum();
        if (right)
            below_right = right->sum();
        cilk_sync;
        return value + below_left + below_right;
    }
};

int main() {
    std::printf("%d\n", fib(18));

    std::vector<int> numbers(5000);
    unsigned random = 1;
    for (int &x : numbers) {
        random = random * 1103515245 + 12345;
        x = static_cast<int>(random >> 8);
    }
    quicksort(numbers.begin(), numbers.end());
    std::printf("%d\n", std::is_sorted(numbers.begin(), numbers.end()));

    std::printf("%d\n", tree::of_depth(9)->sum());

    std::vector<long> squares(1000);
    cilk_for (std::size_t i = 0; i < squares.size(); ++i) {
        if (i % 2 == 1)
            continue;
        squares[i] = static_cast<long>(i * i);
    }
    long all = 0;
    for (long x : squares)
        all += x;
    std::printf("%ld\n", all);
}

/* Output:
2584
1
1013
166167000
*/
