// SPDX-License-Identifier: MIT
// Arithmetic on integers that several floors need.
#pragma once

#include <cstdint>
#include <type_traits>

namespace saguaro::platform {

// The least multiple of `to` that is not below `what`.
template <class Integer>
constexpr Integer round_up(Integer what, std::type_identity_t<Integer> to) {
    return (what + to - 1) / to * to;
}

// splitmix64 (Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, 2014): its n-th
// random number is mixed(seed + n * golden). Different arguments have different results.
inline constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

} // namespace saguaro::platform
