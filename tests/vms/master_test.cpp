// SPDX-License-Identifier: MIT
// Tests of what plug-ins and programs may rely on: states, order, places, memory.
#include "platform/lent_threads.hpp"
#include "support/rounding.hpp"
#include "vms/bare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

namespace saguaro::vms {
namespace {

class vms_on : public testing::TestWithParam<std::tuple<unsigned, unsigned>> {
protected:
    unsigned cores() const { return std::get<0>(GetParam()); }
    sg_vms_options options() const { return with_cores(cores(), std::get<1>(GetParam())); }
};

// More cores than the machine has are to work as well.
INSTANTIATE_TEST_SUITE_P(cores_and_slots, vms_on,
                         testing::Values(std::tuple(1U, 1U), std::tuple(1U, 5U), std::tuple(2U, 1U),
                                         std::tuple(2U, 5U), std::tuple(4U, 1U),
                                         std::tuple(4U, 31U)));

TEST_P(vms_on, run_returns_when_all_vps_have_ended) {
    std::atomic<int> ended{0};
    const vp_code leaf = [&](sg_vp *me) {
        for (int i = 0; i < 3; ++i)
            pause(me);
        ++ended;
    };
    EXPECT_EQ(0, run_bare(options(), [&](sg_vp *me) {
                  for (int i = 0; i < 50; ++i)
                      make(me, leaf);
              }));
    EXPECT_EQ(50, ended);
}

TEST_P(vms_on, its_threads_are_kept_for_the_next_run) {
    platform::end_resting_threads();
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(0, run_bare(options(), [](sg_vp *) {}));
        EXPECT_EQ(platform::resting_threads(), cores());
    }
}

TEST_P(vms_on, request_gives_the_answer) {
    static int there;
    EXPECT_EQ(0, run_bare(options(), [](sg_vp *me) {
                  EXPECT_EQ(&there, ask(me, [](sg_vp *v) {
                      v->answer = &there;
                      sg_vms_resume(v);
                  }));
                  EXPECT_EQ(nullptr, tell(me, [](sg_vp *v) { v->answer = nullptr; }));
              }));
}

TEST_P(vms_on, handlers_never_overlap) {
    std::uint64_t count = 0; // not atomic: the handlers' alone
    std::uint64_t time = 0;
    const vp_code leaf = [&](sg_vp *me) {
        for (int i = 0; i < 200; ++i)
            ask(me, [&](sg_vp *v) {
                ++count;
                EXPECT_LT(time, sg_vms_time(v->instance));
                time = sg_vms_time(v->instance);
                sg_vms_resume(v);
            });
    };
    EXPECT_EQ(0, run_bare(options(), [&](sg_vp *me) {
                  for (int i = 0; i < 8; ++i)
                      make(me, leaf);
              }));
    EXPECT_EQ(8U * 200, count);
}

TEST_P(vms_on, place_is_kept) {
    const unsigned most = cores();
    std::vector<std::thread::id> threads(most);
    const vp_code leaf = [&](sg_vp *me) {
        for (int i = 0; i < 20; ++i) {
            ASSERT_EQ(me->place, self_of(me).on->number);
            if (i == 0)
                threads[me->place] = std::this_thread::get_id();
            EXPECT_EQ(threads[me->place], std::this_thread::get_id());
            pause(me);
        }
    };
    EXPECT_EQ(0, run_bare(options(), [&](sg_vp *me) {
                  for (unsigned i = 0; i < most; ++i)
                      make(me, leaf, i);
              }));
    EXPECT_EQ(most, std::set<std::thread::id>(threads.begin(), threads.end()).size());
}

// It must have been left on the one core before it goes on on the other, which only waits for it.
TEST_P(vms_on, vp_goes_from_core_to_core) {
    const vp_code travels = [&](sg_vp *me) {
        for (unsigned i = 0; i < 200; ++i) {
            me->place = i % cores();
            pause(me);
            ASSERT_EQ(i % cores(), self_of(me).on->number);
        }
    };
    EXPECT_EQ(0, run_bare(options(), [&](sg_vp *me) { make(me, travels); }));
}

// Two VPs that wait for each other outside the Master are both animated, if there are two cores.
TEST_P(vms_on, cores_that_wait_get_what_is_ready) {
    if (cores() < 2)
        GTEST_SKIP() << "one core";
    std::atomic<bool> here{false}, there{false};
    const vp_code leaf = [&](sg_vp *) {
        there = true;
        while (!here)
            std::this_thread::yield();
    };
    EXPECT_EQ(0, run_bare(options(), [&](sg_vp *me) {
                  make(me, leaf);
                  while (!there)
                      std::this_thread::yield();
                  here = true;
              }));
}

// A core with many slots takes one VP as long as others wait: two that wait for each other outside
// the Master are never behind one another in its slots.
TEST(vms_master, what_becomes_ready_at_once_is_shared_with_cores_that_wait) {
    std::atomic<int> here{0};
    std::atomic<bool> met{true};
    const vp_code meets = [&](sg_vp *) {
        ++here;
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (here < 2 && met) {
            met = std::chrono::steady_clock::now() < deadline;
            std::this_thread::yield();
        }
    };
    // The second core waits since the beginning.
    EXPECT_EQ(0, run_bare(with_cores(2, 5), [&](sg_vp *me) {
                  ask(me, [&](sg_vp *v) {
                      for (int i = 0; i < 2; ++i)
                          sg_vms_resume(
                              sg_vms_create(v->instance, run_code, const_cast<vp_code *>(&meets)));
                      sg_vms_resume(v);
                  });
              }));
    EXPECT_TRUE(met);
}

// What the paper's section 3.2 promises; ThreadSanitizer looks at it as well.
TEST_P(vms_on, what_was_before_a_tied_point_is_visible_after_the_other) {
    constexpr int rounds = 100;
    int datum = 0; // not atomic
    sg_vp *waiting = nullptr;
    const auto meet = [&](sg_vp *v) {
        if (waiting == nullptr) {
            waiting = v;
        } else {
            sg_vms_resume(std::exchange(waiting, nullptr));
            sg_vms_resume(v);
        }
    };
    const vp_code other = [&](sg_vp *me) {
        for (int i = 1; i <= rounds; ++i) {
            ask(me, meet);
            EXPECT_EQ(2 * i - 1, datum);
            datum = 2 * i;
            ask(me, meet);
        }
    };
    EXPECT_EQ(0, run_bare(options(), [&](sg_vp *me) {
                  make(me, other, cores() - 1);
                  for (int i = 1; i <= rounds; ++i) {
                      datum = 2 * i - 1;
                      ask(me, meet);
                      ask(me, meet);
                      EXPECT_EQ(2 * i, datum);
                  }
              }));
}

// Handlers are the VP's, whoever runs on its core meanwhile, and wherever it goes on.
TEST_P(vms_on, request_in_a_handler) {
    std::atomic<int> right{0};
    const vp_code leaf = [&](sg_vp *me) {
        const auto mine = static_cast<int>(me->number);
        try {
            throw mine;
        } catch (int) {
            for (int i = 0; i < 3; ++i)
                pause(me);
            try {
                throw; // what is being handled
            } catch (int what) {
                right += what == mine;
            }
        }
    };
    EXPECT_EQ(0, run_bare(options(), [&](sg_vp *me) {
                  for (int i = 0; i < 20; ++i)
                      make(me, leaf);
              }));
    EXPECT_EQ(20, right);
}

// Each sets another rounding mode than the caller's, and finds it after others have run. The
// handlers have the caller's.
TEST_P(vms_on, each_vp_keeps_its_rounding) {
    const test::rounding callers(FE_UPWARD);
    std::atomic<int> wrong{0};
    const auto expect_mode = [&](int mode) { wrong += test::rounds(mode) ? 0 : 1; };
    const vp_code leaf = [&](sg_vp *me) {
        expect_mode(FE_UPWARD);
        const int mine = me->number % 2 == 0 ? FE_DOWNWARD : FE_UPWARD;
        std::fesetround(mine);
        for (int k = 0; k < 5; ++k) {
            ask(me, [&](sg_vp *v) {
                expect_mode(FE_UPWARD);
                sg_vms_resume(v);
            });
            expect_mode(mine);
        }
        std::fesetround(FE_TONEAREST); // as it is left at the end
    };
    EXPECT_EQ(0, run_bare(options(), [&](sg_vp *me) {
                  for (int i = 0; i < 20; ++i)
                      make(me, leaf);
              }));
    EXPECT_EQ(wrong, 0);
    EXPECT_TRUE(test::rounds(FE_UPWARD));
}

TEST_P(vms_on, stacks_are_used_again) {
    const vp_code nothing = [](sg_vp *) {};
    std::size_t stacks = 0;
    EXPECT_EQ(0, run_bare(options(), [&](sg_vp *me) {
                  for (int i = 0; i < 300; ++i) {
                      make(me, nothing);
                      pause(me);
                  }
                  stacks = instance_of_vp(me).stack_pool.most_out();
              }));
    // One that runs and one that is kept for each core, and the first VP's; the cores may lag
    // behind.
    EXPECT_LE(stacks, std::size_t{cores()} * 64 + 3);
    if (cores() == 1)
        EXPECT_LE(stacks, 3U);
}

// How many VPs have not ended.
std::size_t live_vps(sg_vp *me) {
    std::size_t live = 0;
    tell(me, [&](sg_vp *v) { live = instance_of_vp(v).live; });
    return live;
}

TEST_P(vms_on, stacks_pass_from_one_instance_to_the_next) {
    std::atomic<std::size_t> had{0};
    const vp_code waits = [](sg_vp *me) { pause(me); };
    EXPECT_EQ(0, run_bare(options(), [&](sg_vp *me) {
                  for (int i = 0; i < 20; ++i)
                      make(me, waits);
                  pause(me);
                  had = instance_of_vp(me).stack_pool.mapped();
              }));
    std::size_t found = 0;
    EXPECT_EQ(
        0, run_bare(options(), [&](sg_vp *me) { found = instance_of_vp(me).stack_pool.mapped(); }));
    EXPECT_GT(had, 2U);
    EXPECT_GT(found, 2U); // of each that rests there are 16 MB of addresses
}

// A core that has run many VPs at once, and sleeps, has left their stacks to the others.
TEST(vms_master, cores_that_sleep_keep_no_stacks) {
    constexpr unsigned many = 20;
    const vp_code waits = [](sg_vp *me) { pause(me); };
    std::size_t stacks = 0;
    EXPECT_EQ(0, run_bare(with_cores(2), [&](sg_vp *me) {
                  me->place = 0;
                  pause(me);
                  const auto run_many_on = [&](unsigned place) {
                      for (unsigned i = 0; i < many; ++i)
                          make(me, waits, place);
                      const core &other = *instance_of_vp(me).cores[1];
                      while (live_vps(me) > 1)
                          pause(me);
                      while (other.wake != sleeps)
                          std::this_thread::yield();
                  };
                  run_many_on(1);
                  run_many_on(0);
                  stacks = instance_of_vp(me).stack_pool.most_out();
              }));
    EXPECT_GE(stacks, many);
    EXPECT_LE(stacks, many + 10);
}

TEST(vms_master, several_instances_at_once) {
    std::vector<std::thread> programs;
    std::atomic<int> sum{0};
    for (int p = 0; p < 4; ++p)
        programs.emplace_back([&] {
            const vp_code leaf = [&](sg_vp *me) {
                for (int i = 0; i < 100; ++i)
                    pause(me);
                ++sum;
            };
            EXPECT_EQ(0, run_bare(with_cores(2), [&](sg_vp *me) {
                          for (int i = 0; i < 10; ++i)
                              make(me, leaf);
                      }));
        });
    for (std::thread &each : programs)
        each.join();
    EXPECT_EQ(40, sum);
}

TEST(vms_master, instance_inside_an_instance) {
    int inside = 0;
    EXPECT_EQ(0, run_bare(with_cores(2), [&](sg_vp *outer) {
                  EXPECT_EQ(0, run_bare(with_cores(2), [&](sg_vp *me) {
                                EXPECT_EQ(me, sg_vms_self());
                                pause(me);
                                inside = 1;
                            }));
                  EXPECT_EQ(outer, sg_vms_self());
                  pause(outer);
              }));
    EXPECT_EQ(1, inside);
}

TEST(vms_master, self_is_the_vp_that_calls_and_nobody_in_handlers) {
    EXPECT_EQ(nullptr, sg_vms_self());
    EXPECT_EQ(0, run_bare(with_cores(1), [](sg_vp *me) {
                  EXPECT_EQ(me, sg_vms_self());
                  tell(me, [](sg_vp *) { EXPECT_EQ(nullptr, sg_vms_self()); });
                  EXPECT_EQ(me, sg_vms_self());
              }));
    EXPECT_EQ(nullptr, sg_vms_self());
}

TEST(vms_master, send_is_handled_before_it_returns) {
    EXPECT_EQ(0, run_bare(with_cores(1), [](sg_vp *me) {
                  bool handled = false;
                  tell(me, [&](sg_vp *v) {
                      handled = true;
                      EXPECT_EQ(vp_state::animated, self_of(v).state);
                  });
                  EXPECT_TRUE(handled);
              }));
}

// Collects the order in which VPs run that all became ready in one handler.
std::vector<int> order_of(int vps, const std::function<void(int, sg_vp *)> &resume,
                          bare state = {}) {
    std::vector<int> order;
    std::vector<vp_code> codes;
    for (int i = 0; i < vps; ++i)
        codes.emplace_back([&order, i](sg_vp *) { order.push_back(i); });
    EXPECT_EQ(0, run_bare(
                     with_cores(1),
                     [&](sg_vp *me) {
                         tell(me, [&](sg_vp *v) {
                             for (int i = 0; i < vps; ++i)
                                 resume(i, sg_vms_create(v->instance, run_code,
                                                         &codes[static_cast<std::size_t>(i)]));
                         });
                     },
                     std::move(state)));
    return order;
}

TEST(vms_master, first_come_first_served) {
    EXPECT_EQ((std::vector<int>{0, 1, 2, 3}), order_of(4, [](int, sg_vp *v) { sg_vms_resume(v); }));
    // With and without a place.
    EXPECT_EQ((std::vector<int>{0, 1, 2, 3}), order_of(4, [](int i, sg_vp *v) {
                  v->place = i % 2 == 0 ? SG_VMS_ANYWHERE : 0;
                  sg_vms_resume(v);
              }));
}

TEST(vms_master, resumed_first_comes_first) {
    EXPECT_EQ((std::vector<int>{3, 1, 0, 2}), order_of(4, [](int i, sg_vp *v) {
                  if (i % 2 != 0)
                      sg_vms_resume_first(v);
                  else
                      sg_vms_resume(v);
              }));
}

// Also among two queues: of the one place, and of no place.
TEST(vms_master, resumed_first_comes_before_those_that_have_another_place) {
    const auto order_with = [](unsigned place_of_last, unsigned place_of_others) {
        return order_of(3, [=](int i, sg_vp *v) {
            v->place = i == 2 ? place_of_last : place_of_others;
            if (i == 2)
                sg_vms_resume_first(v);
            else
                sg_vms_resume(v);
        });
    };
    EXPECT_EQ((std::vector<int>{2, 0, 1}), order_with(0, SG_VMS_ANYWHERE));
    EXPECT_EQ((std::vector<int>{2, 0, 1}), order_with(SG_VMS_ANYWHERE, 0));
}

TEST(vms_master, scheduler_may_choose_any_that_is_ready) {
    bare state;
    state.scheduler = [](sg_vms *in, unsigned) {
        sg_vp *last = nullptr;
        for (sg_vp *v = sg_vms_first_ready(in, SG_VMS_ANYWHERE); v != nullptr;
             v = sg_vms_next_ready(v))
            last = v;
        return last;
    };
    EXPECT_EQ((std::vector<int>{3, 2, 1, 0}),
              order_of(4, [](int, sg_vp *v) { sg_vms_resume(v); }, state));
}

TEST(vms_master, handler_hears_of_vps_that_return) {
    std::vector<std::uint64_t> returned;
    bare state;
    state.when_returned = [&](sg_vp *v) { returned.push_back(v->number); };
    const vp_code nothing = [](sg_vp *) {};
    EXPECT_EQ(0, run_bare(
                     with_cores(1),
                     [&](sg_vp *me) {
                         make(me, nothing);
                         pause(me);
                     },
                     state));
    EXPECT_EQ((std::vector<std::uint64_t>{2, 1}), returned);
}

TEST(vms_master, dissipated_vps_are_known_to_be) {
    EXPECT_EQ(0, run_bare(with_cores(1), [](sg_vp *me) {
                  bool went_on = false;
                  const vp_code blocks = [&](sg_vp *v) {
                      ask(v, [](sg_vp *) {});
                      went_on = true;
                  };
                  sg_vp *const other = make(me, blocks);
                  EXPECT_TRUE(sg_vms_is_live(other));
                  pause(me);
                  tell(me, [&](sg_vp *) { sg_vms_dissipate(other); });
                  EXPECT_FALSE(sg_vms_is_live(other));
                  // Others do not take its place at once.
                  const vp_code nothing = [](sg_vp *) {};
                  for (int i = 0; i < 1000; ++i) {
                      EXPECT_NE(other, make(me, nothing));
                      pause(me);
                  }
                  EXPECT_FALSE(sg_vms_is_live(other));
                  EXPECT_FALSE(went_on);
              }));
}

// Whoever it is that dissipates them.
TEST(vms_master, stacks_of_dissipated_vps_are_used_again) {
    const vp_code blocks = [](sg_vp *v) { ask(v, [](sg_vp *) {}); };
    const vp_code ends = [](sg_vp *v) { ask(v, sg_vms_dissipate); };
    std::size_t stacks = 0;
    EXPECT_EQ(0, run_bare(with_cores(1), [&](sg_vp *me) {
                  for (int i = 0; i < 300; ++i) {
                      sg_vp *const other = make(me, blocks);
                      make(me, ends);
                      pause(me);
                      tell(me, [&](sg_vp *) { sg_vms_dissipate(other); });
                  }
                  stacks = instance_of_vp(me).stack_pool.most_out();
              }));
    // Of the first VP, of the two others, and a spare one.
    EXPECT_LE(stacks, 4U);
}

TEST(vms_master, vp_may_dissipate_itself) {
    bool went_on = false;
    const vp_code ends = [&](sg_vp *v) {
        ask(v, sg_vms_dissipate);
        went_on = true;
    };
    EXPECT_EQ(0, run_bare(with_cores(2), [&](sg_vp *me) {
                  for (int i = 0; i < 100; ++i)
                      make(me, ends);
              }));
    EXPECT_FALSE(went_on);
}

TEST(vms_master, plugins_bytes_are_zero_at_first) {
    std::set<sg_vp *> seen;
    bool again = false;
    const vp_code leaf = [&](sg_vp *me) {
        int &mine = *static_cast<int *>(me->data);
        EXPECT_EQ(0, mine);
        mine = 1;
        again |= !seen.insert(me).second;
    };
    EXPECT_EQ(0, run_bare(with_cores(1), [&](sg_vp *me) {
                  for (int i = 0; i < 3000; ++i) {
                      make(me, leaf);
                      pause(me);
                  }
              }));
    EXPECT_TRUE(again) << "no descriptor was used twice";
}

TEST(vms_master, memory_is_recycled_by_size) {
    EXPECT_EQ(0, run_bare(with_cores(1), [](sg_vp *me) {
                  tell(me, [](sg_vp *v) {
                      sg_vms *const in = v->instance;
                      std::vector<void *> blocks;
                      for (std::size_t bytes = 0; bytes < 5000; bytes += 7) {
                          void *const block = sg_vms_allocate(in, bytes);
                          EXPECT_EQ(0U, reinterpret_cast<std::uintptr_t>(block) % 16);
                          std::memset(block, 0xff, bytes);
                          blocks.push_back(block);
                      }
                      for (std::size_t i = 0; i < blocks.size(); i += 2)
                          sg_vms_free(in, blocks[i], i * 7);
                      // What is left of them ends with the instance: the leak check says so.
                      void *const first = sg_vms_allocate(in, 40);
                      sg_vms_free(in, first, 40);
                      EXPECT_EQ(first, sg_vms_allocate(in, 33));
                      EXPECT_NE(first, sg_vms_allocate(in, 33));
                  });
              }));
}

TEST(vms_master, options_out_of_range_are_refused) {
    const auto refusal = [](sg_vms_options options) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(EINVAL, run_bare(options, [](sg_vp *) { ADD_FAILURE() << "it ran"; }));
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(
        "saguaro: bare: SAGUARO_WORKERS=4097 is not accepted: a whole number from 1 to 4096\n",
        refusal({4097, 0, 0, nullptr}));
    EXPECT_EQ("saguaro: bare: sg_vms_options.slots is 32: at most 31\n",
              refusal({1, 32, 0, nullptr}));
    EXPECT_NE(std::string::npos, refusal({1, 1, 1000, nullptr}).find("SAGUARO_STACK_SIZE=1000"));
}

} // namespace
} // namespace saguaro::vms
