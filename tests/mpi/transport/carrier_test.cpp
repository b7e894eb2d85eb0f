// SPDX-License-Identifier: MIT
// Two carriers with a world each, in one process: the test does what ranks do, and turns them.
#include "mpi/transport/carrier.hpp"

#include "spmc/job.hpp"
#include "support/kernel_calls.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <utility>

namespace saguaro::mpi::transport {
namespace {

// What is on its way between two hosts.
struct wires {
    byte_row on_its_way[2]; // to each
    int full_to = -1;       // nobody takes anything to this host
};

class wire_link final : public link {
public:
    wire_link(wires &by, std::uint32_t me) : by_(by), me_(me) {}
    std::uint32_t hosts() const override { return 2; }
    std::uint32_t me() const override { return me_; }
    void send(std::uint32_t to, byte_row bytes) override {
        byte_row &all = by_.on_its_way[to];
        all.insert(all.end(), bytes.begin(), bytes.end());
    }
    std::size_t unsent(std::uint32_t to) override {
        return static_cast<int>(to) == by_.full_to ? std::size_t{1} << 30 : 0;
    }
    bool receive(std::uint32_t, byte_row &to) override {
        byte_row came = std::exchange(by_.on_its_way[me_], {});
        to.insert(to.end(), came.begin(), came.end());
        return !came.empty();
    }
    void close() override {}

private:
    wires &by_;
    std::uint32_t me_;
};

// Ranks 0 and 1 are on host 0, 2 and 3 on host 1.
class carriers : public testing::Test {
protected:
    struct machine {
        machine(wires &by, std::uint32_t me)
            : among({2, 2}, me), all(spmc::job::mine(), world::make(spmc::job::mine(), 4)),
              wire(by, me) {
            among.divide(all);
            all.head().is_asked.store(1);
            carries = std::make_unique<carrier>(all, among, wire);
        }
        shares among;
        world all;
        wire_link wire;
        std::unique_ptr<carrier> carries;
    };

    void turn() {
        for (int i = 0; i < 6; ++i)
            for (machine *m : {&a, &b})
                m->carries->turn();
    }

    static void send(machine &from, std::uint32_t writer, std::uint32_t reader, clock_value stamp,
                     const std::string &data, kind what = kind::here) {
        out_ring out(from.all, writer, reader);
        send(from, out, stamp, data, what);
    }

    static void send(machine &from, out_ring &out, clock_value stamp, const std::string &data,
                     kind what) {
        record *const r = out.reserve(from.all, what == kind::block ? sizeof(place) : data.size());
        r->context = most_contexts * 2;
        r->tag = 9;
        r->number = 4;
        r->set_bytes(data.size());
        r->what = what;
        if (what == kind::block) {
            block &lent = from.all.take_block(data.size());
            std::memcpy(lent.data(), data.data(), data.size());
            const place where = from.all.job().place_of(&lent);
            std::memcpy(r->data(), &where, sizeof(where));
        } else {
            std::memcpy(r->data(), data.data(), data.size());
        }
        out.publish(stamp);
    }

    // Many of the greatest that rings take.
    void flood(machine &from, std::uint32_t writer, std::uint32_t reader, int messages) {
        const std::string data(most_in_ring, 'x');
        out_ring out(from.all, writer, reader);
        for (int i = 0; i < messages; ++i) {
            record *const r = out.reserve(from.all, data.size());
            ASSERT_NE(r, nullptr);
            r->what = kind::here;
            r->set_bytes(data.size());
            out.publish(1);
            if (i % 256 == 255)
                turn();
        }
        turn();
    }

    static clock_value bound(const machine &at, std::uint32_t of) {
        return at.all.rank(of).bound.load();
    }

    // Rank 0, which waits for rank 2.
    blockage waits_for_2() {
        blockage why;
        why.waits_for.add(2);
        return why;
    }
    void say_blocked(const blockage &why) {
        rank_0.say_blocked(why, std::vector<in_ring>(a.all.capacity()));
    }

