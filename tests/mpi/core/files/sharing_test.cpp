// SPDX-License-Identifier: MIT
// Tests of files that ranks share: the shared pointer, atomic accesses, and the order of accesses.
#include "files.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace saguaro::mpi {
namespace {

struct entry {
    std::uint64_t clock;
    std::int32_t rank;
    std::int32_t step;
    auto operator<=>(const entry &) const = default;
};

void sleep_a_while() {
    static std::mt19937 random(static_cast<unsigned>(getpid()) * 31U);
    if (random() % 4 == 0)
        usleep(static_cast<useconds_t>(random() % 300));
}

// Some messages between ranks, so that clocks follow each other; then entries by the shared
// pointer.
int write_entries(unsigned seed, int me, int ranks, const test_file &where) {
    file f = open_file(where);
    std::mt19937 random(seed * 100 + static_cast<unsigned>(me));
    datatype triple = datatype::null;
    core::type_contiguous(sizeof(entry), datatype::byte, &triple);
    core::type_commit(&triple);
    SG_CHECK(core::file_set_view(f, 0, triple, triple, "native", info::null) == 0);
    for (int step = 0; step < 20; ++step) {
        sleep_a_while();
        core::declare_cost(static_cast<std::int64_t>(random() % 5));
        // A rank that waits for the next one has a bound that follows from that one's.
        int value = 0;
        if (step % 5 == 4)
            core::sendrecv_replace(&value, 1, datatype::int_, (me + 1) % ranks, 0,
                                   (me + ranks - 1) % ranks, 0, comm::world, nullptr);
        if (step % 7 == 6)
            core::barrier(comm::world);
        const entry mine{rank::mine->clock() + 1, me, step};
        if (step % 3 != 0) {
            SG_CHECK(core::file_write_shared(f, &mine, 1, triple, nullptr) == 0);
        } else {
            request done = request::null;
            SG_CHECK(core::file_iwrite_shared(f, &mine, 1, triple, &done) == 0);
            status got;
            SG_CHECK(core::wait(&done, &got) == 0 && got.bytes == sizeof(entry));
        }
    }
    return core::file_close(&f);
}

TEST(shared_pointer, orders_accesses_by_clock_and_rank) {
    for (const int ranks : {1, 2, 4, 7})
        for (unsigned seed = 1; seed <= 3; ++seed) {
            std::vector<std::vector<char>> contents;
            for (int run = 0; run < 2; ++run) {
                const test_file where;
                EXPECT_TRUE(all_well(run_ranks(static_cast<std::uint32_t>(ranks), [&](int me) {
                    return write_entries(seed, me, ranks, where);
                })));
                contents.push_back(where.content());
            }
            EXPECT_EQ(contents[0], contents[1]);
            std::vector<entry> all(contents[0].size() / sizeof(entry));
            std::memcpy(all.data(), contents[0].data(), contents[0].size());
            EXPECT_EQ(all.size(), static_cast<std::size_t>(ranks) * 20);
            EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
        }
}

TEST(shared_pointer, has_a_rank_that_others_wait_for) {
    // Rank 0 waits in a collective for rank 2, which waits for its turn behind rank 1.
    for (int run = 0; run < 20; ++run) {
        const test_file where;
        EXPECT_TRUE(all_well(run_ranks(3, [&](int me) {
            file f = open_file(where);
            const char mine = static_cast<char>('0' + me);
            if (me != 0)
                SG_CHECK(core::file_write_shared(f, &mine, 1, datatype::byte, nullptr) == 0);
            core::barrier(comm::world);
            SG_CHECK(core::file_write_shared(f, &mine, 1, datatype::byte, nullptr) == 0);
            return core::file_close(&f);
        })));
        const std::vector<char> content = where.content();
        EXPECT_EQ(std::string(content.begin(), content.end()), "12012");
    }
}

TEST(shared_pointer, ordered_accesses_go_by_rank_and_seek_moves_all) {
    const test_file where;
    EXPECT_TRUE(all_well(run_ranks(4, [&](int me) {
        file f = open_file(where);
        const std::vector<char> mine(static_cast<std::size_t>(me) * 3 + 1,
                                     static_cast<char>('a' + me));
        status got;
        SG_CHECK(core::file_write_ordered(f, mine.data(), me * 3, datatype::byte, &got) == 0);
        SG_CHECK(got.bytes == me * 3);
        SG_CHECK(core::file_write_ordered_begin(f, mine.data(), 1, datatype::byte) == 0);
        SG_CHECK(core::file_write_ordered_end(f, mine.data(), &got) == 0 && got.bytes == 1);
        std::int64_t position = 0;
        SG_CHECK(core::file_get_position_shared(f, &position) == 0 && position == 18 + 4);
        core::barrier(comm::world);
        SG_CHECK(core::file_seek_shared(f, -4, abi::seek_end) == 0);
        char read = 0;
        SG_CHECK(core::file_read_ordered(f, &read, 1, datatype::byte, &got) == 0);
        SG_CHECK(me == 0 || read == 'a' + me);
        SG_CHECK(core::file_seek_shared(f, me, abi::seek_set) == abi::err_not_same);
        SG_CHECK(core::file_seek_shared(f, -1, abi::seek_set) == abi::err_arg);
        // A view begins at its own start.
        SG_CHECK(core::file_set_view(f, 1, datatype::byte, datatype::byte, "native", info::null) ==
                 0);
        SG_CHECK(core::file_get_position_shared(f, &position) == 0 && position == 0);
        return core::file_close(&f);
    })));
    EXPECT_EQ(where.content().size(), 22U);
}

// In atomic mode accesses to one place are ordered by (clock, rank).
int contend(unsigned seed, int me, const test_file &where, shared_array<entry> &last) {
    file f = open_file(where);
    std::mt19937 random(seed * 100 + static_cast<unsigned>(me));
    SG_CHECK(core::file_set_atomicity(f, 1) == 0);
    int flag = 0;
    SG_CHECK(core::file_get_atomicity(f, &flag) == 0 && flag == 1);
    for (int step = 0; step < 15; ++step) {
        sleep_a_while();
        core::declare_cost(static_cast<std::int64_t>(random() % 9));
        const entry mine{rank::mine->clock() + 1, me, step};
        SG_CHECK(core::file_write_at(f, 0, &mine, sizeof(mine), datatype::byte, nullptr) == 0);
        last[static_cast<std::size_t>(me)] = mine;
        // Nobody's later write is there, and none of the earlier ones is missing.
        const std::uint64_t clock = rank::mine->clock() + 1;
        entry seen{};
        SG_CHECK(core::file_read_at(f, 0, &seen, sizeof(seen), datatype::byte, nullptr) == 0);
        SG_CHECK(seen >= mine && (seen.clock < clock || (seen.clock == clock && seen.rank < me)));
    }
    return core::file_close(&f);
}

TEST(atomic_mode, orders_accesses_by_clock_and_rank) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
        const test_file where;
        shared_array<entry> last(4);
        EXPECT_TRUE(all_well(run_ranks(4, [&](int me) { return contend(seed, me, where, last); })));
        entry expected{};
        for (std::size_t r = 0; r < 4; ++r)
            expected = std::max(expected, last[r]);
        entry found{};
        std::memcpy(&found, where.content().data(), sizeof(found));
        EXPECT_EQ(found, expected);
    }
}

