// SPDX-License-Identifier: MIT
// Spawned calls in templates, whose callee Clang does not know: for cilk_cxx.hpp.
//
// C++14 without any header of the standard library.
#pragma once

#pragma GCC system_header

#include <stddef.h>

namespace saguaro {

namespace cilk {

template <class T>
T &&some();

// For the translator, which reads std::index_sequence by it.
template <template <size_t...> class List>
struct index_list {
    template <class, size_t... i>
    using list = List<i...>;
};

template <bool, class A, class B>
struct either {
    using type = A;
};
template <class A, class B>
struct either<false, A, B> {
    using type = B;
};

template <class T>
struct plain {
    using type = T;
};
template <class T>
struct plain<const T> {
    using type = T;
};
template <class T>
struct plain<volatile T> {
    using type = T;
};
template <class T>
struct plain<const volatile T> {
    using type = T;
};

// The type of `auto x = e`, for T = decltype(e).
template <class T>
struct decayed {
    using type = typename plain<T>::type;
};
template <class T>
struct decayed<T &> : decayed<T> {};
template <class T>
struct decayed<T &&> : decayed<T> {};
template <class T>
struct decayed<T[]> {
    using type = T *;
};
template <class T, size_t n>
struct decayed<T[n]> {
    using type = T *;
};
template <class R, class... A>
struct decayed<R(A...)> {
    using type = R (*)(A...);
};
template <class T>
using value_of = typename decayed<T>::type;

// What `p->` reaches: the object that a pointer, or a class with operator->, points to; with what
// operator-> makes on the way, which the serial program keeps until the call has ended. P is a
// pointer or decltype(p).
template <class P>
struct reached {
    using made = decltype(static_cast<P (*)()>(nullptr)().operator->());
    made value;
    reached<made> next;

    explicit reached(P &&p)
        : value(static_cast<P &&>(p).operator->()), next(static_cast<made &&>(value)) {}
    auto get() -> decltype(next.get()) { return next.get(); }
};
template <class T>
struct reached<T *> {
    T *const at;

