// SPDX-License-Identifier: MIT
// Tests of simulations small enough to be worked out by hand.
#include "engine/simulation.hpp"

#include "sim/support.hpp"

#include <gtest/gtest.h>

namespace saguaro::sim {
namespace {

// All that an outcome has, to compare.
std::vector<std::uint64_t> all_of(const outcome &o) {
    std::vector<std::uint64_t> all{static_cast<std::uint64_t>(o.time),
                                   static_cast<std::uint64_t>(o.working),
                                   static_cast<std::uint64_t>(o.stealing),
                                   static_cast<std::uint64_t>(o.fencing),
                                   static_cast<std::uint64_t>(o.sleeping),
                                   o.events,
                                   o.failed_looks,
                                   o.requests,
                                   o.fences,
                                   o.wakes,
                                   o.lines.own_lines,
                                   static_cast<std::uint64_t>(o.lines.queues)};
    all.insert(all.end(), o.steals.begin(), o.steals.end());
    all.insert(all.end(), o.lines.remote_lines.begin(), o.lines.remote_lines.end());
    return all;
}

TEST(simulations, one_worker_takes_the_work) {
    for (const char *workload : {"fib:12", "tree:6", "strassen:512", "stream:1", "cholesky:1024"}) {
        const program p = make_workload(workload);
        const costs c;
        const outcome o = simulate(p, uniform_machine(1), with_costs(c));
        EXPECT_EQ(o.time, span_of(p, c).work) << workload;
        EXPECT_EQ(o.working, o.time);
        EXPECT_EQ(o.all_steals(), 0u);
    }
}

TEST(simulations, all_work_is_done_once) {
    const program p = make_workload("tree:8,seed=3");
    for (const unsigned workers : {2u, 7u, 64u})
        for (const steals how : {steals::request, steals::open, steals::fence}) {
            setup s = with_costs(costs());
            s.cost.how = how;
            const outcome o = simulate(p, uniform_machine(workers), s);
            EXPECT_EQ(o.working, span_of(p, costs()).work);
        }
}

TEST(simulations, empty_program_ends_at_once) {
    program_builder b;
    EXPECT_EQ(simulate(b.finish(), uniform_machine(4), with_costs(costs())).time, 0);
}

TEST(simulations, same_seed_same_outcome_and_others_differ) {
    const program p = make_workload("tree:9,seed=2");
    const machine on = uniform_machine(16);
    const auto with_seed = [&](std::uint64_t seed) {
        return all_of(simulate(p, on, with_costs(costs(), seed)));
    };
    EXPECT_EQ(with_seed(0), with_seed(0));
    EXPECT_EQ(with_seed(7), with_seed(7));
    EXPECT_NE(with_seed(0), with_seed(7));
    EXPECT_NE(with_seed(8), with_seed(7));
}

TEST(simulations, unknown_policy_is_refused) {
    setup s;
    s.policy = "unifrom";
    program_builder b;
    const program p = b.finish();
    EXPECT_THROW(simulate(p, uniform_machine(2), s), bad_input);
}

// A child of 100 ns and a continuation of 100 ns that a thief takes at once.
TEST(simulations, two_workers_share_one_spawn) {
    program_builder b;
    b.spawn();
    b.work(100);
    b.child_ends();
    b.work(100);
    b.sync();
    b.work(7);
    const program p = b.finish();
    costs c = free_of_costs();
    c.steal = 10;
    setup s = with_costs(c);
    s.cost.how = steals::open;
    // The thief begins 10 ns late and is the last to arrive: it goes on.
    EXPECT_EQ(simulate(p, uniform_machine(2), s).time, nanoseconds(117));
    s.cost.spawn = 20; // with it, the victim is
    EXPECT_EQ(simulate(p, uniform_machine(2), s).time, nanoseconds(127));
}

// The victim comes to the join last, and pays for having been robbed before it goes on.
TEST(simulations, last_to_arrive_goes_on) {
    program_builder b;
    b.spawn();
    b.work(200);
    b.child_ends();
    b.work(100);
    b.sync();
    b.work(7);
    const program p = b.finish();
    setup s = with_costs(free_of_costs());
    s.cost.how = steals::open;
    s.cost.robbed = 30;
    EXPECT_EQ(simulate(p, uniform_machine(2), s).time, nanoseconds(237));
}

TEST(simulations, oldest_continuation_is_stolen) {
    // The outermost of three continuations has most of the work. When the thief is through with
    // it, it takes one of the others.
    program_builder b;
    b.spawn();
    b.spawn();
    b.spawn();
    b.work(100);
    b.child_ends();
    b.work(1);
    b.child_ends();
    b.work(1);
    b.child_ends();
    b.work(100);
    const program p = b.finish();
    setup s = with_costs(free_of_costs());
    s.cost.how = steals::open;
    EXPECT_EQ(simulate(p, uniform_machine(2), s).time, nanoseconds(101));
}

// A stolen caller goes on with what called it, and the call's children join in the call.
TEST(simulations, continuation_in_a_call_leaves_it) {
    program_builder b;
    b.call();
    b.spawn();
    b.work(100);
    b.child_ends();
    b.work(10);
    b.leave(); // waits for the child
    b.work(5);
    const program p = b.finish();
    setup s = with_costs(free_of_costs());
    s.cost.how = steals::open;
    EXPECT_EQ(simulate(p, uniform_machine(2), s).time, nanoseconds(105));
}

TEST(simulations, end_waits_for_children_nobody_has_waited_for) {
    program_builder b;
    b.spawn();
    b.spawn();
    b.work(100);
    b.child_ends();
    b.child_ends(); // waits for the inner one
    b.work(10);
    const program p = b.finish();
    setup s = with_costs(free_of_costs());
    s.cost.how = steals::open;
    const outcome o = simulate(p, uniform_machine(3), s);
    EXPECT_EQ(o.time, nanoseconds(100));
    EXPECT_EQ(o.all_steals(), 2u);
}

// What a worker reads of the other node takes longer, and so does a steal from there.
TEST(simulations, distance_costs) {
    if (!is_hwloc_here())
        GTEST_SKIP() << "hwloc is missing";
    program_builder b;
    b.object({0, 1 << 20, layout::on_node, 1});
    b.work(100);
    b.touch({0, 0, 640});
    const program p = b.finish();
    setup s = with_costs(free_of_costs());
    s.cost.line = 20;
    const machine two = described_machine("pack:2 numa:1 core:1 pu:1", 2);
    EXPECT_EQ(simulate(p, two, s).time, nanoseconds(300));
    s.memory.where = layout::on_node;
    EXPECT_EQ(simulate(p, two, s).time, nanoseconds(100));

    program_builder steal;
    steal.spawn();
    steal.work(1000);
    steal.child_ends();
    steal.work(1000);
    const program shared = steal.finish();
    s.cost.steal = 50;
    s.cost.how = steals::open;
    const outcome far = simulate(shared, two, s);
    EXPECT_EQ(far.time, nanoseconds(1100));
    EXPECT_EQ(far.steals, (std::vector<std::uint64_t>{0, 1}));
    const outcome near = simulate(shared, uniform_machine(2), s);
    EXPECT_EQ(near.time, nanoseconds(1050));
    EXPECT_EQ(near.steals, std::vector<std::uint64_t>{1});
}

// Lines of one read travel during the work before it, and no line of a later read does.
TEST(simulations, work_hides_the_next_misses_only) {
    program_builder b;
    const std::uint64_t id = b.object(4096);
    b.work(100);
    b.touch({id, 0, 64});
    b.touch({id, 0, 640});
    setup s = with_costs(free_of_costs());
    s.cost.node_bandwidth = 1; // a line takes 64 ns
    EXPECT_EQ(simulate(b.finish(), uniform_machine(1), s).time, nanoseconds(740));
}

TEST(simulations, picture_has_all_work_and_sleep) {
    const program p = make_workload("loop:64,ns=1000000,grain=1");
    timeline t(4);
    setup s = with_costs(costs());
    s.picture = &t;
    const outcome o = simulate(p, uniform_machine(4), s);
    ps work = 0;
    ps sleep = 0;
    for (unsigned worker = 0; worker < 4; ++worker)
        for (std::size_t at = 0; at < timeline::intervals; ++at) {
            work += t.during(worker, at, activity::work);
            sleep += t.during(worker, at, activity::sleep);
        }
    EXPECT_EQ(work, nanoseconds(64e6));
    EXPECT_EQ(sleep, o.sleeping);
}

} // namespace
} // namespace saguaro::sim
