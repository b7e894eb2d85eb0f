// SPDX-License-Identifier: MIT
// Threads, mutexes, condition variables. What goes wrong is seen in vthread_failures_test.py.
#include "saguaro/vthread.h"
#include "vms/threads_in_c.h"
#include "vms/vthreads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace saguaro::vms {
namespace {

class lock_guard {
public:
    lock_guard(sg_vthread_mutex &mutex, sg_vp *me) : mutex_(mutex), me_(me) {
        sg_vthread_mutex_lock(&mutex_, me_);
    }
    ~lock_guard() { sg_vthread_mutex_unlock(&mutex_, me_); }
    lock_guard(const lock_guard &) = delete;
    lock_guard &operator=(const lock_guard &) = delete;

private:
    sg_vthread_mutex &mutex_;
    sg_vp *me_;
};

INSTANTIATE_TEST_SUITE_P(cores, vthread_on, testing::Values(1U, 2U, 4U));

TEST_P(vthread_on, join_returns_what_the_thread_returned) {
    const auto twice = [](void *number, sg_vp *) -> void * {
        *static_cast<int *>(number) *= 2;
        return number;
    };
    int numbers[100];
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  std::vector<sg_vthread> threads;
                  for (int i = 0; i < 100; ++i) {
                      numbers[i] = i;
                      threads.push_back(sg_vthread_create(twice, &numbers[i], me));
                  }
                  // Some have ended by then, some have not.
                  for (std::size_t i = threads.size(); i-- > 0;) {
                      EXPECT_EQ(&numbers[i], sg_vthread_join(threads[i], me));
                      EXPECT_EQ(2 * static_cast<int>(i), numbers[i]);
                  }
              }));
}

TEST_P(vthread_on, threads_that_nobody_joins_are_waited_for) {
    int counts[10] = {};
    std::vector<code> codes;
    for (int &count : counts)
        codes.emplace_back([&](sg_vp *me) {
            for (int i = 0; i < 10; ++i)
                sg_vthread_yield(me);
            ++count;
        });
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  for (const code &each : codes)
                      start(each, me);
              }));
    EXPECT_EQ(10, std::count(counts, counts + 10, 1));
}

TEST_P(vthread_on, created_on_a_core_stays_there) {
    const code there = [&](sg_vp *me) {
        for (int i = 0; i < 10; ++i) {
            EXPECT_EQ(GetParam() - 1, self_of(me).on->number);
            sg_vthread_yield(me);
        }
    };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  for (int i = 0; i < 5; ++i)
                      start_on(GetParam() - 1, there, me);
              }));
}

TEST_P(vthread_on, mutex_excludes) {
    constexpr int threads = 8, rounds = 200;
    sg_vthread_mutex mutex = SG_VTHREAD_MUTEX_INIT;
    int count = 0; // not atomic: ThreadSanitizer looks at it as well
    const code adds = [&](sg_vp *me) {
        for (int i = 0; i < rounds; ++i) {
            const lock_guard guard(mutex, me);
            const int before = count;
            if (i % 8 == 0)
                sg_vthread_yield(me);
            count = before + 1;
        }
    };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  for (int i = 0; i < threads; ++i)
                      start(adds, me);
              }));
    EXPECT_EQ(threads * rounds, count);
    EXPECT_EQ(nullptr, mutex.owner);
    EXPECT_EQ(nullptr, mutex.first);
}

TEST_P(vthread_on, mutex_is_handed_over_in_order) {
    sg_vthread_mutex mutex = SG_VTHREAD_MUTEX_INIT;
    std::vector<int> order;
    int came = 0; // on one core
    std::vector<code> codes;
    for (int i = 0; i < 5; ++i)
        codes.emplace_back([&, i](sg_vp *me) {
            ++came;
            const lock_guard guard(mutex, me);
            order.push_back(i);
        });
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  const code holds = [&](sg_vp *self) {
                      {
                          const lock_guard guard(mutex, self);
                          for (const code &each : codes)
                              start_on(0, each, self);
                          while (came < 5)
                              sg_vthread_yield(self);
                          EXPECT_TRUE(order.empty());
                      }
                      // Not before those that have waited.
                      const lock_guard guard(mutex, self);
                      order.push_back(5);
                  };
                  sg_vthread_join(start_on(0, holds, me), me);
              }));
    EXPECT_EQ((std::vector<int>{0, 1, 2, 3, 4, 5}), order);
}

