// SPDX-License-Identifier: MIT
// Spawned calls in templates for text.hpp: what the callee takes by value is made before the parent
// goes on.
#pragma once

#include "saguaro/detail/cilk_cxx.hpp"

#include "cilk/cxx/hooks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "cilk/cxx/activation.hpp"

namespace {

using ::saguaro::test::cxx::expect_nothing_to_steal;
using ::saguaro::test::cxx::steal;
using ::saguaro::test::cxx::wait_for;

std::atomic<bool> parent_went_on{false};

// Is made, and copied, while the parent has not been published.
struct watched {
    watched(const char *t) : text(t) { expect_nothing_to_steal(); }
    watched(const watched &from) : text(from.text) { expect_nothing_to_steal(); }
    watched(watched &&) noexcept = default;
    watched &operator=(const watched &) = default;
    ~watched() = default;

    std::string text;
};

// Waits until the parent has changed the arguments.
void let_parent_go_on() {
    steal();
    wait_for(parent_went_on);
}

// template <class F, class T, class U> void p(F &&g, T &x, const U &next) { cilk_spawn g(x); x =
// next; }
template <class F, class T, class U>
void spawn_and_change(F &&g, T &x, const U &next) {
    parent_went_on = false;
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        f.spawn([&](auto go) {
            [&](auto &&callee, auto &&a) {
                ::saguaro::cilk::call_of<decltype(callee), 0>(
                    go,
                    [&](auto &&p) -> decltype(static_cast<void>(static_cast<decltype(callee) &&>(
                                      callee)(static_cast<decltype(p)>(p)))) {
                        static_cast<decltype(callee) &&>(callee)(static_cast<decltype(p)>(p));
                    },
                    static_cast<decltype(a)>(a));
            }(g, x);
        });
        x = next;
        parent_went_on = true;
    }
    CATCH(f)
}

// template <class F, class T> void p(F &&g, T &x) { cilk_spawn g(x); cilk_sync; }
template <class F, class T>
void spawn_call(F &&g, T &x) {
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        f.spawn([&](auto go) {
            ::saguaro::cilk::call_of<decltype(g), 0>(
                go,
                [&](auto &&p) -> decltype(static_cast<void>(g(static_cast<decltype(p)>(p)))) {
                    g(static_cast<decltype(p)>(p));
                },
                x);
        });
        f.sync();
    }
    CATCH(f)
}

// template <class F, class... A> void p(F &&g, A &...a) { cilk_spawn g(1, a...); ... }
template <class F, class A, class B>
void spawn_pack_and_change(F &&g, A &a, B &b) {
    parent_went_on = false;
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        f.spawn([&](auto go) {
            [&](auto &&...kept) {
                ::saguaro::cilk::call_of<decltype(g), 1>(
                    go,
                    [&](auto &&...p) -> decltype(static_cast<void>(
                                         g(1, static_cast<decltype(p)>(p)...))) {
                        g(1, static_cast<decltype(p)>(p)...);
                    },
                    static_cast<decltype(kept)>(kept)...);
            }(a, b);
        });
        b = B();
        parent_went_on = true;
    }
    CATCH(f)
}

// template <class O, class T> void p(O &object, T &x, const T &next) { cilk_spawn object.on(x); x =
// next; }
template <class O, class T>
void spawn_member(O &object, T &x, const T &next) {
    parent_went_on = false;
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        f.spawn([&](auto go) {
            ::saguaro::cilk::call_member<decltype(object), 0>(
                go,
                [](auto *o) -> decltype(&::saguaro::cilk::target<decltype(o)>::on) {
                    return static_cast<void>(o), nullptr;
                },
                [&](auto &&p) -> decltype(static_cast<void>(object.on(static_cast<decltype(p)>(
                                  p)))) { object.on(static_cast<decltype(p)>(p)); },
                x);
        });
        if (&next != &x)
            x = next;
        parent_went_on = true;
    }
    CATCH(f)
}

struct takes_value {
    std::string &to;
    void operator()(watched s) const {
        let_parent_go_on();
        to = s.text;
    }
};

struct increment {
    template <class T>
    void operator()(T &&x) const {
        ++x;
    }
};

std::string taken;
void take_text(watched s) {
    let_parent_go_on();
    taken = s.text;
}
void take_converted(const watched &s) noexcept {
    let_parent_go_on();
    taken = s.text;
}

struct overloaded {
    int called = 0;
    void on(int &) { called = 1; }
    void on(const int &) { called = 2; }
};
struct keeps_address {
    const int *at = nullptr;
    void on(const int &x) { at = &x; }
};
struct method_by_value {
    std::string got;
    void on(watched s) noexcept {
        let_parent_go_on();
        got = s.text;
    }
};
struct method_of_class {
    static void on(watched s) { take_text(static_cast<watched &&>(s)); }
};
struct called_member {
    void (*on)(watched) = take_text;
};

void parameters_by_value() {
    watched x = "before", after = "after";
    std::string got;
    spawn_and_change(takes_value{got}, x, after);
    EXPECT_EQ(got, "before");

    x = "pointer";
    spawn_and_change(&take_text, x, after);
    EXPECT_EQ(taken, "pointer");
    x = "function";
    spawn_and_change(take_text, x, after);
    EXPECT_EQ(taken, "function");
    // What a reference binds to after a conversion is made before as well.
    const char *text = "converted";
    spawn_and_change(take_converted, text, "after");
    EXPECT_EQ(taken, "converted");

    int number = 5;
    // The constant stays in the call; a reference sees the change.
    watched first = "first";
    spawn_pack_and_change(
        [&](int one, watched s, int &n) {
            let_parent_go_on();
            got = s.text + std::to_string(one + n);
        },
        first, number);
    EXPECT_EQ(got, "first1");
}

void members_by_value() {
    method_by_value o;
    watched x = "method";
    const watched after = "after";
    spawn_member(o, x, after);
    EXPECT_EQ(o.got, "method");
    method_of_class c;
    x = "static";
    spawn_member(c, x, after);
    EXPECT_EQ(taken, "static");
    called_member m;
    x = "member";
    spawn_member(m, x, after);
    EXPECT_EQ(taken, "member");
}

// Where the parameters are not known, the child has the variable itself.
void references_stay() {
    int x = 5;
    spawn_call(increment(), x);
    spawn_call([](auto &&y) { ++y; }, x);
    spawn_call([](auto &y) { ++y; }, x);
    EXPECT_EQ(x, 8);
    overloaded o;
    spawn_member(o, x, x);
    EXPECT_EQ(o.called, 1);
    keeps_address k;
    spawn_member(k, x, x);
    EXPECT_EQ(k.at, &x);
    struct fixed {
        int value = 3;
        fixed() {}
        fixed(const fixed &) = delete;
    };
    const fixed constant;
    spawn_call([&](const fixed &y) { x = y.value; }, constant);
    EXPECT_EQ(x, 3);
}

void dependent_calls() {
    parameters_by_value();
    members_by_value();
    references_stay();
}

} // namespace
