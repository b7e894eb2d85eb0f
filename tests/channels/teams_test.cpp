// SPDX-License-Identifier: MIT
// Tests of who may be a member of a team, of calls of collectives that do not agree, and of waits
// for a member that is gone.
#include "collectives.hpp"

#include "lines.hpp"

#include "saguaro/channel.h"
#include "saguaro/collective.h"
#include "saguaro/spmc.h"
#include "support/job.hpp"
#include "support/kernel_calls.hpp"

#include <cerrno>
#include <functional>
#include <gtest/gtest.h>
#include <thread>

namespace saguaro {

namespace {

using test_support::outcome;
using test_support::run_job;

// The team of a test, and what the other members do, copied into each space by its fork.
sg_team team_of_test = 0;
std::function<void(unsigned member)> others_do;
char room;

int act_as(void *member) {
    others_do(*static_cast<unsigned *>(member));
    return 0;
}

void begin_space_for(unsigned member) {
    spmc_space_create(nullptr, act_as, &member);
}

// Runs root() as member 0 or nobody, with a team of so many.
outcome with_team(unsigned members, const std::function<void()> &root) {
    return run_job([&] {
        team_of_test = sg_team_create(members);
        root();
        return 0;
    });
}

void add(void *into, const void *left, const void *right, std::size_t count, void *) {
    for (std::size_t i = 0; i < count; ++i)
        static_cast<int *>(into)[i] =
            static_cast<const int *>(left)[i] + static_cast<const int *>(right)[i];
}
const sg_reduction one_int = {1, sizeof(int), add, nullptr};

// ---- Teams and members that there are not ----

TEST(channels_teams, numbers_of_members_out_of_range) {
    for (const unsigned members : {0U, 1025U}) {
        const outcome seen =
            run_job([=] { return sg_team_create(members) == 0 && errno == EINVAL ? 1 : 0; });
        EXPECT_TRUE(seen.exited_with(1));
        EXPECT_NE(seen.err.find("was given " + std::to_string(members) +
                                " members: 1 to 1024 are possible\n"),
                  std::string::npos)
            << seen.err;
    }
}

TEST(channels_teams, a_team_that_there_is_not) {
    expect_line(run_job([] {
                    sg_barrier(0, 0);
                    return 0;
                }),
                "sg_barrier: there is no team 0x0");
    expect_line(with_team(1, [] { sg_team_members(team_of_test + 1); }),
                "sg_team_members: there is no team 0x");
}

TEST(channels_teams, a_channel_is_no_team) {
    expect_line(run_job([] {
                    sg_barrier(sg_channel_create(1, 0), 0);
                    return 0;
                }),
                "sg_barrier: there is no team 0x");
}

TEST(channels_teams, a_team_is_no_channel) {
    expect_line(with_team(2, [] { sg_channel_send(team_of_test, "x", 1); }),
                "there is no channel 0x");
}

TEST(channels_teams, a_member_that_there_is_not) {
    expect_line(with_team(3, [] { sg_barrier(team_of_test, 3); }),
                "has 3 members, from 0; there is no member 3\n");
}

TEST(channels_teams, a_root_that_there_is_not) {
    expect_line(with_team(3, [] { sg_broadcast(team_of_test, 0, 3, nullptr, 0); }),
                "has 3 members, from 0; there is no member 3 for the root\n");
}

// ---- One thread for each member ----

TEST(channels_teams, two_spaces_as_one_member) {
    expect_line(with_team(1,
                          [] {
                              sg_barrier(team_of_test, 0);
                              others_do = [](unsigned m) { sg_barrier(team_of_test, m); };
                              begin_space_for(0);
                              spmc_space_wait(1, nullptr);
                          }),
                "has its member 0: it is space 0\n");
}

TEST(channels_teams, two_threads_as_one_member) {
    expect_line(with_team(1,
                          [] {
                              sg_barrier(team_of_test, 0);
                              std::thread([] { sg_barrier(team_of_test, 0); }).join();
                          }),
                "has its member 0: another thread of this space\n");
}

// ---- Bad arguments ----

TEST(channels_teams, null_pointers) {
    const std::function<void()> calls[] = {
        [] { sg_broadcast(team_of_test, 0, 0, nullptr, 1); },
        [] { sg_gather(team_of_test, 0, 0, "x", nullptr, 1); },
        [] { sg_scatter(team_of_test, 0, 0, nullptr, &room, 1); },
        [] { sg_alltoall(team_of_test, 0, nullptr, nullptr, 1); },
        [] { sg_allreduce(team_of_test, 0, nullptr, nullptr, &one_int); },
        [] { sg_scan(team_of_test, 0, nullptr, nullptr, &one_int); },
        [] { sg_reduce(team_of_test, 0, 0, "1234", nullptr, &one_int); },
    };
    for (const auto &call : calls)
        expect_line(with_team(1, call), "was given a null pointer for some bytes\n");
    expect_line(with_team(1, [] { sg_scan(team_of_test, 0, "", nullptr, nullptr); }),
                "sg_scan was given a null pointer for the reduction, or its operation\n");
}

TEST(channels_teams, sizes_that_cannot_be) {
    expect_line(with_team(1,
                          [] {
                              const sg_reduction none = {1, 0, add, nullptr};
                              sg_scan(team_of_test, 0, "", nullptr, &none);
                          }),
                "sg_scan was given elements of 0 bytes\n");
    expect_line(with_team(3, [] { sg_gather(team_of_test, 0, 0, "", nullptr, SIZE_MAX / 2); }),
                "sg_gather was given more bytes than a process can have\n");
}

// ---- Members that disagree, or are gone ----

TEST(channels_teams, sizes_that_differ) {
    expect_line(with_team(2,
                          [] {
                              others_do = [](unsigned m) {
                                  char two[2] = {};
                                  sg_gather(team_of_test, m, 0, two, nullptr, 2);
                              };
                              begin_space_for(1);
                              char three[6];
                              sg_gather(team_of_test, 0, 0, three, three, 3);
                          }),
                "space 0: sg_gather of team 0x");
    expect_line(with_team(2,
                          [] {
                              others_do = [](unsigned m) {
                                  char two[2] = {};
                                  sg_broadcast(team_of_test, m, 0, two, 2);
                              };
                              begin_space_for(1);
                              char three[3] = {};
                              sg_broadcast(team_of_test, 0, 0, three, 3);
                              spmc_space_wait(1, nullptr);
                          }),
                "member 1 with member 0: expects 2 bytes and is sent 3: the members' calls");
}

TEST(channels_teams, a_member_that_was_killed) {
    expect_line(with_team(2,
                          [] {
                              others_do = [](unsigned m) {
                                  sg_barrier(team_of_test, m);
                                  raise(SIGKILL);
                              };
                              begin_space_for(1);
                              sg_barrier(team_of_test, 0);
                              sg_barrier(team_of_test, 0);
                          }),
                "but space 0.1 has ended: signal 9 (Killed)\n");
}

// In the middle of many collectives of each kind: whoever needs it, or somebody who needed it,
// ends, and nobody waits for ever.
TEST(channels_teams, a_member_that_was_killed_at_any_time) {
    constexpr unsigned members = 4;
    for (const char *const operation :
         {"barrier", "broadcast", "reduce", "allreduce", "scan", "gather", "scatter", "alltoall"})
        for (const unsigned victim : {1U, 3U}) {
            const auto act = [=](unsigned m) {
                for (unsigned i = 0; i < 2000; ++i) {
                    const std::size_t size = i % 7 == 6 ? 100'000 : 8;
                    if (m == victim && i == 20)
                        raise(SIGKILL);
                    test_support::result_of({operation, members, 0, size, 8, i}, team_of_test, m);
                }
            };
            const outcome seen = with_team(members, [&] {
                others_do = act;
                for (unsigned m = 1; m < members; ++m)
                    begin_space_for(m);
                act(0);
            });
            EXPECT_TRUE(seen.exited_with(2)) << operation << seen.status << seen.err;
            EXPECT_NE(seen.err.find("has ended: signal 9 (Killed)\n"), std::string::npos)
                << operation << seen.err;
        }
}

// It names the collective and the member. The member has not sent anything so far.
TEST(channels_teams, a_member_that_has_ended) {
    const outcome seen = with_team(2, [] {
        others_do = [](unsigned m) {
            int unused = 0;
            sg_broadcast(team_of_test, m, 0, &unused, sizeof(unused));
            _exit(5);
        };
        begin_space_for(1);
        int value = 1;
        sg_broadcast(team_of_test, 0, 0, &value, sizeof(value));
        sg_allreduce(team_of_test, 0, &value, &value, &one_int);
    });
    expect_line(seen, "space 0: sg_allreduce of team 0x");
    expect_line(seen, ", member 0 with member 1: waits for a first message in team 0x");
    expect_line(seen, ", but space 0.1 has ended: exit code 5\n");
}

TEST(channels_teams, a_member_that_nobody_is) {
    expect_line(with_team(2,
                          [] {
                              others_do = [](unsigned) {};
                              begin_space_for(1);
                              sg_barrier(team_of_test, 0);
                          }),
                "no other space is left");
}

// The first message between two members comes on a channel that the sender makes then. Who waits
// for it does not look again by itself.
TEST(channels_teams, who_waits_for_a_first_message_is_woken) {
    constexpr int rounds = 100;
    const outcome seen = run_job([] {
        test_support::sleeps.ignore_limits = true;
        static sg_team teams[rounds];
        for (sg_team &each : teams)
            each = sg_team_create(2);
        others_do = [](unsigned m) {
            for (const sg_team each : teams) {
                usleep(2000);
                sg_barrier(each, m);
            }
        };
        begin_space_for(1);
        for (const sg_team each : teams)
            sg_barrier(each, 0);
        test_support::sleeps.ignore_limits = false;
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// What is said afterwards has nothing to do with the collective.
TEST(channels_teams, lines_after_a_collective_do_not_name_it) {
    const outcome seen = with_team(1, [] {
        sg_barrier(team_of_test, 0);
        sg_team_create(0);
    });
    EXPECT_EQ(seen.err, "saguaro: spmc: space 0: sg_team_create was given 0 members: 1 to 1024 are "
                        "possible\n");
}

TEST(channels_teams, members_that_wait_for_each_other) {
    expect_line(with_team(2,
                          [] {
                              others_do = [](unsigned m) {
                                  sg_barrier(team_of_test, m);
                                  sg_broadcast(team_of_test, m, 0, nullptr, 0);
                              };
                              begin_space_for(1);
                              sg_barrier(team_of_test, 0);
                              sg_broadcast(team_of_test, 0, 1, nullptr, 0);
                          }),
                "deadlock");
}

} // namespace

} // namespace saguaro