    explicit reached(T *p) : at(p) {}
    T &get() const { return *at; }
};
template <class T>
struct reached<T *const> : reached<T *> {
    using reached<T *>::reached;
};
template <class T>
struct reached<T *&> : reached<T *> {
    using reached<T *>::reached;
};
template <class T>
struct reached<T *const &> : reached<T *> {
    using reached<T *>::reached;
};
template <class T>
struct reached<T *&&> : reached<T *> {
    using reached<T *>::reached;
};
template <class P>
inline reached<P &&> reach(P &&p) {
    return reached<P &&>(static_cast<P &&>(p));
}

// How the child keeps a callee that depends on a template's parameters: a pointer as it is now, an
// object by reference. `C &&` is the type of a parameter that takes it.
template <class C>
struct kept_callee {
    using type = C &&;
};
template <class T>
struct kept_callee<T *&> {
    using type = T *;
};
template <class T>
struct kept_callee<T *const &> {
    using type = T *;
};
template <class T>
struct kept_callee<T *volatile &> {
    using type = T *;
};
template <class T>
struct kept_callee<T *const volatile &> {
    using type = T *;
};
template <class C>
inline typename kept_callee<C>::type callee(C &&c) {
    return static_cast<C &&>(c);
}

// How the child keeps an argument whose parameter is not known, because the callee depends on a
// template's parameters. `A` is decltype(a) of a parameter `auto &&a`: a T& for an lvalue, a T&&
// for another value. A small lvalue that is trivially copied becomes a value, so that `for (int
// i...) cilk_spawn f(i);` is right. All else stays a reference; temporaries live until the child
// ends.
//
// `changes`: the argument is a variable that ends or changes while the child runs. It is copied
// whatever its size and its copy constructor.
template <class T, bool is_object, bool changes>
struct passing_lvalue {
    using value = typename plain<T>::type;
    // An atomic is trivially copyable, and has no copy constructor.
    enum { is_small = sizeof(T) <= 16 && __is_trivially_copyable(T) };
    using type =
        typename either<(changes || is_small) && __is_constructible(value, T &), value, T &>::type;
};
template <class T, bool changes> // a function
struct passing_lvalue<T, false, changes> {
    using type = T &;
};
template <class T, size_t n, bool changes>
struct passing_lvalue<T[n], true, changes> {
    using type = T (&)[n];
};

template <class A, bool changes>
struct passing {
    using type = A;
};
template <class T, bool changes>
struct passing<T &, changes> {
    static char object(const volatile void *);
    static long object(...);
    using type =
        typename passing_lvalue<T, sizeof(object(static_cast<T *>(nullptr))) == 1, changes>::type;
};

template <class T>
T &&value_like();

template <class A, bool changes = false>
using pass = typename passing<A, changes>::type;

template <class... A>
struct kept_types {};

// Appends how the child keeps the arguments to the list `done`. Bit k of `changing` says of
// argument k that it is a variable that ends or changes; arguments from 64 on are taken for none.
template <unsigned long long changing, class Done, class... A>
struct pass_each;
template <unsigned long long changing, class... done>
struct pass_each<changing, kept_types<done...>> {
    using type = kept_types<done...>;
};
template <unsigned long long changing, class... done, class A, class... more>
struct pass_each<changing, kept_types<done...>, A, more...>
    : pass_each<(changing >> 1), kept_types<done..., pass<A, (changing & 1) != 0>>, more...> {};

template <class Types>
struct keeping;
template <class... K>
struct keeping<kept_types<K...>> {
    template <class Go, class F>
    static void call(const Go &begin, F &f, K... arguments) {
        if (begin())
            f(static_cast<K &&>(arguments)...);
    }
    // Only where f accepts the kept arguments.
    template <class Go, class F, class... A>
    static auto call_if_accepted(int, const Go &begin, F &f, A &&...arguments)
        -> decltype(static_cast<void>(f(value_like<K>()...))) {
        call(begin, f, static_cast<A &&>(arguments)...);
    }
    template <class Go, class F, class... A>
    static void call_if_accepted(long, const Go &begin, F &f, A &&...arguments) {
        keeping<kept_types<A &&...>>::call(begin, f, static_cast<A &&>(arguments)...);
    }
};

// Calls f(arguments...) as the child, after go(). Where the call accepts copies of small trivial
// lvalues, and of the variables that `changing` names, it gets them; `f(int &)` gets the variable.
//
//     f.spawn([&](auto go) {
//         ::saguaro::cilk::call<1>(
//             go, [&](auto &&...a) -> decltype(g(static_cast<decltype(a)>(a)...))
//         {
//             return g(static_cast<decltype(a)>(a)...); }, x, y + 1);
//     });
template <unsigned long long changing = 0, class Go, class F, class... A>
void call(const Go &begin, F &&f, A &&...arguments) {
    keeping<typename pass_each<changing, kept_types<>, A &&...>::type>::call_if_accepted(
        0, begin, f, static_cast<A &&>(arguments)...);
}

// ---- What a callee takes

// The types of the parameters of a function, a function object with one operator(), or a method.
template <class... P>
struct parameter_types {};
// The callee has several overloads, or is a template.
struct parameters_unknown {};

template <class C>
struct parameters_of;

parameters_unknown signature(...);
template <class R, class... P>
parameter_types<P...> signature(R (*)(P...));
template <class R, class C, class... P>
parameter_types<P...> signature(R (C::*)(P...));
template <class R, class C, class... P>
parameter_types<P...> signature(R (C::*)(P...) const);
template <class R, class C, class... P>
parameter_types<P...> signature(R (C::*)(P...) &);
template <class R, class C, class... P>
parameter_types<P...> signature(R (C::*)(P...) const &);
template <class R, class C, class... P>
parameter_types<P...> signature(R (C::*)(P...) &&);
template <class R, class C, class... P>
parameter_types<P...> signature(R (C::*)(P...) const &&);
// A member that is itself called.
template <class T, class C>
typename parameters_of<T>::type signature(T C::*);

template <class T>
struct of_type {};

template <class M>
auto signature_of(of_type<M>) -> decltype(signature(value_like<M>()));

template <class C>
auto signature_of_callee(int) -> decltype(signature_of(of_type<decltype(&C::operator())>()));
template <class C>
auto signature_of_callee(long) -> decltype(signature(value_like<C>()));
template <class>
parameters_unknown signature_of_callee(...);

// C: the callee's type, or decltype(callee).
template <class C>
struct parameters_of {
    using type = decltype(signature_of_callee<C>(0));
};
template <class C>
struct parameters_of<C &> : parameters_of<C> {};
template <class C>
struct parameters_of<C &&> : parameters_of<C> {};
template <>
struct parameters_of<void> {
    using type = parameters_unknown;
};

// The object, for T = decltype(pointer).
template <class P>
struct target_of;
template <class T>
struct target_of<T *> {
    using type = T;
};
template <class P>
using target = typename target_of<P>::type;

template <class T>
struct pointer_to {
    using type = T *;
};
template <class T>
struct pointer_to<T &> {
    using type = T *;
};
template <class T>
struct pointer_to<T &&> {
    using type = T *;
};

// `name` returns &T::name for a T *.
template <class Object, class Name>
auto signature_of_method(const Name &name, int)
    -> decltype(signature_of(of_type<decltype(name(typename pointer_to<Object>::type()))>()));
template <class Object, class Name>
parameters_unknown signature_of_method(const Name &, long);

// Which parameter gets the k-th argument that is handed on: `at` leaves out the constants, which
// stay in the call. The arguments from the last index on may be a pack.
template <size_t... at>
struct indices {
    static constexpr size_t of(size_t k) {
        const size_t all[] = {at..., 0};
        const size_t n = sizeof...(at);
        return n == 0 ? k : k < n ? all[k] : all[n - 1] + (k - (n - 1));
    }
};

// How the child keeps an argument of type A: as parameter i has it, made before the parent goes on;
// else as it came, so that an update is not lost and the same overload is called.
template <class A, size_t i, class Parameters>
struct kept_as {
    using type = A;
};
template <class A, class P, class... more>
struct kept_as<A, 0, parameter_types<P, more...>> {
    // What cannot be moved on cannot be made before the call.
    using type = typename either<__is_constructible(P, P), P, A>::type;
};
template <class A, size_t i, class P, class... more>
struct kept_as<A, i, parameter_types<P, more...>> : kept_as<A, i - 1, parameter_types<more...>> {};

// Appends the kept types of the arguments from the k-th on to the list `done`.
template <size_t k, class Done, class Parameters, class Indices, class... A>
struct keep_each;
template <size_t k, class... done, class Parameters, class Indices>
struct keep_each<k, kept_types<done...>, Parameters, Indices> {
    using type = kept_types<done...>;
};
template <size_t k, class... done, class Parameters, size_t... at, class A, class... more>
struct keep_each<k, kept_types<done...>, Parameters, indices<at...>, A, more...>
    : keep_each<k + 1,
                kept_types<done..., typename kept_as<A, indices<at...>::of(k), Parameters>::type>,
                Parameters, indices<at...>, more...> {};

// Calls f(arguments...) as the child, after go(), as call() does. The type C of the callee tells
// the parameters' types, `at` the indices of the parameters that get the arguments; C may be void.
// What is taken by value is copied and converted before go(); all else is handed on by reference.
//
//     ::saguaro::cilk::call_of<decltype(g), 0, 2>(
//         go, [&](auto &&a, auto &&b) -> decltype(static_cast<void>(g(a, 1, b))) {...}, x, y);
template <class C, size_t... at, class Go, class F, class... A>
void call_of(const Go &begin, F &&f, A &&...arguments) {
    keeping<typename keep_each<0, kept_types<>, typename parameters_of<C>::type, indices<at...>,
                               A &&...>::type>::call(begin, f, static_cast<A &&>(arguments)...);
}

// The same for `object.name(arguments...)`, where Object is decltype(object):
//
//     ::saguaro::cilk::call_member<decltype(object), 0>(
//         go, [](auto *o) -> decltype(&::saguaro::cilk::target<decltype(o)>::name) { return
//         nullptr; },
//         [&](auto &&a) -> decltype(static_cast<void>(object.name(a))) {...}, x);
template <class Object, size_t... at, class Go, class Name, class F, class... A>
void call_member(const Go &begin, const Name &name, F &&f, A &&...arguments) {
    using parameters = decltype(signature_of_method<Object>(name, 0));
    keeping<typename keep_each<0, kept_types<>, parameters, indices<at...>, A &&...>::type>::call(
        begin, f, static_cast<A &&>(arguments)...);
}

// The same where an argument is a variable that ends or changes while the child runs, as a loop's:
// if the parameters are not known, it is done as by call<changing>(), which copies it.
template <unsigned long long changing, size_t... at, class Go, class F, class... A>
void call_changed(of_type<parameters_unknown>, const Go &begin, F &f, A &&...arguments) {
    cilk::call<changing>(begin, f, static_cast<A &&>(arguments)...);
}
template <unsigned long long changing, size_t... at, class... P, class Go, class F, class... A>
void call_changed(of_type<parameter_types<P...>>, const Go &begin, F &f, A &&...arguments) {
    keeping<typename keep_each<0, kept_types<>, parameter_types<P...>, indices<at...>,
                               A &&...>::type>::call(begin, f, static_cast<A &&>(arguments)...);
}
template <class C, unsigned long long changing, size_t... at, class Go, class F, class... A>
void call_of_changed(const Go &begin, F &&f, A &&...arguments) {
    cilk::call_changed<changing, at...>(of_type<typename parameters_of<C>::type>(), begin, f,
                                        static_cast<A &&>(arguments)...);
}
template <class Object, unsigned long long changing, size_t... at, class Go, class Name, class F,
          class... A>
void call_member_changed(const Go &begin, const Name &name, F &&f, A &&...arguments) {
    cilk::call_changed<changing, at...>(of_type<decltype(signature_of_method<Object>(name, 0))>(),
                                        begin, f, static_cast<A &&>(arguments)...);
}

// a[i] as the target of a spawned call, for clang++, where the types depend on a template's
// parameters. Nothing refers to an element of a vector: it is assigned by its vector and number.
template <class A, class I>
struct vector_element {
    A &a;
    const I i;
    template <class T>
    void operator=(T &&value) const {
        a[i] = static_cast<T &&>(value);
    }
};
template <class T>
int to_refer(T &&);
template <class A, class I, class = decltype(to_refer(some<A>()[some<I>()]))>
auto element_of(A &&a, I &&i, int) -> decltype(static_cast<A &&>(a)[static_cast<I &&>(i)]) {
    return static_cast<A &&>(a)[static_cast<I &&>(i)];
}
template <class A, class I>
vector_element<A, I> element_of(A &a, I &&i, long) {
    return {a, i};
}
template <class A, class I>
auto element(A &&a, I &&i) -> decltype(element_of(static_cast<A &&>(a), static_cast<I &&>(i), 0)) {
    return element_of(static_cast<A &&>(a), static_cast<I &&>(i), 0);
}

} // namespace cilk

} // namespace saguaro
