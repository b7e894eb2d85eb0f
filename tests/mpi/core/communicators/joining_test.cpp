// SPDX-License-Identifier: MIT
// Two ranks that a socket connects.
#include "exchanged.hpp"
#include "mpi/core/ranks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace saguaro::mpi {
namespace {

using sockets = std::array<int, 2>;

sockets local_pair() {
    sockets made{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, made.data()), 0);
    return made;
}

// The same by TCP, to an address of this machine.
template <class Address>
sockets connected_pair(int domain, Address address) {
    const int listener = socket(domain, SOCK_STREAM, 0);
    socklen_t bytes = sizeof(address);
    auto *const any = reinterpret_cast<sockaddr *>(&address);
    EXPECT_EQ(bind(listener, any, bytes), 0);
    EXPECT_EQ(listen(listener, 1), 0);
    EXPECT_EQ(getsockname(listener, any, &bytes), 0);
    sockets made{};
    made[0] = socket(domain, SOCK_STREAM, 0);
    EXPECT_EQ(connect(made[0], any, bytes), 0);
    made[1] = accept(listener, nullptr, nullptr);
    close(listener);
    return made;
}

sockets internet_pair() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connected_pair(AF_INET, address);
}

sockaddr_in6 own_address_6() {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_addr = in6addr_loopback;
    return address;
}

bool has_internet_6() {
    const int fd = socket(AF_INET6, SOCK_STREAM, 0);
    const sockaddr_in6 own = own_address_6();
    const bool is_here =
        fd >= 0 && bind(fd, reinterpret_cast<const sockaddr *>(&own), sizeof(own)) == 0;
    close(fd);
    return is_here;
}

void close_all(const sockets &which) {
    close(which[0]);
    close(which[1]);
}

bool is_quiescent(int fd) {
    char byte = 0;
    return recv(fd, &byte, 1, MSG_DONTWAIT) < 0;
}

TEST(sockets, join_two_ranks_and_are_quiescent_afterwards) {
    for (const int domain : {AF_UNIX, AF_INET, AF_INET6}) {
        if (domain == AF_INET6 && !has_internet_6())
            continue;
        const sockets pair = domain == AF_UNIX   ? local_pair()
                             : domain == AF_INET ? internet_pair()
                                                 : connected_pair(domain, own_address_6());
        EXPECT_TRUE(all_well(run_ranks(3, [&](int me) {
            if (me == 1)
                return 0;
            const int fd = pair[me == 0 ? 0 : 1];
            for (int round = 0; round < 3; ++round) {
                usleep(me == 0 && round == 1 ? 30'000 : 0);
                comm made{};
                int inter = 0;
                int ranks = 0;
                if (core::comm_join(fd, &made) != 0 || made == comm::null || !is_quiescent(fd))
                    return 1;
                core::comm_test_inter(made, &inter);
                core::comm_remote_size(made, &ranks);
                if (inter == 0 || ranks != 1 || exchanged(made, me) != 2 - me)
                    return 2;
                core::comm_disconnect(&made);
            }
            return 0;
        })));
        close_all(pair);
    }
}

// One of the ranks has used its first numbers for ports.
TEST(sockets, may_have_other_numbers_at_either_end) {
    for (const int more : {0, 1}) {
        const sockets pair = local_pair();
        EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
            alarm(60);
            char name[abi::max_port_name];
            for (int i = 0; i < 3 && me == more; ++i)
                core::open_port(info::null, name);
            comm made{};
            const int error = core::comm_join(pair[static_cast<std::size_t>(me)], &made);
            return error == 0 && exchanged(made, me) == 1 - me ? 0 : 1;
        })));
        close_all(pair);
    }
}

// Rank 1 joins while another thread of its waits to be accepted at a port of rank 0. The port is
// made while rank 0 waits for the socket, and it accepts when that has been joined.
TEST(sockets, are_told_apart_from_ports_by_several_threads) {
    const sockets pair = local_pair();
    EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
        alarm(60);
        int level = 0;
        core::init_thread(nullptr, nullptr, abi::thread_multiple, &level);
        char name[abi::max_port_name] = "";
        std::atomic<bool> is_joined{false};
        std::atomic<int> at_port{-1};
        std::thread other([&] {
            comm made{};
            usleep(20'000);
            if (me == 0) {
                const core::inside entered;
                core::open_port(info::null, name);
                core::send(name, abi::max_port_name, datatype::char_, 1, 0, comm::world);
            }
            while (me == 0 && !is_joined)
                usleep(1'000);
            const core::inside entered;
            if (me == 0) {
                core::comm_accept(name, info::null, 0, comm::self, &made);
            } else {
                core::recv(name, abi::max_port_name, datatype::char_, 0, 0, comm::world, nullptr);
                core::comm_connect(name, info::null, 0, comm::self, &made);
            }
            at_port = exchanged(made, 100 + me);
        });
        usleep(me == 1 ? 60'000 : 0);
        int at_socket = -1;
        {
            const core::inside entered;
            comm made{};
            core::comm_join(pair[static_cast<std::size_t>(me)], &made);
            is_joined = true;
            at_socket = exchanged(made, me);
        }
        other.join();
        return at_socket == 1 - me && at_port == 101 - me ? 0 : 1;
    })));
    close_all(pair);
}

