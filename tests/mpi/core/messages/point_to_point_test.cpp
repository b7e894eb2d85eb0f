// SPDX-License-Identifier: MIT
// Sends and receives of all kinds: order, sizes, buffering, matched probes, errors, deadlocks.
#include "message_data.hpp"
#include "mpi/core/ranks.hpp"
#include "mpi/core/short.hpp"
#include "platform/cpus.hpp"

#include "saguaro/detail/sanitizers.h"
#include "support/kernel_calls.hpp"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

TEST(point_to_point, messages_of_all_sizes_arrive_whole_and_in_order) {
    const std::size_t sizes[] = {0, 1, 31, 32, 33, 95, 96, 97, 5000, 16384, 16385, 70000, 3000000};
    EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
        for (unsigned round = 0; round < 20; ++round)
            for (const std::size_t size : sizes) {
                std::vector<char> v = message_data(size, round);
                const auto count = static_cast<std::int64_t>(size);
                if (me == 0) {
                    core::send(v.data(), count, datatype::byte, 1, 3, on);
                    continue;
                }
                std::vector<char> got(size + 1);
                status s;
                core::recv(got.data(), count + 1, datatype::byte, 0, 3, on, &s);
                got.resize(size);
                if (s.bytes != count || got != v)
                    return 1;
            }
        return 0;
    })));
}

// Sanitizers and emulators have address space of their own.
#if !defined(SG_TEST_EMULATED) && !SG_ADDRESS_SANITIZER && !SG_THREAD_SANITIZER

// The memory that this process may still take.
void leave_memory(rlim_t bytes) {
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most = static_cast<rlim_t>(pages) * static_cast<rlim_t>(getpagesize()) + bytes;
    const rlimit limit{most, most};
    setrlimit(RLIMIT_AS, &limit);
}

TEST(point_to_point, a_rank_without_memory_for_messages_says_so) {
    testing::internal::CaptureStderr();
    const std::vector<int> codes = run_ranks(2, [](int me) {
        if (me == 1)
            leave_memory(1 << 20);
        for (int i = 0; i < 100000; ++i)
            if (me == 0)
                core::send(&i, 1, datatype::int_, 1, 0, on);
        int last = 0;
        if (me == 0)
            core::send(&last, 1, datatype::int_, 1, 1, on);
        else
            core::recv(&last, 1, datatype::int_, 0, 1, on, nullptr);
        return 0;
    });
    EXPECT_EQ(codes[1], 2);
    EXPECT_NE(testing::internal::GetCapturedStderr().find(
                  "no memory for a message of 4 bytes from rank 0 that no receive has taken"),
              std::string::npos);
}

#endif

// Who goes to sleep there would interrupt the others each time. Ranks on other machines do not
// count.
TEST(point_to_point, senders_have_a_fence_where_ranks_share_processors) {
    spmc::job &all = spmc::job::mine();
    const std::uint32_t processors = platform::default_workers();
    const world crowded(all, world::make(all, processors + 1));
    EXPECT_EQ(crowded.head().has_membarrier, 0);
    EXPECT_TRUE(crowded.shares_processors());
    EXPECT_FALSE(world(all, world::make(all, processors + 1, processors)).shares_processors());
}

// A rank that sleeps until somebody else's message comes would leave all the others.
TEST(point_to_point, sleeper_is_woken_to_read_when_its_ring_has_grown) {
    spmc::job &job = spmc::job::mine();
    const world all(job, world::make(job, 3));
    rank_record &sleeper = all.rank(1);
    sleeper.heeds.store(2 + 1);
    sleeper.bell.store(1);
    out_ring ring(all, 0, 1);
    const place first = all.ring_to(1, 0).load();
    const auto cells = static_cast<int>(job.at<mpi::ring>(first)->cells);
    for (int i = 0; i < cells - 1; ++i) {
        ring.reserve(all, 4);
        ring.publish(1);
    }
    EXPECT_EQ(sleeper.bell.load() & 1, 1U);
    ring.reserve(all, 4);
    EXPECT_EQ(sleeper.bell.load() & 1, 0U);
}

