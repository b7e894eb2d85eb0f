// SPDX-License-Identifier: MIT
// A value that counts how many of its kind live, for text.hpp.
#pragma once

#include <atomic>

namespace {

struct number {
    explicit number(int v) : value(v) { ++alive(); }
    number(const number &from) : value(from.value) {
        ++alive();
        ++copies();
    }
    number(number &&from) noexcept : value(from.value) {
        from.value = -1;
        ++alive();
    }
    number &operator=(const number &) = default;
    ~number() { --alive(); }

    static std::atomic<int> &alive() {
        static std::atomic<int> count{0};
        return count;
    }
    static std::atomic<int> &copies() {
        static std::atomic<int> count{0};
        return count;
    }
    int value;
};

} // namespace
