// SPDX-License-Identifier: MIT
// Tests that loops and algorithms make each call of the table in docs/fork-join.md.
#include "saguaro/saguaro.hpp"

#include "support/started.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace saguaro;
using test::started;

constexpr int n = 3000;

// An iterator of C++17 that counts, as boost::counting_iterator does: it refers to what is in
// itself, so no reference outlives it, and it says that it is an input iterator.
class counting {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    using pointer = const int *;
    using reference = const int &;

    explicit counting(int at) : at_(at) {}
    ~counting() { at_ = -1; }
    counting(const counting &) = default;
    counting &operator=(const counting &) = default;
    reference operator*() const { return at_; }
    counting &operator++() {
        ++at_;
        return *this;
    }
    friend counting operator+(counting c, difference_type by) {
        return counting(c.at_ + static_cast<int>(by));
    }
    friend difference_type operator-(const counting &a, const counting &b) { return a.at_ - b.at_; }
    friend bool operator<(const counting &a, const counting &b) { return a.at_ < b.at_; }
    friend bool operator==(const counting &a, const counting &b) { return a.at_ == b.at_; }

private:
    int at_;
};

// An iterator of C++17 over an array, which returns proxies.
class by_proxy {
public:
    class proxy {
    public:
        explicit proxy(int *to) : to_(to) {}
        proxy(const proxy &) = default;
        proxy &operator=(const proxy &other) {
            *to_ = *other.to_;
            return *this;
        }
        operator int() const { return *to_; }
        const proxy &operator=(int value) const {
            *to_ = value;
            return *this;
        }

    private:
        int *to_;
    };
    using iterator_category = std::input_iterator_tag;
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = proxy;

    explicit by_proxy(int *at) : at_(at) {}
    proxy operator*() const { return proxy(at_); }
    by_proxy &operator++() {
        ++at_;
        return *this;
    }
    by_proxy &operator--() {
        --at_;
        return *this;
    }
    by_proxy &operator+=(difference_type by) {
        at_ += by;
        return *this;
    }
    friend by_proxy operator+(by_proxy i, difference_type by) { return by_proxy(i.at_ + by); }
    friend by_proxy operator-(by_proxy i, difference_type by) { return by_proxy(i.at_ - by); }
    friend difference_type operator-(by_proxy a, by_proxy b) { return a.at_ - b.at_; }
    friend bool operator<(by_proxy a, by_proxy b) { return a.at_ < b.at_; }
    friend bool operator==(by_proxy a, by_proxy b) { return a.at_ == b.at_; }

private:
    int *at_;
};

// What a place in the range stands for.
template <class I>
int value_at(const I &place) {
    if constexpr (std::integral<I>)
        return static_cast<int>(place);
    else
        return *place;
}

constexpr long sum_of_all = n * (n - 1L) / 2;

// Calls algorithm(bounds...) with the numbers from 0 to n - 1, given in different ways.
template <class Algorithm>
void each_way(Algorithm algorithm) {
    const started two(2);
    std::vector<int> v(n);
    std::iota(v.begin(), v.end(), 0);
    algorithm(short{0}, std::size_t{n});
    algorithm(v.begin(), v.cend());
    algorithm(v);
    algorithm(counting(0), counting(n));
}

const auto plus = [](auto a, auto b) { return a + b; };

TEST(even, parallel_for) {
    each_way([](auto &&...bounds) {
        std::atomic<long> sum{0};
        const auto body = [&](auto i) { sum += static_cast<long>(i); };
        parallel_for(bounds..., body);
        parallel_for(bounds..., body, grain{7});
        parallel_for(bounds..., 1, body);
        parallel_for(bounds..., 1, body, grain{7});
        EXPECT_EQ(sum, 4 * sum_of_all);
    });
}

TEST(even, parallel_for_blocks) {
    each_way([](auto &&...bounds) {
        std::atomic<long> sum{0};
        const auto body = [&](auto i, auto end) {
            for (; i != end; ++i)
                sum += value_at(i);
        };
        parallel_for_blocks(bounds..., body);
        parallel_for_blocks(bounds..., body, grain{7});
        EXPECT_EQ(sum, 2 * sum_of_all);
    });
}

TEST(even, parallel_reduce) {
    each_way([](auto &&...bounds) {
        const auto twice = [](auto i) { return 2 * static_cast<long>(i); };
        EXPECT_EQ(parallel_reduce(bounds..., 1L, plus), sum_of_all + 1);
        EXPECT_EQ(parallel_reduce(bounds..., 1L, plus, grain{7}), sum_of_all + 1);
        EXPECT_EQ(parallel_reduce(bounds..., 1L, plus, twice), 2 * sum_of_all + 1);
        EXPECT_EQ(parallel_reduce(bounds..., 1L, plus, twice, grain{7}), 2 * sum_of_all + 1);
    });
}

