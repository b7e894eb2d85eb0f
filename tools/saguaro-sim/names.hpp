// SPDX-License-Identifier: MIT
// Words and numbers as they are printed.
#pragma once

#include "engine/costs.hpp"

#include <charconv>
#include <string>
#include <string_view>

namespace saguaro::sim {

constexpr std::string_view name_of(steals how) {
    switch (how) {
    case steals::fence:
        return "fence";
    case steals::open:
        return "open";
    case steals::request:
        break;
    }
    return "request";
}

// The shortest text that is this number.
template <class T>
std::string in_words(T value) {
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

inline double in_seconds(ps time) {
    return static_cast<double>(time) * 1e-12;
}

} // namespace saguaro::sim
