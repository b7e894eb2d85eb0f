// SPDX-License-Identifier: MIT
// Aborts that meet something else, by clones written by hand: a sync, an inlet that waits, an
// ordinary entry, a reduction. What is lost then is lost for good: an endless child would never
// end.
#include "jobs.hpp"

#include "saguaro/saguaro.hpp"

#include <atomic>

namespace saguaro::test {
namespace {

// A sum whose reduce calls an ordinary entry: a function of the user's, which spawns nothing.
struct sum_by_entry {
    using value_type = long;
    job *called;
    std::atomic<int> *wrong;
    std::atomic<int> *calls;

    long identity() const { return 0; }
    void reduce(long &left, long right) const {
        left += right;
        ++*calls;
        *wrong += job_run(called) != called->value;
    }
};

class abort_races : public testing::Test {
protected:
    job_maker jobs;
    job *const stopper = jobs.make_stopper(1);
    job *const endless = jobs.make_endless();
    std::atomic<int> leaves{0}, leaves_of_endless{0};
    std::atomic<int> cleaned_fast{0}, cleaned_slow{0};
    std::atomic<bool> goes_on{false};
    std::atomic<unsigned> first_worker{0};
    std::atomic<int> reductions{0}, wrong_reductions{0};

    void note(job_point point, const job *j, int i) {
        if (point == job_in_leaf) {
            ++leaves;
            leaves_of_endless += j == endless;
        }
        if (point == job_cleaned_up)
            ++(i == 0 ? cleaned_fast : cleaned_slow);
    }

    void wait_for_leaves() {
        wait_until([&] { return leaves > 10; });
    }

    void wait_for_the_first_worker() {
        wait_until([&] { return is_idle(first_worker); });
    }