// Of the values of a block.
const auto sum_of = [](auto i, auto end) {
    long sum = 0;
    for (; i != end; ++i)
        sum += value_at(i);
    return sum;
};

TEST(even, parallel_reduce_blocks) {
    each_way([](auto &&...bounds) {
        EXPECT_EQ(parallel_reduce_blocks(bounds..., 1L, plus, sum_of), sum_of_all + 1);
        EXPECT_EQ(parallel_reduce_blocks(bounds..., 1L, plus, sum_of, grain{7}), sum_of_all + 1);
    });
}

TEST(even, parallel_find) {
    each_way([](auto &&...bounds) {
        const auto match = [](auto i) { return static_cast<int>(i) == 2500; };
        EXPECT_EQ(value_at(parallel_find(bounds..., 2500)), 2500);
        EXPECT_EQ(value_at(parallel_find(bounds..., 2500, grain{7})), 2500);
        EXPECT_EQ(value_at(parallel_find_if(bounds..., match)), 2500);
        EXPECT_EQ(value_at(parallel_find_if(bounds..., match, grain{7})), 2500);
    });
}

TEST(even, parallel_find_blocks) {
    each_way([](auto &&...bounds) {
        const auto search = [](auto i, auto end) {
            while (i != end && value_at(i) != 2500)
                ++i;
            return i;
        };
        EXPECT_EQ(value_at(parallel_find_blocks(bounds..., search)), 2500);
        EXPECT_EQ(value_at(parallel_find_blocks(bounds..., search, grain{7})), 2500);
    });
}

TEST(even, parallel_transform) {
    each_way([](auto &&...bounds) {
        const auto twice = [](auto i) { return 2 * static_cast<int>(i); };
        const auto both = [](auto i, int j) { return static_cast<int>(i) + j; };
        std::vector<int> doubled(n), tripled(n);
        parallel_transform(bounds..., doubled.begin(), twice);
        parallel_transform(bounds..., doubled.begin(), tripled.begin(), both);
        EXPECT_EQ(doubled[2500], 5000);
        EXPECT_EQ(tripled[2500], 7500);
        EXPECT_EQ(parallel_transform(bounds..., tripled.begin(), twice, grain{7}), tripled.end());
        parallel_transform(bounds..., tripled.begin(), doubled.begin(), both, grain{7});
        EXPECT_EQ(doubled[2500], 7500);
    });
}

TEST(even, parallel_transform_of_two_ranges) {
    const started two(2);
    std::vector<int> v(n, 3);
    const int w[] = {1, 2};
    EXPECT_EQ(parallel_transform(w, v, v.begin(), plus), v.begin() + 2);
    EXPECT_EQ(parallel_transform(w, v, v.begin(), plus, grain{7}), v.begin() + 2);
    EXPECT_EQ(v[1], 7);
}

TEST(even, parallel_scan) {
    each_way([](auto &&...bounds) {
        std::vector<long> out(n);
        parallel_scan(bounds..., out.begin());
        EXPECT_EQ(out[2500], 2500L * 2501 / 2);
        parallel_scan(bounds..., out.begin(), plus);
        EXPECT_EQ(out[2500], 2500L * 2501 / 2);
        EXPECT_EQ(parallel_scan(bounds..., out.begin(), plus, grain{7}), out.end());
        EXPECT_EQ(out[2500], 2500L * 2501 / 2);
        parallel_scan(bounds..., out.begin(), plus, 9L);
        EXPECT_EQ(out[2500], 9 + 2500L * 2501 / 2);
        parallel_scan(bounds..., out.begin(), plus, 9L, grain{7});
        EXPECT_EQ(out[2500], 9 + 2500L * 2501 / 2);
    });
}

TEST(even, parallel_exclusive_scan) {
    each_way([](auto &&...bounds) {
        std::vector<long> out(n);
        parallel_exclusive_scan(bounds..., out.begin(), 9L);
        EXPECT_EQ(out[2500], 9 + 2500L * 2499 / 2);
        parallel_exclusive_scan(bounds..., out.begin(), 9L, plus);
        EXPECT_EQ(out[2500], 9 + 2500L * 2499 / 2);
        parallel_exclusive_scan(bounds..., out.begin(), 9L, plus, grain{7});
        EXPECT_EQ(out[2500], 9 + 2500L * 2499 / 2);
    });
}