// Nobody receives before the last is sent: rings grow, and no send waits.
TEST(point_to_point, sends_wait_for_no_receive) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        constexpr int count = 100000;
        const int other = 1 - me;
        std::vector<char> large(1 << 20, static_cast<char>(me));
        for (int i = 0; i < count; ++i)
            core::send(&i, 1, datatype::int_, other, 0, on);
        core::send(large.data(), 1 << 20, datatype::byte, other, 1, on);
        core::recv(large.data(), 1 << 20, datatype::byte, other, 1, on, nullptr);
        for (int i = 0; i < count; ++i) {
            int got = -1;
            core::recv(&got, 1, datatype::int_, other, 0, on, nullptr);
            if (got != i)
                return 1;
        }
        return large.front() == other && large.back() == other ? 0 : 2;
    })));
}

constexpr std::int64_t flood_bytes = 16384;
constexpr int more_than_a_ring = 6000; // of such messages: a ring takes 64 MB

// Both rings are full before anybody receives. In the middle is a send that wants an answer.
TEST(point_to_point, ranks_with_full_rings_read_meanwhile) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        alarm(60);
        const int other = 1 - me;
        std::vector<char> sent(flood_bytes, static_cast<char>(me + 1));
        std::vector<char> got(flood_bytes);
        request match = request::null;
        request early = request::null;
        core::irecv(got.data(), 1, datatype::byte, other, 2, on, &early);
        for (int i = 0; i < more_than_a_ring; ++i) {
            std::memcpy(sent.data(), &i, sizeof(i));
            core::send(sent.data(), flood_bytes, datatype::byte, other, 1, on);
            if (i == more_than_a_ring / 2)
                core::issend(sent.data(), 1, datatype::byte, other, 2, on, &match);
        }
        core::wait(&early, nullptr);
        for (int i = 0; i < more_than_a_ring; ++i) {
            core::recv(got.data(), flood_bytes, datatype::byte, other, 1, on, nullptr);
            if (std::memcmp(got.data(), &i, sizeof(i)) != 0 || got.back() != other + 1)
                return 1;
        }
        core::wait(&match, nullptr);
        return 0;
    })));
}

TEST(point_to_point, sender_sleeps_until_there_is_room) {
    test_support::shared_count sleeps_of_sender;
    EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
        alarm(60);
        std::vector<char> data(flood_bytes);
        if (me == 0)
            test_support::sleeps.count_in = &sleeps_of_sender;
        else
            sleeps_of_sender.await(1);
        for (int i = 0; i < more_than_a_ring; ++i)
            if (me == 0)
                core::send(data.data(), flood_bytes, datatype::byte, 1, 0, on);
            else
                core::recv(data.data(), flood_bytes, datatype::byte, 0, 0, on, nullptr);
        return 0;
    })));
}

// Rank 0 waits for rank 2, which waits until rank 1 is through.
TEST(point_to_point, sleeper_is_not_woken_by_those_it_does_not_wait_for) {
    constexpr int messages = 60;
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        alarm(60);
        int x = 0;
        if (me == 1)
            for (int i = 0; i < messages; ++i) {
                usleep(1000);
                core::send(&i, 1, datatype::int_, 0, 1, on);
            }
        if (me != 0) {
            if (me == 2)
                core::recv(&x, 1, datatype::int_, 1, 1, on, nullptr);
            return core::send(&x, 1, datatype::int_, me == 1 ? 2 : 0, 1, on);
        }
        core::recv(&x, 1, datatype::int_, 2, 1, on, nullptr);
        const int woken = test_support::sleeps.woken;
        for (int i = 0; i < messages; ++i) {
            core::recv(&x, 1, datatype::int_, 1, 1, on, nullptr);
            if (x != i)
                return 1;
        }
        return woken < messages / 2 ? 0 : 2;
    })));
}