    sum_by_entry summing() { return {jobs.make(5), &wrong_reductions, &reductions}; }
};

// Its child has ended without a result before it comes to the sync, where nothing waits: it must
// not go on behind that.
TEST_F(abort_races, a_sync_that_need_not_wait) {
    job *const middle = jobs.make(-5, {{job_inlet, endless}});
    job *const parent =
        jobs.make(1000, {{job_inlet, middle}, {job_abort}, {job_inlet, jobs.make(20)}});
    std::atomic<bool> at_sync{false};
    std::atomic<int> went_on{0};
    const hooked_jobs workers(3, [&](job_point point, const job *j, int i, int) {
        note(point, j, i);
        if (point == job_at_start && j == endless) {
            first_worker = me();
            EXPECT_TRUE(force_steal()); // the parent
            EXPECT_TRUE(force_steal()); // the middle
        } else if (point == job_at_step && j == middle && i == 1) {
            at_sync = true;
            wait_for_the_first_worker(); // whose endless child has arrived
            EXPECT_EQ(cleaned_fast, 1);
        } else if (point == job_at_step && j == parent && i == 1) {
            wait_for_leaves();
            wait_until([&] { return at_sync.load(); });
        } else if (point == job_synced && j == middle) {
            ++went_on;
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1020);
    EXPECT_EQ(went_on, 0);
    EXPECT_EQ(cleaned_slow, 1);
}

// The stopper ends while the function waits for a call. The pop in the callee that is asked to look
// may not run the inlet; the next spawn must.
TEST_F(abort_races, a_request_during_a_call) {
    job *const in_callee = jobs.make(100);
    job *const callee = jobs.make(10, {{job_inlet, in_callee}});
    job *const parent =
        jobs.make(1000, {{job_inlet, stopper}, {job_call, callee}, {job_inlet, endless}});
    std::atomic<bool> called{false};
    const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int) {
        note(point, j, i);
        if (point == job_at_start && j == stopper) {
            first_worker = me();
            EXPECT_TRUE(force_steal());
            wait_until([&] { return called.load(); });
        } else if (point == job_at_start && j == in_callee) {
            called = true;
            wait_for_the_first_worker();
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1111);
    EXPECT_EQ(cleaned_fast, 1);
}

// The inlet runs at a pop behind an ordinary entry and aborts the child that has called it. The pop
// may not unwind; one below the entry must.
TEST_F(abort_races, an_abort_of_the_child_from_behind_an_entry) {
    job *const in_entry = jobs.make(70);
    job *const inside = jobs.make(7, {{job_inlet, in_entry}});
    job *const caller = jobs.make(-1, {{job_enter, inside}});
    job *const child = jobs.make_endless({{job_inlet, caller}});
    job *const parent = jobs.make(1000, {{job_inlet, stopper}, {job_inlet, child}});
    std::atomic<bool> entered{false};
    std::atomic<int> inlets_before_the_end{-1}, inlet_runs{0};
    const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int) {
        note(point, j, i);
        if (point == job_at_start && j == stopper) {
            first_worker = me();
            EXPECT_TRUE(force_steal());
            wait_until([&] { return entered.load(); });
        } else if (point == job_at_start && j == in_entry) {
            entered = true;
            wait_for_the_first_worker();
        } else if (point == job_in_inlet && j == parent) {
            ++inlet_runs;
        } else if (point == job_synced && j == inside) {
            inlets_before_the_end = inlet_runs.load();
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1001);
    EXPECT_EQ(inlets_before_the_end, 1);
    EXPECT_EQ(cleaned_fast, 1);
}

// The function has called an ordinary entry before, whose first slot was that of the function's own
// frame: the child that it spawns then is not inside it.
TEST_F(abort_races, an_entry_that_has_ended) {
    job *const inside = jobs.make(7);
    job *const parent =
        jobs.make(1000, {{job_inlet, stopper}, {job_enter, inside}, {job_inlet, endless}});
    const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int) {
        note(point, j, i);
        if (point == job_at_start && j == stopper) {
            EXPECT_TRUE(force_steal());
            wait_for_leaves();
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1008);
    EXPECT_EQ(cleaned_fast, 1);
}

// The slow clone to which its child has unwound was aborted itself: its next step is not taken.
TEST_F(abort_races, a_slow_clone_below_what_unwinds) {
    job *const first = jobs.make(5);
    job *const middle =
        jobs.make(-5, {{job_inlet, first}, {job_inlet, endless}, {job_inlet, jobs.make(-7)}});
    job *const parent =
        jobs.make(1000, {{job_inlet, middle}, {job_abort}, {job_inlet, jobs.make(20)}});
    std::atomic<int> went_on{0};
    const hooked_jobs workers(3, [&](job_point point, const job *j, int i, int) {
        note(point, j, i);
        if (point == job_at_start && j == first) {
            EXPECT_TRUE(force_steal()); // the parent
            EXPECT_TRUE(force_steal()); // the middle
        } else if (point == job_at_step && j == parent && i == 1) {
            wait_for_leaves();
        } else if (point == job_at_step && j == middle && i == 2) {
            ++went_on;
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1020);
    EXPECT_EQ(went_on, 0);
    EXPECT_EQ(cleaned_fast, 1);
    EXPECT_EQ(cleaned_slow, 1);
}

// The stopper ends while a flow behind an ordinary entry unwinds, on the stack of the function that
// has called it. The unwinding ends at the entry; the function must still look.
TEST_F(abort_races, a_request_during_an_unwinding) {
    job *const inner = jobs.make_endless();
    job *const inside = jobs.make(7, {{job_inlet, inner}, {job_abort}});
    job *const parent =
        jobs.make(1000, {{job_inlet, stopper}, {job_enter, inside}, {job_inlet, endless}});
    const hooked_jobs workers(3, [&](job_point point, const job *j, int i, int) {
        note(point, j, i);
        if (point == job_at_start && j == stopper) {
            first_worker = me();
            EXPECT_TRUE(force_steal());
            wait_until([&] { return goes_on.load(); });
        } else if (point == job_at_start && j == inner) {
            EXPECT_TRUE(force_steal());
        } else if (point == job_at_step && j == inside && i == 1) {
            wait_for_leaves();
        } else if (point == job_cleaned_up && j == inner) {
            goes_on = true;
            wait_for_the_first_worker();
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1008);
    EXPECT_EQ(cleaned_fast, 2);
}

// An aborted child arrives and its views are joined: nothing unwinds where the monoid's reduce
// runs.
TEST_F(abort_races, a_reduction_behind_an_unwinding) {
    job *const parent = jobs.make(1000, {{job_inlet, endless}, {job_abort}});
    reducer<sum_by_entry> sum(summing());
    const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int) {
        note(point, j, i);
        if (point == job_at_start && j == endless) {
            ++*sum;
            EXPECT_TRUE(force_steal());
        } else if (point == job_at_step && j == parent && i == 1) {
            *sum += 10;
            wait_for_leaves();
        } else if (point == job_cleaned_up && i == 0) {
            wait_for_the_thief(); // the parent is at its sync
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1000);
    EXPECT_EQ(sum.get(), 11);
    EXPECT_EQ(reductions, 1);
    EXPECT_EQ(wrong_reductions, 0);
}

// The same where a child was taken on its way, and has ended when the stack has unwound to its
// parent.
TEST_F(abort_races, a_reduction_behind_a_child_that_has_ended) {
    job *const leaf = jobs.make(100);
    job *const middle = jobs.make(10, {{job_inlet, leaf}});
    job *const parent = jobs.make(1000, {{job_inlet, middle}});
    reducer<sum_by_entry> sum(summing());
    std::atomic<unsigned> middles_worker{0}, parents_worker{0};
    const hooked_jobs workers(3, [&](job_point point, const job *j, int i, int) {
        if (point == job_at_start && j == leaf) {
            ++*sum;
            EXPECT_TRUE(force_steal()); // the parent
            EXPECT_TRUE(force_steal()); // the middle
        } else if (point == job_at_step && j == parent && i == 1) {
            *sum += 10;
            parents_worker = me();
        } else if (point == job_at_step && j == middle && i == 1) {
            middles_worker = me();
            wait_until([&] { return goes_on.load(); });
        } else if (point == job_gone && j == middle) {
            goes_on = true;
            wait_until([&] { return is_idle(middles_worker) && is_idle(parents_worker); });
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1110);
    EXPECT_EQ(sum.get(), 11);
    EXPECT_EQ(reductions, 1);
    EXPECT_EQ(wrong_reductions, 0);
}

} // namespace
} // namespace saguaro::test