TEST(even, parallel_scan_blocks) {
    each_way([](auto &&...bounds) {
        std::vector<long> out(n);
        const auto write = [&](auto i, auto end, long before) {
            for (; i != end; ++i)
                out[static_cast<std::size_t>(value_at(i))] = before += value_at(i);
            return before;
        };
        EXPECT_EQ(parallel_scan_blocks(bounds..., 9L, plus, sum_of, write), 9 + sum_of_all);
        EXPECT_EQ(out[2500], 9 + 2500L * 2501 / 2);
        EXPECT_EQ(parallel_scan_blocks(bounds..., 0L, plus, sum_of, write, grain{7}), sum_of_all);
        EXPECT_EQ(out[2500], 2500L * 2501 / 2);
    });
}

TEST(even, parallel_sort) {
    const started two(2);
    std::vector<int> serial(n);
    for (int i = 0; i < n; ++i)
        serial[static_cast<std::size_t>(i)] = i * 7919 % n;
    const auto more = [](const int &a, const int &b) { return a > b; };
    std::vector<int> v = serial, w = serial;
    std::sort(serial.begin(), serial.end());
    parallel_sort(v.begin(), v.end());
    EXPECT_EQ(v, serial);
    parallel_sort(v, more);
    parallel_sort(v.data(), v.data() + n, std::less<>(), grain{40});
    EXPECT_EQ(v, serial);
    parallel_sort(by_proxy(w.data()), by_proxy(w.data() + n));
    EXPECT_EQ(w, serial);
    parallel_sort(std::span(w), more, grain{40});
    EXPECT_EQ(std::vector(w.rbegin(), w.rend()), serial);
}

// --- Ways of which one algorithm is enough ---

template <class... Bounds>
long sum_over(Bounds &&...bounds) {
    std::atomic<long> sum{0};
    parallel_for(bounds..., [&](auto i) { sum += static_cast<long>(i); });
    return sum;
}

TEST(even, other_ways) {
    const started two(2);
    int array[] = {1, 2, 3};
    const std::vector<int> list = {4, 5};
    EXPECT_EQ(sum_over(array), 6);
    EXPECT_EQ(sum_over(std::vector<int>{4, 5}), 9);
    EXPECT_EQ(sum_over(std::span(list)), 9);
    parallel_for(array, array + 3, [](int &x) { ++x; });
    parallel_for(array, std::as_const(array) + 3, [](const int &) {});
    EXPECT_EQ(sum_over(array), 9);
}

TEST(even, arrays_and_their_ends) {
    const started two(2);
    int array[] = {3, 4, 2}, out[3];
    parallel_transform(array, array + 3, out, [](int x) { return x + 1; });
    EXPECT_EQ(out[2], 3);
    parallel_scan(array, array + 3, out);
    EXPECT_EQ(out[2], 9);
    parallel_scan(array, array + 3, out, plus, 1);
    EXPECT_EQ(out[2], 10);
    parallel_exclusive_scan(array, array + 3, out, 1, plus);
    EXPECT_EQ(out[2], 8);
    EXPECT_EQ(parallel_reduce(array, array + 3, 0L, plus), 9);
    EXPECT_EQ(parallel_reduce(array, array + 3, 0L, plus, [](int x) { return x; }), 9);
    EXPECT_EQ(parallel_find(array, array + 3, 2), array + 2);
    parallel_sort(array, array + 3);
    EXPECT_EQ(array[0], 2);
    parallel_sort(array, std::greater<>());
    EXPECT_EQ(array[0], 4);
}

TEST(even, integers_of_128_bits) {
    const started two(2);
    __extension__ using wide = unsigned __int128;
    const wide first = static_cast<wide>(1) << 64, last = first + n;
    std::atomic<long> sum{0};
    const auto offset = [&](wide i) { return static_cast<long>(i - first); };
    parallel_for(first, last, [&](wide i) { sum += offset(i); });
    EXPECT_EQ(sum, sum_of_all);
    EXPECT_EQ(parallel_reduce(first, last, 0L, plus, offset), sum_of_all);
    EXPECT_TRUE(parallel_find_if(first, last, [&](wide i) { return offset(i) == 77; }) ==
                first + 77);
    EXPECT_TRUE(parallel_find_if(0, last, [&](wide i) { return i == 77; }) == 77);
}

