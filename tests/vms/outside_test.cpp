// SPDX-License-Identifier: MIT
// Requests from outside: posts, by any thread, and the holds that announce them.
#include "stacks/sanitizers.hpp"
#include "support/death_style.hpp"
#include "vms/bare.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <tuple>
#include <vector>

namespace saguaro::vms {

namespace {

template <class F>
int post(sg_vms *to, F f) {
    handling request(std::move(f));
    return sg_vms_post(to, &request);
}

// Suspends the VP until it is resumed.
void wait(sg_vp *me) {
    ask(me, [](sg_vp *) {});
}

// As bare_plugin, with the first come for a scheduler: requests take the short way.
constexpr sg_vms_plugin first_come_plugin = {"bare", bare_handle, sg_vms_first_come, bare_describe,
                                             sizeof(int)};

// On so many cores, by one of the two plug-ins.
class vms_outside : public testing::TestWithParam<std::tuple<unsigned, bool>> {
protected:
    static int run(const vp_code &code) {
        sg_vms_options options{};
        options.cores = std::get<0>(GetParam());
        bare state;
        return sg_vms_run(std::get<1>(GetParam()) ? &first_come_plugin : &bare_plugin, &state,
                          &options, run_code, const_cast<vp_code *>(&code));
    }

    // What is said when another thread posts what the handler does, which fails the instance.
    template <class F>
    static std::string line_of_failing_post(F handler) {
        std::thread other;
        testing::internal::CaptureStderr();
        EXPECT_EQ(run([&](sg_vp *me) {
                      sg_vms_hold(me->instance);
                      other = std::thread([handler, in = me->instance] {
                          EXPECT_EQ(post(in, handler), ECANCELED);
                      });
                      wait(me);
                  }),
                  EPROTO);
        other.join();
        return testing::internal::GetCapturedStderr();
    }
};

// The state of a counting semaphore, changed by handlers only.
struct counted {
    int count = 0;
    sg_vp *waiting = nullptr;

    void take(sg_vp *me) {
        ask(me, [this](sg_vp *v) {
            if (count > 0) {
                --count;
                sg_vms_resume(v);
            } else {
                v->next = std::exchange(waiting, v);
            }
        });
    }

    void give() {
        if (waiting == nullptr)
            ++count;
        else
            sg_vms_resume(std::exchange(waiting, waiting->next));
    }
};

TEST_P(vms_outside, resumes_the_only_vp) {
    int data = 0; // no atomic: the VP sees what came before the post
    counted event;
    EXPECT_EQ(run([&](sg_vp *me) {
                  sg_vms_hold(me->instance);
                  std::thread other([&] {
                      data = 1;
                      EXPECT_EQ(post(me->instance,
                                     [&](sg_vp *outside) {
                                         EXPECT_EQ(outside->number, 0U);
                                         EXPECT_EQ(outside->instance, me->instance);
                                         EXPECT_EQ(*static_cast<int *>(outside->data), 0);
                                         event.give();
                                     }),
                                0);
                  });
                  event.take(me);
                  EXPECT_EQ(data, 1);
                  other.join();
              }),
              0);
}

TEST_P(vms_outside, of_several_threads_for_many) {
    constexpr int threads = 3;
    constexpr int each = 100;
    counted events;
    std::atomic<int> taken{0};
    std::vector<std::thread> others;
    const vp_code takes = [&](sg_vp *me) {
        for (int i = 0; i < each / 2; ++i) {
            events.take(me);
            ++taken;
        }
    };
    EXPECT_EQ(run([&](sg_vp *me) {
                  tell(me, [](sg_vp *v) {
                      for (int i = 0; i < threads * each; ++i)
                          sg_vms_hold(v->instance);
                  });
                  for (int i = 0; i < 2 * threads; ++i)
                      make(me, takes);
                  for (int t = 0; t < threads; ++t)
                      others.emplace_back([&events, in = me->instance] {
                          for (int i = 0; i < each; ++i)
                              EXPECT_EQ(post(in, [&](sg_vp *) { events.give(); }), 0);
                      });
              }),
              0);
    EXPECT_EQ(taken, threads * each);
    for (std::thread &other : others)
        other.join();
}

// No VP is left; what is posted makes the next one, and announces the next post.
TEST_P(vms_outside, makes_vps_where_none_is_left) {
    constexpr int rounds = 50;
    std::atomic<int> ran{0};
    const vp_code code = [&](sg_vp *) { ++ran; };
    std::thread other;
    EXPECT_EQ(run([&](sg_vp *me) {
                  sg_vms_hold(me->instance);
                  other = std::thread([&, in = me->instance] {
                      for (int i = 1; i <= rounds; ++i) {
                          post(in, [&](sg_vp *outside) {
                              sg_vms_resume(sg_vms_create(outside->instance, run_code,
                                                          const_cast<vp_code *>(&code)));
                              if (i < rounds)
                                  sg_vms_hold(outside->instance);
                          });
                          // The last one may have ended the instance.
                          while (i < rounds && ran != i)
                              sched_yield();
                      }
                  });
              }),
              0);
    other.join();
    EXPECT_EQ(ran, rounds);
}

TEST_P(vms_outside, the_last_one_that_resumes_none_is_a_deadlock) {
    std::atomic<bool> has_come{false};
    std::thread other;
    testing::internal::CaptureStderr();
    EXPECT_EQ(run([&](sg_vp *me) {
                  sg_vms_hold(me->instance);
                  sg_vms_hold(me->instance);
                  other = std::thread([&, in = me->instance] {
                      post(in, [](sg_vp *) {});
                      std::this_thread::sleep_for(std::chrono::milliseconds(2));
                      has_come = true;
                      post(in, [](sg_vp *) {});
                  });
                  wait(me);
              }),
              EDEADLK);
    EXPECT_TRUE(has_come);
    other.join();
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "saguaro: bare: deadlock: the only VP is blocked: VP 1 waits for a test\n");
}

TEST_P(vms_outside, an_instance_that_has_failed_waits_for_what_is_announced) {
    std::atomic<bool> has_failed{false};
    std::atomic<int> refused{0};
    std::thread other;
    testing::internal::CaptureStderr();
    EXPECT_EQ(run([&](sg_vp *me) {
                  sg_vms_hold(me->instance);
                  sg_vms_hold(me->instance);
                  other = std::thread([&, in = me->instance] {
                      while (!has_failed)
                          sched_yield();
                      for (int i = 0; i < 2; ++i)
                          refused += post(in, [](sg_vp *) {}) == ECANCELED ? 1 : 0;
                  });
                  tell(me, [&](sg_vp *v) {
                      sg_vms_fail(v->instance, ERANGE, "no more");
                      has_failed = true;
                  });
              }),
              ERANGE);
    EXPECT_EQ(refused, 2);
    other.join();
    // Whether it has to wait depends on who is faster.
    EXPECT_EQ(testing::internal::GetCapturedStderr().find("saguaro: bare: no more\n"), 0U);
}

TEST_P(vms_outside, a_post_that_fails) {
    EXPECT_EQ(line_of_failing_post([](sg_vp *outside) { sg_vms_resume(outside); }),
              "saguaro: bare: the plug-in resumes VP 0, which is the outside\n");
}

TEST_P(vms_outside, a_handler_that_throws) {
    EXPECT_EQ(line_of_failing_post([](sg_vp *) { throw std::runtime_error("no file"); }),
              "saguaro: bare: the handler threw at VP 0, which waits for a test: "
              "std::runtime_error: no file\n");
}

// By a VP of another instance, which is a core there, and by one of this instance.
TEST_P(vms_outside, by_vps) {
    counted events;
    EXPECT_EQ(run([&](sg_vp *me) {
                  sg_vms_hold(me->instance);
                  sg_vms_hold(me->instance);
                  EXPECT_EQ(run([&, in = me->instance](sg_vp *) {
                                EXPECT_EQ(post(in, [&](sg_vp *) { events.give(); }), 0);
                            }),
                            0);
                  EXPECT_EQ(post(me->instance, [&](sg_vp *) { events.give(); }), 0);
                  EXPECT_EQ(sg_vms_self(), me);
                  events.take(me);
                  events.take(me);
              }),
              0);
}

TEST_P(vms_outside, inside_a_handler) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(run([&](sg_vp *me) {
                  sg_vms_hold(me->instance);
                  tell(me, [](sg_vp *v) {
                      EXPECT_EQ(post(v->instance, [](sg_vp *) {}), EPROTO);
                      EXPECT_EQ(post(v->instance, [](sg_vp *) {}), EPROTO); // without a hold
                  });
              }),
              EPROTO);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "saguaro: bare: the plug-in calls sg_vms_post inside a handler or a scheduler\n");
}

