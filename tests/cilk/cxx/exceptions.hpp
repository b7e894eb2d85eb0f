// SPDX-License-Identifier: MIT
// The functions of text.hpp that throw.
#pragma once

#include "saguaro/detail/cilk_cxx.hpp"

#include "cilk/cxx/hooks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "cilk/cxx/activation.hpp"
#include "cilk/cxx/number.hpp"

namespace {

#if defined(__cpp_exceptions)

using ::saguaro::cilk::loop;
using ::saguaro::cilk::nothing;
using ::saguaro::cilk::until;
using ::saguaro::test::cxx::steal;
using ::saguaro::test::cxx::wait_for;

// What leaves g; -1 if nothing does.
template <class G>
int thrown_by(G &&g) {
    try {
        g();
    } catch (int who) {
        return who;
    }
    return -1;
}

// cilk_spawn { if (steals) steal(); throw who; }
#define SPAWN_THROW(f, steals, who)                                                                \
    f.spawn([&](auto go) {                                                                         \
        if (go()) {                                                                                \
            if (steals)                                                                            \
                steal();                                                                           \
            throw who;                                                                             \
        }                                                                                          \
    })

// It leaves at the sync, explicit or implicit, and not before.
void childs_exception(bool steals) {
    for (const bool is_explicit : {true, false}) {
        bool went_on = false;
        EXPECT_EQ(thrown_by([&] {
                      ::saguaro::cilk::frame f;
                      TRY {
                          ::saguaro::cilk::last_sync s(f);
                          SPAWN_THROW(f, steals, 1);
                          went_on = true;
                          if (is_explicit) {
                              f.sync();
                              went_on = false;
                          }
                      }
                      CATCH(f)
                  }),
                  1);
        EXPECT_TRUE(went_on);
    }
}

// The serially first of two children's and the continuation's.
void first_exception(bool steals) {
    const number guard(0);
    const int before = number::alive();
    for (int who = 0; who < 8; ++who) {
        const int found = thrown_by([&] {
            ::saguaro::cilk::frame f;
            TRY {
                ::saguaro::cilk::last_sync s(f);
                number local(0);
                for (int child = 1; child <= 2; ++child)
                    f.spawn([&](auto go) {
                        [&](int p, number) {
                            if (go()) {
                                if (steals)
                                    steal();
                                if (who & p)
                                    throw p;
                            }
                        }(child, local);
                    });
                if (who & 4)
                    throw 4;
            }
            CATCH(f)
        });
        EXPECT_EQ(found, who == 0 ? -1 : who & 1 ? 1 : who & 2 ? 2 : 4) << who;
    }
    EXPECT_EQ(number::alive(), before);
}

int throwing(int who) {
    throw who;
}

// What the arguments of a spawned call throw leaves at the spawn; a child's that was before it
// wins.
void refused_spawn(bool steals) {
    for (const bool has_thrown : {false, true}) {
        bool went_on = false, called = false;
        EXPECT_EQ(thrown_by([&] {
                      ::saguaro::cilk::frame f;
                      TRY {
                          ::saguaro::cilk::last_sync s(f);
                          if (has_thrown)
                              SPAWN_THROW(f, steals, 1);
                          f.spawn([&](auto go) {
                              [&](int, number) {
                                  if (go())
                                      called = true;
                              }(throwing(2), number(1));
                          });
                          went_on = true;
                      }
                      CATCH(f)
                  }),
                  has_thrown ? 1 : 2);
        EXPECT_FALSE(went_on);
        EXPECT_FALSE(called);
    }
    // The activation may go on in a try block of its own, and spawn again.
    int ran = 0;
    ::saguaro::cilk::frame f;
    TRY {
        ::saguaro::cilk::last_sync s(f);
        EXPECT_EQ(thrown_by([&] {
                      f.spawn([&](auto go) {
                          [&](int) {
                              if (go())
                                  ran = 100;
                          }(throwing(3));
                      });
                  }),
                  3);
        f.spawn([&](auto go) {
            if (go()) {
                if (steals)
                    steal();
                ++ran;
            }
        });
        f.sync();
    }
    CATCH(f)
    EXPECT_EQ(ran, 1);
}

// number x = cilk_spawn failing(); there is no x to destroy.
void failed_slot(bool steals) {
    const int before = number::alive();
    EXPECT_EQ(thrown_by([&] {
                  ::saguaro::cilk::frame f;
                  TRY {
                      ::saguaro::cilk::last_sync s(f);
                      ::saguaro::cilk::slot<number> place(f);
                      f.spawn([&](auto go) {
                          if (go())
                              place.make([&]() -> number {
                                  if (steals)
                                      steal();
                                  throw 6;
                              });
                      });
                  }
                  CATCH(f)
              }),
              6);
    EXPECT_EQ(number::alive(), before);
}

// A function that spawns is called by a destructor during an unwinding.
void spawn_in_a_destructor(bool steals) {
    int found = 0;
    struct at_end {
        bool steals;
        int &found;
        ~at_end() {
            found = thrown_by([&] {
                ::saguaro::cilk::frame f;
                TRY {
                    ::saguaro::cilk::last_sync s(f);
                    SPAWN_THROW(f, steals, 8);
                }
                CATCH(f)
            });
        }
    };
    EXPECT_EQ(thrown_by([&] {
                  const at_end local{steals, found};
                  throw 9;
              }),
              9);
    EXPECT_EQ(found, 8);
}

// The child's exception leaves only when the thief of the statements is through with them. Results
// are there if both have ended without one.
void invoked_exceptions(bool steals) {
    for (int who = 0; who < 4; ++who) {
        std::atomic<bool> ends{false};
        bool next_ran = false;
        int of_child = 5;
        double of_next = 6;
        const int found = thrown_by([&] {
            ::saguaro::cilk::invoke(
                of_child, of_next,
                [&](auto go, auto &result) {
                    if (go()) {
                        if (steals)
                            steal();
                        ends = true;
                        if (who & 1)
                            throw 1;
                        result = 7;
                    }
                },
                [&] {
                    wait_for(ends);
                    next_ran = true;
                    if (who & 2)
                        throw 2;
                    return 8.5;
                });
        });
        EXPECT_EQ(of_child, who == 0 ? 7 : 5);
        EXPECT_EQ(of_next, who == 0 ? 8.5 : 6);
        EXPECT_EQ(found, who == 0 ? -1 : who & 1 ? 1 : 2) << who;
        EXPECT_EQ(next_ran, steals || !(who & 1));
    }
    bool next_ran = false;
    EXPECT_EQ(thrown_by([&] {
                  ::saguaro::cilk::invoke(
                      nothing(), nothing(),
                      [&](auto go, auto &) { [&](int) { (void)go(); }(throwing(3)); },
                      [&] { next_ran = true; });
              }),
              3);
    EXPECT_FALSE(next_ran);
}

void loops_exception() {
    EXPECT_EQ(thrown_by([] {
                  loop<until::less>(1, 0, 1000, 1, false, [](int i) {
                      if (i >= 300)
                          throw i;
                  });
              }),
              300);
    EXPECT_THROW(loop<until::less>(0, 0, 9, 0, false, [](int) {}), std::invalid_argument);
}

int throws_on_a_worker(int n) {
    if (::saguaro::cilk::is_outside())
        return ::saguaro::cilk::enter(
            [&]() -> int { return throws_on_a_worker(static_cast<int &&>(n)); });
    throw n;
}

void thrown_outside() {
    EXPECT_TRUE(::saguaro::cilk::is_outside());
    EXPECT_EQ(thrown_by([] { throws_on_a_worker(12); }), 12);
}

#endif

} // namespace
