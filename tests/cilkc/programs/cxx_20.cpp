// SPDX-License-Identifier: MIT
// options: -std=c++20
// What C++ has got since 2017: concepts, templates of lambdas, structured bindings, if constexpr.
#include <cilk/cilk.h>
#include <concepts>
#include <cstdio>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

template <std::integral T>
[[nodiscard]] static T power(T base, T exponent)
    requires(sizeof(T) >= 4)
{
    if (exponent == 0)
        return 1;
    if constexpr (sizeof(T) == 8) {
        T half = cilk_spawn power<T>(base, exponent / 2);
        cilk_sync;
        return half * half * (exponent % 2 == 1 ? base : 1);
    } else {
        return base * power(base, exponent - 1);
    }
}

static auto squared(auto x) {
    auto y = cilk_spawn [](auto a) { return a * a; }(x);
    cilk_sync;
    return y;
}

static std::tuple<int, std::string> pair_of(int n) {
    return {n, std::string(static_cast<std::size_t>(n), 'x')};
}

static std::optional<int> maybe(int n) {
    return n > 0 ? std::optional<int>(n) : std::nullopt;
}

static long sum(std::span<const int> all) {
    if (all.size() < 3) {
        long result = 0;
        for (int x : all)
            result += x;
        return result;
    }
    long left = cilk_spawn sum(all.first(all.size() / 2));
    long right = sum(all.subspan(all.size() / 2));
    cilk_sync;
    return left + right;
}

struct point {
    int x, y;
    bool operator==(const point &) const = default;
};

static int of_point(point p) {
    return p.x * p.y;
}

int main() {
    auto twice = []<class T>(T x) -> T {
        T y = cilk_spawn power<T>(x, T(1));
        cilk_sync;
        return y + y;
    };
    auto both = cilk_spawn pair_of(3);
    [[maybe_unused]] int marked = cilk_spawn of_point({.x = 3, .y = 4});
    auto some = cilk_spawn maybe(5);
    cilk_sync;
    auto &[number, text] = both;
    std::map<std::string, int> counts{{"a", 1}, {"b", 2}};
    for (auto &[key, value] : counts)
        if (value < 9) [[likely]]
            cilk_spawn [](int &to, int by) { to += by; }(value, number);
    cilk_sync;
    std::vector<int> v(100);
    cilk_for (std::vector<int>::iterator i = v.begin(); i != v.end(); ++i)
        *i = static_cast<int>(i - v.begin());
    std::printf("%ld %d %d %s %d %d %d %d %ld\n", power(3L, 5L), squared(7), twice(21),
                text.c_str(), marked, *some, counts["a"], counts["b"], sum(v));
    return 0;
}

/* Output:
243 49 42 xxx 12 5 4 5 4950
*/