// The clocks behind a join depend on the clocks before it alone.
TEST(sockets, give_both_ends_one_clock) {
    for (const int late : {0, 1}) {
        const sockets pair = internet_pair();
        shared_array<clock_value> clocks(2);
        EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
            core::declare_cost(me == 0 ? 70 : 20);
            usleep(me == late ? 30'000 : 0);
            comm made{};
            if (core::comm_join(pair[static_cast<std::size_t>(me)], &made) != 0)
                return 1;
            clocks[static_cast<std::size_t>(me)] = rank::mine->clock();
            return 0;
        })));
        EXPECT_EQ(clocks[0], clocks[1]);
        EXPECT_EQ(clocks[0], 75);
        close_all(pair);
    }
}

// Rank 0 waits for rank 1's socket at clock 1, while rank 1 polls and receives from any source at
// later clocks: its decisions need a bound of rank 0's.
TEST(sockets, that_a_rank_waits_for_hold_nobody_up) {
    const sockets pair = internet_pair();
    EXPECT_TRUE(all_well(run_ranks(3, [&](int me) {
        alarm(60);
        comm made{};
        int x = 0;
        if (me == 0) {
            const int error = core::comm_join(pair[0], &made);
            return error == 0 && exchanged(made, 5) == 6 ? 0 : 1;
        }
        core::declare_cost(100);
        if (me == 2)
            return core::send(&x, 1, datatype::int_, 1, 7, comm::world);
        usleep(20'000);
        int is_there = 0;
        for (int i = 0; i < 50; ++i)
            core::iprobe(abi::any_source, 9, comm::world, &is_there, nullptr);
        if (is_there != 0 ||
            core::recv(&x, 1, datatype::int_, abi::any_source, 7, comm::world, nullptr) != 0)
            return 2;
        return core::comm_join(pair[1], &made) == 0 && exchanged(made, 6) == 5 ? 0 : 3;
    })));
    close_all(pair);
}

// The exit code of rank 0 of each of two worlds of one rank and of two: as two jobs are.
std::array<int, 2> run_two_worlds(const std::function<int(int)> &first,
                                  const std::function<int(int)> &second) {
    spmc::job &all = spmc::job::mine();
    const place places[] = {world::make(all, 1), world::make(all, 2)};
    rank_start starts[] = {
        {places[0], 0, &first}, {places[1], 0, &second}, {places[1], 1, &second}};
    std::array<spmc_space, 3> spaces{};
    std::array<int, 3> codes{};
    for (std::size_t i = 0; i < spaces.size(); ++i)
        EXPECT_EQ(spmc_space_create(&spaces[i], begin_rank, &starts[i]), 0);
    for (std::size_t i = 0; i < spaces.size(); ++i)
        spmc_space_wait(spaces[i], &codes[i]);
    EXPECT_EQ(codes[2], 0);
    return {codes[0], codes[1]};
}

TEST(sockets, to_another_job_give_no_communicator_and_no_error) {
    const sockets pair = internet_pair();
    const auto joins = [](int fd) {
        comm made = comm::self;
        return core::comm_join(fd, &made) == 0 && made == comm::null && is_quiescent(fd) ? 0 : 1;
    };
    const std::array<int, 2> codes = run_two_worlds(
        [&](int) {
            usleep(300'000);
            return joins(pair[0]);
        },
        [&](int me) {
            alarm(60);
            // This rank waits for the other, which waits for the other job: it is no deadlock.
            int error = 0;
            if (me == 0) {
                core::recv(&error, 1, datatype::int_, 1, 0, comm::world, nullptr);
                return error;
            }
            // Rank 1, whose number nobody has in the other job.
            error = joins(pair[1]);
            core::send(&error, 1, datatype::int_, 0, 0, comm::world);
            return 0;
        });
    EXPECT_EQ(codes[0], 0);
    EXPECT_EQ(codes[1], 0);
    close_all(pair);
}

// Rank 1 plays a rank of another job, whose greeting comes in three parts and has something behind
// it. Only one half of the job's identity is another one. With several threads rank 0 looks again
// when it has all.
TEST(sockets, whose_greeting_comes_in_parts_are_read_to_its_end) {
    constexpr std::size_t length = 32;
    constexpr std::size_t rank_at = 24;
    for (const auto &[job, level] :
         {std::pair{8, abi::thread_single}, {16, abi::thread_single}, {16, abi::thread_multiple}}) {
        const sockets pair = local_pair();
        EXPECT_TRUE(
            all_well(run_ranks(2, [&, at = static_cast<std::size_t>(job), wanted = level](int me) {
                alarm(60);
                if (me == 0) {
                    int provided = 0;
                    core::init_thread(nullptr, nullptr, wanted, &provided);
                    const core::inside entered;
                    comm made = comm::self;
                    char next = 0;
                    return core::comm_join(pair[0], &made) == 0 && made == comm::null &&
                                   recv(pair[0], &next, 1, 0) == 1 && next == '!'
                               ? 0
                               : 1;
                }
                char greeting[length + 1] = "";
                if (recv(pair[1], greeting, length, MSG_WAITALL) != length)
                    return 2;
                greeting[at] = static_cast<char>(greeting[at] + 1);
                greeting[rank_at] = 1;
                greeting[length] = '!';
                const char *from = greeting;
                for (const std::size_t bytes : {3U, 17U, 13U}) {
                    if (write(pair[1], from, bytes) < 0)
                        return 3;
                    from += bytes;
                    usleep(40'000); // rank 0 looks each 50 ms
                }
                return 0;
            })));
        close_all(pair);
    }
}

// Rank 1 decides by the clock that rank 0 has behind the join, while rank 0 calls nothing.
TEST(sockets, that_give_no_communicator_hold_nobody_up_afterwards) {
    shared_array<std::atomic<int>> is_through(1);
    EXPECT_TRUE(all_well(run_ranks(3, [&](int me) {
        alarm(60);
        int x = 0;
        if (me == 2) {
            core::declare_cost(100);
            return core::send(&x, 1, datatype::int_, 1, 0, comm::world);
        }
        if (me == 1) {
            core::recv(&x, 1, datatype::int_, abi::any_source, 0, comm::world, nullptr);
            is_through[0] = 1;
            return 0;
        }
        core::declare_cost(100);
        comm made{};
        const int error = core::comm_join(-1, &made);
        for (int i = 0; i < 50'000 && is_through[0] == 0; ++i)
            usleep(1'000);
        return error == abi::err_arg && is_through[0] == 1 ? 0 : 1;
    })));
}

// With several threads more than one of them looks, also when the wait is over.
TEST(sockets, that_say_something_else_later_end_the_wait_of_a_thread) {
    const sockets pair = local_pair();
    EXPECT_TRUE(all_well(run_ranks(1, [&](int) {
        alarm(60);
        int level = 0;
        core::init_thread(nullptr, nullptr, abi::thread_multiple, &level);
        std::thread other([&] {
            usleep(100'000);
            if (write(pair[1], "HTTP", 4) != 4)
                std::abort();
        });
        const core::inside entered;
        comm made = comm::self;
        const int error = core::comm_join(pair[0], &made);
        other.join();
        return error == abi::err_other && made == comm::null ? 0 : 1;
    })));
    close_all(pair);
}

// A rank that greets itself: what it writes comes back.
TEST(sockets, to_itself_give_no_communicator_and_no_error) {
    const sockets pair = local_pair();
    EXPECT_TRUE(all_well(run_ranks(1, [&](int) {
        int level = 0;
        core::init_thread(nullptr, nullptr, abi::thread_multiple, &level);
        const auto joins = [](int fd) {
            const core::inside entered;
            comm made = comm::self;
            if (core::comm_join(fd, &made) != 0 || made != comm::null)
                std::abort();
        };
        std::thread other(joins, pair[0]);
        joins(pair[1]);
        other.join();
        return is_quiescent(pair[0]) && is_quiescent(pair[1]) ? 0 : 1;
    })));
    close_all(pair);
}

TEST(sockets, that_are_none_or_closed_or_used_are_an_error) {
    sockets pair = local_pair();
    sockets broken = local_pair();
    close(broken[1]);
    EXPECT_EQ(write(pair[1], "HTTP", 4), 4);
    int datagrams[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_DGRAM, 0, datagrams), 0);
    // A stream of a domain that does not say what is acknowledged; -1 if the kernel has none.
    const int of_machines = socket(AF_VSOCK, SOCK_STREAM, 0);
    EXPECT_TRUE(all_well(run_ranks(1, [&](int) {
        comm made = comm::self;
        const int file = open("/dev/null", O_RDWR | O_CLOEXEC);
        const auto fails = [&](int fd, int error) {
            made = comm::self;
            return core::comm_join(fd, &made) == error && made == comm::null;
        };
        return fails(-1, abi::err_arg) && fails(file, abi::err_arg) &&
                       fails(datagrams[0], abi::err_arg) && fails(of_machines, abi::err_arg) &&
                       fails(broken[0], abi::err_other) && fails(pair[0], abi::err_other)
                   ? 0
                   : 1;
    })));
    close(of_machines);
    close(broken[0]);
    close_all(pair);
}

} // namespace
} // namespace saguaro::mpi