TEST_P(vthread_on, trylock_takes_what_is_free_and_waits_for_nothing) {
    sg_vthread_mutex mutex = SG_VTHREAD_MUTEX_INIT;
    const code fails = [&](sg_vp *me) { EXPECT_EQ(0, sg_vthread_mutex_trylock(&mutex, me)); };
    const code succeeds = [&](sg_vp *me) {
        ASSERT_EQ(1, sg_vthread_mutex_trylock(&mutex, me));
        EXPECT_EQ(0, sg_vthread_mutex_trylock(&mutex, me));
        sg_vthread_mutex_unlock(&mutex, me);
    };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  sg_vthread_mutex_lock(&mutex, me);
                  sg_vthread_join(start(fails, me), me);
                  sg_vthread_mutex_unlock(&mutex, me);
                  sg_vthread_join(start(succeeds, me), me);
              }));
}

// A thread that polls under a mutex that is always free does not keep the core for itself.
TEST_P(vthread_on, free_mutexes_do_not_starve_others) {
    sg_vthread_mutex mutex = SG_VTHREAD_MUTEX_INIT;
    bool told = false;
    const code tells = [&](sg_vp *me) {
        const lock_guard guard(mutex, me);
        told = true;
    };
    const auto is_told = [&](sg_vp *me) {
        const lock_guard guard(mutex, me);
        return told;
    };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  start(tells, me);
                  while (!is_told(me))
                      continue;
              }));
    EXPECT_TRUE(told);
}

TEST_P(vthread_on, waiting_releases_the_mutex_and_takes_it_again) {
    sg_vthread_mutex mutex = SG_VTHREAD_MUTEX_INIT;
    sg_vthread_cond turned = SG_VTHREAD_COND_INIT;
    constexpr int rounds = 300;
    int turn = 0; // not atomic
    const auto play = [&](int who, sg_vp *me) {
        const lock_guard guard(mutex, me);
        for (int i = 0; i < rounds; ++i) {
            while (turn % 2 != who)
                sg_vthread_cond_wait(&turned, &mutex, me);
            EXPECT_EQ(me, mutex.owner);
            ++turn;
            sg_vthread_cond_signal(&turned, me);
        }
    };
    const code other = [&](sg_vp *me) { play(1, me); };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  start_on(GetParam() - 1, other, me);
                  play(0, me);
              }));
    EXPECT_EQ(2 * rounds, turn);
    EXPECT_EQ(nullptr, mutex.owner);
}

// How many threads wait; asked under their mutex.
int waiting_at(const sg_vthread_cond &cond) {
    int count = 0;
    for (const sg_vp *each = cond.first; each != nullptr; each = each->next)
        ++count;
    return count;
}

// Five threads wait, in the order of their numbers, until `wake` has been called so often that all
// have been woken. What each sees is its number and how many were woken before it.
struct waiters {
    sg_vthread_mutex mutex = SG_VTHREAD_MUTEX_INIT;
    sg_vthread_cond cond = SG_VTHREAD_COND_INIT;
    std::vector<int> woken;

    void run(sg_vp *me, const std::function<void()> &wake) {
        std::vector<code> codes;
        std::vector<sg_vthread> threads;
        for (int i = 0; i < 5; ++i)
            codes.emplace_back([this, i](sg_vp *self) {
                const lock_guard guard(mutex, self);
                sg_vthread_cond_wait(&cond, &mutex, self); // no loop: nobody wakes by itself
                EXPECT_EQ(self, mutex.owner);
                woken.push_back(i);
                sg_vthread_yield(self);
            });
        const auto are_waiting = [&] {
            const lock_guard guard(mutex, me);
            return waiting_at(cond);
        };
        for (int i = 0; i < 5; ++i) {
            threads.push_back(start(codes[static_cast<std::size_t>(i)], me));
            while (are_waiting() < i + 1)
                continue;
        }
        wake();
        for (const sg_vthread &thread : threads)
            sg_vthread_join(thread, me);
        EXPECT_EQ((std::vector<int>{0, 1, 2, 3, 4}), woken);
    }
};

