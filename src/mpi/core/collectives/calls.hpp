// SPDX-License-Identifier: MIT
// Which collective call has sent a message: a number in each message, by which its receiver sees
// that two calls do not fit together.
#pragma once

#include <cstdint>

namespace saguaro::mpi {

// The name of a collective call, and 16 bits that stand for it.
class collective_call {
public:
    // Of a function whose name is known when this is compiled.
    consteval collective_call(const char *name) : name_(name), mark_(mark_of(name)) {}
    // Of the library's own steps, which take many times longer than this.
    static constexpr collective_call named(const char *name) {
        return collective_call(name, mark_of(name));
    }

    constexpr const char *name() const { return name_; }
    constexpr std::uint16_t mark() const { return mark_; }

private:
    constexpr collective_call(const char *name, std::uint16_t mark) : name_(name), mark_(mark) {}

    // FNV-1a, folded. calls.cpp proves that no two names have one mark.
    static constexpr std::uint16_t mark_of(const char *name) {
        std::uint32_t number = 2166136261U;
        for (; *name != '\0'; ++name)
            number = (number ^ static_cast<unsigned char>(*name)) * 16777619U;
        return static_cast<std::uint16_t>(number ^ number >> 16);
    }

    const char *name_;
    std::uint16_t mark_;
};

// The number of a message: above, the mark of the call; below, of a collective that blocks its
// number on the communicator, or with -check a hash of the elements' types.
constexpr std::uint32_t number_of_message(collective_call call, std::uint16_t below) {
    return std::uint32_t{call.mark()} << 16 | below;
}
constexpr std::uint16_t mark_in(std::uint32_t number) {
    return static_cast<std::uint16_t>(number >> 16);
}

// The name of the call with a mark; null if there is none.
const char *name_of_call(std::uint16_t mark);

} // namespace saguaro::mpi
