// SPDX-License-Identifier: MIT
// What a C++ function that spawns calls once cilkc++ has translated it.
//
//     int fib(int n) {                       int fib(int n) {
//                                                if (::saguaro::cilk::is_outside())
//                                                    return ::saguaro::cilk::enter(
//                                                        [&]() -> int { return fib(n); });
//                                                ::saguaro::cilk::frame f;
//                                                try {
//                                                    ::saguaro::cilk::last_sync s(f);
//         if (n < 2)                                 if (n < 2)
//             return n;                                  return n;
//                                                    int x;
//         int x = cilk_spawn fib(n - 1);             f.spawn([&](auto go) {
//                                                        [&](int p) { if (go()) x = fib(p); }(n -
//                                                        1);
//                                                    });
//         int y = fib(n - 2);                        int y = fib(n - 2);
//         cilk_sync;                                 f.sync();
//         return x + y;                              return x + y;
//                                                } catch (...) { f.caught(); }
//     }                                      }
//
// A child runs on a stack of its own. What a thief takes is the suspended parent, with the native
// stack that it has; so any C++ may stand in the function, and nothing of it is copied. The steps
// of a spawn are those of saguaro::scope (spawn.hpp).
//
// The header is included while the user's text is preprocessed, before the user's own headers and
// under the user's standard; what it declares is compiled as C++14 or later. So it includes no
// header of the standard library but <stddef.h>, and asks for no standard. What needs more is
// compiled into the library (src/cilk/cxx.cpp).
#pragma once

#pragma GCC system_header

#include "saguaro/detail/letters_begin.h"

#include "saguaro/detail/integers.h"
#include "saguaro/detail/region.h"
#include "saguaro/detail/spawn.hpp"
#include "saguaro/detail/stealable.hpp"

#include <stddef.h>

// With -fno-exceptions the handler is compiled and never run.
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define SG_CILK_TRY try
#define SG_CILK_CATCH catch (...)
#define SG_CILK_RETHROW throw
#else
#define SG_CILK_TRY if (true)
#define SG_CILK_CATCH else
#define SG_CILK_RETHROW static_cast<void>(0)
#endif

namespace saguaro {

namespace detail {

// ---- In the library

// Calls f(argument) on a worker, as saguaro::run does; its exception leaves.
void enter_by(void (*f)(void *), void *argument);

// The end of `frame`, which has a record: waits for the children and takes the record away. Throws
// the children's first exception, even if another exception is under way: that one is not this
// activation's.
void end_frame(scope_head &frame);

// The same in a handler; if no child has thrown, the handler's exception goes on.
[[noreturn]] void leave_frame(scope_head &frame);

// In a handler, before publish_parent: the arguments of a call that was to be spawned have thrown.
// What the child's first function returns; the parent throws at its spawn.
stacks::context *refuse_spawn() noexcept;

// After a spawn of a frame that has a record: throws if that spawn was refused, what the serial
// program would have thrown first.
void throw_if_refused(scope_head &frame);

// A child on its parent's stack, because there is none for it: `room` is for the child's node among
// the strands. False: it shall not run. end_here is called all the same.
enum { bytes_of_here = 64 };
bool begin_here(void *room) noexcept;
void end_here(void *room) noexcept;

} // namespace detail

namespace cilk {

#if defined(__clang__)
// For cilkc++, which finds this in the preprocessed text.
struct written_by_clang;
#endif

// ---- Entering ----------------------------------------------------------------------------------

// Whether the calling thread works for no worker: it is the program's own, or runs a static
// initialiser, a callback. Four instructions with the branch.
inline bool is_outside() {
    return SG_UNLIKELY(SG_REGION_GET(void *, worker) == nullptr);
}

// Where `operator new` makes an object: it has no header to come from.
struct place {
    void *at;
};

} // namespace cilk

} // namespace saguaro

inline void *operator new(size_t, ::saguaro::cilk::place here) noexcept {
    return here.at;
}
inline void operator delete(void *, ::saguaro::cilk::place) noexcept {}