// Who sends synchronously waits until the message is matched, whomever the receiver waits for. The
// receiver does not look again by itself.
TEST(point_to_point, sleeper_is_woken_by_synchronous_sends) {
    constexpr int messages = 60;
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        alarm(60);
        test_support::sleeps.ignore_limits = true;
        int x = 0;
        if (me == 1) {
            for (int i = 0; i < messages; ++i)
                core::ssend(&i, 1, datatype::int_, 0, 1, on);
            return core::send(&x, 1, datatype::int_, 2, 1, on);
        }
        if (me == 2) {
            core::recv(&x, 1, datatype::int_, 1, 1, on, nullptr);
            return core::send(&x, 1, datatype::int_, 0, 1, on);
        }
        int got[messages];
        request each[messages];
        for (int i = 0; i < messages; ++i)
            core::irecv(&got[i], 1, datatype::int_, 1, 1, on, &each[i]);
        core::recv(&x, 1, datatype::int_, 2, 1, on, nullptr);
        return core::waitall(messages, each, nullptr);
    })));
}

TEST(point_to_point, synchronous_sends_are_matched_in_any_order) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        alarm(60);
        int x[3] = {1, 2, 3};
        if (me == 1) {
            for (const int tag : {2, 3, 1}) {
                core::recv(x, 1, datatype::int_, 0, tag, on, nullptr);
                if (x[0] != tag)
                    return 1;
            }
            return 0;
        }
        request r[3];
        for (const int i : {0, 1})
            core::issend(&x[i], 1, datatype::int_, 1, i + 1, on, &r[i]);
        core::wait(&r[1], nullptr); // the last one comes first, and another one behind it
        core::issend(&x[2], 1, datatype::int_, 1, 3, on, &r[2]);
        core::wait(&r[2], nullptr);
        return core::wait(&r[0], nullptr);
    })));
}

TEST(point_to_point, sends_to_a_rank_that_has_finalized_end) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        alarm(60);
        std::vector<char> data(flood_bytes * 2);
        for (int i = 0; me == 0 && i < more_than_a_ring; ++i)
            core::send(data.data(), flood_bytes, datatype::byte, 1, 0, on);
        if (me == 0) // in a block
            core::send(data.data(), flood_bytes * 2, datatype::byte, 1, 0, on);
        return 0;
    })));
}

TEST(point_to_point, synchronous_send_ends_at_the_match) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        int x = 0;
        if (me == 0) {
            core::ssend(&x, 1, datatype::int_, 1, 0, on);
            // Posted at 501, so matched then, and known at 502.
            return rank::mine->clock() == 502 ? 0 : 1;
        }
        usleep(20000);
        core::declare_cost(500);
        core::recv(&x, 1, datatype::int_, 0, 0, on, nullptr);
        return 0;
    })));
}

// Rank 0 waits for the match of a message that rank 2 receives only behind one from any source: the
// bound of rank 0's clock must follow from rank 2's.
TEST(point_to_point, synchronous_send_holds_up_no_wildcard) {
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        int x = me;
        if (me == 0) {
            core::ssend(&x, 1, datatype::int_, 2, 7, on);
        } else if (me == 1) {
            core::declare_cost(50);
            core::send(&x, 1, datatype::int_, 2, 1, on);
        } else {
            core::recv(&x, 1, datatype::int_, abi::any_source, 1, on, nullptr);
            if (x != 1)
                return 1;
            core::recv(&x, 1, datatype::int_, 0, 7, on, nullptr);
        }
        return 0;
    })));
}

TEST(point_to_point, matched_probe_takes_the_message_for_itself) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        int x[2] = {10, 11};
        if (me == 0) {
            core::send(&x[0], 1, datatype::int_, 1, 0, on);
            core::send(&x[1], 1, datatype::int_, 1, 0, on);
            return 0;
        }
        message taken = message::null;
        status s;
        core::mprobe(abi::any_source, abi::any_tag, on, &taken, &s);
        core::recv(&x[1], 1, datatype::int_, 0, 0, on, nullptr);
        core::mrecv(&x[0], 1, datatype::int_, &taken, &s);
        return x[0] == 10 && x[1] == 11 && taken == message::null && s.bytes == 4 ? 0 : 1;
    })));
}

