// SPDX-License-Identifier: MIT
// The loops of cilkc++: cilk_for over integers, pointers, iterators and ranges. For cilk_cxx.hpp.
//
// C++14 without any header of the standard library.
#pragma once

#pragma GCC system_header

#include "saguaro/detail/cilk_cxx_call.hpp"
#include "saguaro/detail/integers.h"
#include "saguaro/detail/stealable.hpp"

#include <stddef.h>

// A loop of C (cilk_abi.h): calls body(captured, b, e) for blocks of [0, count). Without a deque it
// finds its own, and a thread outside enters a run.
extern "C" void sg_for(sg_deque *deque, sg_frame **tail,
                       void (*body)(void *captured, sg_uint64 first, sg_uint64 last),
                       void *captured, sg_uint64 count, sg_uint64 grain);

namespace saguaro {

namespace detail {

// std::invalid_argument.
[[noreturn]] void refuse_step(const char *why);

} // namespace detail

namespace cilk {

__extension__ typedef unsigned __int128 unsigned_128;
__extension__ typedef __int128 signed_128;

// ---- Integers, without <type_traits>

template <class T>
struct is_integer {
    enum { value = 0 };
};
#define SG_CILK_INTEGER(type)                                                                      \
    template <>                                                                                    \
    struct is_integer<type> {                                                                      \
        enum { value = 1 };                                                                        \
    };
SG_CILK_INTEGER(bool)
SG_CILK_INTEGER(char)
SG_CILK_INTEGER(signed char)
SG_CILK_INTEGER(unsigned char)
SG_CILK_INTEGER(wchar_t)
SG_CILK_INTEGER(char16_t)
SG_CILK_INTEGER(char32_t)
#if defined(__cpp_char8_t)
SG_CILK_INTEGER(char8_t)
#endif
SG_CILK_INTEGER(short)
SG_CILK_INTEGER(unsigned short)
SG_CILK_INTEGER(int)
SG_CILK_INTEGER(unsigned)
SG_CILK_INTEGER(long)
SG_CILK_INTEGER(unsigned long)
SG_CILK_INTEGER(long long)
SG_CILK_INTEGER(unsigned long long)
SG_CILK_INTEGER(signed_128)
SG_CILK_INTEGER(unsigned_128)
#undef SG_CILK_INTEGER

// To choose between functions.
template <bool>
struct either_way {};

// An enumeration's value as the integer that holds it; all else as it is.
template <class T>
struct is_enumeration {
    enum { value = __is_enum(T) };
};
// What counts as integers do; an enumeration does whatever its ++ is.
template <class T>
struct is_counted {
    enum { value = is_integer<T>::value || is_enumeration<T>::value };
};
template <class T, bool = is_enumeration<T>::value>
struct number {
    using type = const T &;
};
template <class T>
struct number<T, true> {
    using type = __underlying_type(T);
};
template <class T>
constexpr typename number<T>::type number_of(const T &value) {
    return static_cast<typename number<T>::type>(value);
}

// The unsigned type of so many bytes.
template <size_t bytes>
struct unsigned_of {
    using type = sg_uint64;
};
template <>
struct unsigned_of<1> {
    using type = unsigned char;
};
template <>
struct unsigned_of<2> {
    using type = unsigned short;
};
template <>
struct unsigned_of<4> {
    using type = unsigned;
};
template <>
struct unsigned_of<16> {
    using type = unsigned_128;
};
template <class T>
using as_unsigned = typename unsigned_of<sizeof(T)>::type;

// What counts the distance of any two values of an integer type T: at least 64 bits.
template <class T>
using distance_of = typename unsigned_of<(sizeof(T) > 8 ? 16 : 8)>::type;

// What is passed by value: not what has a copy constructor of its own.
template <class T>
struct is_copied {
    enum { value = __is_trivially_copyable(T) && __is_constructible(T, const T &) };
};
template <class T, size_t n>
struct is_copied<T[n]> {
    enum { value = 1 }; // a pointer
};

template <bool>
struct if_true {};
template <>
struct if_true<true> {
    using type = void;
};
template <bool b>
using only_if = typename if_true<b>::type;

// T(a, b) and T{a, b}, however the type is written.
template <class T>
using exactly = T;

// ---- How far, and how often

// The operators of old iterators are not const; the loop's variable is not either.
template <class I>
__attribute__((always_inline)) constexpr I &as_declared(const I &i) {
    return const_cast<I &>(i);
}

// When a loop goes on: `i < last` and so on. By `unequal` an integer wraps at its own width.
enum class until { less, less_equal, greater, greater_equal, unequal };

template <until how>
struct condition;
template <>
struct condition<until::less> {
    enum { closed = 0 };
    template <class I, class L>
    static bool holds(const I &i, const L &last) {
        return as_declared(i) < as_declared(last);
    }
};
template <>
struct condition<until::less_equal> {
    enum { closed = 1 };
    template <class I, class L>
    static bool holds(const I &i, const L &last) {
        return as_declared(i) <= as_declared(last);
    }
};
template <>
struct condition<until::greater> {
    enum { closed = 0 };
    template <class I, class L>
    static bool holds(const I &i, const L &last) {
        return as_declared(i) > as_declared(last);
    }
};
template <>
struct condition<until::greater_equal> {
    enum { closed = 1 };
    template <class I, class L>
    static bool holds(const I &i, const L &last) {
        return as_declared(i) >= as_declared(last);
    }
};
template <>
struct condition<until::unequal> {
    enum { closed = 0 };
    template <class I, class L>
    static bool holds(const I &i, const L &last) {
        return as_declared(i) != as_declared(last);
    }
};

// Integers: where the loop counts, the distance from one to the other as the condition sees it, and
// the value so far from the first.
template <class I, bool integer>
struct counter {
    using distance = distance_of<I>;

