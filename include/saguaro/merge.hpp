// SPDX-License-Identifier: MIT
// The messages of several channels in one order, for C++: merge.h with types.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/exceptions.hpp"

#include <saguaro/channel.hpp>
#include <saguaro/merge.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace saguaro {

// A value with the time by which `merge::by_time` orders it. The unit is the program's own.
template <class T>
struct stamped {
    std::uint64_t time;
    T value;
};

// Says that the caller, the channel's producer, sends nothing on it that is earlier than `time`.
// The merge learns it; nobody else may receive from such a channel.
template <class T>
void promise(const channel<stamped<T>> &on, std::uint64_t time) {
    sg_channel_send(on.name(), &time, sizeof(time));
}

// A message of a merge: which channel it came from, and its values where they are.
template <class T>
struct merged {
    std::size_t from;
    std::span<const T> values;

    // Of a message that is one value.
    const T &value() const { return values.front(); }
};

// A merge of channels of values of type T, all by the same consumer's number. Each kind, and what
// it asks of the producers, is explained in merge.h.
template <class T>
class merge {
    static_assert(alignof(T) <= 8, "a merge has values where they are, aligned to 8 bytes");

public:
    // Throw std::system_error if there is no memory, or if a channel is there twice.
    static merge in_turn(std::span<const channel<T>> inputs, unsigned consumer = 0) {
        const auto given = names(inputs, consumer);
        return merge(sg_merge_in_turn(given.data(), given.size()));
    }

    // The next message is of the channel with the number choose(const merged<T> *last). `last` is
    // null before the first message; its values have a null pointer if the channel that was chosen
    // last is closed.
    template <class Choose>
        requires std::is_invocable_r_v<std::size_t, Choose &, const merged<T> *>
    static merge chosen(std::span<const channel<T>> inputs, Choose choose, unsigned consumer = 0) {
        const auto given = names(inputs, consumer);
        auto kept = std::make_unique<choice>(std::move(choose));
        merge made(sg_merge_chosen(given.data(), given.size(), ask, kept.get()));
        made.choice_ = std::move(kept);
        return made;
    }

    // T is stamped<...>.
    static merge by_time(std::span<const channel<T>> inputs, unsigned consumer = 0) {
        static_assert(std::is_same_v<decltype(T::time), std::uint64_t> &&
                          std::is_standard_layout_v<T>,
                      "a merge by time is one of channels of saguaro::stamped values");
        const auto given = names(inputs, consumer);
        return merge(sg_merge_by_time(given.data(), given.size()));
    }

    // Waits for the next message, which stays until the next call. Nothing at the end.
    std::optional<merged<T>> next() {
        sg_merge_message message;
        if (sg_merge_next(merge_.get(), &message) == 0)
            return std::nullopt;
        return values_of(message);
    }

private:
    using choice = std::function<std::size_t(const merged<T> *)>;

    struct destroy {
        void operator()(sg_merge *it) const { sg_merge_destroy(it); }
    };

    explicit merge(sg_merge *made) : merge_(made) {
        if (made == nullptr)
            saguaro::detail::throw_error<std::system_error>(errno, std::generic_category(),
                                                            "a merge of channels");
    }

    static std::vector<sg_merge_input> names(std::span<const channel<T>> inputs,
                                             unsigned consumer) {
        std::vector<sg_merge_input> given;
        for (const channel<T> &each : inputs)
            given.push_back({each.name(), consumer});
        return given;
    }

    static merged<T> values_of(const sg_merge_message &message) {
        return {message.from, {static_cast<const T *>(message.data), message.size / sizeof(T)}};
    }

    static std::size_t ask(void *kept, const sg_merge_message *last) {
        const choice &choose = *static_cast<const choice *>(kept);
        if (last == nullptr)
            return choose(nullptr);
        const merged<T> seen = values_of(*last);
        return choose(&seen);
    }

    std::unique_ptr<choice> choice_; // at an address that stays when the merge moves
    std::unique_ptr<sg_merge, destroy> merge_;
};

} // namespace saguaro
