// SPDX-License-Identifier: MIT
// Which way the calling thread rounds: as fegetround says, and as its computations show.
#pragma once

#include <cfenv>

namespace saguaro::test {

// While it lives, the thread rounds that way.
class rounding {
public:
    explicit rounding(int mode) { std::fesetround(mode); }
    ~rounding() { std::fesetround(before_); }
    rounding(const rounding &) = delete;
    rounding &operator=(const rounding &) = delete;

private:
    const int before_ = std::fegetround();
};

// `mode` is FE_TONEAREST, FE_DOWNWARD or FE_UPWARD. The double that is nearest to a third is below
// it.
inline bool rounds(int mode) {
    const volatile double one = 1;
    const volatile double three = 3;
    constexpr double nearest = 1.0 / 3;
    const bool as_computed = mode == FE_UPWARD ? one / three > nearest : one / three == nearest;
    return std::fegetround() == mode && as_computed;
}

} // namespace saguaro::test
