// SPDX-License-Identifier: MIT
// Tests that serial sums have the bits of a plain loop.
#include "saguaro/serial_sum.hpp"

#include "forced.hpp"
#include "joined.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace saguaro {
namespace {

using namespace saguaro::test;

// Addends whose sum depends on every rounding: of all sizes and both signs.
template <class T>
std::vector<T> addends(int n, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<T> mantissa(-1, 1);
    std::vector<T> values;
    for (int i = 0; i < n; ++i)
        values.push_back(std::ldexp(mantissa(random), static_cast<int>(random() % 60)));
    return values;
}

template <class T>
void expect_bits_of_the_loop(const std::vector<T> &values) {
    T loop = 0;
    for (const T x : values)
        loop += x;
    on_any_number_of_workers(
        static_cast<int>(values.size()), [] { return std::make_unique<reducer<serial_sum<T>>>(); },
        [&](auto &r, int i) { *r += values[static_cast<std::size_t>(i)]; },
        [&](auto &r) { EXPECT_EQ(bits(r.get().value()), bits(loop)) << loop; });
}

TEST(serial_sum, has_the_bits_of_the_plain_loop) {
    expect_bits_of_the_loop(addends<double>(300, 1));
    expect_bits_of_the_loop(addends<float>(300, 2));
}

TEST(serial_sum, addends_do_tell_orders_apart) {
    const std::vector<double> values = addends<double>(1000, 1);
    const double loop = std::accumulate(values.begin(), values.end(), 0.0);
    int others = 0;
    for (auto middle = values.begin(); middle != values.end(); ++middle) {
        const double sum = std::accumulate(values.begin(), middle, 0.0) +
                           std::accumulate(middle, values.end(), 0.0);
        others += bits(sum) != bits(loop);
    }
    EXPECT_GT(others, 300) << "of 1000 sums of two halves";
}

TEST(serial_sum, zeros_and_infinities_are_those_of_the_loop) {
    const double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> values(100, -0.0);
    expect_bits_of_the_loop(values);
    values[70] = infinity;
    expect_bits_of_the_loop(values);
    values.assign(100, 1e308);
    values[99] = -infinity;
    expect_bits_of_the_loop(values);
}

TEST(serial_sum, long_double) {
    std::vector<long double> values;
    for (const double x : addends<double>(300, 3))
        values.push_back(static_cast<long double>(x) / 3);
    long double loop = 0;
    for (const long double x : values)
        loop += x;
    on_any_number_of_workers(
        300, [] { return std::make_unique<reducer<serial_sum<long double>>>(); },
        [&](auto &r, int i) { *r += values[static_cast<std::size_t>(i)]; },
        [&](auto &r) { EXPECT_EQ(r.get().value(), loop); });
}

TEST(serial_sum, laws) {
    const auto make = [](std::mt19937 &random) {
        auto view = serial_sum<double>().identity();
        const auto seed = static_cast<unsigned>(random());
        for (const double x : addends<double>(static_cast<int>(random() % 200), seed))
            view += x;
        return view;
    };
    expect_laws(serial_sum<double>(), make, bits_of_sum);
    const auto make_first = [&](std::mt19937 &random) {
        serial_sum_view<double> view = serial_sum<double>().first();
        view.append(make(random));
        return view;
    };
    // What comes first is never on the right.
    for (unsigned seed = 0; seed < 100; ++seed) {
        std::mt19937 random(seed);
        const auto a = make_first(random);
        const auto b = make(random), c = make(random);
        auto one_by_one = a, together = a, later = b;
        one_by_one.append(serial_sum_view(b));
        one_by_one.append(serial_sum_view(c));
        later.append(serial_sum_view(c));
        together.append(std::move(later));
        EXPECT_EQ(bits(one_by_one.value()), bits(together.value()));
    }
}

TEST(serial_sum, starts_with_the_initial_value_and_subtracts) {
    reducer<serial_sum<double>> r(0.1);
    *r += 0.2;
    *r -= 0.3;
    EXPECT_EQ(bits(r.get()), bits(0.1 + 0.2 - 0.3));
}

TEST(serial_sum, only_what_was_stolen_waits) {
    reducer<serial_sum<double>> r;
    scripted_workers workers(2);
    saguaro::run([&] {
        std::atomic<bool> added{false};
        parallel_for(0, 100, [&](int i) {
            if (i == 0) {
                EXPECT_TRUE(force_steal());
                wait_until([&] { return added.load(); });
            }
            *r += 1;
            // The owner keeps 0 to 49.
            EXPECT_EQ(r->waiting(), i < 50 ? 0u : static_cast<std::size_t>(i - 49));
            if (i == 99)
                added = true;
        });
        EXPECT_EQ(r->waiting(), 0u);
        EXPECT_EQ(r->value(), 100);
    });
}

TEST(serial_sum, taking_and_setting_leave_the_first_strand_adding) {
    reducer<serial_sum<double>> r;
    *r += 2;
    EXPECT_EQ(r.take().value(), 2);
    EXPECT_EQ(bits(r.get()), bits(0.0));
    *r += 3;
    EXPECT_EQ(r->waiting(), 0u);
    r.set(7);
    *r += 1;
    EXPECT_EQ(r.get().value(), 8);
    *r = 1;
    EXPECT_EQ(r.get().value(), 1);
    EXPECT_EQ(r->waiting(), 0u);
}

TEST(serial_sum, what_is_assigned_to_a_later_strand_replaces_its_addends) {
    const serial_sum<double> m;
    auto view = m.identity(), other = m.identity();
    view += 1;
    view = 5;
    view += 2;
    EXPECT_EQ(view.waiting(), 2u);
    EXPECT_EQ(view.value(), 7);
    other += 3;
    view = other;
    EXPECT_EQ(view.waiting(), 1u);
    auto first = m.first();
    first += 1;
    m.reduce(first, std::move(view));
    EXPECT_EQ(first.value(), 4);
}

// More addends than a block of the log has room for, several times.
TEST(serial_sum, long_logs) {
    const std::vector<double> values = addends<double>(100'000, 4);
    double loop = 0;
    auto view = serial_sum<double>().identity();
    for (const double x : values) {
        view += x;
        loop += x;
    }
    EXPECT_EQ(view.waiting(), values.size());
    EXPECT_EQ(bits(view.value()), bits(loop));
}

} // namespace
} // namespace saguaro
