// SPDX-License-Identifier: MIT
// Tests that parked messages keep their bytes and stay off the program's heap.
#include "mpi/core/clock/parked_memory.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/core/ranks.hpp"
#include "mpi/core/reports/order_delays.hpp"

#include "mpi/variables.hpp"
#include "saguaro/detail/sanitizers.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <malloc.h>
#include <new>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

std::size_t allocations = 0; // of this process

} // namespace

void *operator new(std::size_t bytes) {
    ++allocations;
    if (void *const got = std::malloc(bytes))
        return got;
    throw std::bad_alloc();
}
void operator delete(void *memory) noexcept {
    std::free(memory);
}
void operator delete(void *memory, std::size_t) noexcept {
    std::free(memory);
}

namespace saguaro::mpi {
namespace {

class parked_memory : public testing::Test {
protected:
    static void SetUpTestSuite() { reserve_parked_memory(); }
    ~parked_memory() override { order::by = order::rule::clock; }
};

std::size_t heap_bytes() {
    return mallinfo2().uordblks;
}

TEST_F(parked_memory, keeps_what_is_written) {
    for (const order::rule by : {order::rule::clock, order::rule::work}) {
        order::by = by;
        std::minstd_rand random(1);
        std::vector<std::pair<unsigned char *, std::size_t>> taken;
        for (int i = 0; i < 2000; ++i) {
            const std::size_t bytes = 1 + random() % (i % 100 == 0 ? 3'000'000 : 5'000);
            auto *const memory = static_cast<unsigned char *>(take_parked_memory(bytes));
            ASSERT_NE(memory, nullptr);
            ASSERT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 16, 0U);
            std::memset(memory, i % 256, bytes);
            memory[0] = memory[bytes - 1] = static_cast<unsigned char>(taken.size());
            taken.emplace_back(memory, bytes);
            if (random() % 2 == 0) {
                give_parked_memory(taken.back().first, taken.back().second);
                taken.pop_back();
            }
        }
        for (std::size_t i = 0; i < taken.size(); ++i) {
            EXPECT_EQ(taken[i].first[0], static_cast<unsigned char>(i));
            EXPECT_EQ(taken[i].first[taken[i].second - 1], static_cast<unsigned char>(i));
            give_parked_memory(taken[i].first, taken[i].second);
        }
    }
}

// How many instructions malloc takes would depend on when messages came.
TEST_F(parked_memory, does_not_touch_the_heap_of_the_program_by_order_of_work) {
    order::by = order::rule::work;
    const std::size_t before = heap_bytes();
    if (before == 0)
        GTEST_SKIP() << "a sanitizer has a heap of its own";
    std::vector<void *> taken(1000);
    const std::size_t with_list = heap_bytes();
    for (void *&each : taken)
        each = take_parked_memory(1000);
    EXPECT_EQ(heap_bytes(), with_list);
    EXPECT_GT(with_list, before); // so it is seen
    for (void *const each : taken)
        give_parked_memory(each, 1000);
}

// A mapping that comes and goes: where the program's next one of this size will be.
void *next_mapping(std::size_t bytes) {
    void *const got = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(got, bytes);
    return got;
}

TEST_F(parked_memory, does_not_move_later_mappings_of_the_program) {
    order::by = order::rule::work;
    for (const std::size_t bytes : {100U, 5'000U, 70'000U, 3'000'000U, 100'000'000U}) {
        const std::size_t of_program = std::max<std::size_t>(1 << 20, std::bit_ceil(bytes));
        void *const before = next_mapping(of_program);
        void *const memory = take_parked_memory(bytes);
        ASSERT_NE(memory, nullptr);
        EXPECT_EQ(next_mapping(of_program), before) << bytes;
        give_parked_memory(memory, bytes);
        EXPECT_EQ(next_mapping(of_program), before) << bytes;
    }
}

TEST_F(parked_memory, has_no_pages_of_a_large_piece_that_was_given_back) {
    order::by = order::rule::work;
    constexpr std::size_t bytes = 8 << 20;
    const auto page = static_cast<std::size_t>(getpagesize());
    void *const memory = take_parked_memory(bytes);
    std::memset(memory, 1, bytes);
    give_parked_memory(memory, bytes);
    std::vector<unsigned char> is_there(bytes / page);
    ASSERT_EQ(mincore(memory, bytes, is_there.data()), 0);
    EXPECT_LE(std::count_if(is_there.begin(), is_there.end(),
                            [](unsigned char each) { return (each & 1) != 0; }),
              1);
    EXPECT_EQ(take_parked_memory(bytes), memory);
}

TEST_F(parked_memory, has_an_end) {
    order::by = order::rule::work;
    EXPECT_EQ(take_parked_memory(std::size_t{1} << 40), nullptr);
    EXPECT_EQ(take_parked_memory(std::size_t{1} << 60), nullptr);
}

// Sanitizers and emulators have address space of their own.
#if !defined(SG_TEST_EMULATED) && !SG_ADDRESS_SANITIZER && !SG_THREAD_SANITIZER

TEST_F(parked_memory, leaves_the_program_most_of_a_limited_address_space) {
    const pid_t child = fork();
    if (child == 0) {
        constexpr std::size_t left = std::size_t{1} << 34;
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        const rlim_t most = pages * static_cast<std::size_t>(getpagesize()) + left;
        const rlimit limit{most, most};
        setrlimit(RLIMIT_AS, &limit);
        reserve_parked_memory();
        void *const programs =
            mmap(nullptr, left / 4, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        order::by = order::rule::work;
        _exit(programs != MAP_FAILED && take_parked_memory(1000) != nullptr ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

#endif

// Different as well if memory was taken and given back meanwhile.
std::size_t heap_state() {
    return (allocations << 32) + heap_bytes();
}

// What a rank does with messages that come early takes none of the program's memory: rank 0 has the
// same heap behind each call, whether rank 1 is slow or not.
class heap_of_a_rank : public testing::Test {
protected:
    using first_rank = std::function<void(std::vector<std::size_t> &)>;
    // The others declare a cost, so that rank 0 need not wait for them, and sleep before they send.
    using other_rank = std::function<void()>;

    void expect_the_same(const first_rank &first, int cost, const other_rank &other) {
        shared_array<std::size_t> seen(2 * most);
        for (std::size_t slow : {0U, 1U}) {
            EXPECT_TRUE(all_well(run_ranks(3, [&](int me) {
                order::by = order::rule::work;
                reserve_parked_memory();
                if (me != 0) {
                    core::declare_cost(cost);
                    usleep(me == 1 && slow != 0 ? 20'000 : 0);
                    other();
                } else {
                    std::vector<std::size_t> heaps;
                    heaps.reserve(most);
                    const std::size_t before = heap_state();
                    first(heaps);
                    for (std::size_t i = 0; i < heaps.size(); ++i)
                        seen[slow * most + i] = heaps[i] - before;
                }
                core::barrier(comm::world);
                return 0;
            })));
        }
        for (std::size_t i = 0; i < most; ++i)
            EXPECT_EQ(seen[i], seen[most + i]) << i;
    }

    static constexpr std::size_t most = 500;
};

void read_what_has_come() {
    int flag = 0;
    core::iprobe(0, 9, comm::world, &flag, nullptr);
}

TEST_F(heap_of_a_rank, is_the_same_with_early_matches_that_are_taken_back) {
    expect_the_same(
        [](std::vector<std::size_t> &heaps) {
            int x[40] = {};
            request r[40];
            for (int i = 0; i < 40; ++i)
                core::irecv(&x[i], i % 2, datatype::int_, 1 + i % 2, 0, comm::world, &r[i]);
            usleep(5'000);
            read_what_has_come();
            heaps.push_back(heap_state());
            for (request &each : r) {
                core::cancel(&each);
                core::request_free(&each);
                heaps.push_back(heap_state());
            }
        },
        10'000,
        [] {
            for (int i = 0; i < 20; ++i)
                core::send(&i, 1, datatype::int_, 0, 0, comm::world);
        });
}

// At once, or when the clock has come to the time of the match.
TEST_F(heap_of_a_rank, is_the_same_with_many_replies) {
    for (const int cost : {0, 10'000})
        expect_the_same(
            [](std::vector<std::size_t> &heaps) {
                int x = 0;
                std::vector<request> r(200);
                for (std::size_t i = 0; i < r.size(); ++i)
                    core::irecv(&x, 1, datatype::int_, 1 + static_cast<int>(i % 2), 0, comm::world,
                                &r[i]);
                usleep(5'000);
                read_what_has_come();
                for (request &each : r) {
                    core::wait(&each, nullptr);
                    heaps.push_back(heap_state());
                }
            },
            cost,
            [] {
                std::vector<request> r(100);
                int x = 0;
                for (request &each : r)
                    core::issend(&x, 1, datatype::int_, 0, 0, comm::world, &each);
                core::waitall(static_cast<int>(r.size()), r.data(), nullptr);
            });
}

TEST_F(heap_of_a_rank, is_the_same_where_waits_are_measured) {
    setenv(variables::stats.name, "1", 1);
    testing::internal::CaptureStderr();
    expect_the_same(
        [](std::vector<std::size_t> &heaps) {
            int x = 0;
            usleep(5'000);
            for (int i = 0; i < 40; ++i) {
                core::recv(&x, 1, datatype::int_, abi::any_source, 0, comm::world, nullptr);
                heaps.push_back(heap_state());
            }
        },
        0,
        [] {
            for (int i = 0; i < 20; ++i)
                core::send(&i, 1, datatype::int_, 0, 0, comm::world);
        });
    unsetenv(variables::stats.name);
    // On a busy machine all messages may be there when they are received.
    EXPECT_NE(testing::internal::GetCapturedStderr().find("waits were for an order alone"),
              std::string::npos);
}

} // namespace
} // namespace saguaro::mpi
