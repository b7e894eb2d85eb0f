// SPDX-License-Identifier: MIT
// Aborts, by clones written by hand: children that spawn for ever end, wherever they are, their
// blocks are freed, their results dropped; what is spawned later, and what an ordinary entry has
// begun, comes to its end.
#include "jobs.hpp"
#include "support/effort.hpp"

#include "saguaro/saguaro.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace saguaro::test {
namespace {

class aborts : public testing::Test {
protected:
    job_maker jobs;
    std::atomic<int> cleaned_fast{0}, cleaned_slow{0}, leaves{0};

    void note(job_point point, int i) {
        if (point == job_in_leaf)
            ++leaves;
        if (point == job_cleaned_up)
            ++(i == 0 ? cleaned_fast : cleaned_slow);
    }
};

// Nothing was stolen: nothing is out.
TEST_F(aborts, are_nothing_in_a_fast_clone) {
    job *const parent = jobs.make(
        1000, {{job_inlet, jobs.make_stopper(1)}, {job_abort}, {job_inlet, jobs.make(20)}});
    const hooked_jobs workers(2, [&](job_point point, const job *, int i, int) { note(point, i); });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1021);
    EXPECT_EQ(cleaned_fast + cleaned_slow, 0);
}

// The function itself aborts a child that runs elsewhere.
TEST_F(aborts, stop_a_child_that_runs) {
    job *const endless = jobs.make_endless();
    for (const job_how how : {job_inlet, job_result}) {
        job *const parent =
            jobs.make(1000, {{how, endless}, {job_abort}, {job_inlet, jobs.make(20)}});
        const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int) {
            note(point, i);
            if (point == job_at_start && j == endless) {
                EXPECT_TRUE(force_steal());
            } else if (point == job_at_step && j == parent && i == 1) {
                // Not while it is still on its way in.
                wait_until([&] { return leaves > 10; });
            }
        });
        cleaned_fast = leaves = 0;
        EXPECT_EQ(run([&] { return job_run(parent); }), 1020);
        EXPECT_EQ(cleaned_fast, 1);
    }
    EXPECT_EQ(cleaned_slow, 0);
}

