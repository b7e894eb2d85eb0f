// SPDX-License-Identifier: MIT
// Vthread's semaphores, barriers, once and read-write locks, and what is said of their misuse.
#include "vms/vthreads.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

namespace saguaro::vms {

namespace {

class vthread_locks : public vthread_on {};

INSTANTIATE_TEST_SUITE_P(cores, vthread_locks, testing::Values(1U, 2U, 4U));

// So many threads of one code, and their ends.
void run_threads(int count, const code &what, sg_vp *me) {
    std::vector<sg_vthread> threads;
    for (int i = 0; i < count; ++i)
        threads.push_back(start(what, me));
    for (const sg_vthread &each : threads)
        sg_vthread_join(each, me);
}

TEST_P(vthread_locks, so_many_pass_a_semaphore) {
    sg_vthread_sem places = SG_VTHREAD_SEM_INIT(2);
    sg_vthread_mutex book = SG_VTHREAD_MUTEX_INIT;
    int inside = 0;
    int most = 0;
    const auto change = [&](int by, sg_vp *me) {
        sg_vthread_mutex_lock(&book, me);
        inside += by;
        most = std::max(most, inside);
        sg_vthread_mutex_unlock(&book, me);
    };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  run_threads(
                      5,
                      [&](sg_vp *self) {
                          for (int i = 0; i < 50; ++i) {
                              sg_vthread_sem_wait(&places, self);
                              change(1, self);
                              sg_vthread_yield(self);
                              change(-1, self);
                              sg_vthread_sem_post(&places, self);
                          }
                      },
                      me);
                  EXPECT_EQ(inside, 0);
                  EXPECT_LE(most, 2);
                  EXPECT_TRUE(sg_vthread_sem_trywait(&places, me));
                  EXPECT_TRUE(sg_vthread_sem_trywait(&places, me));
                  EXPECT_FALSE(sg_vthread_sem_trywait(&places, me));
              }));
}

int run_on_one_core(const vp_code &what) {
    const sg_vms_options options = with_cores(1);
    return sg_vthread_run(&options, run_code, const_cast<vp_code *>(&what));
}

// On one core a thread that is started runs at the next yield, until it waits.
TEST(vthread_locks_in_order, a_semaphore_hands_over) {
    sg_vthread_sem sem = SG_VTHREAD_SEM_INIT(0);
    std::string order;
    EXPECT_EQ(0, run_on_one_core([&](sg_vp *me) {
                  const auto takes = [&](char says) -> code {
                      return [&sem, &order, says](sg_vp *self) {
                          sg_vthread_sem_wait(&sem, self);
                          order += says;
                      };
                  };
                  const code codes[] = {takes('a'), takes('b'), takes('c')};
                  std::vector<sg_vthread> threads;
                  for (const code &each : codes) {
                      threads.push_back(start(each, me));
                      sg_vthread_yield(me);
                  }
                  for (int i = 0; i < 3; ++i)
                      sg_vthread_sem_post(&sem, me);
                  for (const sg_vthread &each : threads)
                      sg_vthread_join(each, me);
              }));
    EXPECT_EQ(order, "abc");
}

// A reader that comes behind a writer waits for it, or writers would starve.
TEST(vthread_locks_in_order, a_reader_does_not_overtake_a_writer) {
    sg_vthread_rwlock lock = SG_VTHREAD_RWLOCK_INIT;
    std::string order;
    EXPECT_EQ(0, run_on_one_core([&](sg_vp *me) {
                  const auto waits = [&](auto which, char says) -> code {
                      return [&lock, &order, which, says](sg_vp *self) {
                          which(&lock, self);
                          order += says;
                          sg_vthread_yield(self);
                          order += says;
                          sg_vthread_rwlock_unlock(&lock, self);
                      };
                  };
                  const code writes = waits(sg_vthread_rwlock_wrlock, 'w');
                  const code reads = waits(sg_vthread_rwlock_rdlock, 'r');
                  sg_vthread_rwlock_rdlock(&lock, me);
                  std::vector<sg_vthread> threads;
                  for (const code *each : {&writes, &reads, &reads, &writes}) {
                      threads.push_back(start(*each, me));
                      sg_vthread_yield(me);
                  }
                  EXPECT_EQ(order, "");
                  sg_vthread_rwlock_unlock(&lock, me);
                  for (const sg_vthread &each : threads)
                      sg_vthread_join(each, me);
              }));
    EXPECT_EQ(order, "wwrrrrww");
}

