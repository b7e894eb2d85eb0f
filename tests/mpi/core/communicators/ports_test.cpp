// SPDX-License-Identifier: MIT
// Groups that meet at a port.
#include "exchanged.hpp"
#include "mpi/core/replay.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

// Rank 0 accepts three times; the others connect, the later ranks earlier by their clocks and later
// in time.
TEST(ports, take_who_connects_first_by_the_clock) {
    EXPECT_TRUE(all_well(run_ranks(4, [](int me) {
        char name[abi::max_port_name] = "";
        if (me == 0)
            core::open_port(info::null, name);
        core::bcast(name, abi::max_port_name, datatype::char_, 0, comm::world);
        comm made{};
        if (me != 0) {
            core::declare_cost(100 - 10 * me);
            usleep(static_cast<unsigned>(me) * 20'000);
            if (core::comm_connect(name, info::null, 0, comm::self, &made) != 0)
                return 1;
            core::send(&me, 1, datatype::int_, 0, 0, made);
            return 0;
        }
        for (int expected = 3; expected > 0; --expected) {
            int got = -1;
            if (core::comm_accept(name, info::null, 0, comm::self, &made) != 0)
                return 2;
            core::recv(&got, 1, datatype::int_, 0, 0, made, nullptr);
            if (got != expected)
                return 3;
        }
        return core::close_port(name) == 0 && core::close_port(name) == abi::err_port ? 0 : 4;
    })));
}

// The clock, and most likely the time, have another order.
TEST(ports, take_whom_the_replay_says) {
    const std::vector<std::string> recorded{"poll 1 MPI_Comm_accept 2\npoll 1 MPI_Comm_accept 1\n",
                                            "", ""};
    EXPECT_TRUE(all_well(replay(recorded, [](int me) {
        alarm(60);
        char name[abi::max_port_name] = "";
        if (me == 0)
            core::open_port(info::null, name);
        core::bcast(name, abi::max_port_name, datatype::char_, 0, comm::world);
        comm made{};
        if (me != 0) {
            usleep(static_cast<unsigned>(me) * 20'000);
            core::comm_connect(name, info::null, 0, comm::self, &made);
            return core::send(&me, 1, datatype::int_, 0, 0, made);
        }
        for (int expected = 2; expected > 0; --expected) {
            int got = -1;
            core::comm_accept(name, info::null, 0, comm::self, &made);
            core::recv(&got, 1, datatype::int_, 0, 0, made, nullptr);
            if (got != expected)
                return 1;
        }
        return 0;
    })));
}

TEST(ports, join_groups) {
    EXPECT_TRUE(all_well(run_ranks(5, [](int me) {
        char name[abi::max_port_name] = "";
        comm half{};
        comm made{};
        core::comm_split(comm::world, me < 2 ? 0 : 1, 0, &half);
        if (me == 1) {
            core::open_port(info::null, name);
            core::send(name, abi::max_port_name, datatype::char_, 4, 0, comm::world);
        }
        if (me == 4)
            core::recv(name, abi::max_port_name, datatype::char_, 1, 0, comm::world, nullptr);
        const int error = me < 2 ? core::comm_accept(name, info::null, 1, half, &made)
                                 : core::comm_connect(name, info::null, 2, half, &made);
        int remote = 0;
        core::comm_remote_size(made, &remote);
        return error == 0 && remote == (me < 2 ? 3 : 2) ? 0 : 1;
    })));
}

// Rank 0 has two. Rank 1, which is the first by the clock, knocks at that which is accepted last.
TEST(ports, of_one_rank_are_told_apart) {
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        alarm(60);
        char names[2][abi::max_port_name] = {"", ""};
        for (int i = 0; i < 2 && me == 0; ++i)
            core::open_port(info::null, names[i]);
        core::bcast(names, sizeof(names), datatype::char_, 0, comm::world);
        comm made{};
        if (me != 0) {
            core::declare_cost(10 * me);
            core::comm_connect(names[2 - me], info::null, 0, comm::self, &made);
            return exchanged(made, me) == 0 ? 0 : 1;
        }
        for (const int expected : {2, 1}) {
            core::comm_accept(names[2 - expected], info::null, 0, comm::self, &made);
            if (exchanged(made, 0) != expected)
                return 2;
        }
        return 0;
    })));
}

