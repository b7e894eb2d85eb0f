// SPDX-License-Identifier: MIT
// What the tests of monoids compare: the join of two values, and the bits of numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

namespace saguaro::test {

template <class M>
typename M::value_type joined(const M &m, typename M::value_type left,
                              typename M::value_type right) {
    m.reduce(left, std::move(right));
    return left;
}

// Results that are compared as they are.
inline constexpr auto same = [](auto &&value) { return std::forward<decltype(value)>(value); };

inline std::uint64_t bits(double x) {
    return std::bit_cast<std::uint64_t>(x);
}
inline std::uint32_t bits(float x) {
    return std::bit_cast<std::uint32_t>(x);
}

inline constexpr auto bits_of_sum = [](const auto &view) { return bits(view.value()); };

} // namespace saguaro::test
