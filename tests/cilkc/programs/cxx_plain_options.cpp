// SPDX-License-Identifier: MIT
// options: -fno-exceptions -fno-rtti -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
// Without exceptions, and without a warning that the user's own text would not get.
#include <cilk/cilk.h>
#include <cstdio>
#include <string>
#include <vector>

namespace {

struct sums {
    long left = 0;
    long right = 0;
};

long sum(const std::vector<int> &v, std::size_t begin, std::size_t end) {
    if (end - begin < 10) {
        long all = 0;
        for (std::size_t i = begin; i < end; ++i)
            all += v[i];
        return all;
    }
    sums both;
    both.left = cilk_spawn sum(v, begin, begin + (end - begin) / 2);
    both.right = sum(v, begin + (end - begin) / 2, end);
    cilk_sync;
    return both.left + both.right;
}

std::string joined(const std::string &a, int n) {
    if (n == 0)
        return a;
    const std::string left = cilk_spawn joined(a + "l", n - 1);
    const std::string right = joined(a + "r", n - 1);
    cilk_sync;
    return left + right;
}

} // namespace

int main() {
    std::vector<int> v(1000);
    cilk_for (std::size_t i = 0; i < v.size(); ++i)
        v[i] = static_cast<int>(i);
    std::printf("%ld %s\n", sum(v, 0, v.size()), joined("", 2).c_str());
}

/* Output:
499500 lllrrlrr
*/
