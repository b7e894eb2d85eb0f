// SPDX-License-Identifier: MIT
// C++ functions that spawn, as cilkc++ writes them: compiled several times, by TEXT_NAME.
//
// Above each is the source, where it is not plain.
#include "saguaro/detail/cilk_cxx.hpp"

#include "cilk/cxx/activation.hpp"
#include "cilk/cxx/calls.hpp"
#include "cilk/cxx/exceptions.hpp"
#include "cilk/cxx/hooks.hpp"
#include "cilk/cxx/loops.hpp"
#include "cilk/cxx/number.hpp"
#include "saguaro/saguaro.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>

namespace {

using ::saguaro::test::cxx::expect_nothing_to_steal;
using ::saguaro::test::cxx::steal;
using ::saguaro::test::cxx::wait_for;

int fib(int n) {
    if (::saguaro::cilk::is_outside())
        return ::saguaro::cilk::enter([&]() -> int { return fib(static_cast<int &&>(n)); });
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        if (n < 2)
            return n;
        int x;
        f.spawn([&](auto go) {
            [&](int p) {
                if (go())
                    x = fib(static_cast<int &&>(p));
            }(n - 1);
        });
        int y = fib(n - 2);
        f.sync();
        return x + y;
    }
    CATCH(f)
}

int invoked_fib(int n) {
    if (n < 2)
        return n;
    int x, y;
    ::saguaro::cilk::invoke(
        x, y,
        [&, n](auto go, auto &result) {
            [&](int p) {
                if (go())
                    result = invoked_fib(static_cast<int &&>(p));
            }(n - 1);
        },
        [&, n]() -> int { return invoked_fib(n - 2); });
    return x + y;
}

const int value_of_initialiser = fib(10) + invoked_fib(11);
int initialised() {
    return value_of_initialiser;
}

// ---- Arguments

void arguments_come_first() {
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        std::string order;
        const auto note = [&](char c) {
            expect_nothing_to_steal();
            order += c;
            return c;
        };
        std::atomic<bool> continued{false};
        f.spawn([&](auto go) {
            [&](char p, char q) {
                if (go()) {
                    steal();
                    wait_for(continued);
                    order += p;
                    order += q;
                }
            }(note('a'), note('b'));
        });
        // Either order of the two, and before this.
        order += 'c';
        continued = true;
        f.sync();
        std::sort(order.begin(), order.begin() + 2);
        EXPECT_EQ(order, "abcab");
    }
    CATCH(f)
}

// cilk_spawn child(by_value, by_reference);
void parameters_are_made_before_the_continuation() {
    const int before = number::alive();
    {
        ::saguaro::cilk::frame f;
        TRY {
            ::saguaro::cilk::last_sync s(f);
            number a(1), b(1);
            std::atomic<bool> changed{false};
            const auto child = [&](number p, const number &q) {
                steal();
                wait_for(changed);
                EXPECT_EQ(p.value, 1);
                EXPECT_EQ(q.value, 2);
            };
            f.spawn([&](auto go) {
                [&](number p, const number &q) {
                    if (go())
                        child(static_cast<number &&>(p), q);
                }(a, b);
            });
            a.value = b.value = 2;
            changed = true;
        }
        CATCH(f)
    }
    EXPECT_EQ(number::alive(), before);
}

// cilk_spawn child(number(5), std::string("abc").c_str());
void temporaries_live_until_the_child_ends() {
    const int before = number::alive();
    {
        ::saguaro::cilk::frame f;
        TRY {
            ::saguaro::cilk::last_sync s(f);
            std::atomic<bool> went_on{false};
            const auto child = [&](const number &p, const char *q) {
                steal();
                wait_for(went_on);
                EXPECT_EQ(p.value, 5);
                EXPECT_STREQ(q, "abcdefghijklmnopqrstuvwxyz");
            };
            f.spawn([&](auto go) {
                [&](const number &p, const char *q) {
                    if (go())
                        child(p, q);
                }(number(5), std::string("abcdefghijklmnopqrstuvwxyz").c_str());
            });
            went_on = true;
        }
        CATCH(f)
    }
    EXPECT_EQ(number::alive(), before);
}

struct object {
    int sum = 0;
    void add(int n) {
        steal();
        sum += n;
    }
};

// cilk_spawn { ... }, with a variable of its own that is static; cilk_spawn o.add(3);
void blocks_and_methods() {
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        int a = 1, b = 0, c = 0;
        object o;
        const auto calls = [&] {
            f.spawn_block([&] {
                static int count = 0;
                steal();
                b += a + ++count;
            });
            f.sync();
        };
        const int first = b;
        calls();
        const int second = b;
        calls();
        EXPECT_EQ(b - second, second - first + 1);
        f.spawn([&](auto go) {
            [&](auto &&q, int p) {
                if (go())
                    q.add(static_cast<int &&>(p));
            }(o, 3);
        });
        c = 1;
        f.sync();
        EXPECT_EQ(o.sum, 3);
        EXPECT_EQ(c, 1);
    }
    CATCH(f)
}

