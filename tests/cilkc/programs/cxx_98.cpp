// SPDX-License-Identifier: MIT
// options: -std=c++98
// C++ as it was when Cilk was new.
#include <cilk/cilk.h>
#include <cstdio>
#include <functional>
#include <vector>
#include <algorithm>

#if __cplusplus != 199711L
#error "another language"
#endif
#if __cilk < 200
#error "no Cilk"
#endif

static int own(int n) {
    return n;
}

template<class It> void sample_qsort(It begin, It end)
{
    if (begin != end) {
        --end;
        It middle = std::partition(begin, end, std::bind2nd(std::less<int>(), *end));
        using std::swap;
        swap(*end, *middle);
        cilk_spawn sample_qsort(begin, middle);
        sample_qsort(++middle, ++end);
        cilk_sync;
    }
}

int main()
{
    std::vector<int> v;
    for (int i = 0; i < 1000; ++i)
        v.push_back((i * 7919) % 1009);
    sample_qsort(v.begin(), v.end());
    int x = cilk_spawn own(3);
    cilk_sync;
    for (size_t i = 0; i + 1 < v.size(); ++i)
        if (v[i] > v[i + 1])
            return 1;
    printf("%d %d\n", x, v[999]);
    return 0;
}

/* Output:
3 1008
*/
