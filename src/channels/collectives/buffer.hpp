// SPDX-License-Identifier: MIT
// Memory for the time of one collective: on the stack if it is little.
#pragma once

#include "spmc/lines.hpp"

#include <cstddef>
#include <new>

namespace saguaro::channels {

class buffer {
public:
    explicit buffer(std::size_t size) {
        if (size <= sizeof(inside_))
            return;
        data_ = static_cast<std::byte *>(
            ::operator new(size, std::align_val_t{alignment}, std::nothrow));
        if (data_ == nullptr)
            spmc::give_up("no memory for %zu bytes that a collective needs", size);
    }
    ~buffer() {
        if (data_ != inside_)
            ::operator delete(data_, std::align_val_t{alignment});
    }
    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;

    std::byte *data() { return data_; }

private:
    static constexpr std::size_t alignment = 64;

    alignas(alignment) std::byte inside_[1024];
    std::byte *data_ = inside_;
};

} // namespace saguaro::channels
