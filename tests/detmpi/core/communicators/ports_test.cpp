// SPDX-License-Identifier: MIT
// Groups that meet at a port.
#include "replay.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

namespace saguaro::detmpi {
namespace {

// Rank 0 accepts three times; the others connect, the later ranks earlier by their clocks and later
// in time.
TEST(ports, take_who_connects_first_by_the_clock) {
    EXPECT_TRUE(all_well(run_ranks(4, [](int me) {
        char name[mpi::max_port_name] = "";
        if (me == 0)
            core::open_port(info::null, name);
        core::bcast(name, mpi::max_port_name, datatype::char_, 0, comm::world);
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
        return core::close_port(name) == 0 && core::close_port(name) == mpi::err_port ? 0 : 4;
    })));
}

// The clock, and most likely the time, have another order.
TEST(ports, take_whom_the_replay_says) {
    const std::vector<std::string> recorded{"poll 1 MPI_Comm_accept 2\npoll 1 MPI_Comm_accept 1\n",
                                            "", ""};
    EXPECT_TRUE(all_well(replay(recorded, [](int me) {
        alarm(20);
        char name[mpi::max_port_name] = "";
        if (me == 0)
            core::open_port(info::null, name);
        core::bcast(name, mpi::max_port_name, datatype::char_, 0, comm::world);
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
        char name[mpi::max_port_name] = "";
        comm half{};
        comm made{};
        core::comm_split(comm::world, me < 2 ? 0 : 1, 0, &half);
        if (me == 1) {
            core::open_port(info::null, name);
            core::send(name, mpi::max_port_name, datatype::char_, 4, 0, comm::world);
        }
        if (me == 4)
            core::recv(name, mpi::max_port_name, datatype::char_, 1, 0, comm::world, nullptr);
        const int error = me < 2 ? core::comm_accept(name, info::null, 1, half, &made)
                                 : core::comm_connect(name, info::null, 2, half, &made);
        int remote = 0;
        core::comm_remote_size(made, &remote);
        return error == 0 && remote == (me < 2 ? 3 : 2) ? 0 : 1;
    })));
}

TEST(ports, that_are_none_are_an_error_of_the_whole_group) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int) {
        comm made{};
        const auto accept = [&](const char *name, int root) {
            return core::comm_accept(name, info::null, root, comm::world, &made);
        };
        const auto connect = [&](const char *name, int root) {
            return core::comm_connect(name, info::null, root, comm::world, &made);
        };
        return accept("saguaro:0:0", 0) == mpi::err_port && accept("", 0) == mpi::err_port &&
                       connect("saguaro:7:0", 1) == mpi::err_port &&
                       connect("saguaro:0:0x", 1) == mpi::err_port &&
                       connect("saguaro:0:0", 2) == mpi::err_root &&
                       core::close_port("nothing") == mpi::err_port
                   ? 0
                   : 1;
    })));
}

} // namespace
} // namespace saguaro::detmpi
