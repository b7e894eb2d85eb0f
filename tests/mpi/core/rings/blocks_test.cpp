// SPDX-License-Identifier: MIT
// Long messages in pieces: the receiver copies while the sender does.
#include "mpi/core/rings/blocks.hpp"

#include "mpi/core/messages/message_data.hpp"
#include "mpi/core/ranks.hpp"
#include "mpi/core/rings/buffers.hpp"
#include "mpi/core/rings/rings.hpp"
#include "platform/cpus.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

constexpr std::size_t bytes = 200'001; // no whole number of pieces

TEST(blocks, readers_wait_for_each_piece) {
    world all(spmc::job::mine(), world::make(spmc::job::mine(), 2));
    block &shared = all.take_block(bytes);
    std::vector<char> sent = message_data(bytes, 1);
    for (const std::size_t part : {bytes, std::size_t{1}, std::size_t{70'000}}) {
        begin_pieces(shared);
        std::fill_n(shared.data(), bytes, '?');
        std::vector<char> got(part);
        std::thread reader([&] { read_block(shared, all_of(got), part); });
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        write_pieces(shared, all_of(sent), bytes);
        reader.join();
        EXPECT_TRUE(std::equal(got.begin(), got.end(), sent.begin()));
    }
}

TEST(blocks, whose_messages_are_there_as_a_whole_are_read_at_once) {
    world all(spmc::job::mine(), world::make(spmc::job::mine(), 2));
    block &shared = all.take_block(bytes);
    begin_pieces(shared);
    all.give_block(shared);
    await_data(all.take_block(bytes), bytes); // the same one, for another message
}

// Of the control area, from its begin: what nobody has taken so far.
std::size_t used_bytes() {
    return std::size_t{spmc::take_control(spmc::job::mine(), spmc::unit_bytes)} * spmc::unit_bytes;
}

// In both directions at once, so that blocks are used again while others are filled. On two
// processors they come in pieces.
TEST(blocks, are_used_again_when_both_sides_are_done) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        constexpr unsigned at_once = 4;
        const std::size_t before = used_bytes();
        for (unsigned round = 0; round < 50; ++round) {
            std::vector<std::vector<char>> sent;
            std::vector<std::vector<char>> got(at_once, std::vector<char>(bytes));
            request requests[2 * at_once];
            for (unsigned i = 0; i < at_once; ++i) {
                sent.push_back(
                    message_data(bytes, round * 100 + i * 2 + static_cast<unsigned>(me)));
                core::isend(sent[i].data(), bytes, datatype::byte, 1 - me, 1, comm::world,
                            &requests[i]);
                core::irecv(got[i].data(), bytes, datatype::byte, 1 - me, 1, comm::world,
                            &requests[at_once + i]);
            }
            core::waitall(2 * at_once, requests, nullptr);
            for (unsigned i = 0; i < at_once; ++i)
                if (got[i] !=
                    message_data(bytes, round * 100 + i * 2 + static_cast<unsigned>(1 - me)))
                    return 1;
        }
        return used_bytes() - before < std::size_t{16} << 20 ? 0 : 2; // of 100 MB
    })));
}

// The receiver takes less than was sent, or none of it, while the sender may still copy.
TEST(blocks, are_left_to_the_sender_by_receivers_that_take_less) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        core::comm_set_errhandler(comm::world, errhandler::errors_return);
        std::vector<char> sent = message_data(bytes, 3);
        for (unsigned round = 0; round < 50; ++round) {
            if (me == 0) {
                core::send(sent.data(), bytes, datatype::byte, 1, 1, comm::world);
                continue;
            }
            std::vector<char> got(10);
            status s;
            if (core::recv(got.data(), 10, datatype::byte, 0, 1, comm::world, &s) !=
                    abi::err_truncate ||
                !std::equal(got.begin(), got.end(), sent.begin()))
                return 1;
        }
        if (me == 0)
            core::send(sent.data(), bytes, datatype::byte, 1, 2, comm::world); // never received
        return 0;
    })));
}

// What a sender does, but for the time between the record and the data. It sends nothing else.
void send_slowly(std::vector<char> &v) {
    world all = rank::mine->all();
    block &shared = all.take_block(v.size());
    begin_pieces(shared);
    out_ring out(all, 1, 0);
    record *const r = out.reserve(all, sizeof(place));
    r->context = find(comm::world)->context;
    r->tag = 1;
    r->number = 0;
    r->set_bytes(v.size());
    r->what = kind::block;
    const place where = all.job().place_of(&shared);
    std::memcpy(r->data(), &where, sizeof(where));
    out.publish(100);
    usleep(50'000);
    write_pieces(shared, all_of(v), v.size());
}

// A receive that takes a part, and is cancelled at a clock before the message: all of it comes
// back, also what the sender had not copied when the part was there.
TEST(blocks, come_back_whole_from_a_cancelled_receive_of_a_part) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        std::vector<char> sent = message_data(bytes, 4);
        if (me == 1) {
            send_slowly(sent);
            return 0;
        }
        std::vector<char> got(bytes);
        request r{};
        status s;
        core::irecv(got.data(), 0, datatype::byte, 1, 1, comm::world, &r);
        while (rank::mine->poll() == 0)
            ;
        core::cancel(&r);
        core::wait(&r, &s);
        if (!s.cancelled)
            return 1;
        core::recv(got.data(), bytes, datatype::byte, 1, 1, comm::world, nullptr);
        return got == sent ? 0 : 2;
    })));
}

} // namespace
} // namespace saguaro::mpi