namespace saguaro {

namespace cilk {

// f() on a worker, and its result, which may be a reference or nothing.
template <class F, class R>
class entry {
public:
    explicit entry(F &f) : f_(f) {}
    ~entry() {}
    entry(const entry &) = delete;
    entry &operator=(const entry &) = delete;

    static void run(void *self) {
        entry &e = *static_cast<entry *>(self);
        ::new (place{&e.room_}) R(e.f_());
    }
    R take() {
        struct at_end {
            R &value;
            ~at_end() { value.~R(); }
        } end{*reinterpret_cast<R *>(&room_)};
        return static_cast<R &&>(end.value);
    }

private:
    F &f_;
    alignas(R) unsigned char room_[sizeof(R)];
};

template <class F, class R>
class entry<F, R &> {
public:
    explicit entry(F &f) : f_(f) {}
    static void run(void *self) {
        entry &e = *static_cast<entry *>(self);
        e.result_ = address_of(e.f_());
    }
    R &take() { return *reinterpret_cast<R *>(result_); }

private:
    static char *address_of(R &object) {
        return &const_cast<char &>(reinterpret_cast<const volatile char &>(object));
    }

    F &f_;
    char *result_ = nullptr;
};

// A function by reference: it has an address of its own.
template <class F, class R, class... A>
class entry<F, R (&)(A...)> {
public:
    explicit entry(F &f) : f_(f) {}
    static void run(void *self) {
        entry &e = *static_cast<entry *>(self);
        e.result_ = &e.f_();
    }
    R (&take())(A...) { return *result_; }

private:
    F &f_;
    R (*result_)(A...) = nullptr;
};

template <class F, class R>
class entry<F, R &&> {
public:
    explicit entry(F &f) : f_(f) {}
    static void run(void *self) {
        entry &e = *static_cast<entry *>(self);
        R &&object = e.f_();
        e.result_ = &const_cast<char &>(reinterpret_cast<const volatile char &>(object));
    }
    R &&take() { return static_cast<R &&>(*reinterpret_cast<R *>(result_)); }

private:
    F &f_;
    char *result_ = nullptr;
};

template <class F>
class entry<F, void> {
public:
    explicit entry(F &f) : f_(f) {}
    static void run(void *self) { static_cast<entry *>(self)->f_(); }
    void take() {}

private:
    F &f_;
};

// Calls f() on a worker. The thread works for it until f ends, as with saguaro::run. Hands on the
// result and the exception.
template <class F>
__attribute__((noinline, cold)) auto enter(F &&f) -> decltype(f()) {
    entry<F, decltype(f())> e(f);
    detail::enter_by(&entry<F, decltype(f())>::run, &e);
    return e.take();
}

// The same where a function cannot call itself: f is its body.
template <class F>
inline auto enter_or_call(F &&f) -> decltype(f()) {
    if (is_outside())
        return enter(f);
    return f();
}

// ---- A child -----------------------------------------------------------------------------------

// What a child calls when its arguments are evaluated and its parameters made: thieves may take the
// parent from then on. False: the child shall not run, because it was cancelled. Once, and before
// the call that is spawned. All ways to begin a child have this one type, so that the child is
// instantiated once, with the static variables of the lambdas that are written in it; where the
// child is inlined the compiler knows the way.
class start_of_child {
public:
    // On a stack of the child's own.
    start_of_child(bool &has_begun, const void *site)
        : has_begun_(has_begun), way_(own_stack), site_(site) {}
    // On its parent's stack, with the rest of the parent in the deque.
    start_of_child(bool &has_begun, sg_deque *deque, sg_frame **tail, sg_frame *frame)
        : has_begun_(has_begun), way_(continuation), deque_(deque), tail_(tail), frame_(frame) {}
    // On its parent's stack, as a part of the parent.
    start_of_child(bool &has_begun, unsigned char *room)
        : has_begun_(has_begun), way_(here), room_(room) {}

