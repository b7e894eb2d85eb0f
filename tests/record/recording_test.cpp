// SPDX-License-Identifier: MIT
// Tests of the file that SAGUARO_RECORD writes: the shape of each construct's tree, and the time in
// it.
#include "record/recording.hpp"

#include "saguaro/cancellable_scope.hpp"
#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/parallel_reduce.hpp"
#include "saguaro/scope.hpp"
#include "support/recording.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

// Files whose names begin so are closed with an error; empty: none is.
std::string not_to_be_closed;

} // namespace

// In place of the C library's.
extern "C" int close(int descriptor) {
    std::array<char, PATH_MAX> name{};
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    const bool fails = !not_to_be_closed.empty() &&
                       readlink(link.c_str(), name.data(), name.size() - 1) > 0 &&
                       std::string(name.data()).starts_with(not_to_be_closed);
    const auto result = static_cast<int>(syscall(SYS_close, descriptor));
    if (!fails)
        return result;
    errno = EDQUOT;
    return -1;
}

namespace saguaro {
namespace {

using test::busy;
using test::recorded;
using test::recordings;
using test::time;

// ---- The shapes ----

TEST_F(recordings, strand_is_one_frame) {
    EXPECT_EQ(record([] { busy(3); }).shape, "C(3)");
}

TEST_F(recordings, short_run_is_work_of_no_frame) {
    EXPECT_EQ(record([] {}).shape, "");
}

TEST_F(recordings, invocation_is_a_frame_with_a_child) {
    EXPECT_EQ(record([] {
                  busy(1);
                  parallel_invoke([] { busy(2); }, [] { busy(3); });
                  busy(4);
              }).shape,
              "C(1C(S(2)3)4)");
}

TEST_F(recordings, invocation_of_three_is_two_frames) {
    EXPECT_EQ(
        record([] { parallel_invoke([] { busy(2); }, [] { busy(3); }, [] { busy(4); }); }).shape,
        "C(C(S(2)C(S(3)4)))");
}

TEST_F(recordings, invocations_nest) {
    const auto pair = [] { parallel_invoke([] { busy(1); }, [] { busy(2); }); };
    EXPECT_EQ(record([&] { parallel_invoke(pair, pair); }).shape, "C(C(S(C(S(1)2))C(S(1)2)))");
}

TEST_F(recordings, results_of_invocations_are_as_ever) {
    record([] {
        auto [a, b, c] = parallel_invoke([] { return 1; }, [] { return std::string(100, 'x'); },
                                         [] { return std::make_unique<int>(3); });
        EXPECT_EQ(a, 1);
        EXPECT_EQ(b, std::string(100, 'x'));
        EXPECT_EQ(*c, 3);
    });
}

TEST_F(recordings, first_function_that_throws_is_the_last) {
    EXPECT_EQ(record([] {
                  bool second = false;
                  EXPECT_THROW(parallel_invoke(
                                   [] {
                                       busy(1);
                                       throw std::runtime_error("first");
                                   },
                                   [&] { second = true; }),
                               std::runtime_error);
                  EXPECT_FALSE(second);
                  busy(2);
              }).shape,
              "C(C(S(1))2)");
}

TEST_F(recordings, second_function_that_throws_ends_the_invocation) {
    EXPECT_EQ(record([] {
                  EXPECT_THROW(parallel_invoke([] { busy(1); },
                                               [] {
                                                   busy(2);
                                                   throw std::runtime_error("second");
                                               }),
                               std::runtime_error);
                  busy(3);
              }).shape,
              "C(C(S(1)2)3)");
}

TEST_F(recordings, invocation_in_a_handler_calls_both) {
    EXPECT_EQ(record([] {
                  try {
                      throw 1;
                  } catch (int) {
                      parallel_invoke([] { busy(1); }, [] { busy(2); });
                  }
              }).shape,
              "C(C(S(1)2))");
}

// The same exception, in one handler more.
TEST_F(recordings, first_function_that_throws_again_is_the_last) {
    EXPECT_EQ(record([] {
                  bool second = false;
                  try {
                      throw 1;
                  } catch (int) {
                      EXPECT_THROW(parallel_invoke(
                                       [] {
                                           busy(1);
                                           throw;
                                       },
                                       [&] { second = true; }),
                                   int);
                      parallel_invoke(
                          [] {
                              try {
                                  throw;
                              } catch (int) {
                                  busy(2);
                              }
                          },
                          [] { busy(3); });
                  }
                  EXPECT_FALSE(second);
              }).shape,
              "C(C(S(1))C(S(2)3))");
}

TEST_F(recordings, scope_is_a_frame_from_its_first_spawn) {
    EXPECT_EQ(record([] {
                  scope s;
                  busy(1);
                  s.spawn([] { busy(2); });
                  busy(3);
                  s.spawn([] { busy(4); });
                  s.sync();
                  busy(5);
                  s.spawn([] { busy(6); });
                  s.sync();
                  s.sync();
              }).shape,
              "C(1C(S(2)3S(4)|5S(6)|))");
}

TEST_F(recordings, end_of_a_scope_is_its_sync) {
    EXPECT_EQ(record([] {
                  {
                      scope s;
                      s.spawn([] { busy(1); });
                      busy(2);
                  }
                  busy(3);
              }).shape,
              "C(C(S(1)2|)3)");
}

TEST_F(recordings, children_have_scopes_of_their_own) {
    EXPECT_EQ(record([] {
                  scope s;
                  s.spawn([] {
                      scope inner;
                      inner.spawn([] { busy(1); });
                      inner.spawn([] { parallel_invoke([] { busy(2); }, [] { busy(3); }); });
                      busy(4);
                  });
                  busy(5);
              }).shape,
              "C(C(S(C(S(1)S(C(S(2)3))4|))5|))");
}

TEST_F(recordings, child_that_throws_ends_as_others) {
    EXPECT_EQ(record([] {
                  scope s;
                  s.spawn([] {
                      busy(1);
                      throw std::runtime_error("child");
                  });
                  busy(2);
                  EXPECT_THROW(s.sync(), std::runtime_error);
                  busy(3);
              }).shape,
              "C(C(S(1)2|3))");
}

TEST_F(recordings, cancellable_scope_is_recorded_as_well) {
    EXPECT_EQ(record([] {
                  cancellable_scope s;
                  s.spawn([] { busy(1); });
                  s.cancel();
                  s.spawn([] { busy(2); });
                  busy(3);
                  s.sync();
              }).shape,
              "C(C(S(1)S()3|))");
}

// The runtime divides a loop behind the iteration that its owner is in.
TEST_F(recordings, loop_is_divided_to_its_iterations) {
    EXPECT_EQ(record([] { parallel_for(0, 5, [](int i) { busy(i + 1); }); }).shape,
              "C(C(S(S(S(1)2)3)S(4)5))");
    EXPECT_EQ(record([] { parallel_for(0, 1, [](int) { busy(2); }); }).shape, "C(C(2))");
}

TEST_F(recordings, span_of_a_loop_is_an_iteration) {
    const recorded loop = record([] { parallel_for(0, 16, [](int) { busy(1); }); });
    EXPECT_GE(loop.work, 16 * test::unit_ns);
    EXPECT_LT(loop.span, 6 * test::unit_ns);
    EXPECT_EQ(loop.spawns, 15U);
}

TEST_F(recordings, short_iterations_are_blocks_in_the_end) {
    constexpr std::int64_t grain = 1000;
    std::vector<int> counts(1'000'000);
    const recorded loop = record(
        [&] {
            parallel_for(0, 1'000'000, [&](int i) {
                ++counts[static_cast<std::size_t>(i)];
                time.pass(10);
            });
        },
        grain);
    EXPECT_EQ(counts, std::vector<int>(1'000'000, 1));
    EXPECT_GE(loop.work, 9'900'000);
    EXPECT_LE(loop.work, 10'100'000);
    // A block is of 64 iterations, and half of them are too short for a child.
    EXPECT_GT(loop.spawns, 1'000'000U / 64 / 4);
    EXPECT_LT(loop.spawns, 1'000'000U / 64);
    EXPECT_LT(loop.span * 100, loop.work);
}

TEST_F(recordings, iterations_have_trees) {
    EXPECT_EQ(record([] {
                  parallel_for(0, 2, [](int) {
                      parallel_invoke([] { busy(1); }, [] { busy(2); });
                      parallel_for(0, 2, [](int) { busy(1); });
                  });
              }).shape,
              "C(C(S(C(S(1)2)C(S(1)1))C(S(1)2)C(S(1)1)))");
}

TEST_F(recordings, iteration_that_throws_ends_the_loop) {
    EXPECT_EQ(record([] {
                  EXPECT_THROW(parallel_for(0, 4,
                                            [](int i) {
                                                busy(1);
                                                if (i == 1)
                                                    throw std::runtime_error("1");
                                            }),
                               std::runtime_error);
                  busy(2);
              }).shape,
              "C(C(S(S(1)1))2)");
}

TEST_F(recordings, reduction_is_a_loop_with_the_same_result) {
    record([] {
        EXPECT_EQ(
            parallel_reduce(
                0L, 1000L, 0L, [](long a, long b) { return a + b; }, [](long i) { return i; }),
            499500);
    });
}

// ---- Small work ----

TEST_F(recordings, work_below_the_grain_is_one_strand) {
    const auto pair = [] { parallel_invoke([] { busy(1); }, [] { busy(1); }); };
    EXPECT_EQ(record(pair, 3 * test::unit_ns).shape, "2");
    EXPECT_EQ(record([&] { parallel_invoke(pair, [] { busy(2); }); }, 3 * test::unit_ns).shape,
              "C(C(S(2)2))");
}

TEST_F(recordings, work_around_a_short_frame_stays) {
    EXPECT_EQ(record([] {
                  busy(1);
                  parallel_invoke([] {}, [] {});
                  busy(1);
              }).shape,
              "C(2)");
}

// Reading the clock is most of what a look costs, some 0.1 µs.
TEST_F(recordings, recorder_does_not_look_at_each_short_iteration) {
    record(
        [] {
            const std::uint64_t before = time.readings();
            parallel_for(0, 1'000'000, [](int) { time.pass(10); });
            // Some for each block of 64, where each iteration would have had some.
            EXPECT_LT(time.readings() - before, 1'000'000U / 10);
        },
        1000);
}

TEST_F(recordings, grain_of_zero_leaves_nothing_out) {
    EXPECT_EQ(record([] { parallel_invoke([] {}, [] {}); }, 0).shape, "C(C(S()))");
    EXPECT_EQ(record([] { parallel_for(0, 4, [](int) {}); }, 0).spawns, 3U);
}

TEST_F(recordings, total_work_is_that_of_the_thread) {
    const auto work = [] {
        time.lose(5 * test::unit_ns);
        busy(1);
        time.lose(test::unit_ns);
    };
    const recorded all = record([&] {
        parallel_for(0, 8, [&](int) {
            parallel_invoke(work, [&] {
                scope s;
                s.spawn(work);
                work();
            });
        });
    });
    EXPECT_NEAR(static_cast<double>(all.work), 24 * 1.1 * test::unit_ns, 0.01 * test::unit_ns);
}

// ---- What the recorder looks at ----

// Calls body(depth) below so many invocations, and loops, and scopes.
void go_down(int depth, const std::function<void()> &body) {
    if (depth == 0) {
        body();
        return;
    }
    parallel_invoke(
        [&] {
            parallel_for(0, 1, [&](int) {
                scope s;
                s.spawn([&] { go_down(depth - 1, body); });
            });
        },
        [] {});
}

// Otherwise a deep recursion takes time in proportion to the square of its depth.
TEST_F(recordings, depth_does_not_cost) {
    const auto looks_of = [this](const std::function<void()> &body) {
        std::vector<std::uint64_t> looks;
        for (const int depth : {1, 100})
            record([&] {
                go_down(depth, [&] {
                    const record::recorder &out = record::recording::now()->out();
                    const std::uint64_t before = out.looked_at();
                    body();
                    looks.push_back(out.looked_at() - before);
                });
            });
        return looks;
    };
    const auto expect_the_same = [&](const std::function<void()> &body) {
        const std::vector<std::uint64_t> looks = looks_of(body);
        EXPECT_EQ(looks[0], looks[1]);
        EXPECT_GT(looks[0], 0U);
    };
    expect_the_same([] { parallel_invoke([] {}, [] {}); });
    expect_the_same([] { parallel_for(0, 4, [](int) {}); });
    expect_the_same([] {
        scope s;
        s.spawn([] {});
        s.spawn([] {});
    });
}

// ---- Roots ----

TEST_F(recordings, each_run_is_a_frame) {
    const scheduler::settings s = settings_for(path("runs"), 0);
    ASSERT_EQ(scheduler::start_with(s, scheduler::make_policy(s.policy, nullptr)), 0);
    run([] { busy(1); });
    busy(5); // nobody's
    run([] { busy(2); });
    ASSERT_EQ(sg_stop(), 0);
}

// ---- The file ----

// All writes have succeeded: some file servers say only then that their disk is full.
TEST_F(recordings, file_that_is_closed_with_an_error_is_said) {
    const std::string file = path("refused");
    const scheduler::settings s = settings_for(file, 0);
    testing::internal::CaptureStderr();
    EXPECT_EQ(scheduler::start_with(s, scheduler::make_policy(s.policy, nullptr)), 0);
    run([] {});
    not_to_be_closed = file;
    EXPECT_EQ(sg_stop(), 0);
    not_to_be_closed.clear();
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(said.ends_with(": the file cannot be written: Disk quota exceeded\n")) << said;
}

// ---- Other threads ----

// Its children are calls; one that throws leaves a record, whose sync and end are nobody's.
TEST_F(recordings, scope_outside_is_not_recorded) {
    std::atomic<bool> inside{false}, done{false};
    std::thread outside([&] {
        inside.wait(false);
        {
            scope s;
            s.spawn([] { throw std::runtime_error("outside"); });
            EXPECT_THROW(s.sync(), std::runtime_error);
        }
        done = true;
        done.notify_one();
    });
    EXPECT_EQ(record([&] {
                  scope s;
                  s.spawn([] { busy(1); });
                  inside = true;
                  inside.notify_one();
                  done.wait(false);
                  busy(2);
              }).shape,
              "C(C(S(1)2|))");
    outside.join();
}

} // namespace
} // namespace saguaro
