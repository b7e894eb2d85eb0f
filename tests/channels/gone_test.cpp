// SPDX-License-Identifier: MIT
// Tests of consumers that close their ends, and of sends and receives that tell that a peer is
// gone.
#include "lines.hpp"

#include "saguaro/channel.h"
#include "saguaro/channel.hpp"
#include "saguaro/space.hpp"
#include "support/job.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace saguaro {

namespace {

using test_support::outcome;
using test_support::run_job;

// Messages that a channel holds.
constexpr int cells = 256;

// Sends until no consumer is left; how many messages went.
int sent_to(const channel<int> &to) {
    int sent = 0;
    while (to.send_or_gone(sent))
        ++sent;
    return sent;
}

// Receives some, and closes.
void take(const channel<int> &from, int some, unsigned consumer = 0) {
    for (int i = 0; i < some; ++i)
        from.receive(consumer);
    from.close_consumer(consumer);
}

// However early the producer learns of it.
TEST(channels_gone, a_consumer_closes_at_the_same_message_in_each_run) {
    for (const int pause : {0, 0, 0, 300, 3000})
        expect_success(run_job([=] {
            const channel<int> it;
            const space other([=] {
                usleep(static_cast<useconds_t>(pause));
                take(it, 300);
            });
            return sent_to(it) == 300 + cells ? 0 : 1;
        }));
}

TEST(channels_gone, a_thread_closes_at_the_same_message_in_each_run) {
    expect_success(run_job([] {
        for (int i = 0; i < 100; ++i) {
            const owned_channel<int> it;
            std::thread other([&] { take(it, i); });
            const int sent = sent_to(it);
            other.join();
            if (sent != i + cells)
                return 1;
        }
        return 0;
    }));
}

TEST(channels_gone, a_consumer_closes_among_large_messages) {
    expect_success(run_job([] {
        const channel<char> it(1, 256 << 10);
        const space other([=] {
            for (int i = 0; i < 10; ++i)
                it.receive_all();
            it.close_consumer();
        });
        const std::vector<char> large(64 << 10);
        int sent = 0;
        while (it.send_or_gone(large))
            ++sent;
        other.wait();
        return sent == 10 + 4 ? 0 : sent;
    }));
}

// Its last view is done with.
TEST(channels_gone, a_consumer_closes_what_it_views) {
    expect_success(run_job([] {
        const channel<char> it;
        const std::vector<char> large(3 << 20);
        it.send(large);
        if (it.view().size() != large.size())
            return 1;
        it.close_consumer();
        for (int i = 0; i < 3; ++i)
            if (it.send_or_gone(large) != (i == 0)) // all before was received: one has room
                return 2;
        return 0;
    }));
}

TEST(channels_gone, others_receive_all_when_one_has_closed) {
    expect_success(run_job([] {
        const channel<int> it(2);
        const space early([=] { take(it, 5); });
        const space late([=] {
            long sum = 0;
            while (const auto value = it.next(1))
                sum += *value;
            return sum == 999L * 1000 / 2 ? 0 : 1;
        });
        for (int i = 0; i < 1000; ++i)
            it.send(i);
        it.close();
        early.wait();
        late.wait();
        return 0;
    }));
}

// Whichever comes first: the one that has received most counts.
TEST(channels_gone, the_last_of_two_closes_at_the_same_message) {
    for (const unsigned first : {0U, 1U})
        expect_success(run_job([=] {
            const channel<int> it(2);
            const space less([=] {
                usleep(2000 * first);
                take(it, 10, first);
            });
            const space more([=] {
                usleep(2000 - 2000 * first);
                take(it, 400, 1 - first);
            });
            return sent_to(it) == 400 + cells ? 0 : 1;
        }));
}

TEST(channels_gone, who_does_not_ask_ends) {
    expect_line(run_job([] {
                    const channel<int> it;
                    const space other([=] { take(it, 3); });
                    for (int i = 0; i < 1000; ++i)
                        it.send(i);
                    return 0;
                }),
                "space 0: a message on channel 0x");
}

TEST(channels_gone, a_producer_closes_what_its_consumers_have_closed) {
    expect_success(run_job([] {
        const owned_channel<int> it;
        const channel<int> handle = it;
        const space other([=] { take(handle, 0); });
        for (int i = 0; i < cells; ++i)
            it.send(i); // it is full
        it.close();
        other.wait();
        return 0;
    }));
}

TEST(channels_gone, to_receive_after_a_close_is_refused) {
    expect_line(run_job([] {
                    const channel<int> it;
                    it.send(1);
                    it.close_consumer();
                    return it.receive();
                }),
                "whose consumer 0 has closed it");
}

TEST(channels_gone, to_close_twice_is_refused) {
    expect_line(run_job([] {
                    const channel<int> it(2);
                    it.close_consumer(1);
                    it.close_consumer(1);
                    return 0;
                }),
                "whose consumer 1 has closed it");
}

// ---- Peers that have ended ----

TEST(channels_gone, a_consumer_that_was_killed) {
    expect_success(run_job([] {
        const owned_channel<int> it;
        const channel<int> handle = it;
        const space other([=] {
            handle.receive();
            raise(SIGKILL);
        });
        const int sent = sent_to(it);
        it.close();
        return sent >= 1 && sent <= 1 + cells ? 0 : 1;
    }));
}

TEST(channels_gone, a_consumer_that_has_given_its_end_up) {
    expect_success(run_job([] {
        const channel<int> it;
        const space other([=] {
            it.receive();
            sg_channel_free(it.name());
            pause();
        });
        const int sent = sent_to(it);
        other.terminate();
        return sent == 1 + cells ? 0 : 1;
    }));
}

// All of its messages come first.
TEST(channels_gone, a_producer_that_was_killed) {
    expect_success(run_job([] {
        const channel<int> it;
        const space other([=] {
            for (int i = 0; i < 3; ++i)
                it.send(i);
            raise(SIGKILL);
        });
        bool is_gone = true;
        for (int i = 0; i < 3; ++i)
            if (it.next_or_gone(is_gone) != i || is_gone)
                return 1;
        for (int i = 0; i < 2; ++i)
            if (it.next_or_gone(is_gone) || !is_gone)
                return 2;
        return 0;
    }));
}

TEST(channels_gone, a_producer_that_has_ended_without_a_close) {
    expect_success(run_job([] {
        const channel<int> it;
        const space other([=] { it.send(1); });
        int value = 0;
        return sg_channel_receive_or_gone(it.name(), 0, &value, sizeof(value)) == sizeof(value) &&
                       sg_channel_receive_or_gone(it.name(), 0, &value, sizeof(value)) ==
                           SG_CHANNEL_GONE
                   ? 0
                   : 1;
    }));
}

TEST(channels_gone, a_producer_that_has_closed_is_not_gone) {
    expect_success(run_job([] {
        const channel<int> it;
        const space other([=] { it.close(); });
        other.wait();
        bool is_gone = true;
        return !it.next_or_gone(is_gone) && !is_gone ? 0 : 1;
    }));
}

// A peer that lives is waited for, and all that wait for each other end.
TEST(channels_gone, a_deadlock_is_still_one) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "qemu's own threads look like those of the space";
#endif
    expect_line(run_job([] {
                    const channel<int> there;
                    const channel<int> back;
                    const space other([=] {
                        there.receive();
                        back.send(1);
                    });
                    bool is_gone = false;
                    back.next_or_gone(is_gone);
                    return is_gone ? 2 : 0; // the other one saw it first, and has ended
                }),
                "deadlock");
}

} // namespace

} // namespace saguaro
