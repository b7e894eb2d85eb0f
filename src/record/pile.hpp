// SPDX-License-Identifier: MIT
// A stack whose elements are written in place.
#pragma once

#include "platform/no_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace saguaro::record {

// A stack of what is open. An element is written member by member where it lies: a copy of bytes
// that have just been stored takes as long as all else that the recorder does at a moment.
template <class T>
class pile {
public:
    bool empty() const { return top_ == begin(); }
    T *begin() const { return all_.get(); }
    T *end() const { return top_; }
    T &back() const { return top_[-1]; }

    // The new element has the values of an earlier one. The process ends if there is no memory.
    T &push() {
        if (top_ == end_) [[unlikely]]
            grow();
        return *top_++;
    }
    void pop() { --top_; }

private:
    [[gnu::noinline]] void grow() {
        const auto used = static_cast<std::size_t>(top_ - begin());
        const std::size_t more = std::max<std::size_t>(2 * used, 1024);
        std::unique_ptr<T[]> larger(new (std::nothrow) T[more]);
        if (larger == nullptr)
            platform::end_without_memory("a recording");
        std::copy(begin(), top_, larger.get());
        all_ = std::move(larger);
        top_ = begin() + used;
        end_ = begin() + more;
    }

    std::unique_ptr<T[]> all_;
    T *top_ = nullptr;
    T *end_ = nullptr;
};

} // namespace saguaro::record