    wires by;
    machine a{by, 0};
    machine b{by, 1};
    clock_board rank_0{a.all, 0};
    clock_board rank_2{b.all, 2};
};

TEST_F(carriers, message_comes_as_it_was_sent) {
    for (const auto &[what, size] : {std::pair(kind::here, 5), {kind::matched, 0}}) {
        const std::uint32_t writer = what == kind::here ? 0 : 1;
        const std::string data(static_cast<std::size_t>(size), 'x');
        send(a, writer, 2, 7, data, what);
        turn();
        in_ring in;
        const record *const r = in.next(b.all, 2, writer);
        ASSERT_NE(r, nullptr);
        EXPECT_EQ(r->what, what);
        EXPECT_EQ(r->stamp.load(), 7U);
        EXPECT_EQ(r->context, most_contexts * 2);
        EXPECT_EQ(r->tag, 9);
        EXPECT_EQ(r->number, 4U);
        EXPECT_EQ(std::string(r->data(), r->bytes()), data);
    }
}

TEST_F(carriers, long_message_comes_in_a_block) {
    std::string data(100'000, 'y');
    data.back() = 'z';
    send(a, 1, 3, 7, data, kind::block);
    turn();
    in_ring in;
    const record *const r = in.next(b.all, 3, 1);
    ASSERT_NE(r, nullptr);
    ASSERT_EQ(r->what, kind::block);
    place where;
    std::memcpy(&where, r->data(), sizeof(where));
    EXPECT_EQ(
        std::string(reinterpret_cast<const char *>(b.all.job().at<block>(where) + 1), r->bytes()),
        data);
}

TEST_F(carriers, block_of_a_message_that_was_carried_is_free_again) {
    const std::string data(100'000, 'y');
    block &lent = a.all.take_block(data.size());
    a.all.give_block(lent);
    send(a, 1, 3, 7, data, kind::block);
    turn();
    EXPECT_EQ(&a.all.take_block(data.size()), &lent);
}

TEST_F(carriers, writer_learns_that_there_is_room) {
    for (const std::uint32_t writer : {0U, 1U})
        a.all.rank(writer).bell.store(1);
    send(a, 0, 2, 1, "hello");
    flood(a, 1, 2, 1); // more than a quarter of a ring
    EXPECT_EQ(a.all.rank(0).bell.load(), 1U);
    EXPECT_EQ(a.all.rank(1).bell.load(), 2U);
}

// They count as received, or nobody would believe that another rank of this host is blocked.
TEST_F(carriers, messages_to_a_rank_that_has_finalized_are_dropped) {
    b.all.rank(2).life.store(life::finished);
    flood(a, 0, 2, 4600);
    rank_0.publish(100);
    clock_board rank_3(b.all, 3);
    blockage why;
    why.waits_for.add(0);
    rank_3.say_blocked(why, std::vector<in_ring>(b.all.capacity()));
    turn();
    EXPECT_EQ(bound(a, 3), 100U + hop_of_message);
}

// Which comes in pieces, of which the last is some time behind.
TEST_F(carriers, message_that_is_longer_than_what_may_wait_comes_whole) {
    const std::string data(std::size_t{80} << 20, 'y');
    send(a, 1, 3, 7, data, kind::block);
    a.carries->turn();
    byte_row all = std::exchange(by.on_its_way[1], {});
    for (std::size_t at = 0; at < all.size(); at += std::size_t{16} << 20) {
        const std::size_t end = std::min(all.size(), at + (std::size_t{16} << 20));
        by.on_its_way[1].assign(all.begin() + static_cast<std::ptrdiff_t>(at),
                                all.begin() + static_cast<std::ptrdiff_t>(end));
        b.carries->turn();
    }
    in_ring in;
    const record *const r = in.next(b.all, 3, 1);
    ASSERT_NE(r, nullptr);
    EXPECT_EQ(r->bytes(), data.size());
}

// The reader's ring takes 64 MB, and as much waits for it.
TEST_F(carriers, messages_that_nobody_reads_wait_and_their_host_is_not_silent) {
    const std::string data(most_in_ring, 'x');
    out_ring out(a.all, 0, 2);
    std::size_t sent = 0;
    const auto until_it_is_full = [&] {
        for (unsigned in_vain = 0; in_vain < 3; ++in_vain) {
            while (record *const r = out.reserve(a.all, data.size())) {
                r->what = kind::here;
                r->set_bytes(data.size());
                std::memcpy(r->data(), data.data(), data.size());
                out.publish(++sent);
                in_vain = 0;
                if (sent % 64 == 0)
                    turn();
                if (!by.on_its_way[1].empty())
                    return;
            }
            turn();
        }
    };
    until_it_is_full();
    EXPECT_GT(sent * data.size(), std::size_t{120} << 20);
    EXPECT_LT(sent * data.size(), std::size_t{160} << 20);
    int lost = 0;
    b.carries->lost = [&](std::uint32_t) { ++lost; };
    b.carries->most_silence = 20'000'000;
    for (int i = 0; i < 10; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        b.carries->turn();
    }
    EXPECT_EQ(lost, 0);
    EXPECT_EQ(b.carries->code_elsewhere(), 0);
    // What stands behind them is read when the job ends.
    a.carries->tell({false, 7, true});
    a.carries->turn();
    b.carries->turn();
    EXPECT_EQ(b.carries->code_elsewhere(), 0);
    b.carries->tell({true, 9, true});
    turn();
    EXPECT_EQ(b.carries->code_elsewhere(), 7);
}

TEST_F(carriers, bound_never_overtakes_a_message_that_waits_for_the_link) {
    turn();
    send(a, 0, 2, 5, "hello");
    rank_0.publish(5);
    by.full_to = 1;
    turn();
    EXPECT_EQ(bound(b, 0), 0U);
    by.full_to = -1;
    turn();
    in_ring in;
    EXPECT_NE(in.next(b.all, 2, 0), nullptr);
    EXPECT_EQ(bound(b, 0), 5U);
}

TEST_F(carriers, candidate_and_least_clock_bound_a_blocked_rank) {
    rank_2.publish(1000);
    blockage why = waits_for_2();
    why.least = 3;
    why.candidate = 50;
    say_blocked(why);
    turn();
    EXPECT_EQ(bound(b, 0), 50 + latency);
    rank_0.say_running();
    why.least = 80;
    say_blocked(why);
    turn();
    EXPECT_EQ(bound(b, 0), 80U);
}

TEST_F(carriers, published_bound_of_a_blocked_rank_holds_when_less_follows) {
    rank_2.publish(1000);
    rank_0.publish(60);
    blockage why = waits_for_2();
    why.candidate = 50;
    say_blocked(why);
    turn();
    EXPECT_EQ(bound(b, 0), 60U);
}

TEST_F(carriers, match_that_a_rank_of_the_same_host_has_not_told_is_a_candidate) {
    publish_bound(a.all, 1, 2000);
    a.all.unmatched(a.all.rank(1))[0].store(5);
    a.all.untold(a.all.rank(1))[0].store(40);
    blockage why;
    why.add_match(1, 5);
    say_blocked(why);
    EXPECT_EQ(rank_0.look_at_all(4)[0].candidate, 40U);
    turn();
    EXPECT_EQ(bound(b, 0), 40 + latency);
}

TEST_F(carriers, hop_of_a_blocked_rank_is_told) {
    rank_2.publish(10);
    say_blocked(waits_for_2());
    turn();
    EXPECT_EQ(bound(b, 0), 10U + hop_of_message);
    rank_0.say_running();
    rank_2.publish(20);
    blockage why = waits_for_2();
    why.hop = hop_of_collective;
    say_blocked(why);
    turn();
    EXPECT_EQ(bound(b, 0), 20U + hop_of_collective);
}

TEST_F(carriers, blocked_rank_is_bounded_by_its_clock_while_a_message_to_it_is_not_read) {
    rank_0.publish(2);
    send(b, 2, 0, 4, "hello");
    rank_2.publish(100);
    say_blocked(waits_for_2()); // it has read nothing
    turn();
    EXPECT_EQ(bound(b, 0), 2U);
}

TEST_F(carriers, sender_is_bounded_by_its_clock_until_the_receiver_awaits_a_post) {
    rank_0.publish(2);
    rank_2.publish(100);
    blockage why = waits_for_2();
    why.add_match(2, 5);
    say_blocked(why);
    turn();
    EXPECT_EQ(bound(b, 0), 2U);
    b.all.unmatched(b.all.rank(2))[0].store(5);
    turn();
    EXPECT_EQ(a.all.unmatched(a.all.rank(2))[0].load(), 5U);
    EXPECT_EQ(bound(b, 0), 100U + hop_of_message);
    b.all.unmatched(b.all.rank(2))[0].store(0);
    turn();
    EXPECT_EQ(a.all.unmatched(a.all.rank(2))[0].load(), 0U);
}

TEST_F(carriers, match_that_is_not_told_bounds_its_sender) {
    rank_0.publish(2);
    rank_2.publish(100);
    blockage why = waits_for_2();
    why.add_match(2, 5);
    say_blocked(why);
    b.all.untold(b.all.rank(2))[0].store(40);
    turn();
    EXPECT_EQ(bound(b, 0), 2U); // a receive might take the message
    b.all.unmatched(b.all.rank(2))[0].store(5);
    turn();
    EXPECT_EQ(first_untold_match(a.all, 2, 0), 40U);
    EXPECT_EQ(bound(b, 0), 40 + latency);
    // Told: the record comes first.
    send(b, 2, 0, 40, "", kind::matched);
    b.all.untold(b.all.rank(2))[0].store(0);
    turn();
    EXPECT_EQ(first_untold_match(a.all, 2, 0), forever);
    in_ring in;
    EXPECT_NE(in.next(a.all, 0, 2), nullptr);
    EXPECT_EQ(bound(b, 0), 40 + latency); // as long as it has not read it
}

// A sender on this host learns of it as well, and is woken.
TEST_F(carriers, match_that_is_not_told_wakes_its_sender) {
    b.all.rank(2).bell.store(1);
    rank_2.watch(forever);
    a.all.untold(a.all.rank(0))[2].store(40);
    turn();
    EXPECT_EQ(first_untold_match(b.all, 0, 2), 40U);
    EXPECT_EQ(b.all.rank(2).bell.load(), 2U);
}

// Rank 0 will never go on, but a receive that it has posted may match.
TEST_F(carriers, rank_that_waits_for_ever_still_matches) {
    publish_bound(b.all, 3, forever);
    b.all.rank(3).life.store(life::finished);
    blockage why;
    why.waits_for.add(3);
    say_blocked(why);
    rank_2.publish(5);
    turn();
    EXPECT_GE(bound(b, 0), forever);
    EXPECT_EQ(last_to_await_a_post(b.all, 0, 2), 0U);
    EXPECT_EQ(last_to_await_a_post(a.all, 3, 0), UINT32_MAX);
}

// The sender's host does not know yet that a receive was posted which may take the message.
TEST_F(carriers, sender_is_not_believed_when_the_receiver_has_just_posted) {
    rank_2.publish(100);
    b.all.unmatched(b.all.rank(2))[0].store(5);
    blockage why = waits_for_2();
    why.add_match(2, 5);
    say_blocked(why);
    turn();
    EXPECT_EQ(bound(b, 0), 100U + hop_of_message);
    b.all.unmatched(b.all.rank(2))[0].store(0);
    rank_2.publish(200);
    b.carries->turn();
    EXPECT_EQ(bound(b, 0), 100U + hop_of_message);
}

TEST_F(carriers, message_that_was_read_no_longer_counts_as_on_its_way) {
    send(b, 2, 0, 4, "hello");
    rank_2.publish(100);
    turn();
    std::vector<in_ring> in(a.all.capacity());
    const record *const r = in[2].next(a.all, 0, 2);
    ASSERT_NE(r, nullptr);
    in[2].done(*r);
    rank_0.say_blocked(waits_for_2(), in);
    turn();
    EXPECT_EQ(bound(b, 0), 100U + hop_of_message);
}

TEST_F(carriers, message_wakes_its_reader) {
    b.all.rank(2).bell.store(1);
    send(a, 0, 2, 5, "hello");
    turn();
    EXPECT_EQ(b.all.rank(2).bell.load(), 2U);
}

TEST_F(carriers, ranks_that_wait_for_each_other_are_stuck_on_both_hosts) {
    for (const std::uint32_t r : {1U, 3U})
        publish_bound(r == 1 ? a.all : b.all, r, forever);
    say_blocked(waits_for_2());
    blockage why;
    why.waits_for.add(0);
    rank_2.say_blocked(why, std::vector<in_ring>(b.all.capacity()));
    turn();
    EXPECT_GE(bound(a, 2), forever);
    EXPECT_GE(bound(b, 0), forever);
    // Lines name who waits for whom; but no snapshot derives anything from a mirror.
    EXPECT_EQ(b.all.rank(0).is_blocked.load(), 1U);
    EXPECT_EQ(b.all.waits_for(b.all.rank(0))[0].load(), 4U);
    EXPECT_FALSE(rank_2.look_at_all(4)[0].is_blocked);
    EXPECT_TRUE(rank_2.look_at_all(4)[2].is_blocked);
}

// However much one of them has sent.
TEST_F(carriers, rings_to_a_host_have_equal_parts_of_a_turn) {
    const std::string data(most_in_ring, 'x');
    out_ring out(a.all, 0, 2);
    for (int i = 0; i < 3000; ++i) {
        record *const r = out.reserve(a.all, data.size());
        r->what = kind::here;
        r->set_bytes(data.size());
        out.publish(1);
    }
    send(a, 1, 3, 7, "hello");
    a.carries->turn();
    EXPECT_GT(by.on_its_way[1].size(), std::size_t{8} << 20);
    EXPECT_LT(by.on_its_way[1].size(), std::size_t{9} << 20);
    b.carries->turn();
    in_ring in;
    EXPECT_NE(in.next(b.all, 3, 1), nullptr);
    EXPECT_EQ(bound(b, 1), 0U);
}

// Behind it the next turn begins with the ring that comes next.
TEST_F(carriers, turn_that_is_full_takes_no_long_message_of_each_ring) {
    const std::string data(std::size_t{17} << 20, 'x');
    for (const std::uint32_t writer : {0U, 1U})
        for (const std::uint32_t reader : {2U, 3U}) {
            out_ring out(a.all, writer, reader);
            for (const clock_value stamp : {1U, 2U})
                send(a, out, stamp, data, kind::block);
        }
    a.carries->turn();
    EXPECT_GT(by.on_its_way[1].size(), std::size_t{34} << 20);
    EXPECT_LT(by.on_its_way[1].size(), std::size_t{35} << 20);
    b.carries->turn();
    EXPECT_NE(in_ring().next(b.all, 3, 0), nullptr);
    EXPECT_EQ(in_ring().next(b.all, 2, 1), nullptr);
    a.carries->turn();
    b.carries->turn();
    EXPECT_NE(in_ring().next(b.all, 2, 1), nullptr);
    EXPECT_NE(in_ring().next(b.all, 3, 1), nullptr);
}

TEST_F(carriers, watcher_of_a_rank_elsewhere_is_woken) {
    b.all.rank(2).bell.store(1);
    rank_2.watch(30);
    rank_0.publish(29);
    turn();
    EXPECT_EQ(b.all.rank(2).bell.load(), 1U);
    rank_0.publish(30);
    turn();
    EXPECT_EQ(b.all.rank(2).bell.load(), 2U);
}

TEST_F(carriers, wishes_and_lives_are_told) {
    b.all.head().is_asked.store(0);
    a.all.head().has_threads.store(1);
    a.all.rank(1).life.store(life::finished);
    turn();
    EXPECT_EQ(b.all.head().is_asked.load(), 1U);
    EXPECT_EQ(b.all.head().has_threads.load(), 1U);
    EXPECT_EQ(b.all.rank(1).life.load(), life::finished);
}

TEST_F(carriers, contexts_of_hosts_differ) {
    EXPECT_EQ(a.all.head().contexts.load(), 0U);
    EXPECT_LE(a.all.head().contexts_limit, b.all.head().contexts.load());
    EXPECT_LE(b.all.head().contexts_limit, most_contexts);
}

TEST_F(carriers, end_when_no_host_has_a_rank_left) {
    a.carries->tell({true, 0, false});
    turn();
    EXPECT_FALSE(a.carries->is_over());
    b.carries->tell({true, 0, false});
    turn();
    EXPECT_TRUE(a.carries->is_over());
    EXPECT_TRUE(b.carries->is_over());
    EXPECT_EQ(a.carries->code_elsewhere(), 0);
}

TEST_F(carriers, end_is_told_behind_the_last_messages) {
    send(a, 0, 2, 5, "hello");
    a.carries->tell({true, 0, false});
    b.carries->tell({true, 0, false});
    by.full_to = 1;
    turn();
    EXPECT_FALSE(b.carries->is_over());
    by.full_to = -1;
    turn();
    EXPECT_TRUE(b.carries->is_over());
    in_ring in;
    EXPECT_NE(in.next(b.all, 2, 0), nullptr);
}

TEST_F(carriers, end_is_no_end_before_the_others_have_it) {
    a.carries->tell({true, 0, false});
    a.carries->turn();
    by.full_to = 1; // has not left
    b.carries->tell({true, 0, false});
    turn();
    EXPECT_FALSE(a.carries->is_over());
    by.full_to = -1;
    turn();
    EXPECT_TRUE(a.carries->is_over());
}

TEST_F(carriers, host_with_nothing_to_say_says_that_it_lives) {
    const test_support::frozen_clock clock;
    turn();
    by.on_its_way[1].clear();
    a.carries->turn();
    EXPECT_TRUE(by.on_its_way[1].empty());
    test_support::frozen_clock::advance(220'000'000);
    a.carries->turn();
    EXPECT_FALSE(by.on_its_way[1].empty());
}

TEST_F(carriers, failure_is_told_and_a_host_behind_its_end_says_no_more) {
    a.carries->tell({false, 7, true});
    turn();
    EXPECT_EQ(b.carries->code_elsewhere(), 7);
    EXPECT_TRUE(b.carries->fails_elsewhere());
    b.carries->tell({true, 7, true});
    turn();
    send(a, 0, 2, 5, "hello");
    rank_0.publish(5);
    a.carries->turn();
    b.carries->turn();
    EXPECT_TRUE(by.on_its_way[0].empty());
}

TEST_F(carriers, code_of_a_host_that_goes_on_is_told_with_its_end) {
    a.carries->tell({false, 7, false});
    turn();
    EXPECT_EQ(b.carries->code_elsewhere(), 0);
    a.carries->tell({true, 7, false});
    turn();
    EXPECT_EQ(b.carries->code_elsewhere(), 7);
    EXPECT_FALSE(b.carries->fails_elsewhere());
    b.carries->tell({true, 9, true});
    turn();
    EXPECT_TRUE(b.carries->is_over());
    EXPECT_EQ(a.carries->code_elsewhere(), 9);
}

// Nobody reads for now, on a host where some rank has ended with a code behind MPI_Finalize.
TEST_F(carriers, no_message_is_dropped_while_a_host_with_a_code_goes_on) {
    b.carries->tell({false, 7, false});
    const int sent = 4600;
    flood(a, 0, 2, sent);
    in_ring in;
    int read = 0;
    for (int turns = 0; turns < 100 && read < sent; ++turns) {
        while (const record *const r = in.next(b.all, 2, 0)) {
            ++read;
            in.done(*r);
        }
        turn();
    }
    EXPECT_EQ(read, sent);
}

TEST_F(carriers, first_code_that_another_host_tells_stays) {
    a.carries->tell({false, 7, true});
    turn();
    a.carries->tell({true, 9, true});
    turn();
    EXPECT_EQ(b.carries->code_elsewhere(), 7);
}

TEST_F(carriers, silent_host_is_lost_but_not_before_its_time) {
    const test_support::frozen_clock clock;
    int lost = 0;
    a.carries->most_silence = 300'000'000;
    a.carries->lost = [&](std::uint32_t host) { lost += host == 1 ? 1 : 100; };
    turn();
    for (int i = 0; i < 29; ++i) {
        test_support::frozen_clock::advance(10'000'000);
        a.carries->turn();
    }
    EXPECT_EQ(lost, 0);
    for (int i = 0; i < 2; ++i) {
        test_support::frozen_clock::advance(10'000'000);
        a.carries->turn();
    }
    EXPECT_EQ(lost, 1);
}

using carriers_death = carriers;

TEST_F(carriers_death, host_of_another_command_is_refused) {
    wires other;
    const shares more({2, 3}, 1);
    wire_link wire(other, 1);
    world all(spmc::job::mine(), world::make(spmc::job::mine(), 5));
    more.divide(all);
    carrier of_another_command(all, more, wire);
    of_another_command.turn();
    by.on_its_way[0] = other.on_its_way[0];
    EXPECT_EXIT(a.carries->turn(), testing::ExitedWithCode(2), "host 1 was begun with another");
}

TEST_F(carriers_death, host_of_other_rules_is_refused) {
    carrier of_other_rules(b.all, b.among, b.wire, "invariant");
    by.on_its_way[0].clear();
    of_other_rules.turn();
    EXPECT_EXIT(a.carries->turn(), testing::ExitedWithCode(2), "another rule of -reduce");
}

TEST_F(carriers_death, report_of_ranks_that_there_are_not_is_refused) {
    blockage why;
    why.add_match(0, 54321);
    a.all.unmatched(a.all.rank(0))[2].store(54321);
    turn();
    rank_2.say_blocked(why, std::vector<in_ring>(b.all.capacity()));
    b.carries->turn();
    // The number of the rank that it waits for, and that of its send.
    const std::uint32_t numbers[] = {0, 54321};
    const std::uint32_t wrong[] = {77, 54321};
    byte_row &bytes = by.on_its_way[0];
    const auto *const begin = reinterpret_cast<const char *>(numbers);
    const auto at = std::search(bytes.begin(), bytes.end(), begin, begin + sizeof(numbers));
    ASSERT_NE(at, bytes.end());
    std::memcpy(&*at, wrong, sizeof(wrong));
    EXPECT_EXIT(a.carries->turn(), testing::ExitedWithCode(2), "host 1 reports that rank 2 waits");
}

} // namespace
} // namespace saguaro::mpi::transport