// The one inside takes none of the holds, of which there is one, for the other.
TEST_P(vms_outside, inside_the_handler_of_another_post) {
    EXPECT_EQ(
        line_of_failing_post([](sg_vp *outside) {
            EXPECT_EQ(post(outside->instance, [](sg_vp *) {}), EPROTO);
        }).find("saguaro: bare: the plug-in calls sg_vms_post inside a handler or a scheduler\n"),
        0U);
}

INSTANTIATE_TEST_SUITE_P(, vms_outside,
                         testing::Combine(testing::Values(1U, 2U, 8U), testing::Bool()));

TEST(vms_outside_death, wrong_calls) {
    test::use_threadsafe_style();
    int request = 0;
    const auto aborts = testing::KilledBySignal(SIGABRT);
    const auto one = [](auto does) { run_bare(with_cores(1), [&](sg_vp *me) { does(me); }); };
    EXPECT_EXIT(one([](sg_vp *me) { post(me->instance, [](sg_vp *) {}); }), aborts,
                "saguaro: bare: sg_vms_post was called without a hold for that .sg_vms_hold.");
    EXPECT_EXIT(sg_vms_post(nullptr, &request), aborts, "sg_vms_post was given a null instance");
    EXPECT_EXIT(one([](sg_vp *me) { sg_vms_post(me->instance, nullptr); }), aborts,
                "sg_vms_post was given a null request");
}

#if !SG_ADDRESS_SANITIZER && !SG_THREAD_SANITIZER && !defined(SG_TEST_EMULATED)
// The hold is taken all the same: the post that it announces finds it.
TEST(vms_outside_death, a_hold_without_memory) {
    test::use_threadsafe_style();
    const auto holds = [](sg_vp *me) {
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        rlimit before;
        getrlimit(RLIMIT_AS, &before);
        const rlimit little{pages * 4096 + (std::size_t{16} << 20), before.rlim_max};
        setrlimit(RLIMIT_AS, &little);
        sg_vms_hold(me->instance);
        setrlimit(RLIMIT_AS, &before);
        int request = 0;
        if (sg_vms_post(me->instance, &request) != ECANCELED)
            std::exit(1);
    };
    const auto run_large = [&] {
        sg_vms_plugin large = bare_plugin;
        large.vp_bytes = std::size_t{80} << 20; // more than malloc may have in reserve
        bare state;
        sg_vms_options one{};
        one.cores = 1;
        const vp_code code = holds;
        std::exit(sg_vms_run(&large, &state, &one, run_code, const_cast<vp_code *>(&code)));
    };
    EXPECT_EXIT(run_large(), testing::ExitedWithCode(ENOMEM),
                "^saguaro: bare: no memory for requests from outside\n$");
}
#endif

} // namespace

} // namespace saguaro::vms