TEST_P(vthread_locks, a_barrier_lets_all_go_on_together) {
    constexpr int threads = 4;
    constexpr int rounds = 30;
    sg_vthread_barrier barrier = SG_VTHREAD_BARRIER_INIT(threads);
    int done[threads] = {};
    int last = 0; // guarded by the barrier: one thread is told that it came last
    int number = 0;
    sg_vthread_mutex numbers = SG_VTHREAD_MUTEX_INIT;
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  run_threads(
                      threads,
                      [&](sg_vp *self) {
                          sg_vthread_mutex_lock(&numbers, self);
                          const int mine = number++;
                          sg_vthread_mutex_unlock(&numbers, self);
                          for (int i = 1; i <= rounds; ++i) {
                              done[mine] = i;
                              if (sg_vthread_barrier_wait(&barrier, self))
                                  ++last;
                              for (const int each : done)
                                  EXPECT_EQ(each, i);
                              sg_vthread_barrier_wait(&barrier, self);
                          }
                      },
                      me);
              }));
    EXPECT_EQ(last, rounds);
}

// The others wait meanwhile or come later, and who has thrown comes again: the third call is the
// last, and no two are under way at once.
TEST_P(vthread_locks, a_function_that_throws_is_called_again) {
    static int calls;
    static std::atomic<int> under_way;
    static sg_vthread_once once;
    calls = under_way = 0;
    once = SG_VTHREAD_ONCE_INIT;
    std::atomic<int> caught{0};
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  run_threads(
                      5,
                      [&](sg_vp *self) {
                          const auto throws = [](void *) {
                              EXPECT_EQ(++under_way, 1);
                              sg_vthread_yield(sg_vms_self());
                              --under_way;
                              if (++calls < 3)
                                  throw std::runtime_error("not yet");
                          };
                          for (bool is_done = false; !is_done;)
                              try {
                                  sg_vthread_call_once(&once, throws, nullptr, self);
                                  is_done = true;
                              } catch (const std::runtime_error &) {
                                  ++caught;
                              }
                          EXPECT_EQ(calls, 3);
                      },
                      me);
              }));
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(caught, 2);
}

TEST_P(vthread_locks, a_function_runs_once) {
    sg_vthread_once once = SG_VTHREAD_ONCE_INIT;
    struct {
        sg_vthread_once *once;
        int calls;
    } seen{&once, 0};
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  run_threads(
                      5,
                      [&](sg_vp *self) {
                          sg_vthread_call_once(
                              &once,
                              [](void *argument) {
                                  sg_vthread_yield(sg_vms_self()); // others come meanwhile
                                  ++static_cast<decltype(seen) *>(argument)->calls;
                              },
                              &seen, self);
                          EXPECT_EQ(seen.calls, 1);
                      },
                      me);
              }));
}

TEST_P(vthread_locks, many_read_and_one_writes) {
    sg_vthread_rwlock lock = SG_VTHREAD_RWLOCK_INIT;
    int a = 0;
    int b = 0;
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  const code reads = [&](sg_vp *self) {
                      for (int i = 0; i < 50; ++i) {
                          sg_vthread_rwlock_rdlock(&lock, self);
                          const int seen = a;
                          sg_vthread_yield(self);
                          EXPECT_EQ(seen, b);
                          sg_vthread_rwlock_unlock(&lock, self);
                      }
                  };
                  const code writes = [&](sg_vp *self) {
                      for (int i = 0; i < 50; ++i) {
                          sg_vthread_rwlock_wrlock(&lock, self);
                          ++a;
                          sg_vthread_yield(self);
                          ++b;
                          sg_vthread_rwlock_unlock(&lock, self);
                      }
                  };
                  std::vector<sg_vthread> threads;
                  for (int i = 0; i < 2; ++i) {
                      threads.push_back(start(reads, me));
                      threads.push_back(start(writes, me));
                  }
                  for (const sg_vthread &each : threads)
                      sg_vthread_join(each, me);
                  // Readers are together.
                  sg_vthread_rwlock_rdlock(&lock, me);
                  const code once = [&](sg_vp *self) {
                      sg_vthread_rwlock_rdlock(&lock, self);
                      sg_vthread_rwlock_unlock(&lock, self);
                  };
                  sg_vthread_join(start(once, me), me);
                  sg_vthread_rwlock_unlock(&lock, me);
              }));
    EXPECT_EQ(a, 100);
}