struct only_moved {
    explicit only_moved(int v) : value(new int(v)) {}
    only_moved(only_moved &&from) noexcept : value(from.value) { from.value = nullptr; }
    only_moved(const only_moved &) = delete;
    ~only_moved() { delete value; }

    int *value;
};

only_moved twice(only_moved a) {
    steal();
    *a.value *= 2;
    return a;
}

// only_moved x = cilk_spawn twice(static_cast<only_moved &&>(a));
void moved() {
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        only_moved a(21);
        ::saguaro::cilk::slot<only_moved> place(f);
        only_moved &x = place.get();
        f.spawn([&](auto go) {
            [&](only_moved p) {
                if (go())
                    place.make(
                        [&]() -> decltype(auto) { return twice(static_cast<only_moved &&>(p)); });
            }(static_cast<only_moved &&>(a));
        });
        f.sync();
        EXPECT_EQ(*x.value, 42);
        EXPECT_EQ(a.value, nullptr);
    }
    CATCH(f)
}

// conversions x = cilk_spawn three(); as without the spawn.
struct conversions {
    conversions(double) : by('d') {}
    explicit conversions(int) : by('i') {}
    ~conversions() {}

    char by;
};

void conversions_are_implicit() {
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        const auto three = [] { return 3; };
        const conversions serial = three();
        ::saguaro::cilk::slot<conversions> place(f);
        conversions &x = place.get();
        f.spawn([&](auto go) {
            if (go())
                place.make([&]() -> decltype(auto) { return three(); });
        });
        f.sync();
        EXPECT_EQ(x.by, serial.by);
    }
    CATCH(f)
}

// { number x = cilk_spawn slow(); } without a sync: the end of x waits.
void slots() {
    conversions_are_implicit();
    const int before = number::alive();
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        std::atomic<bool> went_on{false};
        const auto slow = [&] {
            steal();
            wait_for(went_on);
            return number(7);
        };
        {
            ::saguaro::cilk::slot<number> place(f);
            number &x = place.get();
            f.spawn([&](auto go) {
                if (go())
                    place.make([&]() -> decltype(auto) { return slow(); });
            });
            (void)x;
            went_on = true;
        }
        EXPECT_EQ(number::alive(), before);
        ::saguaro::cilk::slot<const number> other(f);
        const number &y = other.get();
        f.spawn([&](auto go) {
            if (go())
                other.make([&]() -> decltype(auto) { return slow(); });
        });
        f.sync();
        EXPECT_EQ(y.value, 7);
        EXPECT_EQ(number::alive(), before + 1);
    }
    CATCH(f)
    EXPECT_EQ(number::alive(), before);
}

// int cells[8]; for (...) cilk_spawn put(&cells[i]); and no sync: the function's memory stays.
void locals_outlive_children() {
    std::atomic<bool> went_on{false};
    int sum = 0;
    {
        ::saguaro::cilk::frame f;
        TRY {
            ::saguaro::cilk::last_sync s(f);
            int cells[8] = {};
            f.spawn([&](auto go) {
                [&](int *p) {
                    if (go()) {
                        steal();
                        wait_for(went_on);
                        for (int i = 0; i < 8; ++i)
                            sum += p[i];
                    }
                }(cells);
            });
            for (int i = 0; i < 8; ++i)
                cells[i] = i;
            went_on = true;
        }
        CATCH(f)
    }
    EXPECT_EQ(sum, 28);
}

// Cilk Plus: the implicit sync comes after the destructors.
void destructors_come_before_the_sync() {
    std::atomic<bool> ended{false};
    bool had_ended = false;
    struct at_end {
        std::atomic<bool> &ended;
        ~at_end() { ended = true; }
    };
    {
        ::saguaro::cilk::frame f;
        TRY {
            ::saguaro::cilk::last_sync s(f);
            at_end local{ended};
            f.spawn([&](auto go) {
                if (go()) {
                    steal();
                    wait_for(ended);
                    had_ended = true;
                }
            });
        }
        CATCH(f)
    }
    EXPECT_TRUE(had_ended);
}

// ---- Templates

void take_value(int a, int &out) {
    out = a;
}
void take_reference(int &a, int &out) {
    out = ++a;
}
struct shape {
    virtual ~shape() = default;
    virtual int sides() const = 0;
};
struct square : shape {
    int sides() const override { return 4; }
};
int sides_of(const shape &s) {
    return s.sides();
}

// template <class F, class A, class B> void spawn_it(F f, A &a, B &b) { cilk_spawn f(a, b); a = 9;
// }
template <class F, class A, class B>
void spawn_it(F g, A &a, B &b) {
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        f.spawn([&](auto go) {
            ::saguaro::cilk::call(
                go,
                [&](auto &&...p) -> decltype(g(static_cast<decltype(p)>(p)...)) {
                    return g(static_cast<decltype(p)>(p)...);
                },
                a, b);
        });
    }
    CATCH(f)
}