    __attribute__((always_inline)) bool operator()() const {
        has_begun_ = true;
        if (SG_LIKELY(way_ == own_stack))
            return SG_LIKELY(detail::publish_parent(site_));
        if (way_ == here)
            return detail::begin_here(room_);
        sg_frame *head = frame_;
        __asm__("" : "+r"(head)); // the compiler shall not keep it in a register
        detail::push(deque_, tail_, head);
        return true;
    }

private:
    enum way { own_stack, continuation, here };

    bool &has_begun_;
    const way way_;
    const void *const site_ = nullptr;
    sg_deque *const deque_ = nullptr;
    sg_frame **const tail_ = nullptr;
    sg_frame *const frame_ = nullptr;
    unsigned char *const room_ = nullptr;
};

// A spawned block, which is instantiated once: it may have static variables.
template <class F>
struct block {
    F statements;

    template <class Go>
    void operator()(Go go) {
        if (go())
            statements();
    }
};

// Its address stands for the spawns of such a closure: recordings tell children apart by it.
// Hidden, as each variable of a header: copies of the library in one process do not share it.
template <class F>
struct site_of {
    __attribute__((visibility("hidden"))) static const char here;
};
template <class F>
const char site_of<F>::here = 0;

// ---- A spawning activation ---------------------------------------------------------------------

// Each activation that spawns has one: a function, a lambda, the body of a cilk_for, a try block, a
// cilk_scope. It stands before the activation's try block, which begins with a last_sync. Only the
// flow that made it uses it. Making one costs two stores, its end a load and a branch.
class frame : public detail::scope_head {
public:
    frame() = default;
    frame(const frame &) = delete;
    frame &operator=(const frame &) = delete;

    // Throws the children's first exception, unless caught() has thrown. The frame stands outside
    // of the activation's try block: had last_sync thrown, gcc would destroy the function's result
    // twice, when that exception leaves the block and when caught() throws it on.
    ~frame() noexcept(false) {
        if (SG_UNLIKELY(record() != nullptr))
            detail::end_frame(*this);
    }

    // cilk_sync: returns when the children have ended. Throws the exception of the serially first
    // child that has thrown. A load and a branch, where no thief has been.
    void sync() {
        if (detail::scope_record *const r = record())
            sync_by(r);
    }

    // In a handler around all of the activation: waits for the children. Throws the exception that
    // the serial program would have met first: a child's, else that of the handler.
    [[noreturn]] __attribute__((cold)) void caught() { detail::leave_frame(*this); }

    // cilk_spawn: calls f(go) on a stack of the child's own. `f` evaluates the arguments, makes the
    // parameters, calls go() and, if that is true, the function. The parent goes on, here or on a
    // thief, when the child has ended or after go(). An exception before go() leaves from here, and
    // one after it waits for the sync. f and what it makes live until the child ends: f is moved
    // there, and the original is gone when the parent goes on.
    template <class F>
    void spawn(F f) {
        count_child();
        auto &mine = *static_cast<detail::spawn_deque *>(SG_REGION_GET(sg_deque *, deque));
        if (SG_UNLIKELY(mine.spawned == nullptr) && !detail::attach(mine)) {
            spawn_here(f);
            return;
        }
        mine.spawning = this;
        detail::start_child(mine, *mine.spawned, &run_child<F>, &f);
        if (SG_UNLIKELY(record() != nullptr))
            detail::throw_if_refused(*this);
    }

    // `cilk_spawn { ... }`: the block as a closure without parameters.
    template <class F>
    void spawn_block(F f) {
        spawn(block<F>{static_cast<F &&>(f)});
    }

    // Returns when no child is out. Exceptions stay for a sync, or for the frame's end.
    void wait() noexcept {
        detail::scope_record *const r = record();
        if (SG_UNLIKELY(r != nullptr))
            detail::wait_for_scope(*r);
    }

private:
    __attribute__((noinline, cold)) static void sync_by(detail::scope_record *r) {
        detail::sync_scope(*r);
    }

