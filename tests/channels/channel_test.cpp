// SPDX-License-Identifier: MIT
// Messages: order, sizes, many consumers, without copies; between spaces and between threads.
#include "saguaro/channel.hpp"
#include "saguaro/space.hpp"
#include "support/job.hpp"
#include "support/kernel_calls.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <gtest/gtest.h>
#include <numeric>
#include <span>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace saguaro {

namespace {

using test_support::outcome;
using test_support::run_job;

TEST(channels_channel, messages_keep_their_order) {
    const outcome seen = run_job([] {
        const channel<std::int64_t> numbers;
        const space other([=] {
            for (std::int64_t i = 0; i < 100'000; ++i)
                numbers.send(i);
            return 0;
        });
        for (std::int64_t i = 0; i < 100'000; ++i)
            if (numbers.receive() != i)
                return 1;
        other.wait();
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// What message number `i` of `bytes` bytes holds at `at`.
unsigned char content(std::size_t i, std::size_t at) {
    return static_cast<unsigned char>(i * 131 + at * 7 + at / 4096);
}

// Around what a cell holds, a page, a generation, and the capacity.
const std::vector<std::size_t> sizes = {0,    1,       55,        56,    57,         64,    100,
                                        4095, 4096,    4097,      65535, 65536,      65537, 100'000,
                                        1,    1 << 20, 3'000'000, 57,    10'000'000, 12};

TEST(channels_channel, messages_of_all_sizes) {
    for (const std::size_t capacity : {std::size_t{1}, std::size_t{1} << 20}) {
        const outcome seen = run_job([=] {
            const channel<unsigned char> bytes(1, capacity);
            const space other([=] {
                for (std::size_t round = 0; round < 3; ++round)
                    for (std::size_t i = 0; i < sizes.size(); ++i) {
                        std::vector<unsigned char> message(sizes[i]);
                        for (std::size_t at = 0; at < message.size(); ++at)
                            message[at] = content(i, at);
                        bytes.send(std::span<const unsigned char>(message));
                    }
                return 0;
            });
            for (std::size_t round = 0; round < 3; ++round)
                for (std::size_t i = 0; i < sizes.size(); ++i) {
                    const auto message = bytes.view();
                    if (message.size() != sizes[i])
                        return 1;
                    for (std::size_t at = 0; at < message.size(); ++at)
                        if (message[at] != content(i, at))
                            return 2;
                }
            other.wait();
            return 0;
        });
        EXPECT_TRUE(seen.exited_with(0)) << capacity << seen.err;
    }
}

TEST(channels_channel, all_consumers_get_all_messages) {
    const outcome seen = run_job([] {
        constexpr unsigned consumers = 5;
        const channel<int> numbers(consumers, 1);
        std::vector<space> others;
        for (unsigned k = 0; k < consumers; ++k)
            others.emplace_back([=] {
                std::int64_t sum = 0;
                for (int i = 0; i < 3000; ++i) {
                    const auto values = numbers.view(k);
                    sum += std::accumulate(values.begin(), values.end(), std::int64_t{0});
                    if (k == 3 && i % 100 == 0)
                        usleep(1000); // one of them is slow
                }
                return sum == 3000LL * 2999 / 2 * 100 ? 0 : 1;
            });
        for (int i = 0; i < 3000; ++i)
            numbers.send(std::vector<int>(100, i));
        for (const space &other : others)
            other.wait();
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// A thread gets what the one before it had, its stack and its thread-local memory.
TEST(channels_channel, threads_that_have_ended_are_still_its_ends) {
    const outcome seen = run_job([] {
        const channel<int> numbers;
        for (int i = 0; i < 2; ++i)
            std::thread([=] { numbers.send(i); }).join();
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status;
    EXPECT_NE(seen.err.find("another thread of this space"), std::string::npos) << seen.err;
}

TEST(channels_channel, threads_are_ends_too) {
    const outcome seen = run_job([] {
        const channel<int> there;
        const channel<int> back;
        std::thread other([=] {
            for (int i = 0; i < 20'000; ++i)
                back.send(there.receive() + 1);
        });
        int value = 0;
        for (int i = 0; i < 20'000; ++i) {
            there.send(value);
            value = back.receive();
        }
        other.join();
        return value == 20'000 ? 0 : 1;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// A cell aligns its message to 8 bytes.
TEST(channels_channel, values_with_a_large_alignment_are_copied) {
    struct alignas(32) wide {
        std::int64_t value;
    };
    const outcome seen = run_job([] {
        const channel<wide> values;
        values.send({5});
        values.send(std::vector<wide>{{6}});
        if (values.receive().value != 5)
            return 3;
        const std::vector<wide> all = values.receive_all();
        return all.size() == 1 && all[0].value == 6 ? 0 : 4;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(channels_channel, a_message_is_written_and_read_in_place) {
    const outcome seen = run_job([] {
        constexpr std::size_t count = 1 << 17;
        const channel<std::int64_t> numbers;
        const space other([=] {
            for (std::int64_t i = 0; i < 200; ++i)
                numbers.send_in_place(count, [&](std::span<std::int64_t> room) {
                    room.front() = i;
                    room.back() = -i;
                });
            return 0;
        });
        for (std::int64_t i = 0; i < 200; ++i) {
            const auto message = numbers.view();
            if (message.size() != count || message.front() != i || message.back() != -i)
                return 1;
        }
        other.wait();
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// A consumer's pages can be read, and nothing that it does makes them writable.
TEST(channels_channel, nobody_writes_to_a_message) {
    const outcome seen = run_job([] {
        const channel<char> text;
        const space other([=] {
            text.send(std::vector<char>(5000, 'x'));
            return 0;
        });
        const auto message = text.view();
        char *const begin = const_cast<char *>(message.data());
        char *const page = begin - reinterpret_cast<std::uintptr_t>(begin) % 4096;
        if (mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0)
            return 3;
        other.wait();
        *begin = 'y';
        return 4;
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status << seen.err;
    EXPECT_NE(seen.err.find("space 0: a write by a consumer: 0x"), std::string::npos) << seen.err;
}

// Who is done with a large message has made room, though it does not receive again.
TEST(channels_channel, room_is_made_by_who_is_done) {
    const outcome seen = run_job([] {
        const channel<char> text(1, 1); // two parts of 64 KB each
        const channel<int> sent;
        const space other([=] {
            for (int i = 0; i < 4; ++i)
                text.send(std::vector<char>(60'000, 'x'));
            sent.send(1);
        });
        for (int i = 0; i < 2; ++i) {
            if (text.view().size() != 60'000)
                return 3;
            text.done();
        }
        sent.receive(); // the other two fit only where the first two were
        other.wait();
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// Each of the two sleeps until the other has sent, and does not look again by itself.
TEST(channels_channel, who_sleeps_is_woken) {
    const outcome seen = run_job([] {
        test_support::sleeps.ignore_limits = true;
        const channel<int> there;
        const channel<int> back;
        const space other([=] {
            for (int i = 0; i < 40; ++i) {
                const int value = there.receive();
                usleep(2000);
                back.send(value);
            }
        });
        for (int i = 0; i < 40; ++i) {
            there.send(i);
            if (back.receive() != i)
                return 3;
        }
        test_support::sleeps.ignore_limits = false;
        other.wait();
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// As spmc_spaces.leave_what_they_share_out_of_a_core, for large messages.
TEST(channels_channel, messages_are_in_no_core) {
#if defined(SG_TEST_EMULATED)
    GTEST_SKIP() << "the emulator's list of mappings does not say what a core leaves out";
#endif
    const outcome seen = run_job([] {
        const channel<char> text;
        const space other([=] {
            text.send(std::vector<char>(100'000, 'x'));
            const test_support::core_parts parts = test_support::parts_of_a_core();
            return parts.shared >= 2 && parts.dumped == 0 ? 0 : 1;
        });
        if (text.view().size() != 100'000)
            return 2;
        const test_support::core_parts parts = test_support::parts_of_a_core();
        if (parts.shared < 2 || parts.dumped != 0)
            return 3;
        other.wait();
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// A stream takes no more memory than the capacity, and the producer waits for its slowest consumer.
TEST(channels_channel, a_long_stream_in_bounded_memory) {
    const outcome seen = run_job([] {
        const channel<char> text(1, 1 << 20);
        const space other([=] {
            for (int i = 0; i < 2000; ++i)
                text.send_in_place(100'000, [&](std::span<char> room) { room.front() = 'x'; });
            return 0;
        });
        std::size_t most = 0;
        for (int i = 0; i < 2000; ++i) {
            if (text.view().size() != 100'000)
                return 1;
            if (i % 100 == 0)
                most = std::max(most, test_support::job_memory());
        }
        std::printf("%zu\n", most >> 20);
        other.wait();
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    EXPECT_LE(std::atoi(seen.out.c_str()), 2) << seen.out;
}

// A large message's memory is the job's again when it has been received.
TEST(channels_channel, large_messages_are_given_back) {
    const outcome seen = run_job([] {
        constexpr std::size_t bytes = 4 << 20;
        const channel<char> text;
        const channel<int> next;
        const space other([=] {
            const std::vector<char> message(bytes, 'x');
            for (int i = 0; i < 20; ++i) {
                text.send(message);
                next.receive();
            }
            return 0;
        });
        for (int i = 0; i < 20; ++i) {
            if (text.view().size() != bytes)
                return 1;
            text.done();
            next.send(1);
        }
        other.wait();
        std::printf("%zu\n", test_support::job_memory() >> 20);
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    const char *const enforced = std::getenv("SAGUARO_SPMC_ENFORCE");
    if (enforced == nullptr || enforced[0] != '1') // there it stays, so that a late read has a line
        EXPECT_LE(std::atoi(seen.out.c_str()), 8) << seen.out;
}

// A value with a handle is not made before its message comes: that would make a channel each time.
TEST(channels_channel, a_handle_that_is_received_makes_no_channel) {
    struct request {
        long number;
        channel<long> reply;
    };
    const outcome seen = run_job([] {
        const channel<request> requests;
        const channel<long> reply;
        for (long i = 0; i < 10; ++i) {
            requests.send({i, reply});
            requests.send(std::vector<request>(2, {i, reply}));
        }
        const channel<int> aligns_the_next;
        const unsigned first = channel<int>().name();
        const unsigned second = channel<int>().name();
        for (long i = 0; i < 10; ++i)
            if (requests.receive().number != i || requests.receive_all().at(1).number != i)
                return 1;
        return channel<int>().name() - second == second - first ? 0 : 2;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(channels_channel, a_negative_length_has_a_line) {
    const outcome seen = run_job([] {
        sg_channel_send(sg_channel_create(1, 0), "x", static_cast<std::size_t>(-1));
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status << seen.err;
    EXPECT_TRUE(test_support::has(seen.err, "a message of 18446744073709551615 bytes")) << seen.err;
}

// ---- How many messages a channel holds ----

// The producer sends `holds` messages before the first is received, and one more after `taken`.
int fill(std::size_t bytes, std::size_t capacity, int holds, int taken) {
    const channel<char> text(1, capacity);
    const channel<int> go;
    const space other([=] {
        const std::vector<char> message(bytes, 'x');
        for (int i = 0; i < holds; ++i)
            text.send(message);
        go.send(1);
        text.send(message);
        go.send(2);
        return 0;
    });
    go.receive();
    for (int i = 0; i < taken; ++i)
        text.receive_all();
    go.receive(); // this consumer waits, and what it has received counts
    for (int i = taken; i < holds + 1; ++i)
        text.receive_all();
    other.wait();
    return 0;
}

TEST(channels_channel, holds_as_many_messages_as_the_manual_says) {
    for (const int taken : {1, 63, 65}) {
        const outcome seen = run_job([=] { return fill(4, 0, 256, taken); });
        EXPECT_TRUE(seen.exited_with(0)) << taken << seen.err;
    }
}

TEST(channels_channel, holds_as_many_bytes_as_the_manual_says) {
    struct {
        std::size_t bytes;
        std::size_t capacity;
        int holds;
    } const cases[] = {{100, 0, 256},           {140'000, 1 << 20, 8}, {270'000, 1'500'000, 6},
                       {1 << 20, 1 << 20, 1},   {3 << 20, 1 << 20, 1}, {524'288, 1 << 20, 2},
                       {100'000, 1, 2},         {60'000, 200'000, 4},  {5'000, 1 << 20, 210},
                       {2'000'000, 16 << 20, 9}};
    for (const auto &each : cases) {
        const outcome seen =
            run_job([=] { return fill(each.bytes, each.capacity, each.holds, 1); });
        EXPECT_TRUE(seen.exited_with(0)) << each.bytes << ' ' << each.capacity << seen.err;
    }
}

// A consumer that waits for something outside of the library has received what it has received.
TEST(channels_channel, a_producer_sees_what_a_busy_consumer_has_received) {
    const outcome seen = run_job([] {
        auto *const sent = static_cast<std::atomic<int> *>(mmap(nullptr, sizeof(std::atomic<int>),
                                                                PROT_READ | PROT_WRITE,
                                                                MAP_SHARED | MAP_ANONYMOUS, -1, 0));
        const channel<int> numbers;
        const space other([=] {
            for (int i = 0; i < 257; ++i) {
                numbers.send(i);
                sent->store(i + 1);
            }
            return 0;
        });
        numbers.receive();
        for (int left = 60'000; sent->load() != 257; --left) {
            if (left == 0)
                return 1;
            usleep(1000);
        }
        other.wait();
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

} // namespace

} // namespace saguaro
