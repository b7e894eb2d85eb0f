// SPDX-License-Identifier: MIT
// An array that lives for one call: converted counts, handles or statuses. Short ones need no heap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace saguaro::mpi::faces {

template <class entry>
class temporary {
public:
    // A negative length counts as 0: the core refuses it by the argument that says it.
    explicit temporary(std::int64_t length)
        : length_(length > 0 ? static_cast<std::size_t>(length) : 0),
          heap_(length_ > short_length ? new entry[length_]() : nullptr) {}
    ~temporary() { delete[] heap_; }
    temporary(const temporary &) = delete;
    temporary &operator=(const temporary &) = delete;

    entry *data() { return heap_ != nullptr ? heap_ : short_; }
    std::size_t size() const { return length_; }
    entry &operator[](std::size_t i) { return data()[i]; }

private:
    static constexpr std::size_t short_length = 16;

    std::size_t length_;
    entry *heap_; // <memory> would be the largest header of each generated file
    entry short_[short_length];
};

} // namespace saguaro::mpi::faces
