// SPDX-License-Identifier: MIT
// Random programs and a serial simulation of the rule (src/mpi/README.md, "The rule"), which
// computes what each rank must see, and at which clock; then ranks run the program at the same
// time, with sleeps at random places.
#include "mpi/core/ranks.hpp"
#include "random_programs.hpp"
#include "rule_simulation.hpp"

#include <ctime>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

// ---- The ranks ----

void disturb(u64 &random) {
    random = mix(random);
    if (random % 24 == 0)
        usleep(static_cast<useconds_t>(random >> 40 & 255));
    else if (random % 24 < 3)
        sched_yield();
}

outcome seen_of(const status &s, u64 value, int slot = 0) {
    return {s.source, s.tag, value, slot};
}

// No trace: some part of the rank is not as it has to be between calls.
constexpr u64 invalid_state = 1;

u64 run_program(u64 seed, int me, int ranks, int rounds, u64 disturbance) {
    program p(seed, me, ranks, rounds);
    request requests[slots] = {request::null, request::null, request::null, request::null};
    u64 got[slots] = {};
    const auto tag_of = [](int tag) { return tag == any ? abi::any_tag : tag; };
    for (;;) {
        if (!rank::mine->matching().state().is_valid())
            return invalid_state;
        const random_step o = p.next();
        if (disturbance != 0)
            disturb(disturbance);
        status s;
        int flag = 0;
        int index = 0;
        u64 value = o.value;
        const auto at = static_cast<std::size_t>(o.slot);
        switch (o.kind) {
        case what::end:
            return p.trace();
        case what::send:
            core::send(&value, 1, datatype::uint64_t, o.peer, o.tag, comm::world);
            break;
        case what::send_synchronously:
            got[at] = value;
            core::issend(&got[at], 1, datatype::uint64_t, o.peer, o.tag, comm::world,
                         &requests[at]);
            break;
        case what::ask:
            core::test(&requests[at], &flag, &s);
            p.saw({any, any, flag != 0 ? 1U : 0U, o.slot}, rank::mine->clock());
            break;
        case what::receive:
            core::recv(&value, 1, datatype::uint64_t, o.peer, tag_of(o.tag), comm::world, &s);
            p.saw(seen_of(s, value), rank::mine->clock());
            break;
        case what::poll:
            core::iprobe(o.peer, tag_of(o.tag), comm::world, &flag, &s);
            p.polled(flag != 0 ? seen_of(s, 0) : outcome{});
            break;
        case what::post:
            core::irecv(&got[at], 1, datatype::uint64_t, o.peer, tag_of(o.tag), comm::world,
                        &requests[at]);
            break;
        case what::test: {
            core::test(&requests[0], &flag, &s);
            const outcome out = flag != 0 ? seen_of(s, got[0]) : outcome{};
            p.saw(out, rank::mine->clock());
            p.polled(out);
            break;
        }
        case what::wait:
            core::wait(&requests[at], &s);
            if (o.slot >= receive_slots)
                p.saw({any, any, 1, o.slot}, rank::mine->clock());
            else
                p.saw(seen_of(s, got[at], o.slot), rank::mine->clock());
            break;
        case what::wait_any:
            core::waitany(slots, requests, &index, &s);
            if (index >= receive_slots)
                p.saw({any, any, 1, index}, rank::mine->clock());
            else
                p.saw(seen_of(s, got[static_cast<std::size_t>(index)], index), rank::mine->clock());
            break;
        }
    }
}

void check(u64 seed, int ranks, int rounds, int runs) {
    const std::vector<u64> expected = simulation(seed, ranks, rounds).traces();
    ASSERT_FALSE(expected.empty()) << "seed " << seed;
    shared_array<u64> seen(static_cast<std::size_t>(ranks));
    for (int run = 0; run < runs; ++run) {
        const auto codes = run_ranks(static_cast<std::uint32_t>(ranks), [&](int me) {
            const u64 disturbance =
                run == 0 ? 0 : mix(static_cast<u64>(getpid()) ^ static_cast<u64>(time(nullptr)));
            seen[static_cast<std::size_t>(me)] = run_program(seed, me, ranks, rounds, disturbance);
            return 0;
        });
        ASSERT_TRUE(all_well(codes)) << "seed " << seed << ", run " << run;
        for (int r = 0; r < ranks; ++r)
            ASSERT_EQ(seen[static_cast<std::size_t>(r)], expected[static_cast<std::size_t>(r)])
                << "seed " << seed << ", run " << run << ", rank " << r;
    }
}

