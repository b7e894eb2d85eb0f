// SPDX-License-Identifier: MIT
// C clones that are robbed on an emulated machine with several nodes, where each worker is on a
// node of its own: what a steal makes comes from the pools, and goes back there.
#include "numa/emulated.hpp"

#include "jobs.hpp"

#include "saguaro/saguaro.hpp"

#include <atomic>

SG_BEFORE_CASES(emulated::install)

namespace saguaro::test {
namespace {

// Each thread on a node of its own, as it comes.
int processor_of_thread() {
    static std::atomic<int> threads{0};
    thread_local const int mine = threads++ % 2 == 0 ? 0 : 2;
    return mine;
}

class nodes : public testing::Test {
protected:
    nodes() { numa::calls.current_cpu = processor_of_thread; }

    job_maker jobs;
};

// The thief makes the frame, the child and the parcel; whoever ends last frees them.
TEST_F(nodes, full_frames_and_parcels_go_home) {
    job *const child = jobs.make(1);
    job *const parent = jobs.make(1000, {{job_inlet, child}});
    const hooked_jobs workers(2, [&](job_point point, const job *j, int, int) {
        if (point == job_at_start && j == child)
            EXPECT_TRUE(force_steal());
    });
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(run([&] { return job_run(parent); }), 1001);
    EXPECT_EQ(saguaro::stats().steals, 3u);
}

// The caller of a robbed function saves its own frame.
TEST_F(nodes, frames_of_callers_go_home) {
    job *const child = jobs.make(1);
    job *const callee = jobs.make(20, {{job_inlet, child}});
    job *const caller = jobs.make(1000, {{job_call, callee}});
    const hooked_jobs workers(2, [&](job_point point, const job *j, int, int) {
        if (point == job_at_start && j == child)
            EXPECT_TRUE(force_steal());
    });
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(run([&] { return job_run(caller); }), 1021);
    EXPECT_EQ(saguaro::stats().full_frames, 6u); // two each time
}

} // namespace
} // namespace saguaro::test