TEST_P(vthread_on, signal_wakes_the_one_that_waits_longest) {
    EXPECT_EQ(0, run([](sg_vp *me) {
                  waiters w;
                  w.run(me, [&] {
                      for (std::size_t i = 1; i <= 5; ++i) {
                          sg_vthread_cond_signal(&w.cond, me); // without the mutex
                          const auto count = [&] {
                              const lock_guard guard(w.mutex, me);
                              return w.woken.size();
                          };
                          while (count() < i)
                              continue;
                          for (int k = 0; k < 10; ++k)
                              sg_vthread_yield(me);
                          EXPECT_EQ(i, count()); // and no other
                      }
                  });
              }));
}

TEST_P(vthread_on, broadcast_wakes_all_one_after_the_other) {
    EXPECT_EQ(0, run([](sg_vp *me) {
                  waiters w;
                  w.run(me, [&] { sg_vthread_cond_broadcast(&w.cond, me); });
              }));
}

TEST_P(vthread_on, broadcast_under_the_mutex) {
    EXPECT_EQ(0, run([](sg_vp *me) {
                  waiters w;
                  w.run(me, [&] {
                      const lock_guard guard(w.mutex, me);
                      sg_vthread_cond_broadcast(&w.cond, me);
                      for (int k = 0; k < 10; ++k)
                          sg_vthread_yield(me);
                      EXPECT_TRUE(w.woken.empty());
                  });
              }));
}

TEST_P(vthread_on, signals_to_nobody_are_lost) {
    sg_vthread_mutex mutex = SG_VTHREAD_MUTEX_INIT;
    sg_vthread_cond cond = SG_VTHREAD_COND_INIT;
    bool may_go = false;
    const code waits = [&](sg_vp *me) {
        const lock_guard guard(mutex, me);
        sg_vthread_cond_wait(&cond, &mutex, me);
        EXPECT_TRUE(may_go);
    };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  sg_vthread_cond_signal(&cond, me);
                  sg_vthread_cond_broadcast(&cond, me);
                  const sg_vthread other = start(waits, me);
                  const auto is_waiting = [&] {
                      const lock_guard guard(mutex, me);
                      return cond.first != nullptr;
                  };
                  while (!is_waiting())
                      continue;
                  {
                      const lock_guard guard(mutex, me);
                      may_go = true;
                      sg_vthread_cond_signal(&cond, me);
                  }
                  sg_vthread_join(other, me);
              }));
}

TEST_P(vthread_on, mutexes_serve_one_run_after_the_other) {
    sg_vthread_mutex mutex = SG_VTHREAD_MUTEX_INIT;
    int count = 0;
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(0, run([&](sg_vp *me) {
                      const lock_guard guard(mutex, me);
                      ++count;
                  }));
    EXPECT_EQ(3, count);
}

// What is kept for a join is kept no longer.
TEST_P(vthread_on, joined_threads_leave_nothing) {
    const code nothing = [](sg_vp *) {};
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  const sg_vthread first = start(nothing, me);
                  sg_vthread_join(first, me);
                  for (int i = 0; i < 1000; ++i) {
                      const sg_vthread again = start(nothing, me);
                      EXPECT_EQ(first.end, again.end);
                      EXPECT_NE(first.number, again.number);
                      sg_vthread_join(again, me);
                  }
              }));
}

TEST_P(vthread_on, bounded_buffer_in_c) {
    EXPECT_EQ(2 * 500 * 501 / 2, buffered_sum(GetParam(), 500));
}

} // namespace
} // namespace saguaro::vms
