// SPDX-License-Identifier: MIT
// Channels of values, for C++: channel.h with types.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/exceptions.hpp"

#include <saguaro/channel.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <vector>

namespace saguaro {

// A channel of values of type T, from one producer to one consumer or many. A message is a T or an
// array of them. A handle: copy it freely, also into the functions of spaces and threads, which
// then have the same channel. It lives as long as the job, unless it is freed: `owned_channel`.
//
// The rules are those of channel.h: the first thread that sends is the producer, the first that
// receives is the consumer, receiving waits.
template <class T>
class channel {
    static_assert(
        std::is_trivially_copyable_v<T>,
        "a channel copies the bytes of a value into memory that another process reads, so "
        "the value must be trivially copyable: send what a string, a vector or a "
        "unique_ptr holds, not the object itself, whose pointers mean nothing there");

public:
    // For so many consumers; `capacity` as sg_channel_create has it: the bytes of large messages
    // that not all have received (0: 1 MB). Throws std::system_error if that cannot be had. 1 µs.
    explicit channel(unsigned consumers = 1, std::size_t capacity = 0)
        : name_(sg_channel_create(consumers, capacity)) {
        if (name_ == 0)
            saguaro::detail::throw_error<std::system_error>(errno, std::generic_category(),
                                                            "a channel");
    }

    // Sends a copy of one value, or of an array of them. 30 ns and the copy.
    void send(const T &value) const { sg_channel_send(name_, std::addressof(value), sizeof(T)); }
    void send(std::span<const T> values) const {
        sg_channel_send(name_, values.data(), values.size_bytes());
    }

    // Says that no message follows: sg_channel_close.
    void close() const { sg_channel_close(name_); }

    // Waits for the next message, which is one value. Nothing if the producer has closed the
    // channel. Ends the program with a line if the message is larger.
    std::optional<T> next(unsigned consumer = 0) const {
        // No value that is made first: that of a handle would make a channel.
        std::array<std::byte, sizeof(T)> value;
        const std::size_t bytes = sg_channel_receive(name_, consumer, value.data(), sizeof(T));
        return value_in(value, bytes);
    }

    // The same where a message must come. Throws std::out_of_range if the channel was closed.
    T receive(unsigned consumer = 0) const {
        const std::optional<T> value = next(consumer);
        if (!value)
            saguaro::detail::throw_error<std::out_of_range>(
                "saguaro: a channel is closed, and has no more messages");
        return *value;
    }

    // This consumer receives no more: sg_channel_close_consumer.
    void close_consumer(unsigned consumer = 0) const { sg_channel_close_consumer(name_, consumer); }

    // As `send`, but false, and nothing is sent, where it would have to wait for room that no
    // consumer makes any more: sg_channel_send_or_gone.
    [[nodiscard]] bool send_or_gone(const T &value) const {
        return sg_channel_send_or_gone(name_, std::addressof(value), sizeof(T)) == 0;
    }
    [[nodiscard]] bool send_or_gone(std::span<const T> values) const {
        return sg_channel_send_or_gone(name_, values.data(), values.size_bytes()) == 0;
    }

    // As `next`, and nothing as well, with `is_gone`, if the producer has ended or given its end
    // up: sg_channel_receive_or_gone.
    std::optional<T> next_or_gone(bool &is_gone, unsigned consumer = 0) const {
        std::array<std::byte, sizeof(T)> value;
        const std::size_t bytes =
            sg_channel_receive_or_gone(name_, consumer, value.data(), sizeof(T));
        is_gone = bytes == SG_CHANNEL_GONE;
        return value_in(value, bytes);
    }

    // The next message's values, where they are: until this consumer receives again or calls
    // `done`. A span with a null pointer if the channel was closed.
    std::span<const T> view(unsigned consumer = 0) const {
        must_fit_in_place();
        std::size_t bytes = 0;
        const void *const begin = sg_channel_view(name_, consumer, &bytes);
        return {static_cast<const T *>(begin), bytes / sizeof(T)};
    }
    void done(unsigned consumer = 0) const { sg_channel_done(name_, consumer); }

    // The same as a copy, which is empty if the channel was closed.
    std::vector<T> receive_all(unsigned consumer = 0) const {
        std::size_t bytes = 0;
        const void *const begin = sg_channel_view(name_, consumer, &bytes);
        const std::size_t count = bytes / sizeof(T);
        std::vector<T> copy;
        if constexpr (std::is_trivially_default_constructible_v<T>) {
            copy.resize(count);
            if (count != 0)
                std::memcpy(static_cast<void *>(copy.data()), begin, count * sizeof(T));
        } else {
            copy.reserve(count);
            for (std::size_t i = 0; i < count; ++i) {
                std::array<std::byte, sizeof(T)> value;
                std::memcpy(value.data(), static_cast<const char *>(begin) + i * sizeof(T),
                            sizeof(T));
                copy.push_back(std::bit_cast<T>(value));
            }
        }
        done(consumer);
        return copy;
    }

    // Calls write(span) with room for `count` values, which it writes, and sends them without a
    // copy. What is in the room before is not determined.
    template <class Write>
    void send_in_place(std::size_t count, Write write) const {
        must_fit_in_place();
        void *const room = sg_channel_reserve(name_, count * sizeof(T));
        write(std::span<T>(static_cast<T *>(room), count));
        sg_channel_publish(name_);
    }

    // What C calls it.
    sg_channel name() const { return name_; }

protected:
    // For the owner, which may have none: 0.
    explicit channel(sg_channel name, std::nullptr_t) : name_(name) {}
    void rename(sg_channel name) { name_ = name; }

private:
    // What a message of so many bytes holds, or nothing if there was none.
    static std::optional<T> value_in(const std::array<std::byte, sizeof(T)> &value,
                                     std::size_t bytes) {
        if (bytes == SG_CHANNEL_CLOSED || bytes == SG_CHANNEL_GONE)
            return std::nullopt;
        if (bytes != sizeof(T))
            saguaro::detail::throw_error<std::length_error>(
                "saguaro: a channel's message is no single value of its type");
        return std::bit_cast<std::remove_const_t<T>>(value);
    }

    static void must_fit_in_place() {
        static_assert(alignof(T) <= 8,
                      "a small message is aligned to 8 bytes, so a value that needs more cannot be "
                      "used where it is: send and receive copies");
    }

    sg_channel name_;
};

// A channel that ends with this object: sg_channel_free, whose rules hold. Spaces that are begun
// meanwhile may use it to their end, in a copy of the object that their copy of the memory has, or
// by a plain handle, `saguaro::channel<T> handle = owner`. Can be moved and not copied. In a space
// that has not made it, the destructor gives up that space's ends.
template <class T>
class owned_channel : public channel<T> {
public:
    // As channel.
    explicit owned_channel(unsigned consumers = 1, std::size_t capacity = 0)
        : channel<T>(consumers, capacity) {}

    owned_channel(owned_channel &&other) noexcept : channel<T>(other.name(), nullptr) {
        other.rename(0);
    }
    owned_channel &operator=(owned_channel &&other) noexcept {
        if (this != &other) {
            reset();
            this->rename(other.name());
            other.rename(0);
        }
        return *this;
    }

    ~owned_channel() { reset(); }

    // Frees the channel now. Afterwards there is none.
    void reset() noexcept {
        sg_channel_free(this->name());
        this->rename(0);
    }
};

} // namespace saguaro