TEST(even, a_constant_beside_an_unsigned_bound) {
    const started two(2);
    std::atomic<int> calls{0};
    const auto count = [&](unsigned) { ++calls; };
    parallel_for(0, 3U, count);
    parallel_for(1, 3U, count, grain{2});
    parallel_for(range_2d(0, 2U, 1, 3U), [&](unsigned, unsigned) { ++calls; });
    EXPECT_EQ(calls, 3 + 2 + 4);
    EXPECT_EQ(parallel_find_if(0, 3U, [](unsigned i) { return i == 2; }), 2U);
}

TEST(even, a_signed_bound_that_is_wider_than_an_unsigned_one) {
    const started two(2);
    long first = -3;
    std::atomic<long> sum{0};
    const auto add = [&](auto i) {
        static_assert(std::is_signed_v<decltype(i)>);
        sum += i;
    };
    parallel_for(first, 2U, add);
    parallel_for(2U, first + 8, add);
    parallel_for(-3L, 2U, add, grain{2});
    EXPECT_EQ(sum, -5 + 9 - 5);
    parallel_for(short{-3}, static_cast<unsigned short>(2), add);
    EXPECT_EQ(sum, -6);
    EXPECT_EQ(parallel_reduce(first, 2U, 0L, plus), -5);
    parallel_for(range_2d(first, 2U), [](long, long) { ADD_FAILURE(); });
}

TEST(even, a_negative_bound_and_an_unsigned_one) {
    const started two(2);
    const auto never = [](std::size_t) { ADD_FAILURE(); };
    int negative = -3;
    EXPECT_THROW(parallel_for(negative, std::size_t{3}, never), std::invalid_argument);
    EXPECT_THROW(parallel_for(std::size_t{3}, negative, never), std::invalid_argument);
    EXPECT_THROW(range_2d(negative, std::size_t{3}), std::invalid_argument);
    parallel_for(-3, 0LL, [](long long i) { EXPECT_LT(i, 0); });
}

// --- Members, bits, and elements that are only moved ---

struct point {
    int x;
    int length() const { return x; }
    void move() { ++x; }
};

TEST(even, pointers_to_members) {
    const started two(2);
    std::vector<point> points(n, point{2});
    std::vector<point *> pointers;
    for (point &each : points)
        pointers.push_back(&each);
    parallel_for(points.begin(), points.end(), &point::move);
    parallel_for(pointers, &point::move, grain{7});
    EXPECT_EQ(parallel_reduce(points, 0, plus, &point::x), 4 * n);
    EXPECT_EQ(parallel_reduce(pointers, 0, plus, &point::length, grain{7}), 4 * n);
    std::vector<int> lengths(n);
    parallel_transform(points, lengths.begin(), &point::length);
    EXPECT_EQ(lengths.back(), 4);
    points[7].x = 0;
    EXPECT_EQ(parallel_find_if(points, &point::x), points.begin());
    const auto reference = std::ref(points[7]);
    EXPECT_EQ(parallel_reduce(&reference, &reference + 1, 1, plus, &point::x), 1);
}

TEST(even, vector_of_bool) {
    const started two(2);
    std::vector<bool> bits(300'001);
    for (std::size_t i = 0; i < bits.size(); ++i)
        bits[i] = i * i % 7 < 3;
    std::vector<bool> serial = bits;
    const long set = parallel_reduce(bits, 0L, plus);
    EXPECT_EQ(set, std::count(bits.begin(), bits.end(), true));
    std::stable_sort(serial.begin(), serial.end());
    parallel_sort(bits);
    EXPECT_EQ(bits, serial);
    EXPECT_EQ(parallel_find(bits, true) - bits.begin(), 300'001 - set);
    parallel_sort(bits.begin(), bits.end(), std::greater<>());
    EXPECT_EQ(parallel_find(bits, false) - bits.begin(), set);
    bits[0] = false;
    serial = bits;
    parallel_sort(bits, [](bool, bool) { return false; });
    EXPECT_EQ(bits, serial);
}

TEST(even, values_that_only_convert_or_move) {
    const started two(2);
    const std::vector<const char *> words = {"a", "b", "c"};
    EXPECT_EQ(parallel_reduce(words, std::string(), plus), "abc");
    EXPECT_EQ(parallel_reduce(words, std::string(), plus, grain{2}), "abc");
    const auto owned = [](int i) { return std::make_unique<int>(i); };
    const auto sum = [](std::unique_ptr<int> a, std::unique_ptr<int> b) {
        *a += *b;
        return a;
    };
    EXPECT_EQ(*parallel_reduce(0, n, std::make_unique<int>(0), sum, owned, grain{7}), sum_of_all);
}

} // namespace
