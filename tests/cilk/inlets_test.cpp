// SPDX-License-Identifier: MIT
// Inlets, by clones written by hand: a child ends while its parent runs, is suspended at a sync or
// at a call, is in another spawn, waits to be gone on with; two end at once. The clones themselves
// end the program when an inlet runs beside its function or another inlet.
#include "jobs.hpp"
#include "support/effort.hpp"

#include "saguaro/saguaro.hpp"

#include <random>

namespace saguaro::test {
namespace {

// The parent spawns `first`, which is robbed at its start, then does the rest.
class inlets : public testing::Test {
protected:
    job_maker jobs;
    job *const first = jobs.make(1);
    std::atomic<int> inlet_runs{0};
    std::atomic<unsigned> child_worker{99}, inlet_worker{98};
    std::atomic<bool> goes_on{false}; // the parent, behind the spawn of `first`

    // What all hooks do.
    void note(job_point point, int i) {
        if (point == job_in_inlet) {
            if (i == 0)
                inlet_worker = me();
            ++inlet_runs;
        }
    }

    void let_be_robbed_in(const job *which, job_point point, const job *j) {
        if (point == job_at_start && j == which) {
            child_worker = me();
            EXPECT_TRUE(force_steal());
        }
    }

    // The child `first` is robbed, and ends when its parent is behind the spawn.
    void end_while_the_parent_runs(job_point point, const job *j, const job *parent, int i) {
        let_be_robbed_in(first, point, j);
        if (point == job_at_start && j == first)
            wait_until([&] { return goes_on.load(); });
        else if (point == job_at_step && j == parent && i == 1)
            goes_on = true;
    }
};

TEST_F(inlets, are_calls_when_nobody_steals) {
    job *const parent = jobs.make(1000, {{job_inlet, first}, {job_inlet, jobs.make(20)}});
    const hooked_jobs workers(2, [&](job_point point, const job *, int i, int synched) {
        note(point, i);
        if (point == job_in_inlet)
            EXPECT_EQ(synched, 1);
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1021);
    EXPECT_EQ(inlet_runs, 2);
    EXPECT_EQ(saguaro::stats().steals, 0u);
}

// The child ends while its parent is between two spawns: the parent runs the inlet at its next.
TEST_F(inlets, wait_while_the_function_runs) {
    job *const parent =
        jobs.make(1000, {{job_inlet, first}, {job_inlet, jobs.make(20)}, {job_sync}});
    std::atomic<int> before_spawn{-1}, behind_spawn{-1};
    const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int) {
        note(point, i);
        end_while_the_parent_runs(point, j, parent, i);
        if (point == job_at_step && j == parent && i == 1) {
            wait_for_the_thief(); // whose name, to us, is the child's worker
            before_spawn = inlet_runs.load();
        } else if (point == job_at_step && j == parent && i == 2) {
            behind_spawn = inlet_runs.load();
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1021);
    EXPECT_EQ(before_spawn, 0);
    EXPECT_EQ(behind_spawn, 2);
    EXPECT_NE(child_worker, inlet_worker);
}

// The child ends while its parent is between its last spawn and the sync.
TEST_F(inlets, run_at_the_sync) {
    job *const parent = jobs.make(1000, {{job_inlet, first}});
    const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int) {
        note(point, i);
        end_while_the_parent_runs(point, j, parent, i);
        if (point == job_at_step && j == parent && i == 1) {
            wait_for_the_thief();
            EXPECT_EQ(inlet_runs, 0);
        } else if (point == job_synced && j == parent) {
            EXPECT_EQ(inlet_runs, 1);
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1001);
    EXPECT_NE(child_worker, inlet_worker);
}

// The child has ended and its inlet waits for the parent, which is not synched before it has run.
TEST_F(inlets, that_wait_keep_the_function_from_being_synched) {
    job *const parent = jobs.make(1000, {{job_inlet, first}, {job_enter, jobs.make(300)}});
    const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int synched) {
        note(point, i);
        end_while_the_parent_runs(point, j, parent, i);
        if (point != job_at_step || j != parent)
            return;
        if (i == 1)
            wait_for_the_thief();
        else if (i == 2)
            EXPECT_EQ(synched, 0);
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1301);
    EXPECT_EQ(inlet_runs, 1);
}

// Two children end while their parent runs, the second one before the first.
TEST_F(inlets, that_wait_run_in_the_order_of_the_ends) {
    job *const second = jobs.make(10);
    job *const parent = jobs.make(1000, {{job_inlet, first}, {job_inlet, second}});
    std::atomic<unsigned> worker_of_first{0}, worker_of_second{0};
    std::atomic<bool> second_may_end{false}, first_may_end{false};
    std::vector<int> order;
    const hooked_jobs workers(3, [&](job_point point, const job *j, int i, int) {
        if (point == job_at_start && j == first) {
            worker_of_first = me();
            EXPECT_TRUE(force_steal());
            wait_until([&] { return first_may_end.load(); });
        } else if (point == job_at_start && j == second) {
            worker_of_second = me();
            EXPECT_TRUE(force_steal());
            wait_until([&] { return second_may_end.load(); });
        } else if (point == job_at_step && j == parent && i == 2) {
            second_may_end = true;
            wait_until([&] { return is_idle(worker_of_second); });
            first_may_end = true;
            wait_until([&] { return is_idle(worker_of_first); });
            EXPECT_TRUE(order.empty());
        } else if (point == job_in_inlet && j == parent) {
            order.push_back(i);
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1011);
    EXPECT_EQ(order, (std::vector<int>{1, 0}));
}

// The parent waits at its sync: the child's worker runs the inlet, and goes on with the parent.
TEST_F(inlets, run_where_the_child_ends_when_the_function_is_at_its_sync) {
    job *const parent = jobs.make(1000, {{job_inlet, first}});
    const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int synched) {
        note(point, i);
        end_while_the_parent_runs(point, j, parent, i);
        if (point == job_at_start && j == first)
            wait_for_the_thief(); // the parent is at its sync
        else if (point == job_in_inlet)
            EXPECT_EQ(synched, 1); // there is no other child
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1001);
    EXPECT_EQ(child_worker, inlet_worker);
}

// The parent has called a function that was taken, and waits for it.
TEST_F(inlets, run_where_the_child_ends_when_the_function_waits_for_a_call) {
    job *const in_callee = jobs.make(100);
    job *const callee = jobs.make(10, {{job_inlet, in_callee}});
    job *const parent = jobs.make(1000, {{job_inlet, first}, {job_call, callee}});
    std::atomic<bool> callee_runs{false}, first_ended{false};
    // Worker A begins; B takes the parent, calls; C takes the callee.
    const hooked_jobs workers(3, [&](job_point point, const job *j, int i, int) {
        if (point == job_in_inlet && j == parent)
            note(point, i);
        let_be_robbed_in(first, point, j);
        if (point == job_at_start && j == first) {
            wait_until([&] { return callee_runs.load(); });
            // B has saved the parent, and looks for work.
            wait_until([] {
                unsigned idle = 0;
                for (unsigned w = 0; w < 3; ++w)
                    idle += is_idle(w);
                return idle == 1;
            });
        } else if (point == job_at_start && j == in_callee) {
            EXPECT_TRUE(force_steal());
        } else if (point == job_behind_inlet && j == parent) {
            first_ended = true;
        } else if (point == job_at_step && j == callee && i == 1) {
            callee_runs = true;
            wait_until([&] { return first_ended.load(); });
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1111);
    EXPECT_EQ(child_worker, inlet_worker);
}

// The parent is in another spawn, whose child pops: then the inlet runs there.
TEST_F(inlets, run_in_another_spawn_of_the_function) {
    job *const leaf = jobs.make(100);
    job *const second = jobs.make(10, {{job_inlet, leaf}, {job_inlet, leaf}});
    job *const parent = jobs.make(1000, {{job_inlet, first}, {job_inlet, second}});
    std::atomic<int> before{-1}, behind{-1};
    const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int) {
        if (j == parent)
            note(point, i);
        end_while_the_parent_runs(point, j, parent, i);
        if (point == job_at_start && j == second) {
            wait_for_the_thief();
            before = inlet_runs.load();
        } else if (point == job_at_step && j == second && i == 2) {
            behind = inlet_runs.load();
        } else if (point == job_in_inlet && j == parent && i == 0) {
            // It has the frame for itself: nobody takes it now.
            EXPECT_FALSE(force_steal(std::chrono::milliseconds(20)));
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1211);
    EXPECT_EQ(before, 0);
    EXPECT_EQ(behind, 1);
    EXPECT_NE(child_worker, inlet_worker);
}

// The parent is in another spawn and is taken before that child pops: the thief runs the inlet.
TEST_F(inlets, run_when_the_function_is_taken_again) {
    job *const second = jobs.make(10);
    job *const parent = jobs.make(1000, {{job_inlet, first}, {job_inlet, second}});
    const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int) {
        note(point, i);
        end_while_the_parent_runs(point, j, parent, i);
        if (point == job_at_start && j == second) {
            wait_for_the_thief();
            EXPECT_EQ(inlet_runs, 0);
            EXPECT_TRUE(force_steal());
        } else if (point == job_at_step && j == parent && i == 2) {
            EXPECT_GE(inlet_runs, 1);
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1011);
    EXPECT_EQ(child_worker, inlet_worker); // the thief, this time, is who had the child
}

// Two children of a parent that waits end at once: one of their workers runs both inlets.
TEST_F(inlets, of_two_children_at_once_run_one_after_the_other) {
    job *const second = jobs.make(10);
    job *const parent = jobs.make(1000, {{job_inlet, first}, {job_inlet, second}});
    std::atomic<bool> at_sync{false}, first_in_inlet{false}, inlet_of_second{false};
    std::atomic<unsigned> workers_of_inlets[2]{};
    const auto idle_workers = [] {
        unsigned idle = 0;
        for (unsigned w = 0; w < 3; ++w)
            idle += is_idle(w);
        return idle;
    };
    const hooked_jobs workers(3, [&](job_point point, const job *j, int i, int synched) {
        if (point == job_at_start && (j == first || j == second)) {
            EXPECT_TRUE(force_steal());
            wait_until([&] { return (at_sync && idle_workers() == 1) || first_in_inlet; });
            if (j == second)
                wait_until([&] { return first_in_inlet.load(); });
        } else if (point == job_at_step && j == parent && i == 2) {
            at_sync = true;
        } else if (point == job_in_inlet) {
            workers_of_inlets[i] = me();
            const bool is_second = first_in_inlet.exchange(true);
            EXPECT_EQ(synched, is_second); // then the other child has arrived
            inlet_of_second = is_second;
            if (!is_second)
                // The other child leaves its inlet here and has nothing else to do.
                wait_until([&] { return idle_workers() == 2; });
        } else if (point == job_behind_inlet) {
            // The other child has arrived by now, but its inlet has not run.
            EXPECT_EQ(synched, inlet_of_second);
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1011);
    EXPECT_EQ(workers_of_inlets[0], workers_of_inlets[1]);
}

// A result goes to a variable of the frame as before, beside inlets.
TEST_F(inlets, and_plain_results) {
    job *const second = jobs.make(10, {{job_inlet, jobs.make(5)}});
    job *const parent =
        jobs.make(1000, {{job_inlet, first}, {job_result, second}, {job_enter, jobs.make(300)}});
    const hooked_jobs workers(3, [&](job_point point, const job *, int, int) {
        if (point == job_at_start)
            while (force_steal(std::chrono::milliseconds(20))) {
            }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), serial_result(*parent));
}

// Trees of jobs whose frames are taken at random.
job *random_job(job_maker &jobs, std::mt19937 &random, int depth) {
    std::vector<job_maker::step> steps;
    bool has_result = false, has_call = false;
    const auto any = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    for (unsigned n = depth == 0 ? 0 : any(5); n != 0; --n) {
        job_how how = static_cast<job_how>(any(6));
        if ((how == job_result && has_result) || (how == job_call && has_call) || how == job_abort)
            how = job_inlet;
        has_result = has_result || how == job_result;
        has_call = has_call || how == job_call;
        steps.push_back({how, how == job_sync ? nullptr : random_job(jobs, random, depth - 1)});
    }
    return jobs.make(static_cast<long>(any(1000)), steps);
}

class random_inlets : public testing::TestWithParam<unsigned> {};

TEST_P(random_inlets, give_the_serial_result) {
    std::mt19937 random(GetParam());
    const unsigned rounds = test_support::third_of(is_slow ? 20 : 60);
    for (unsigned round = 0; round < rounds; ++round) {
        job_maker jobs;
        job *const top = random_job(jobs, random, 6);
        std::atomic<unsigned> points{0};
        const hooked_jobs workers(GetParam(), [&](job_point, const job *, int, int) {
            // Relaxed: who counts how far does not matter.
            if (points.fetch_add(1, std::memory_order_relaxed) % 3 == 2)
                force_steal(std::chrono::milliseconds(1));
        });
        ASSERT_EQ(run([&] { return job_run(top); }), serial_result(*top)) << round;
    }
}

INSTANTIATE_TEST_SUITE_P(workers, random_inlets, testing::Values(2u, 3u, 8u));

} // namespace
} // namespace saguaro::test
