// SPDX-License-Identifier: MIT
// A core that knows only what the test says: which function should be called next, what each
// argument should be, and what to answer. Generated code (fake_core.cpp) defines all functions of
// the core by `fake::called`.
#pragma once

#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/functions.hpp"

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace fake {

namespace mpi = saguaro::mpi;

// What one argument should be, or what the core says by it.
struct step {
    enum kind {
        value,
        text_in,
        array,
        out,
        inout,
        out_array,
        inout_array,
        text_out,
        in_status,
        out_status,
        ignored
    };
    kind what;
    std::uint64_t first = 0, second = 0;
    std::string words = {};
};

// Where a function that detaches a buffer writes an address.
inline void *detached_buffer = nullptr;
inline void *const detached = &detached_buffer;

template <class type>
std::uint64_t bits(type value) {
    if constexpr (std::is_pointer_v<type>)
        return reinterpret_cast<std::uintptr_t>(value);
    else
        return static_cast<std::uint64_t>(value);
}

template <class type>
step in(type value) {
    return {step::value, bits(value)};
}
inline step in(const char *words) {
    return {step::text_in, 0, 0, words};
}

template <class type>
step two(step::kind what, type first, type second) {
    return {what, bits(first), bits(second)};
}
template <class type>
step array(type a, type b) {
    return two(step::array, a, b);
}
template <class type>
step out(type a) {
    return two(step::out, a, a);
}
template <class type>
step inout(type a, type b) {
    return two(step::inout, a, b);
}
template <class type>
step out_array(type a, type b) {
    return two(step::out_array, a, b);
}
template <class type>
step inout_array(type a, type b) {
    return two(step::inout_array, a, b);
}
inline step text(const char *words) {
    return {step::text_out, 0, 0, words};
}
inline step in_status(int seed) {
    return two(step::in_status, seed, 0);
}
inline step out_status(int seed, int n) {
    return two(step::out_status, seed, n);
}
// A status whose error the core leaves alone, and none at all.
inline step out_status_alone(int seed) {
    return {step::out_status, bits(seed), 1, "no error"};
}
inline step ignored() {
    return {step::ignored};
}

// A status that differs for each seed in all that a face converts.
mpi::status status_of_core(int seed);

// Announces the next call: the MPI function, the core's function, a step for each argument.
void begin(const char *function, const char *core, std::vector<step> steps);
// What the MPI function returned; complains if the core was not called or something was wrong.
void end(int result);
void complain(const std::string &what);

// Where an error of a request went to.
inline constexpr std::uint32_t on_failed_request = 12345;

// What the core is.
struct state {
    bool active = true;
    int answer = 0; // what each function of the core returns
    int raised = 0; // the last error, and where it was sent
    std::uint32_t raised_on = 0;
    std::string raised_by;
    std::string function, core;
    std::vector<step> steps;
    bool was_called = false;
    bool takes_anything = false; // does not look at what it is called with
    bool is_root = true;
    std::multiset<std::string> asked; // by which functions the face asked for lengths of arrays
};
extern state now;

// The last pair of function and thunk of a kind that the core got.
template <class callback>
inline callback captured;

template <class type>
void check_equal(std::uint64_t is, type expected, std::size_t argument) {
    if (is != static_cast<std::uint64_t>(expected))
        complain("argument " + std::to_string(argument) + " is " + std::to_string(is) + ", not " +
                 std::to_string(expected));
}

void meet(const mpi::status *p, const step &s, std::size_t i);
void meet(mpi::status *p, const step &s, std::size_t i);
void meet(char *p, const step &s, std::size_t i);
void meet(const char *p, const step &s, std::size_t i);

template <class type>
concept pair_of_functions = requires(type t) {
    t.thunk;
    t.function;
};

template <class type>
concept single = std::is_integral_v<type> || std::is_enum_v<type> || std::is_same_v<type, void *>;

template <pair_of_functions type>
void meet(const type &p, const step &s, std::size_t i) {
    captured<type> = p;
    check_equal(bits(p.function), s.first, i);
    if (p.thunk == nullptr)
        complain("no thunk");
}

template <class type>
    requires(!pair_of_functions<type>)
void meet(type value, const step &s, std::size_t i) {
    check_equal(s.what, int{step::value}, i);
    check_equal(bits(value), s.first, i);
}

template <single type>
void meet(const type *p, const step &s, std::size_t i) {
    if (s.what == step::value)
        return check_equal(bits(p), s.first, i);
    check_equal(s.what, int{step::array}, i);
    check_equal(bits(p[0]), s.first, i);
    check_equal(bits(p[1]), s.second, i);
}

template <class type>
type of_bits(std::uint64_t value) {
    if constexpr (std::is_pointer_v<type>)
        return reinterpret_cast<type>(static_cast<std::uintptr_t>(value));
    else
        return static_cast<type>(value);
}

template <single type>
void meet(type *p, const step &s, std::size_t i) {
    switch (s.what) {
    case step::inout:
        check_equal(bits(p[0]), s.first, i);
        [[fallthrough]];
    case step::out:
        p[0] = of_bits<type>(s.second);
        return;
    case step::inout_array:
        check_equal(bits(p[0]), s.first, i);
        check_equal(bits(p[1]), s.second, i);
        p[0] = of_bits<type>(s.second);
        p[1] = of_bits<type>(s.first);
        return;
    case step::out_array:
        p[0] = of_bits<type>(s.first);
        p[1] = of_bits<type>(s.second);
        return;
    default:
        return check_equal(bits(p), s.first, i);
    }
}

template <class... argument>
int called(const char *core, argument... arguments) {
    now.was_called = true;
    if (now.takes_anything)
        return now.answer;
    if (now.core != core)
        complain(std::string("the face called ") + core);
    else if (now.steps.size() != sizeof...(arguments))
        complain("the core has another number of arguments");
    else {
        std::size_t i = 0;
        [[maybe_unused]] auto next = [&](auto value) {
            meet(value, now.steps[i], i);
            ++i;
        };
        (next(arguments), ...);
    }
    return now.answer;
}

} // namespace fake
