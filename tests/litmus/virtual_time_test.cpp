// SPDX-License-Identifier: MIT
// Virtual time: two VPs on two cores whose ordering points are tied. What happened before the one
// is visible after the other, and what happens after the one is not visible before the other.
//
// The words are plain ints, so that only the tie orders them, and those of two rounds are apart, so
// that with the tie nobody reads what another may be writing. Breaks that were seen to fail, under
// ThreadSanitizer: a relaxed exchange in vms::wake, relaxed loads of the wake word in vms::wait, a
// relaxed store in spin_lock::unlock. By what is read they fail only where the processor reorders
// stores or loads among themselves, which x86 does not, nor an emulator on it; that a tie which is
// none is seen there as well is the second test.
#include "litmus/race.hpp"
#include "vms/bare.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace saguaro::litmus {
namespace {

template <class Int>
struct alignas(128) round_word {
    Int round{0};
};

template <class Int>
using words = std::array<round_word<Int>, 4>;

template <class Int>
void write(words<Int> &all, int round) {
    for (round_word<Int> &each : all)
        each.round = round;
}

// The other way round than they are written.
template <class Int, class Judge>
bool all_of(const words<Int> &all, Judge judge) {
    bool result = true;
    for (std::size_t i = all.size(); i-- > 0;)
        result = judge(all[i].round) && result;
    return result;
}

// What was seen in how many rounds.
struct findings {
    int rounds = 0;
    int late = 0;  // written before the first point, not seen after the second
    int early = 0; // written after the first point, seen before the second
};

// The VPs wait for each other at their points if they are tied.
template <class Int>
findings two_vps(bool are_tied) {
    words<Int> before[2], after[2]; // the first VP's point; by the round, modulo 2
    Int is_over{0};                 // written when the two meet, read by both afterwards
    sg_vp *waiting = nullptr;
    bool is_last = false; // the handler's
    const auto meet = [&](sg_vp *v) {
        if (!are_tied) {
            is_over = is_last;
            sg_vms_resume(v);
        } else if (waiting == nullptr) {
            waiting = v;
        } else {
            is_over = is_last;
            sg_vms_resume(std::exchange(waiting, nullptr));
            sg_vms_resume(v);
        }
    };
    findings found;
    const vms::vp_code second = [&](sg_vp *me) {
        for (int round = 1; is_over == 0; ++round) {
            found.early += !all_of(after[round % 2], [=](int seen) { return seen < round; });
            vms::ask(me, meet);
            found.late += !all_of(before[round % 2], [=](int seen) { return seen >= round; });
        }
    };
    EXPECT_EQ(0, vms::run_bare(vms::with_cores(2), [&](sg_vp *me) {
                  vms::make(me, second, 1);
                  vms::ask(me, [](sg_vp *v) {
                      v->place = 0;
                      sg_vms_resume(v);
                  });
                  const auto end =
                      platform::now_ns() + std::chrono::nanoseconds(usual_time).count();
                  while (is_over == 0) {
                      const int round = ++found.rounds;
                      write(before[round % 2], round);
                      const bool is_late = platform::now_ns() > end && round > 10;
                      vms::ask(me, [&](sg_vp *v) {
                          is_last = is_late;
                          meet(v);
                      });
                      write(after[round % 2], round);
                  }
              }));
    return found;
}

TEST(virtual_time, tied_points_order_what_is_seen) {
    const findings found = two_vps<int>(true);
    EXPECT_EQ(0, found.late);
    EXPECT_EQ(0, found.early);
    EXPECT_GT(found.rounds, 10);
}

// Without it a clean run would say nothing.
TEST(virtual_time, untied_points_do_not) {
    const findings found = two_vps<std::atomic<int>>(false);
    EXPECT_GT(found.late + found.early, 0) << "this harness finds nothing";
}

} // namespace
} // namespace saguaro::litmus