    template <until how, class A, class B>
    static distance span(const A &low, const B &high) {
        return static_cast<distance>(
            span_in(number_of(low), number_of(high), either_way<how == until::unequal>()));
    }
    static I up(const I &first, distance by) {
        return static_cast<I>(static_cast<distance>(first) + by);
    }
    static I down(const I &first, distance by) {
        return static_cast<I>(static_cast<distance>(first) - by);
    }
    static void next(I &i) { i = static_cast<I>(number_of(i) + 1); }

private:
    template <class A, class B>
    static as_unsigned<I> span_in(const A &low, const B &high, either_way<true>) {
        return static_cast<as_unsigned<I>>(static_cast<as_unsigned<I>>(high) -
                                           static_cast<as_unsigned<I>>(low));
    }
    template <class A, class B>
    static as_unsigned<decltype(some<A>() + some<B>())> span_in(const A &low, const B &high,
                                                                either_way<false>) {
        using common = decltype(some<A>() + some<B>());
        return static_cast<as_unsigned<common>>(static_cast<common>(high)) -
               static_cast<as_unsigned<common>>(static_cast<common>(low));
    }
};

// Pointers and iterators.
template <class I>
struct counter<I, false> {
    using distance = sg_uint64;

    template <until, class A, class B>
    static distance span(const A &low, const B &high) {
        return static_cast<distance>(difference(as_declared(high), as_declared(low), 0));
    }
    static I up(I first, distance by) {
        add(first, static_cast<decltype(first - first)>(by), 0);
        return first;
    }
    static I down(I first, distance by) {
        subtract(first, static_cast<decltype(first - first)>(by), 0);
        return first;
    }
    static void next(I &i) { step(i, 0); }

private:
    // An iterator need have only those of ++, +=, -= and - that its loop goes by.
    template <class T>
    static auto step(T &i, int) -> decltype(static_cast<void>(++i)) {
        ++i;
    }
    template <class T>
    static void step(T &i, long) {
        i = up(i, 1);
    }
    template <class A, class B>
    static auto difference(A &high, B &low, int) -> decltype(high - low) {
        return high - low;
    }
    template <class A, class B>
    static auto difference(A &high, B &low, long) -> decltype(low - high) {
        return -(low - high);
    }
    template <class T, class D>
    static auto add(T &i, D by, int) -> decltype(static_cast<void>(i += by)) {
        i += by;
    }
    template <class T, class D>
    static void add(T &i, D by, long) {
        i -= static_cast<D>(0 - by);
    }
    template <class T, class D>
    static auto subtract(T &i, D by, int) -> decltype(static_cast<void>(i -= by)) {
        i -= by;
    }
    template <class T, class D>
    static void subtract(T &i, D by, long) {
        i += static_cast<D>(0 - by);
    }
};

// The body as a block of iterations calls it: closures of references are copied. What they refer to
// need not be read again after each store, because nothing refers to the copy.
template <class Body, bool = is_copied<Body>::value>
struct body_of_block {
    using type = Body;
};
template <class Body>
struct body_of_block<Body, false> {
    using type = Body &;
};

template <class I, class Body>
struct loop_of {
    using count = counter<I, is_counted<I>::value>;
    using distance = typename count::distance;

