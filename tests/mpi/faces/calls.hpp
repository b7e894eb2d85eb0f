// SPDX-License-Identifier: MIT
// The program's side of generated calls (abi_calls.cpp and its like) and of the tests by hand.
// Include it behind the face's declarations.
#pragma once

#include "fake.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace fake {

template <class type>
type pointer(std::intptr_t value) {
    return reinterpret_cast<type>(value);
}

// A handle that is the address of an object.
template <class type>
type address_of(char *object) {
    return reinterpret_cast<type>(object);
}

// A handle by its number in the face.
template <class type>
type handle(std::uint32_t value) {
    if constexpr (std::is_pointer_v<type>)
        return reinterpret_cast<type>(static_cast<std::uintptr_t>(value));
    else
        return static_cast<type>(value);
}

template <class type, class other>
void same(type is, other expected) {
    EXPECT_EQ(is, static_cast<type>(expected)) << now.function;
}

inline void same_text(const char *is, const char *expected) {
    EXPECT_STREQ(is, expected) << now.function;
}

// An argument of a call that is refused.
template <class type>
type zero() {
    return type{};
}

inline void refused(int result, int expected, const std::string &by) {
    EXPECT_EQ(result, expected) << now.function;
    EXPECT_EQ(now.raised_by, by);
    EXPECT_EQ(now.raised, by.empty() ? 0 : mpi::abi::err_unsupported_operation);
    EXPECT_FALSE(now.was_called) << now.function;
}

// status_of_core(seed) as a program of the face has it. Each face's test says how.
MPI_Status status_of_face(int seed);

inline void same_status(const MPI_Status &is, int seed) {
    const MPI_Status expected = status_of_face(seed);
    EXPECT_EQ(std::memcmp(&is, &expected, sizeof is), 0) << now.function;
}

inline void untouched(const MPI_Status &is) {
    const MPI_Status never_written{};
    EXPECT_EQ(std::memcmp(&is, &never_written, sizeof is), 0) << now.function;
}

} // namespace fake