    // The first function on the child's stack.
    template <class F>
    static stacks::context *run_child(void *argument) {
        bool has_begun = false;
        SG_CILK_TRY {
            F f(static_cast<F &&>(*static_cast<F *>(argument)));
            f(start_of_child(has_begun, &site_of<F>::here));
        }
        SG_CILK_CATCH {
            if (!has_begun)
                return detail::refuse_spawn();
            detail::fail_child();
        }
        return detail::end_child();
    }

    // There is no stack, or no worker: on the parent's stack, and still as a child.
    template <class F>
    __attribute__((noinline, cold)) void spawn_here(F &f) {
        const sg_uint64 key = spawned() - 1;
        struct with_node {
            ~with_node() {
                if (has_begun)
                    detail::end_here(room);
            }
            bool has_begun = false;
            alignas(8) unsigned char room[detail::bytes_of_here];
        } here;
        SG_CILK_TRY {
            f(start_of_child(here.has_begun, here.room));
        }
        SG_CILK_CATCH {
            if (!here.has_begun)
                SG_CILK_RETHROW;
            detail::keep_error(*this, key);
        }
    }
};

// The implicit sync at the end of an activation: waits for the children after the destructors of
// its variables, as in Cilk Plus, and while their memory is still theirs. It is the first variable
// of the block. The frame throws what a child has thrown.
class last_sync {
public:
    explicit last_sync(frame &of) : frame_(of) {}
    last_sync(const last_sync &) = delete;
    last_sync &operator=(const last_sync &) = delete;

    ~last_sync() { frame_.wait(); }

private:
    frame &frame_;
};

// `T x = cilk_spawn f(...)` where T is not trivial: the place where the child makes x, which needs
// no default constructor. It follows the frame, in the block of x.
//
//     ::saguaro::cilk::slot<T> s(f);
//     T &x = s.get();
//     f.spawn([&](auto go) { [&](P p) { if (go()) s.make([&]() -> decltype(auto) {
//         return g(static_cast<P &&>(p)); }); }(a); });
template <class T>
class slot {
public:
    explicit slot(frame &of) : frame_(of) {}

    // x ends with its block: waits for the child that makes it. If the child threw, there is no x.
    ~slot() {
        frame_.wait();
        if (is_made_)
            get().~T();
    }
    slot(const slot &) = delete;
    slot &operator=(const slot &) = delete;

    // x, which must not be read before the sync.
    T &get() { return *reinterpret_cast<T *>(&room_); }

    // The child's: x = f(), by copy initialisation.
    template <class F>
    void make(F &&f) {
        ::new (place{&room_}) T(converted(f));
        is_made_ = true;
    }

private:
    template <class F>
    static T converted(F &f) {
        return f();
    }

    frame &frame_;
    alignas(T) unsigned char room_[sizeof(T)];
    bool is_made_ = false;
};

// `T &x = cilk_spawn f(...)`: x, which the child binds. The translator writes x.get() for x.
template <class T>
class later_reference {
public:
    void bind(T &to) { at_ = __builtin_addressof(to); }
    void bind(T &&to) { at_ = __builtin_addressof(to); }
    T &get() const { return *at_; }

private:
    T *at_ = nullptr;
};

} // namespace cilk

} // namespace saguaro

#include "saguaro/detail/cilk_cxx_call.hpp"
#include "saguaro/detail/cilk_cxx_invoke.hpp"
#include "saguaro/detail/cilk_cxx_loop.hpp"
#include "saguaro/detail/cilk_cxx_reducer.hpp"

#ifdef __CILK_PROFILE__
#include "saguaro/detail/cilk_profile.h"

namespace saguaro {

namespace cilk {

// Before the program's own static initialisers, which may spawn.
__attribute__((constructor(101))) static void ask_for_a_profile() {
    sg_profile_each_spawn();
}

} // namespace cilk

} // namespace saguaro
#endif

#include "saguaro/detail/letters_end.h"
