// SPDX-License-Identifier: MIT
// Scopes of threads that are outside of any run.
#include "forcing.hpp"
#include "support/started.hpp"

#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::reducer;
using saguaro::scope;
using saguaro::string_append;

class outside_scopes : public testing::TestWithParam<unsigned> {
protected:
    const started workers_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(workers, outside_scopes, testing::Values(1u, 2u, 4u));

// What `spawns(s, text)` leaves in the text after the sync.
template <class F>
std::string text_of(F spawns) {
    reducer<string_append> text;
    scope s;
    spawns(s, text);
    s.sync();
    return text.get();
}

std::string letters(int count) {
    std::string all;
    for (int i = 0; i < count; ++i)
        all += static_cast<char>('a' + i % 26);
    return all;
}

// --- Who runs the children ---

TEST_P(outside_scopes, children_run_on_workers) {
    nothing_leaks check;
    std::array<int, 100> ran{};
    scope s;
    for (int &each : ran)
        s.spawn([&each, held = counted(1)] {
            EXPECT_GE(saguaro::worker_id(), 0);
            each += held.value;
        });
    EXPECT_EQ(saguaro::worker_id(), -1);
    s.sync();
    EXPECT_EQ(saguaro::worker_id(), -1);
    for (const int each : ran)
        EXPECT_EQ(each, 1);
}

TEST(outside_scope, children_begin_before_the_sync) {
    const started workers(2);
    scope s;
    for (int turn = 1; turn <= 3; ++turn) {
        std::atomic<bool> has_run{false};
        s.spawn([&] { has_run = true; });
        wait_until([&] { return has_run.load(); });
    }
}

// Each waits for all: the thread that spawns has to compute in its sync.
TEST_P(outside_scopes, as_many_children_at_once_as_workers) {
    std::atomic<unsigned> begun{0};
    scope s;
    for (unsigned i = 0; i < GetParam(); ++i)
        s.spawn([&] {
            ++begun;
            wait_until([&] { return begun == GetParam(); });
        });
    s.sync();
    EXPECT_EQ(begun, GetParam());
}

// The worker has begun a child, which the thread takes part in from its sync.
TEST(outside_scope, the_thread_helps_a_child_that_has_begun) {
    const started workers(2);
    std::atomic<bool> has_begun{false};
    std::atomic<int> arrived{0};
    scope s;
    s.spawn([&] {
        has_begun = true;
        const auto meet = [&] {
            ++arrived;
            wait_until([&] { return arrived == 2; });
        };
        saguaro::parallel_invoke(meet, meet);
    });
    wait_until([&] { return has_begun.load(); });
    s.sync();
    EXPECT_EQ(arrived, 2);
}

TEST_P(outside_scopes, of_many_threads_at_once) {
    constexpr int threads = 4, rounds = is_slow ? 5 : 50;
    on_threads(threads, [](int number) {
        for (int round = 0; round < rounds; ++round)
            EXPECT_EQ(text_of([&](scope &s, auto &text) {
                          for (int i = 0; i < 30; ++i)
                              s.spawn([&text, i] {
                                  scope inner;
                                  inner.spawn([&text, i] { *text += letters(i + 1).back(); });
                              });
                      }),
                      letters(30))
                << number;
    });
}

// --- Reducers, pedigrees, exceptions: the serial order ---

TEST_P(outside_scopes, reducers_have_the_order_of_the_spawns) {
    constexpr int count = 3000;
    for (const int pause_every : {0, 7, 700})
        EXPECT_EQ(text_of([&](scope &s, auto &text) {
                      for (int i = 0; i < count; ++i) {
                          s.spawn([&text, c = static_cast<char>('a' + i % 26)] { *text += c; });
                          if (pause_every != 0 && i % pause_every == 0)
                              sched_yield(); // helpers come and go
                      }
                  }),
                  letters(count))
            << pause_every;
}

// The thread is outside until it syncs: its own view is the value.
TEST_P(outside_scopes, the_threads_own_updates_come_first) {
    EXPECT_EQ(text_of([&](scope &s, auto &text) {
                  *text += "a";
                  for (const char *const each : {"d", "e"}) {
                      std::atomic<bool> has_run{false};
                      s.spawn([&text, &has_run, each] {
                          *text += each;
                          has_run = true;
                      });
                      if (GetParam() > 1)
                          wait_until([&] { return has_run.load(); });
                      else
                          s.sync();
                      if (GetParam() > 1)
                          *text += each[0] == 'd' ? "b" : "c";
                  }
                  EXPECT_EQ(text.get(), GetParam() > 1 ? "abc" : "ade");
              }),
              GetParam() > 1 ? "abcde" : "ade");
}

TEST_P(outside_scopes, rethrow_the_serially_first_exception) {
    nothing_leaks check;
    scope s;
    std::atomic<int> ran{0};
    for (int i = 0; i < 20; ++i)
        s.spawn([&, i] {
            ++ran;
            if (i >= 5)
                throw thrown(i);
        });
    EXPECT_EQ(who_throws([&] { s.sync(); }), 5);
    EXPECT_EQ(ran, 20);
    s.sync();
    EXPECT_EQ(who_throws([] {
                  saguaro::with_scope([](scope &inner) {
                      inner.spawn([] { throw thrown(1); });
                      throw thrown(2);
                  });
              }),
              1);
}

// A thread that unwinds waits in the destructor.
TEST_P(outside_scopes, end_with_their_block) {
    std::atomic<int> ran{0};
    EXPECT_EQ(who_throws([&] {
                  scope s;
                  for (int i = 0; i < 10; ++i)
                      s.spawn([&] { ++ran; });
                  throw thrown(3);
              }),
              3);
    EXPECT_EQ(ran, 10);
}

TEST_P(outside_scopes, pedigrees_are_those_of_a_run) {
    const auto pedigrees = [] {
        std::vector<std::vector<std::uint64_t>> seen(4);
        const saguaro::pedigree_root root;
        scope s;
        for (auto &each : seen)
            s.spawn([&each] {
                scope inner;
                inner.spawn([&each] { each = saguaro::pedigree(); });
            });
        s.sync();
        seen.push_back(saguaro::pedigree());
        return seen;
    };
    EXPECT_EQ(pedigrees(), saguaro::run(pedigrees));
}

// --- Where scopes are made, and synced ---

TEST_P(outside_scopes, may_be_synced_in_a_run) {
    EXPECT_EQ(text_of([&](scope &s, auto &text) {
                  for (int i = 0; i < 10; ++i)
                      s.spawn([&text, i] { *text += letters(i + 1).back(); });
                  saguaro::run([&] {
                      scope own;
                      own.spawn([&text] { *text += "A"; });
                      *text += "B";
                      s.sync();
                      *text += "C";
                      own.sync();
                  });
              }),
              "ABabcdefghijC");
}

// A spawn in a run, into a scope of the thread outside, is another flow's.
TEST_P(outside_scopes, spawns_of_their_children_are_calls) {
    scope s;
    int ran = 0;
    s.spawn([&] { s.spawn([&] { ++ran; }); });
    s.sync();
    saguaro::run([&] { s.spawn([&] { ++ran; }); });
    EXPECT_EQ(ran, 2);
}

TEST_P(outside_scopes, of_thread_local_objects) {
    static std::atomic<int> ran;
    ran = 0;
    struct spawns {
        scope early;
        spawns() {
            early.spawn([] { ++ran; });
        }
        ~spawns() {
            scope late;
            late.spawn([] { ++ran; });
        }
    };
    std::thread([] {
        thread_local const spawns object;
        static_cast<void>(&object);
    }).join();
    EXPECT_EQ(ran, 2);
}

TEST(outside_scope, lets_stop_who_has_synced) {
    const on_one_processor here;
    const started workers(2);
    scope s;
    std::atomic<bool> has_begun{false};
    s.spawn([&] {
        give_way_to_the_woken();
        const std::uint64_t parks = parks_of(other());
        has_begun = true;
        // The thread waits for the helper, takes what is left of it, and waits for this.
        wait_until([&] { return parks_of(other()) > parks + 1 && is_idle(other()); });
    });
    wait_until([&] { return has_begun.load(); });
    s.sync();
}

// --- Limits ---

TEST(outside_scope, few_children_wait_in_the_heap) {
    const started workers(1);
    nothing_leaks check;
    const int before = counted::alive();
    int most = 0;
    EXPECT_EQ(text_of([&](scope &s, auto &text) {
                  // The runtime's thread begins no other until there are many.
                  s.spawn([&] { wait_until([&] { return counted::alive() - before >= 1010; }); });
                  for (int i = 0; i < 5000; ++i) {
                      s.spawn([&text, held = counted(i)] {
                          *text += static_cast<char>('a' + held.value % 26);
                      });
                      most = std::max(most, counted::alive() - before);
                  }
              }),
              letters(5000));
    EXPECT_LE(most, 1024);
    EXPECT_GE(most, 1000);
}

class outside_scope_death : public testing::Test {
protected:
    void SetUp() override {
#ifdef SG_TEST_EMULATED
        GTEST_SKIP() << "a program begun anew does not run in the emulator";
#endif
        GTEST_FLAG_SET(death_test_style, "threadsafe");
    }
};

#if !SG_THREAD_SANITIZER

// What a worker has begun is the parent's; what none has, and what comes later, is the child's too.
TEST_F(outside_scope_death, a_fork_amid_the_children) {
    const auto forked = [](unsigned workers, bool begun) {
        saguaro::start({.workers = workers});
        std::atomic<bool> has_begun{false}, goes_on{false}, is_busy{false};
        // The runtime's only thread has no time for another child then.
        scope other;
        if (!begun) {
            other.spawn([&] {
                is_busy = true;
                wait_until([&] { return goes_on.load(); });
            });
            wait_until([&] { return is_busy.load(); });
        }
        scope s;
        s.spawn([&] {
            has_begun = true;
            if (begun)
                wait_until([&] { return goes_on.load(); });
        });
        if (begun)
            wait_until([&] { return has_begun.load(); });
        const pid_t child = fork();
        if (child == 0) {
            int ran = 0;
            s.spawn([&] { ++ran; });
            s.sync();
            _exit(has_begun && ran == 1 ? 7 : 8);
        }
        goes_on = true;
        s.sync();
        other.sync();
        int status = 0;
        waitpid(child, &status, 0);
        _exit(WEXITSTATUS(status));
    };
    for (const unsigned workers : {1U, 2U})
        EXPECT_EXIT(forked(workers, false), testing::ExitedWithCode(7), "");
    for (const unsigned workers : {1U, 2U})
        EXPECT_EXIT(forked(workers, true), testing::ExitedWithCode(1), "sync before fork");
}

#endif

} // namespace
