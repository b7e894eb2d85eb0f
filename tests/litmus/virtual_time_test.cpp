// SPDX-License-Identifier: MIT
// Virtual time: two VPs on two cores whose ordering points are tied. What happened before the one
// is visible after the other, and what happens after the one is not visible before the other. The
// words are relaxed and lie in cache lines of their own: only the tie orders them.
#include "litmus/race.hpp"
#include "vms/bare.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace saguaro::litmus {
namespace {

struct alignas(128) word {
    std::atomic<int> round{0};
};

using words = std::array<word, 4>;

void write(words &all, int round) {
    for (word &each : all)
        each.round.store(round, std::memory_order_relaxed);
}

// The other way round than they are written.
template <class Judge>
bool all_of(const words &all, Judge judge) {
    bool result = true;
    for (std::size_t i = all.size(); i-- > 0;)
        result = judge(all[i].round.load(std::memory_order_relaxed)) && result;
    return result;
}

TEST(virtual_time, tied_points_order_what_is_seen) {
    static words before, after; // by the first VP: before its ordering point, and after it
    static sg_vp *waiting = nullptr;
    static bool is_last = false; // the handler's
    static bool is_over = false; // written when the two meet, read by both afterwards
    const auto meet = [](sg_vp *v) {
        if (waiting == nullptr) {
            waiting = v;
        } else {
            is_over = is_last;
            sg_vms_resume(std::exchange(waiting, nullptr));
            sg_vms_resume(v);
        }
    };
    int late = 0, early = 0;
    const vms::vp_code second = [&](sg_vp *me) {
        for (int round = 1; !is_over; ++round) {
            early += !all_of(after, [=](int seen) { return seen < round; });
            vms::ask(me, meet);
            late += !all_of(before, [=](int seen) { return seen >= round; });
        }
    };
    int rounds = 0;
    EXPECT_EQ(0, vms::run_bare(vms::with_cores(2), [&](sg_vp *me) {
                  vms::make(me, second, 1);
                  vms::ask(me, [](sg_vp *v) {
                      v->place = 0;
                      sg_vms_resume(v);
                  });
                  const auto end =
                      platform::now_ns() + std::chrono::nanoseconds(usual_time).count();
                  while (!is_over) {
                      write(before, ++rounds);
                      const bool is_late = platform::now_ns() > end;
                      vms::ask(me, [&](sg_vp *v) {
                          is_last = is_late;
                          meet(v);
                      });
                      write(after, rounds);
                  }
              }));
    EXPECT_EQ(0, late) << "written before the first point, not seen after the second";
    EXPECT_EQ(0, early) << "written after the first point, seen before the second";
    EXPECT_GT(rounds, 10);
}

} // namespace
} // namespace saguaro::litmus