// A message that two receives fit waits for the first one's decision, and the next message of its
// sender fits the second one only: it must not overtake. `late` is the rank that is slow in this
// run.
TEST(rule, no_message_overtakes_one_that_waits_for_a_decision) {
    for (int late = 0; late < 3; ++late)
        EXPECT_TRUE(all_well(run_ranks(3, [late](int me) {
            const auto send = [](int value, int tag) {
                core::send(&value, 1, datatype::int_, 2, tag, comm::world);
            };
            if (me == late)
                usleep(100'000);
            if (me == 0)
                send(1, 5);
            if (me == 1) {
                rank::mine->advance_to(50);
                send(15, 5);
                send(16, 6);
            }
            if (me != 2)
                return 0;
            int got[3] = {};
            request posted[2];
            core::irecv(&got[0], 1, datatype::int_, abi::any_source, 5, comm::world, &posted[0]);
            core::irecv(&got[1], 1, datatype::int_, 1, abi::any_tag, comm::world, &posted[1]);
            core::waitall(2, posted, nullptr);
            core::recv(&got[2], 1, datatype::int_, 1, abi::any_tag, comm::world, nullptr);
            return got[0] == 1 && got[1] == 15 && got[2] == 16 ? 0 : 1;
        })));
}

// The same with a third receive, which the second one must not lose its message to.
TEST(rule, named_receives_that_wait_for_a_decision_keep_their_place) {
    for (int late = 0; late < 3; ++late)
        EXPECT_TRUE(all_well(run_ranks(3, [late](int me) {
            const auto send = [](int value, int tag) {
                core::send(&value, 1, datatype::int_, 2, tag, comm::world);
            };
            if (me == late)
                usleep(100'000);
            if (me == 0) {
                rank::mine->advance_to(100);
                send(1, 5);
            }
            if (me == 1) {
                rank::mine->advance_to(50);
                send(15, 5);
                send(16, 6);
                send(17, 6);
            }
            if (me != 2)
                return 0;
            int got[3] = {};
            request posted[3];
            core::irecv(&got[0], 1, datatype::int_, abi::any_source, 5, comm::world, &posted[0]);
            core::irecv(&got[1], 1, datatype::int_, 1, abi::any_tag, comm::world, &posted[1]);
            core::irecv(&got[2], 1, datatype::int_, 1, 6, comm::world, &posted[2]);
            core::waitall(3, posted, nullptr);
            int last = 0;
            core::recv(&last, 1, datatype::int_, 0, 5, comm::world, nullptr);
            return got[0] == 15 && got[1] == 16 && got[2] == 17 && last == 1 ? 0 : 1;
        })));
}

// Rank 0 may still send to itself, earlier than rank 1 did whose message is here already.
TEST(rule, rank_that_polls_may_still_send_to_itself) {
    for (int late = 0; late < 2; ++late)
        EXPECT_TRUE(all_well(run_ranks(2, [late](int me) {
            if (me == 1) {
                rank::mine->advance_to(100);
                if (late == 1)
                    usleep(100'000);
                core::send(&me, 1, datatype::int_, 0, 1, comm::world);
                return 0;
            }
            int got[2] = {-1, -1};
            request posted = request::null;
            int flag = 0;
            core::irecv(&got[0], 1, datatype::int_, abi::any_source, 1, comm::world, &posted);
            if (late == 0)
                usleep(100'000);
            core::test(&posted, &flag, nullptr);
            core::send(&me, 1, datatype::int_, 0, 1, comm::world);
            if (flag == 0)
                core::wait(&posted, nullptr);
            core::recv(&got[1], 1, datatype::int_, abi::any_source, 1, comm::world, nullptr);
            return flag == 0 && got[0] == 0 && got[1] == 1 ? 0 : 1;
        })));
}

// A synchronous send that a named receive takes as soon as a receive from any source has decided
// for the message before it.
TEST(rule, synchronous_send_may_be_taken_behind_a_decision) {
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        int x[2] = {};
        request posted[2];
        int flag = 0;
        if (me == 0) {
            core::irecv(&x[0], 1, datatype::int_, abi::any_source, 5, comm::world, &posted[0]);
            usleep(50'000);
            core::iprobe(1, 9, comm::world, &flag, nullptr); // both messages are here
            rank::mine->advance_to(99);
            core::irecv(&x[1], 1, datatype::int_, 1, abi::any_tag, comm::world, &posted[1]);
            core::waitall(2, posted, nullptr);
            return 0;
        }
        if (me == 2) {
            usleep(200'000); // the decision waits for this rank
            return 0;
        }
        rank::mine->advance_to(49);
        core::send(x, 1, datatype::int_, 0, 5, comm::world);
        core::issend(x, 1, datatype::int_, 0, 6, comm::world, &posted[0]);
        rank::mine->advance_to(100);
        usleep(100'000);
        core::test(&posted[0], &flag, nullptr); // posted at 100, so known at 101
        return flag == 1 ? 0 : 1;
    })));
}

// A poll that needs the bound of a rank that waits for a match and for a message.
TEST(rule, wait_for_a_match_beside_other_requests_holds_up_no_poll) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        alarm(60);
        int x[2] = {me, me};
        if (me == 0) {
            request both[2];
            int index = -1;
            core::issend(&x[0], 1, datatype::int_, 1, 7, comm::world, &both[0]);
            core::irecv(&x[1], 1, datatype::int_, 1, 8, comm::world, &both[1]);
            core::waitany(2, both, &index, nullptr);
            core::wait(&both[1 - index], nullptr);
            return index == 0 ? 0 : 1;
        }
        int flag = 0;
        for (int i = 0; i < 100; ++i)
            core::iprobe(0, 9, comm::world, &flag, nullptr);
        core::recv(&x[0], 1, datatype::int_, 0, 7, comm::world, nullptr);
        core::send(&x[1], 1, datatype::int_, 0, 8, comm::world);
        return x[0];
    })));
}

TEST(rule, two_ranks_see_what_it_says) {
    for (u64 seed = 1; seed <= 10; ++seed)
        check(seed, 2, 40, 3);
}

TEST(rule, four_ranks_see_what_it_says) {
    for (u64 seed = 1; seed <= 10; ++seed)
        check(seed, 4, 30, 3);
}

TEST(rule, seven_ranks_see_what_it_says) {
    for (u64 seed = 1; seed <= 5; ++seed)
        check(seed, 7, 20, 2);
}

TEST(rule, sixteen_ranks_see_what_it_says) {
    for (u64 seed = 1; seed <= 3; ++seed)
        check(seed, 16, 10, 2);
}

} // namespace
} // namespace saguaro::mpi