void nothing(void *) {}

sg_vthread_once around;

struct misuse {
    void (*does)(sg_vp *me);
    int error;
    const char *says;
};

const misuse misuses[] = {
    {[](sg_vp *me) { sg_vthread_sem_wait(nullptr, me); }, EINVAL,
     "VP 1 waits for a semaphore, which is null"},
    {[](sg_vp *me) { sg_vthread_sem_post(nullptr, me); }, EINVAL,
     "VP 1 posts a semaphore, which is null"},
    {[](sg_vp *me) { sg_vthread_barrier_wait(nullptr, me); }, EINVAL,
     "VP 1 waits at a barrier, which is null"},
    {[](sg_vp *me) { sg_vthread_call_once(&around, nullptr, nullptr, me); }, EINVAL,
     "VP 1 runs a once, or its function, which is null"},
    {[](sg_vp *me) { sg_vthread_rwlock_wrlock(nullptr, me); }, EINVAL,
     "VP 1 locks an rwlock, which is null"},
    {[](sg_vp *me) {
         sg_vthread_sem full = SG_VTHREAD_SEM_INIT(UINT_MAX);
         sg_vthread_sem_post(&full, me);
     },
     EOVERFLOW, "VP 1 posts semaphore 0x[0-9a-f]+ once too often"},
    {[](sg_vp *me) {
         sg_vthread_barrier none = SG_VTHREAD_BARRIER_INIT(0);
         sg_vthread_barrier_wait(&none, me);
     },
     EINVAL, "VP 1 waits at barrier 0x[0-9a-f]+, which is for no threads"},
    {[](sg_vp *me) {
         const auto again = [](void *) {
             sg_vthread_call_once(&around, nothing, nullptr, sg_vms_self());
         };
         around = SG_VTHREAD_ONCE_INIT;
         sg_vthread_call_once(&around, again, nullptr, me);
     },
     EDEADLK, "VP 1 runs once 0x[0-9a-f]+ inside itself"},
    {[](sg_vp *me) {
         sg_vthread_rwlock lock = SG_VTHREAD_RWLOCK_INIT;
         sg_vthread_rwlock_unlock(&lock, me);
     },
     EPERM, "VP 1 unlocks rwlock 0x[0-9a-f]+, which it does not hold"},
    {[](sg_vp *me) {
         sg_vthread_rwlock lock = SG_VTHREAD_RWLOCK_INIT;
         sg_vthread_rwlock_wrlock(&lock, me);
         sg_vthread_rwlock_rdlock(&lock, me);
     },
     EDEADLK, "VP 1 waits for rwlock 0x[0-9a-f]+, which it holds"},
    {[](sg_vp *me) {
         sg_vthread_sem empty = SG_VTHREAD_SEM_INIT(0);
         sg_vthread_sem_wait(&empty, me);
     },
     EDEADLK, "deadlock: the only VP is blocked: VP 1 waits for semaphore 0x[0-9a-f]+"},
};

TEST(vthread_locks_misuse, ends_the_run_with_a_line) {
    for (const misuse &row : misuses) {
        testing::internal::CaptureStderr();
        const int error = run_on_one_core([&](sg_vp *me) { row.does(me); });
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_EQ(error, row.error) << said;
        EXPECT_TRUE(
            std::regex_match(said, std::regex(std::string("saguaro: vthread: ") + row.says + "\n")))
            << said;
    }
}

} // namespace

} // namespace saguaro::vms
