// SPDX-License-Identifier: MIT
// The places that a loop with a step visits.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/loop.hpp"

#include <cstdint>
#include <type_traits>

namespace saguaro::detail {

// Throws std::invalid_argument.
[[noreturn]] void refuse_step(const char *why);

// What may be the step of a loop, and is no body.
template <class S>
concept number = std::is_arithmetic_v<S> || integer<S>;

template <class S>
constexpr void check_step() {
    static_assert(holds<integer<S>>, "saguaro: the step of a loop is an integer");
}

// A range has no element in front of its first one.
template <class S>
constexpr void check_forward(S step) {
    if constexpr (integer<S>)
        if constexpr (has_sign<S>)
            if (step < 0) [[unlikely]]
                refuse_step("saguaro: the step of a loop over a range is negative");
}

// `first`, and places each `step` after the one before, in front of `last`. Offsets from `first`
// are unsigned and wrap around, so that a step may be negative.
template <place_to_start I>
class places {
public:
    template <integer S>
    constexpr places(I first, I last, S step) : first_(first), step_(static_cast<offset>(step)) {
        if (step == 0) [[unlikely]]
            refuse_step("saguaro: the step of a loop is 0");
        // Of all steps, a narrower one's sign included, and of all distances.
        using wide = std::conditional_t<(sizeof(S) > sizeof(offset)), as_unsigned<S>, offset>;
        wide distance = steps<wide>(first, last), size = static_cast<wide>(step);
        if constexpr (has_sign<S>)
            if (step < 0) {
                distance = steps<wide>(last, first);
                size = 0 - size;
            }
        count_ = distance == 0 ? 0 : at_most_64_bits((distance - 1) / size + 1);
    }

    constexpr std::uint64_t count() const { return count_; }

    constexpr I operator[](std::uint64_t i) const {
        if constexpr (integer<I>)
            return static_cast<I>(static_cast<offset>(first_) + i * step_);
        else
            return first_ + static_cast<difference_of<I>>(i * step_);
    }

private:
    template <class J>
    struct offset_of {
        using type = std::uint64_t;
    };
    template <integer J>
    struct offset_of<J> {
        using type = as_unsigned<J>;
    };
    using offset = typename offset_of<I>::type;

    // As `distance`, which cuts at 64 bits.
    template <class Wide>
    static constexpr Wide steps(const I &first, const I &last) {
        if (!(first < last))
            return 0;
        if constexpr (integer<I>)
            return static_cast<Wide>(static_cast<offset>(last) - static_cast<offset>(first));
        else
            return static_cast<Wide>(static_cast<std::uint64_t>(last - first));
    }

    I first_;
    offset step_;
    std::uint64_t count_;
};

} // namespace saguaro::detail