TEST(collective_accesses, come_to_an_end_if_one_rank_has_an_error) {
    const test_file where;
    EXPECT_TRUE(all_well(run_ranks(4, [&](int me) {
        file f = open_file(where);
        const std::array<int, 4> mine{me, me, me, me};
        const int count = me == 2 ? -1 : 4;
        const int expected = me == 2 ? abi::err_count : 0;
        SG_CHECK(core::file_write_at_all(f, me * 16, mine.data(), count, datatype::int_, nullptr) ==
                 expected);
        SG_CHECK(core::file_write_ordered(f, mine.data(), count, datatype::int_, nullptr) ==
                 expected);
        // The size that one rank says is none, so nobody sets it.
        SG_CHECK(core::file_set_size(f, me == 2 ? -1 : 100) == abi::err_arg);
        SG_CHECK(core::file_set_size(f, 100 + me) == abi::err_not_same);
        return core::file_close(&f);
    })));
    EXPECT_EQ(where.content().size(), 64U);
}

TEST(requests, of_collectives_that_do_not_block_wait_for_nobody) {
    const test_file where;
    EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
        file f = open_file(where);
        // The other rank comes to its access only when this one has gone on.
        int token = 1;
        request done = request::null;
        if (me == 1)
            core::recv(&token, 1, datatype::int_, 0, 0, comm::world, nullptr);
        SG_CHECK(core::file_iwrite_at_all(f, me * 4, &me, 1, datatype::int_, &done) == 0);
        if (me == 0)
            core::send(&token, 1, datatype::int_, 1, 0, comm::world);
        status got;
        SG_CHECK(core::wait(&done, &got) == 0 && got.bytes == 4 && done == request::null);
        core::file_sync(f);
        int both[2] = {-1, -1};
        SG_CHECK(core::file_iread_all(f, both, 2, datatype::int_, &done) == 0);
        int flag = 0;
        SG_CHECK(core::test(&done, &flag, &got) == 0 && flag == 1 && got.bytes == 8);
        SG_CHECK(both[0] == 0 && both[1] == 1);
        return core::file_close(&f);
    })));
}

} // namespace
} // namespace saguaro::mpi