    const I first;
    const distance stride;
    const bool down;
    Body &body;

    // Iterations [begin, end).
    static void run(void *self, sg_uint64 begin, sg_uint64 end) {
        const loop_of &loop = *static_cast<const loop_of *>(self);
        const distance stride = loop.stride;
        const I first(loop.first);
        typename body_of_block<Body>::type body(loop.body);
        if (loop.down)
            for (sg_uint64 i = begin; i != end; ++i)
                body(count::down(first, static_cast<distance>(i * stride)));
        else
            for (sg_uint64 i = begin; i != end; ++i)
                body(count::up(first, static_cast<distance>(i * stride)));
    }

    // The same by steps of one upwards, as the compiler turns them into vector instructions. The
    // variable does not leave the loop's range.
    static void run_each(void *self, sg_uint64 begin, sg_uint64 end) {
        const loop_of &loop = *static_cast<const loop_of *>(self);
        typename body_of_block<Body>::type body(loop.body);
        I i(count::up(loop.first, static_cast<distance>(begin)));
        for (sg_uint64 left = end - begin;;) {
            body(static_cast<const I &>(i));
            if (--left == 0)
                break;
            count::next(i);
        }
    }
};

template <class Grain>
inline sg_uint64 grain_of(Grain g) {
    return g > 0 ? static_cast<sg_uint64>(g) : 0;
}

// How often a loop runs whose integer is compared with a floating-point number: as often as the
// condition holds, which is found by halving. The conversion of a large integer rounds, so the
// limit cannot be rounded instead. No value is asked for that I has not.
template <until how, class I, class L>
distance_of<I> count_by_condition(const I &first, const L &last, distance_of<I> stride, bool down) {
    using distance = distance_of<I>;
    using count = counter<I, true>;
    const as_unsigned<I> all_ones = static_cast<as_unsigned<I>>(-1);
    const bool has_sign = static_cast<I>(-1) < I(0);
    const as_unsigned<I> highest = has_sign ? static_cast<as_unsigned<I>>(all_ones >> 1) : all_ones;
    const as_unsigned<I> end = static_cast<as_unsigned<I>>(!down      ? highest
                                                           : has_sign ? highest + 1
                                                                      : 0);
    const as_unsigned<I> room = static_cast<as_unsigned<I>>(
        down ? static_cast<as_unsigned<I>>(first) - end : end - static_cast<as_unsigned<I>>(first));
    distance holds = 0; // it holds for so many steps, and one more than `most` is too far
    distance most = static_cast<distance>(room) / stride;
    while (holds < most) {
        const distance middle = most - (most - holds) / 2;
        const distance by = static_cast<distance>(middle * stride);
        if (condition<how>::holds(down ? count::down(first, by) : count::up(first, by), last))
            holds = middle;
        else
            most = middle - 1;
    }
    return holds + 1;
}

template <class T>
struct is_floating {
    enum { value = !is_integer<T>::value && !__is_enum(T) && !__is_class(T) && !__is_union(T) };
};
template <class I, class L>
is_floating<decltype(some<I>() + some<L>())> compared_as(int);
template <class, class>
is_integer<void> compared_as(long);

template <until how, class I, class L>
distance_of<I> count_of(const I &first, const L &last, distance_of<I> stride, bool down,
                        either_way<true>) {
    static_assert(how != until::unequal,
                  "cilk_for: a limit that is compared by != must not be a floating-point number");
    return count_by_condition<how>(first, last, stride, down);
}
template <until how, class I, class L>
auto count_of(const I &first, const L &last,
              typename counter<I, is_counted<I>::value>::distance stride, bool down,
              either_way<false>) -> decltype(stride) {
    using count = counter<I, is_counted<I>::value>;
    const auto span =
        down ? count::template span<how>(last, first) : count::template span<how>(first, last);
    using distance = decltype(stride);
    return static_cast<distance>(condition<how>::closed ? span / stride + 1
                                                        : (span - 1) / stride + 1);
}

template <until how, class Grain, class I, class L, class Step, class Body>
inline void loop_to(Grain grain, const I &first, const L &last, const Step &step, bool down,
                    Body &body) {
    using count = counter<I, is_counted<I>::value>;
    using distance = typename count::distance;
    if (!condition<how>::holds(first, last))
        return;
    distance stride = static_cast<distance>(step);
    if (step < 0) {
        stride = static_cast<distance>(0 - stride);
        down = !down;
    }
    if (is_counted<I>::value) {
        // In the integer's own bits a stride is as well negative as large.
        as_unsigned<I> bits = static_cast<as_unsigned<I>>(stride);
        const as_unsigned<I> turned = static_cast<as_unsigned<I>>(0 - bits);
        const bool is_turned = how == until::unequal
                                   ? bits > turned
                                   : down != (how == until::greater || how == until::greater_equal);
        stride = static_cast<distance>(is_turned ? turned : bits);
        down = down != is_turned;
    }
    if (stride == 0)
        detail::refuse_step("saguaro: the step of a cilk_for is 0");
    const distance all =
        count_of<how>(first, last, stride, down,
                      either_way<is_counted<I>::value &&decltype(compared_as<I, L>(0))::value>());
    using visited = loop_of<I, Body>;
    visited v = {first, stride, down, body};
    sg_for(nullptr, nullptr, stride == 1 && !down ? &visited::run_each : &visited::run, &v,
           static_cast<sg_uint64>(all), grain_of(grain));
}

// cilk_for (I i = first; i OP last; i += step), or `i -= step` if `down`: body(i), in parallel. The
// step is an integer and may be negative. `last` is of any type that compares with I; for iterators
// `last - first` is a number. A block has at least `grain` iterations; 0 leaves it to the length of
// the loop (parallel_for.hpp). Exceptions and calls from outside are as in saguaro::parallel_for.
//
// The limit and the step come by value where that costs nothing: a reference to a class's constant
// would ask for a definition of it, and in a lambda for a capture. It is a class so that the loop
// may be written with braces, which have first, limit and step evaluated in this order:
//
//     ::saguaro::cilk::loop<::saguaro::cilk::until::less>{grain, first, last, step, false, body};
template <until how>
struct loop {
    template <class Grain, class I, class L, class Step, class Body,
              class = only_if<is_copied<L>::value && is_copied<Step>::value>>
    loop(Grain grain, I first, L last, Step step, bool down, Body &&body) {
        loop_to<how>(grain, first, last, step, down, body);
    }
    template <class Grain, class I, class L, class Step, class Body,
              class = only_if<!is_copied<L>::value && is_copied<Step>::value>>
    loop(Grain grain, I first, const L &last, Step step, bool down, Body &&body) {
        loop_to<how>(grain, first, last, step, down, body);
    }
    template <class Grain, class I, class L, class Step, class Body,
              class = only_if<!is_copied<Step>::value>>
    loop(Grain grain, I first, const L &last, const Step &step, bool down, Body &&body) {
        loop_to<how>(grain, first, last, step, down, body);
    }
};

// ---- for (auto &x : range)

template <class R>
inline auto begin_of(R &range, int) -> decltype(range.begin()) {
    return range.begin();
}
template <class R>
inline auto begin_of(R &range, long) -> decltype(begin(range)) {
    return begin(range);
}
template <class T, size_t n>
inline T *begin_of(T (&array)[n], int) {
    return array;
}
template <class R>
inline auto end_of(R &range, int) -> decltype(range.end()) {
    return range.end();
}
template <class R>
inline auto end_of(R &range, long) -> decltype(end(range)) {
    return end(range);
}
template <class T, size_t n>
inline T *end_of(T (&array)[n], int) {
    return array + n;
}

// What a loop over iterators calls.
template <class I, class Body>
struct body_at {
    typename body_of_block<Body>::type body;

    void operator()(const I &at) { body(*as_declared(at)); }
};

// cilk_for (auto &&x : range): body(x) for each element. The range has random access.
template <class Grain, class R, class Body>
void for_each_in(Grain grain, R &&range, Body &&body) {
    auto first = begin_of(range, 0);
    using iterator = decltype(first);
    loop<until::unequal>(grain, first, end_of(range, 0), 1, false,
                         body_at<iterator, value_of<Body>>{body});
}

} // namespace cilk

} // namespace saguaro