TEST(point_to_point, persistent_requests_begin_again) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        int x = 0;
        request r = request::null;
        if (me == 0)
            core::ssend_init(&x, 1, datatype::int_, 1, 0, on, &r);
        else
            core::recv_init(&x, 1, datatype::int_, abi::any_source, 0, on, &r);
        for (int i = 0; i < 50; ++i) {
            if (me == 0)
                x = i;
            core::start(&r);
            core::wait(&r, nullptr);
            if (x != i || r == request::null)
                return 1;
        }
        core::request_free(&r);
        return r == request::null ? 0 : 2;
    })));
}

TEST(point_to_point, derived_types_travel) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        datatype column = datatype::null;
        core::type_vector(1000, 1, 3, datatype::int_, &column);
        core::type_commit(&column);
        std::vector<int> m(3000, me == 0 ? 0 : -1);
        for (int i = 0; i < 1000 && me == 0; ++i)
            m[static_cast<std::size_t>(i * 3)] = i;
        for (int k = 0; k < 10; ++k) {
            if (me == 0) {
                core::send(m.data(), 1, column, 1, 0, on);
                continue;
            }
            core::recv(m.data(), 1, column, 0, 0, on, nullptr);
            for (int i = 0; i < 1000; ++i)
                if (m[static_cast<std::size_t>(i * 3)] != i ||
                    m[static_cast<std::size_t>(i * 3 + 1)] != -1)
                    return 1;
        }
        return 0;
    })));
}

TEST(point_to_point, errors_have_their_classes) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        int x[2] = {};
        request r = request::null;
        core::isend(x, 2, datatype::int_, 0, 0, on, &r);
        status s;
        const bool well =
            core::send(x, -1, datatype::int_, 0, 0, on) == abi::err_count &&
            core::status_set_elements(&s, datatype::int_, -1) == abi::err_count &&
            core::status_set_elements(&s, datatype::int_, INT64_MAX / 2) == abi::err_count &&
            core::send(x, 1, datatype::null, 0, 0, on) == abi::err_type &&
            core::send(x, 1, datatype::int_, 1, 0, on) == abi::err_rank &&
            core::send(x, 1, datatype::int_, 0, -1, on) == abi::err_tag &&
            core::send(x, 1, datatype::int_, 0, 0, comm::null) == abi::err_comm &&
            core::recv(x, 1, datatype::int_, 0, 0, on, nullptr) == abi::err_truncate;
        core::wait(&r, nullptr);
        return well ? 0 : 1;
    })));
}

// Rank 1 sends nothing and ends.
TEST(point_to_point, deadlock_is_found) {
    const auto codes = run_ranks(2, [](int me) {
        alarm(60);
        int x = 0;
        if (me == 0)
            core::recv(&x, 1, datatype::int_, abi::any_source, 0, on, nullptr);
        return 0;
    });
    EXPECT_EQ(codes, (std::vector<int>{2, 0}));
}

TEST(point_to_point, cost_that_no_clock_has_room_for_is_refused) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        const clock_value before = rank::mine->clock();
        if (core::declare_cost(INT64_MAX) != abi::err_arg || rank::mine->clock() != before)
            return 1;
        if (core::declare_cost(-1) != abi::err_arg || core::declare_cost(5) != abi::success)
            return 2;
        return rank::mine->clock() == before + 5 ? 0 : 3;
    })));
}

// Rank 1 has ended, so its receive never comes.
TEST(point_to_point, synchronous_send_to_a_rank_that_has_finalized_is_a_deadlock) {
    const auto codes = run_ranks(2, [](int me) {
        alarm(60);
        if (me == 0)
            core::ssend(&me, 1, datatype::int_, 1, 0, on);
        return 0;
    });
    EXPECT_EQ(codes, (std::vector<int>{2, 0}));
}

} // namespace
} // namespace saguaro::mpi
