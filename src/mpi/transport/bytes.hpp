// SPDX-License-Identifier: MIT
// Plain values in a row of bytes, as carriers send them: README.md, "The stream".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace saguaro::mpi::transport {

using byte_row = std::vector<char>;

class packer {
public:
    explicit packer(byte_row &to) : to_(to) {}

    template <class T>
    void put(const T &value) {
        static_assert(std::is_trivially_copyable_v<T>);
        put_bytes(&value, sizeof(value));
    }
    template <class T>
    void put_all(const std::vector<T> &values) {
        put(static_cast<std::uint32_t>(values.size()));
        put_bytes(values.data(), values.size() * sizeof(T));
    }
    void put_bytes(const void *from, std::size_t bytes) {
        const auto *const begin = static_cast<const char *>(from);
        to_.insert(to_.end(), begin, begin + bytes);
    }

private:
    byte_row &to_;
};

// Reads what a packer has written. What is missing reads as zeros, and is_whole() is false then.
class unpacker {
public:
    unpacker(const char *from, std::size_t bytes) : at_(from), left_(bytes) {}

    template <class T>
    T get() {
        T value{};
        if (const char *const bytes = get_bytes(sizeof(T)))
            std::memcpy(&value, bytes, sizeof(T));
        return value;
    }
    template <class T>
    std::vector<T> get_all() {
        const std::size_t count = get<std::uint32_t>();
        std::vector<T> values;
        if (const char *const bytes = get_bytes(count * sizeof(T))) {
            values.resize(count);
            if (count != 0)
                std::memcpy(values.data(), bytes, count * sizeof(T));
        }
        return values;
    }
    // Null if there are not so many.
    const char *get_bytes(std::size_t bytes) {
        is_whole_ = is_whole_ && bytes <= left_;
        if (!is_whole_)
            return nullptr;
        const char *const here = at_;
        at_ += bytes;
        left_ -= bytes;
        return here;
    }

    std::size_t left() const { return left_; }
    bool is_whole() const { return is_whole_; }

private:
    const char *at_;
    std::size_t left_;
    bool is_whole_ = true;
};

} // namespace saguaro::mpi::transport