// The endless child was itself taken, and goes on as a slow clone.
TEST_F(aborts, stop_a_child_that_was_taken) {
    job *const endless = jobs.make_endless();
    job *const parent = jobs.make(1000, {{job_inlet, endless}, {job_abort}});
    std::atomic<int> thefts{0};
    const hooked_jobs workers(3, [&](job_point point, const job *j, int i, int) {
        note(point, i);
        if (point == job_in_leaf && thefts < 2)
            thefts += force_steal(); // the parent, then the endless one
        else if (point == job_at_step && j == parent && i == 1)
            wait_until([&] { return leaves > 10; });
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1000);
    EXPECT_GE(thefts, 2);
    EXPECT_EQ(cleaned_slow, 1);
    EXPECT_EQ(cleaned_fast, 0);
}

// The inlet of one child aborts the others, while the function is suspended at its sync.
TEST_F(aborts, by_an_inlet_at_the_sync) {
    job *const stopper = jobs.make_stopper(1);
    job *const endless = jobs.make_endless();
    job *const parent = jobs.make(1000, {{job_inlet, endless}, {job_inlet, stopper}});
    const hooked_jobs workers(3, [&](job_point point, const job *j, int i, int) {
        note(point, i);
        if (point == job_at_start && j == endless) {
            EXPECT_TRUE(force_steal());
        } else if (point == job_at_start && j == stopper) {
            EXPECT_TRUE(force_steal());
            wait_until([] { return is_idle(0) || is_idle(1) || is_idle(2); });
            wait_until([&] { return leaves > 10; });
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1001);
    EXPECT_EQ(cleaned_fast, 1);
}

// The function is in another spawn, which never ends: the inlet runs at a pop in there, aborts that
// very child, and the function goes on behind it.
TEST_F(aborts, the_child_in_which_the_inlet_runs) {
    job *const stopper = jobs.make_stopper(1);
    job *const endless = jobs.make_endless();
    job *const nested = jobs.make(-5, {{job_call, jobs.make(-6, {{job_inlet, endless}})}});
    job *const parent =
        jobs.make(1000, {{job_inlet, stopper}, {job_inlet, nested}, {job_inlet, jobs.make(20)}});
    const hooked_jobs workers(3, [&](job_point point, const job *j, int i, int) {
        note(point, i);
        if (point == job_at_start && j == stopper) {
            EXPECT_TRUE(force_steal());
            wait_until([&] { return leaves > 10; });
        } else if (point == job_in_inlet && j == parent && i == 0) {
            // It has the frame for itself: nobody takes it now.
            EXPECT_FALSE(force_steal(std::chrono::milliseconds(20)));
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1021);
    EXPECT_EQ(saguaro::stats().steals, 1u);
    EXPECT_EQ(cleaned_fast, 3);
}

// The same, and the function is taken before the child has unwound to it.
TEST_F(aborts, the_child_in_which_the_inlet_runs_and_the_function_is_taken) {
    job *const stopper = jobs.make_stopper(1);
    job *const endless = jobs.make_endless();
    job *const parent = jobs.make(1000, {{job_inlet, stopper},
                                         {job_inlet, jobs.make(-5, {{job_inlet, endless}})},
                                         {job_inlet, jobs.make(20)}});
    std::atomic<bool> stopped{false};
    const hooked_jobs workers(3, [&](job_point point, const job *j, int i, int) {
        note(point, i);
        if (point == job_at_start && j == stopper) {
            EXPECT_TRUE(force_steal());
            wait_until([&] { return leaves > 10; });
        } else if (point == job_in_inlet && j == parent && i == 0) {
            stopped = true;
        } else if (point == job_cleaned_up && j == endless) {
            EXPECT_TRUE(stopped);
            EXPECT_TRUE(force_steal()); // the parent
            EXPECT_TRUE(force_steal()); // whose strand is aborted
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1021);
    EXPECT_EQ(cleaned_fast, 1);
    EXPECT_EQ(cleaned_slow, 1);
}

// A whole tree, parts of which run, wait at syncs, at calls, or are about to be gone on with.
TEST_F(aborts, reach_all_descendants) {
    job *const endless[] = {jobs.make_endless(), jobs.make_endless()};
    job *const caller = jobs.make(-1, {{job_call, endless[0]}});
    job *const waiter = jobs.make(-2, {{job_inlet, caller}, {job_result, endless[1]}});
    job *const parent =
        jobs.make(1000, {{job_inlet, waiter}, {job_abort}, {job_inlet, jobs.make(20)}});
    std::atomic<int> thefts{0};
    std::atomic<bool> both{false};
    const hooked_jobs workers(4, [&](job_point point, const job *j, int i, int) {
        note(point, i);
        if (point == job_in_leaf) {
            if (thefts < 4)
                thefts += force_steal(std::chrono::milliseconds(50));
            if (j == endless[1])
                both = true;
        } else if (point == job_at_step && j == parent && i == 1) {
            wait_until([&] { return thefts >= 4 && both; });
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1020);
    EXPECT_EQ(cleaned_fast + cleaned_slow, 4);
    EXPECT_GT(cleaned_slow, 0);
}

// An aborted function has aborted before, and its child as well.
TEST_F(aborts, nest) {
    job *const endless[] = {jobs.make_endless(), jobs.make_endless()};
    job *const inner =
        jobs.make(-1, {{job_inlet, endless[0]}, {job_abort}, {job_inlet, endless[1]}});
    job *const parent = jobs.make(1000, {{job_inlet, inner}, {job_abort}});
    std::atomic<int> leaves_of_second{0};
    const hooked_jobs workers(4, [&](job_point point, const job *j, int i, int) {
        note(point, i);
        if (point == job_at_start && (j == endless[0] || j == endless[1])) {
            EXPECT_TRUE(force_steal());
            force_steal_if(j == endless[0]);
        } else if (point == job_in_leaf && j == endless[1]) {
            ++leaves_of_second;
        } else if (point == job_at_step && j == parent && i == 1) {
            wait_until([&] { return leaves_of_second > 10; });
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1000);
    EXPECT_EQ(cleaned_fast + cleaned_slow, 3);
}

// What is spawned behind an abort is not concerned.
TEST_F(aborts, leave_later_children_alone) {
    job *const endless = jobs.make_endless();
    job *const later = jobs.make(20, {{job_inlet, jobs.make(300)}, {job_inlet, jobs.make(4000)}});
    job *const parent =
        jobs.make(1, {{job_inlet, endless}, {job_abort}, {job_inlet, later}, {job_result, later}});
    const hooked_jobs workers(4, [&](job_point point, const job *j, int i, int) {
        note(point, i);
        if (point == job_at_start && j != parent)
            force_steal(std::chrono::milliseconds(200));
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 2 * serial_result(*later) + 1);
    EXPECT_EQ(cleaned_fast + cleaned_slow, 1);
}

// What a plain C function has entered comes to its end, and so does who called it; whoever has
// spawned that one is aborted.
TEST_F(aborts, pass_over_ordinary_entries) {
    job *const inside = jobs.make(7, {{job_inlet, jobs.make(70)}, {job_inlet, jobs.make(700)}});
    job *const caller = jobs.make(-1, {{job_enter, inside}});
    job *const endless = jobs.make_endless({{job_inlet, caller}});
    job *const parent = jobs.make(1000, {{job_inlet, endless}, {job_abort}});
    std::atomic<bool> entered{false}, aborted{false};
    std::atomic<int> inside_ended{0};
    const hooked_jobs workers(3, [&](job_point point, const job *j, int i, int) {
        note(point, i);
        if (point == job_at_start && j == inside) {
            EXPECT_TRUE(force_steal());
            entered = true;
            wait_until([&] { return aborted.load(); });
        } else if (point == job_at_step && j == parent) {
            if (i == 1)
                wait_until([&] { return entered.load(); });
            else if (i == 2)
                aborted = true;
        } else if (point == job_in_inlet && j == inside) {
            EXPECT_TRUE(aborted);
        } else if (point == job_synced && j == inside) {
            ++inside_ended;
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1000);
    EXPECT_EQ(inside_ended, 1);
    EXPECT_EQ(cleaned_fast, 1);
}

// A child of the kind that ends, and in the end its result is dropped: it was aborted before.
TEST_F(aborts, drop_results_that_come_too_late) {
    for (const job_how how : {job_inlet, job_result}) {
        job *const late = jobs.make(500);
        job *const parent = jobs.make(1000, {{how, late}, {job_abort}, {job_sync}});
        std::atomic<bool> aborted{false};
        std::atomic<int> inlet_runs{0};
        const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int) {
            if (point == job_at_start && j == late) {
                EXPECT_TRUE(force_steal());
                wait_until([&] { return aborted.load(); });
            } else if (point == job_at_step && j == parent && i == 2) {
                aborted = true;
            } else if (point == job_in_inlet) {
                ++inlet_runs;
            }
        });
        EXPECT_EQ(run([&] { return job_run(parent); }), 1000) << how;
        EXPECT_EQ(inlet_runs, 0);
    }
}

// The child has ended, and its inlet waits for the function, which aborts first.
TEST_F(aborts, drop_inlets_that_wait) {
    job *const first = jobs.make(500);
    job *const parent = jobs.make(1000, {{job_inlet, first}, {job_abort}, {job_sync}});
    std::atomic<bool> goes_on{false};
    std::atomic<int> inlet_runs{0};
    const hooked_jobs workers(2, [&](job_point point, const job *j, int i, int) {
        if (point == job_at_start && j == first) {
            EXPECT_TRUE(force_steal());
            wait_until([&] { return goes_on.load(); });
        } else if (point == job_at_step && j == parent && i == 1) {
            goes_on = true;
            wait_for_the_thief(); // whose name, to us, is the child's worker
        } else if (point == job_in_inlet) {
            ++inlet_runs;
        }
    });
    EXPECT_EQ(run([&] { return job_run(parent); }), 1000);
    EXPECT_EQ(inlet_runs, 0);
}

// Trees whose jobs abort now and then, with endless children that nothing else would end: they come
// to their end, free what they have, and what was not aborted has its result. There is always a
// worker left that no endless child keeps busy.
class random_tree {
public:
    random_tree(unsigned seed, unsigned endless) : random_(seed), endless_(endless) {}

    const job *make(int depth) {
        std::vector<job_maker::step> steps;
        const unsigned n = depth == 0 ? 0 : any(4);
        for (unsigned i = 0; i < n; ++i)
            steps.push_back({any(4) == 0 && !calls(steps) ? job_call : job_inlet, make(depth - 1)});
        if (depth > 0 && endless_ != 0 && any(2) == 0) {
            --endless_;
            aborted_.push_back(
                jobs_.make_endless({{job_inlet, plain(depth)}, {job_call, plain(2)}}));
            steps.push_back({any(2) == 0 ? job_inlet : job_result, aborted_.back()});
            steps.push_back({job_inlet, plain(depth)});
            if (any(2) == 0)
                steps.push_back({job_abort});
            else
                steps.push_back({job_inlet, jobs_.make_stopper(1, {{job_inlet, plain(depth)}})});
            // Nobody is to be in doubt whether what follows is aborted.
            steps.push_back({job_sync});
        }
        return jobs_.make(1, steps);
    }

    unsigned endless_left() const { return endless_; }

private:
    unsigned any(unsigned n) { return static_cast<unsigned>(random_() % n); }

    static bool calls(const std::vector<job_maker::step> &steps) {
        return std::any_of(steps.begin(), steps.end(),
                           [](const job_maker::step &s) { return s.how == job_call; });
    }

    // Nothing in it is endless.
    const job *plain(int depth) {
        std::vector<job_maker::step> steps;
        for (unsigned n = depth == 0 ? 0 : any(3); n != 0; --n)
            steps.push_back({job_inlet, plain(depth - 1)});
        return jobs_.make(1, steps);
    }

    std::mt19937 random_;
    unsigned endless_;
    job_maker jobs_;
    std::vector<const job *> aborted_;
};

class random_aborts : public testing::TestWithParam<unsigned> {};

TEST_P(random_aborts, come_to_their_end) {
    unsigned aborted = 0;
    const unsigned rounds = test_support::third_of(is_slow ? 20 : 50);
    for (unsigned round = 0; round < rounds; ++round) {
        random_tree tree(round * 8 + GetParam(), GetParam() - 1);
        const job *const top = tree.make(5);
        aborted += GetParam() - 1 - tree.endless_left();
        std::atomic<unsigned> points{0};
        const hooked_jobs workers(GetParam(), [&](job_point point, const job *, int, int) {
            // From an endless job all below it must be taken.
            if (point == job_in_leaf || points.fetch_add(1, std::memory_order_relaxed) % 4 == 3)
                force_steal(std::chrono::milliseconds(1));
        });
        EXPECT_GT(run([&] { return job_run(top); }), 0) << round;
    }
    EXPECT_GT(aborted, rounds / 2);
}

INSTANTIATE_TEST_SUITE_P(workers, random_aborts, testing::Values(2u, 3u, 8u));

} // namespace
} // namespace saguaro::test