// Each of two ranks connects to the other's port, and accepts at its own when the other has begun
// to connect as well.
TEST(ports, of_two_ranks_are_told_apart_by_threads) {
    for (const int own_number : {0, 1})
        EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
            alarm(60);
            int level = 0;
            core::init_thread(nullptr, nullptr, abi::thread_multiple, &level);
            char names[2][abi::max_port_name] = {"", ""};
            // Of the same numbers, or of 1 at rank 0 and of 0 at rank 1.
            for (int i = 0; i <= (me == 0 ? own_number : 0); ++i)
                core::open_port(info::null, names[me]);
            std::thread other([&] {
                usleep(30'000);
                const core::inside entered;
                comm made{};
                core::comm_accept(names[me], info::null, 0, comm::self, &made);
                if (exchanged(made, 10 + me) != 21 - me)
                    std::abort();
            });
            int got = -1;
            {
                const core::inside entered;
                for (int owner = 0; owner < 2; ++owner)
                    core::bcast(names[owner], abi::max_port_name, datatype::char_, owner,
                                comm::world);
                comm made{};
                core::comm_connect(names[1 - me], info::null, 0, comm::self, &made);
                got = exchanged(made, 20 + me);
            }
            other.join();
            return got == 11 - me ? 0 : 1;
        })));
}

// The clocks behind a meeting depend on the clocks before it alone. Its knock comes a clock later.
TEST(ports, give_both_ends_one_clock) {
    for (const int higher : {0, 1})
        for (const int late : {0, 1}) {
            shared_array<clock_value> clocks(2);
            EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
                alarm(60);
                char name[abi::max_port_name] = "";
                if (me == 0)
                    core::open_port(info::null, name);
                core::bcast(name, abi::max_port_name, datatype::char_, 0, comm::world);
                core::declare_cost((me == higher ? 70 : 20) -
                                   static_cast<std::int64_t>(rank::mine->clock()));
                usleep(me == late ? 15'000 : 0);
                comm made{};
                const int error = me == 0
                                      ? core::comm_accept(name, info::null, 0, comm::self, &made)
                                      : core::comm_connect(name, info::null, 0, comm::self, &made);
                clocks[static_cast<std::size_t>(me)] = rank::mine->clock();
                return error;
            })));
            EXPECT_EQ(clocks[0], clocks[1]);
            EXPECT_EQ(clocks[0], static_cast<clock_value>(74 + higher)) << late;
        }
}

TEST(ports, are_their_owners) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        alarm(60);
        char names[2][abi::max_port_name] = {"", ""};
        core::open_port(info::null, names[me]);
        for (int owner = 0; owner < 2; ++owner)
            core::bcast(names[owner], abi::max_port_name, datatype::char_, owner, comm::world);
        comm made{};
        const char *const others = names[1 - me];
        return core::comm_accept(others, info::null, 0, comm::self, &made) == abi::err_port &&
                       core::close_port(others) == abi::err_port && core::close_port(names[me]) == 0
                   ? 0
                   : 1;
    })));
}

TEST(ports, join_no_intercommunicators) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        alarm(60);
        char name[abi::max_port_name] = "";
        comm between{};
        comm made{};
        core::open_port(info::null, name);
        core::intercomm_create(comm::self, 0, comm::world, 1 - me, 0, &between);
        return core::comm_accept(name, info::null, 0, between, &made) == abi::err_comm &&
                       core::comm_connect(name, info::null, 0, between, &made) == abi::err_comm
                   ? 0
                   : 1;
    })));
}

TEST(ports, that_are_none_are_an_error_of_the_whole_group) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int) {
        alarm(60);
        comm made{};
        const auto accept = [&](const char *name, int root) {
            return core::comm_accept(name, info::null, root, comm::world, &made);
        };
        const auto connect = [&](const char *name, int root) {
            return core::comm_connect(name, info::null, root, comm::world, &made);
        };
        return accept("saguaro:0:0", 0) == abi::err_port && accept("", 0) == abi::err_port &&
                       accept(nullptr, 0) == abi::err_port &&
                       connect(nullptr, 1) == abi::err_port &&
                       connect("saguaro:2:0", 1) == abi::err_port &&
                       connect("saguaro:0:-1", 1) == abi::err_port &&
                       connect("saguaro:0:0x", 1) == abi::err_port &&
                       connect("saguaro:0:0", 2) == abi::err_root &&
                       core::close_port("nothing") == abi::err_port
                   ? 0
                   : 1;
    })));
}

} // namespace
} // namespace saguaro::mpi