void templates() {
    dependent_calls();
    int a = 3, out = 0;
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        std::atomic<bool> changed{false};
        // A small variable is copied: the loop's variable goes on.
        f.spawn([&](auto go) {
            ::saguaro::cilk::call(
                go,
                [&](auto &&...p) -> decltype(take_value(static_cast<decltype(p)>(p)..., out)) {
                    steal();
                    wait_for(changed);
                    return take_value(static_cast<decltype(p)>(p)..., out);
                },
                a);
        });
        a = 4;
        changed = true;
        f.sync();
        EXPECT_EQ(out, 3);
        // Where the call wants the variable it gets it.
        spawn_it([](int &x, int &y) { take_reference(x, y); }, a, out);
        EXPECT_EQ(a, 5);
        EXPECT_EQ(out, 5);
        square q;
        const shape &abstract = q;
        int array[2] = {1, 2};
        spawn_it([&](const shape &x, int(&y)[2]) { out = sides_of(x) + y[1]; }, abstract, array);
        EXPECT_EQ(out, 6);
        spawn_it([&](int (*x)(const shape &), const shape &y) { out = x(y); }, sides_of, abstract);
        EXPECT_EQ(out, 4);
    }
    CATCH(f)
    static_assert(__is_same(::saguaro::cilk::pass<const int &>, int), "");
    static_assert(__is_same(::saguaro::cilk::pass<std::string &>, std::string &), "");
    static_assert(__is_same(::saguaro::cilk::pass<int &&>, int &&), "");
    static_assert(__is_same(::saguaro::cilk::pass<const std::string &, true>, std::string), "");
    static_assert(
        __is_same(::saguaro::cilk::pass<const std::atomic<int> &>, const std::atomic<int> &), "");
    static_assert(__is_same(::saguaro::cilk::value_of<const int(&)[3]>, const int *), "");
    static_assert(__is_same(::saguaro::cilk::value_of<const std::string &>, std::string), "");
    object o;
    object *const p = &o;
    EXPECT_EQ(&::saguaro::cilk::reach(p).get(), &o);
}

// ---- Whether children run

// A static variable of a lambda that is written in a spawned call is one, whichever way the child
// begins.
std::atomic<const void *> variable_of_child{nullptr}, variable_of_invoked{nullptr};
bool is_one(std::atomic<const void *> &known, const void *variable) {
    const void *before = nullptr;
    return known.compare_exchange_strong(before, variable) || before == variable;
}

int counted_children(int n) {
    std::atomic<int> ran{0};
    {
        ::saguaro::cilk::frame f;
        TRY {
            ::saguaro::cilk::last_sync s(f);
            for (int i = 0; i < n; ++i)
                f.spawn([&](auto go) {
                    [&](auto &&child) {
                        if (go())
                            child();
                    }([&] {
                        static int variable = 0;
                        EXPECT_TRUE(is_one(variable_of_child, &variable));
                        ++ran;
                    });
                });
        }
        CATCH(f)
    }
    return ran;
}

int counted_invoked() {
    int ran = 0;
    ::saguaro::cilk::invoke(
        ::saguaro::cilk::nothing(), ::saguaro::cilk::nothing(),
        [&](auto go, auto &) {
            [&](auto &&child) {
                if (go())
                    child();
            }([&] {
                static int variable = 0;
                EXPECT_TRUE(is_one(variable_of_invoked, &variable));
                ran = 1;
            });
        },
        [] {});
    return ran;
}

// ---- Entering

int a_variable = 0;
int a_function(int n) {
    return n + 1;
}

void results() {
    using namespace ::saguaro::cilk;
    EXPECT_GE(enter([]() -> int { return sg_worker_id(); }), 0);
    EXPECT_GE(enter_or_call([]() -> int { return sg_worker_id(); }), 0);
    EXPECT_EQ(&enter([]() -> int & { return a_variable; }), &a_variable);
    EXPECT_EQ(&enter([]() -> const int & { return a_variable; }), &a_variable);
    EXPECT_EQ(enter([]() -> int (&)(int) { return a_function; })(1), 2);
    int *const where = &a_variable;
    int &&moved_from = enter([where]() -> int && { return static_cast<int &&>(*where); });
    EXPECT_EQ(&moved_from, where);
    enter([] { a_variable = 8; });
    EXPECT_EQ(a_variable, 8);
    const only_moved m = enter_or_call([]() -> only_moved { return only_moved(5); });
    EXPECT_EQ(*m.value, 5);
    EXPECT_EQ(enter_or_call([] { return std::string("on a worker"); }), "on a worker");
}

} // namespace

const saguaro::test::cxx::functions saguaro::test::cxx::TEXT_NAME = {
    TEXT_STANDARD,
    fib,
    invoked_fib,
    initialised,
    arguments_come_first,
    parameters_are_made_before_the_continuation,
    temporaries_live_until_the_child_ends,
    blocks_and_methods,
    moved,
    slots,
    locals_outlive_children,
    destructors_come_before_the_sync,
    templates,
    counted_children,
    counted_invoked,
    results,
    loops,
    ranges,
#if defined(__cpp_exceptions)
    childs_exception,
    first_exception,
    refused_spawn,
    failed_slot,
    spawn_in_a_destructor,
    invoked_exceptions,
    loops_exception,
    thrown_outside,
#else
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
#endif
};
