// SPDX-License-Identifier: MIT
// Messages in unusual ways: cancelled receives, exchanges without waiting, partitions, buffers, and
// statuses of requests that stay.
#include "mpi/core/ranks.hpp"
#include "mpi/core/short.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

TEST(messages, elements_without_memory_are_an_error) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        request r = request::null;
        status s;
        if (core::send(nullptr, 1, datatype::int_, 0, 3, on) != abi::err_buffer ||
            core::irecv(nullptr, 1, datatype::int_, abi::any_source, 3, on, &r) != abi::err_buffer)
            return 1;
        // Of no elements there is nothing to keep.
        message taken = message::null;
        if (core::send(nullptr, 0, datatype::null, 0, 3, on) != abi::success ||
            core::mprobe(0, 3, on, &taken, &s) != abi::success ||
            core::mrecv(nullptr, 1, datatype::int_, &taken, &s) != abi::err_buffer)
            return 2;
        return core::mrecv(nullptr, 0, datatype::int_, &taken, &s);
    })));
}

TEST(messages, receive_that_got_nothing_is_cancelled) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        int x = 7;
        status s;
        for (const int source : {1 - me, abi::any_source}) {
            request r = request::null;
            core::irecv(&x, 1, datatype::int_, source, 3, on, &r);
            if (core::cancel(&r) != 0 || r == request::null)
                return 1;
            core::wait(&r, &s);
            if (!s.cancelled || r != request::null)
                return 2;
        }
        // A send cannot be, and what was cancelled takes nothing.
        request r = request::null;
        core::barrier(on);
        core::isend(&me, 1, datatype::int_, 1 - me, 3, on, &r);
        core::cancel(&r);
        core::wait(&r, &s);
        if (s.cancelled)
            return 3;
        core::recv(&x, 1, datatype::int_, abi::any_source, 3, on, &s);
        return x == 1 - me && !s.cancelled ? 0 : 4;
    })));
}

TEST(messages, receive_that_is_complete_is_not_cancelled) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        if (me == 1) {
            usleep(50'000);
            core::send(&me, 1, datatype::int_, 0, 3, on);
            return 0;
        }
        int x = 7;
        status s;
        request r = request::null;
        core::irecv(&x, 1, datatype::int_, 1, 3, on, &r);
        rank::mine->advance_to(50); // the message arrives at 2
        core::cancel(&r);
        core::wait(&r, &s);
        return x == 1 && !s.cancelled ? 0 : 1;
    })));
}

TEST(messages, error_of_a_receive_is_told_by_the_wait_and_not_by_the_cancel) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        const int two[2] = {1, 2};
        int x = 0;
        request r{};
        core::irecv(&x, 1, datatype::int_, 0, 0, on, &r);
        core::send(two, 2, datatype::int_, 0, 0, on);
        if (core::cancel(&r) != abi::success)
            return 1;
        return core::wait(&r, nullptr) == abi::err_truncate ? 0 : 2;
    })));
}

// The messages arrive at 11 and 12 by the rule, and the first receive is cancelled before: whether
// they are there already or not, the second receive takes the first message.
TEST(messages, cancelled_receive_gives_back_what_came_too_early) {
    for (int late = 0; late < 2; ++late)
        for (const int source : {1, abi::any_source})
            EXPECT_TRUE(all_well(run_ranks(
                2,
                [&](int me) {
                    if (me == late)
                        usleep(50'000);
                    if (me == 1) {
                        rank::mine->advance_to(9);
                        for (int i = 1; i <= 3; ++i)
                            core::send(&i, 1, datatype::int_, 0, 3, on);
                        return 0;
                    }
                    int x[4] = {};
                    request r[3];
                    for (int i = 0; i < 3; ++i)
                        core::irecv(&x[i], 1, datatype::int_, i == 1 ? source : 1, 3, on, &r[i]);
                    int flag = 0;
                    core::iprobe(1, 9, on, &flag, nullptr); // reads what is there
                    core::cancel(&r[0]);
                    status s[3];
                    core::waitall(3, r, s);
                    core::recv(&x[3], 1, datatype::int_, 1, 3, on, nullptr);
                    return s[0].cancelled && !s[1].cancelled && x[1] == 1 && x[2] == 2 && x[3] == 3
                               ? 0
                               : 1;
                })))
                << late << " " << source;
}

// The message that comes back is the last of its sender's, until another one comes.
TEST(messages, come_behind_what_a_cancelled_receive_gave_back) {
    shared_array<std::atomic<bool>> is_through(2);
    EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
        if (me == 1) {
            rank::mine->advance_to(9);
            int x = 1;
            core::send(&x, 1, datatype::int_, 0, 3, on);
            is_through[1] = true;
            while (!is_through[0])
                ;
            core::send(&(x = 2), 1, datatype::int_, 0, 3, on);
            return core::send(&x, 1, datatype::int_, 0, 4, on);
        }
        int x[3] = {};
        request r{};
        core::irecv(&x[0], 1, datatype::int_, 1, 3, on, &r);
        while (!is_through[1])
            ;
        int flag = 0;
        core::iprobe(1, 9, on, &flag, nullptr); // reads what is there
        core::cancel(&r);
        core::wait(&r, nullptr);
        is_through[0] = true;
        core::recv(&x[2], 1, datatype::int_, 1, 4, on, nullptr);
        for (int i = 0; i < 2; ++i)
            core::recv(&x[i], 1, datatype::int_, 1, 3, on, nullptr);
        return x[0] == 1 && x[1] == 2 && x[2] == 2 ? 0 : 1;
    })));
}

// Its first message is the one of the receive that was posted before.
TEST(messages, probe_leaves_what_a_wildcard_before_it_may_take) {
    shared_array<std::atomic<bool>> has_sent(1);
    EXPECT_TRUE(all_well(run_ranks(3, [&](int me) {
        int x = 0;
        if (me == 1) {
            rank::mine->advance_to(9);
            for (const int tag : {3, 4})
                core::send(&x, 1, datatype::int_, 0, tag, on);
            has_sent[0] = true;
            return 0;
        }
        if (me == 2) {
            usleep(50'000); // until then its message may come first
            return 0;
        }
        request r{};
        core::irecv(&x, 1, datatype::int_, abi::any_source, abi::any_tag, on, &r);
        while (!has_sent[0])
            ;
        status s;
        core::probe(1, abi::any_tag, on, &s);
        core::wait(&r, nullptr);
        core::recv(&x, 1, datatype::int_, 1, 4, on, nullptr);
        return s.tag == 4 ? 0 : 1;
    })));
}

// The same of a message whose sender waits for the match, and of one that is too long for the
// receive that is cancelled.
TEST(messages, cancelled_receive_gives_back_synchronous_and_long_messages) {
    for (int late = 0; late < 2; ++late)
        for (const bool is_synchronous : {false, true})
            EXPECT_TRUE(all_well(run_ranks(
                2,
                [&](int me) {
                    alarm(60);
                    if (me == late)
                        usleep(50'000);
                    request r[2];
                    if (me == 1) {
                        rank::mine->advance_to(9);
                        const int two[2] = {4, 5};
                        if (is_synchronous)
                            core::issend(two, 2, datatype::int_, 0, 3, on, &r[0]);
                        else
                            core::isend(two, 2, datatype::int_, 0, 3, on, &r[0]);
                        core::wait(&r[0], nullptr);
                        return rank::mine->clock() == (is_synchronous ? 12U : 11U) ? 0 : 1;
                    }
                    int x[2][2] = {};
                    core::irecv(x[0], is_synchronous ? 2 : 1, datatype::int_, 1, 3, on, &r[0]);
                    core::irecv(x[1], 2, datatype::int_, 1, 3, on, &r[1]);
                    int flag = 0;
                    core::iprobe(1, 9, on, &flag, nullptr); // reads what is there
                    core::cancel(&r[0]);
                    status s[2];
                    return core::waitall(2, r, s) == 0 && s[0].cancelled && !s[1].cancelled &&
                                   s[1].bytes == 8 && x[1][1] == 5
                               ? 0
                               : 2;
                })))
                << late << is_synchronous;
}

// The sender has been told nothing of the first match, and learns the time of the second.
TEST(messages, synchronous_send_waits_for_the_receive_behind_a_cancelled_one) {
    for (int late = 0; late < 2; ++late)
        EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
            alarm(60);
            if (me == late)
                usleep(50'000);
            int x = 7;
            if (me == 1) {
                rank::mine->advance_to(9);
                core::ssend(&x, 1, datatype::int_, 0, 3, on);
                return rank::mine->clock() == 101 ? 0 : 1;
            }
            request r{};
            core::irecv(&x, 1, datatype::int_, 1, 3, on, &r);
            int flag = 0;
            core::iprobe(1, 9, on, &flag, nullptr);
            core::cancel(&r);
            status s;
            core::wait(&r, &s);
            rank::mine->advance_to(99);
            core::recv(&x, 1, datatype::int_, 1, 3, on, nullptr);
            return s.cancelled ? 0 : 2;
        }))) << late;
}

// The first rank has a receive that is matched later than its clock, and waits for what comes of
// the match: in a collective of both, or by way of a third rank.
TEST(messages, match_is_told_to_the_sender_that_lets_the_receiver_go_on) {
    for (const bool by_third : {false, true})
        EXPECT_TRUE(all_well(run_ranks(3, [&](int me) {
            alarm(60);
            int x = me;
            request r{};
            if (me == 0) {
                core::irecv(&x, 1, datatype::int_, 1, 3, on, &r);
                usleep(50'000);
            } else if (me == 1) {
                rank::mine->advance_to(1000);
                core::issend(&x, 1, datatype::int_, 0, 3, on, &r);
                core::wait(&r, nullptr);
                if (rank::mine->clock() != 1003)
                    return 1;
            }
            if (!by_third) {
                core::barrier(on);
            } else if (me == 1) {
                core::send(&x, 1, datatype::int_, 2, 4, on);
            } else {
                core::recv(&x, 1, datatype::int_, me == 2 ? 1 : 2, 4, on, nullptr);
                if (me == 2)
                    core::send(&x, 1, datatype::int_, 0, 4, on);
            }
            core::wait(&r, nullptr);
            return 0;
        }))) << by_third;
}

TEST(messages, named_receive_goes_on_when_the_wildcard_before_it_is_cancelled) {
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        if (me == 1) {
            rank::mine->advance_to(9);
            core::send(&me, 1, datatype::int_, 0, 3, on);
            return 0;
        }
        if (me == 2) {
            rank::mine->advance_to(9);
            int flag = 0;
            core::iprobe(0, 3, on, &flag, nullptr); // its bound decides that nothing comes until 9
            usleep(100'000);
            return 0;
        }
        int x[2] = {};
        request r[2];
        core::irecv(&x[0], 1, datatype::int_, abi::any_source, 3, on, &r[0]);
        core::irecv(&x[1], 1, datatype::int_, 1, 3, on, &r[1]);
        usleep(50'000);
        core::cancel(&r[0]);
        core::waitall(2, r, nullptr);
        return x[0] == 0 && x[1] == 1 ? 0 : 1;
    })));
}

// The message is there before the cancel decides, and the wildcard contests it until then. The
// sender's second test is decided only when it knows that the message waits for another receive.
TEST(messages, sender_learns_that_a_cancelled_wildcard_takes_nothing) {
    shared_array<std::atomic<bool>> has_sent(1);
    EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
        alarm(60);
        int x = 7;
        int flag = 0;
        request r{};
        if (me == 1) {
            core::declare_cost(100);
            core::issend(&x, 1, datatype::int_, 0, 1, on, &r);
            has_sent[0] = true;
            for (int i = 0; i < 2; ++i)
                core::test(&r, &flag, nullptr);
            core::send(&x, 1, datatype::int_, 0, 2, on);
            core::wait(&r, nullptr);
            return flag;
        }
        core::irecv(&x, 1, datatype::int_, abi::any_source, 1, on, &r);
        while (!has_sent[0])
            ;
        core::cancel(&r);
        status s;
        core::wait(&r, &s);
        for (const int tag : {2, 1})
            core::recv(&x, 1, datatype::int_, 1, tag, on, nullptr);
        return s.cancelled ? 0 : 2;
    })));
}

// The second receive has got the second message too early when it is freed; or it is freed, and
// the next receive looks for freed ones that are complete.
TEST(messages, freed_receive_gives_back_what_came_too_early) {
    for (const bool is_freed_before : {false, true}) {
        shared_array<std::atomic<bool>> has_sent(1);
        EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
            alarm(60);
            if (me == 1) {
                core::declare_cost(100);
                for (int i = 0; i < 2; ++i)
                    core::send(&i, 1, datatype::int_, 0, 3, on);
                has_sent[0] = true;
                return 0;
            }
            int x[3] = {7, 7, 7};
            int flag = 0;
            request r[3];
            core::irecv(&x[0], 1, datatype::int_, 1, 3, on, &r[0]);
            core::irecv(&x[1], 1, datatype::int_, 1, 3, on, &r[1]);
            if (is_freed_before)
                core::request_free(&r[1]);
            while (!has_sent[0])
                ;
            core::iprobe(1, 9, on, &flag, nullptr); // reads both
            if (!is_freed_before)
                core::request_free(&r[1]);
            core::irecv(&x[2], 1, datatype::int_, 1, 3, on, &r[2]);
            core::cancel(&r[0]);
            core::wait(&r[0], nullptr);
            core::wait(&r[2], nullptr);
            return x[1] == 0 && x[2] == 1 ? 0 : 1;
        }))) << is_freed_before;
    }
}

TEST(messages, exchange_without_waiting) {
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        int own = me;
        int got = -1;
        int both = me * 10;
        request r[3];
        core::isendrecv(&own, 1, datatype::int_, (me + 1) % 3, 1, &got, 1, datatype::int_,
                        (me + 2) % 3, 1, on, &r[0]);
        core::isendrecv_replace(&both, 1, datatype::int_, (me + 2) % 3, 2, (me + 1) % 3, 2, on,
                                &r[1]);
        core::isendrecv(nullptr, 0, datatype::null, abi::proc_null, 1, nullptr, 0, datatype::null,
                        abi::proc_null, 1, on, &r[2]);
        status s[3];
        core::waitall(3, r, s);
        return got == (me + 2) % 3 && both == (me + 1) % 3 * 10 && s[0].source == got &&
                       s[2].source == abi::proc_null
                   ? 0
                   : 1;
    })));
}

TEST(messages, communicator_stays_when_a_matched_message_has_been_received) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        comm copy = comm::null;
        core::comm_dup(on, &copy);
        int x = 5;
        core::send(&x, 1, datatype::int_, 0, 0, copy);
        message found = message::null;
        core::mprobe(0, 0, copy, &found, nullptr);
        request r = request::null;
        core::imrecv(&x, 1, datatype::int_, &found, &r);
        core::wait(&r, nullptr);
        int size = 0;
        return core::comm_size(copy, &size);
    })));
}

TEST(messages, nothing_and_nobody_need_no_type) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int me) {
        int x = 5;
        status s;
        return core::sendrecv(nullptr, 0, datatype::null, abi::proc_null, 0, &x, 1, datatype::null,
                              abi::proc_null, 0, on, &s) == 0 &&
                       s.source == abi::proc_null && x == 5 &&
                       core::sendrecv(nullptr, 0, datatype::null, 0, 0, nullptr, 0, datatype::null,
                                      0, 0, on, &s) == 0 &&
                       s.bytes == 0 &&
                       core::send(&me, -1, datatype::int_, abi::proc_null, 0, on) == abi::err_count
                   ? 0
                   : 1;
    })));
}

// Two pairs with the same envelope, started in opposite orders, with other partitions on each side.
TEST(messages, partitions_arrive_at_the_receive_made_for_them) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        int data[2][6] = {};
        request r[2];
        for (int i = 0; i < 2; ++i)
            if (me == 0)
                core::psend_init(data[i], 3, 2, datatype::int_, 1, 4, on, info::null, &r[i]);
            else
                core::precv_init(data[i], 2, 3, datatype::int_, 0, 4, on, info::null, &r[i]);
        for (int round = 0; round < 3; ++round)
            for (int k = 0; k < 2; ++k) {
                const int i = me == 0 ? k : 1 - k;
                if (me == 0)
                    for (int j = 0; j < 6; ++j)
                        data[i][j] = 100 * round + 10 * i + j;
                core::start(&r[i]);
                if (me == 0) {
                    int flag = 1;
                    const int last[1] = {1};
                    core::pready(2, r[i]);
                    core::pready_range(0, 0, r[i]);
                    core::request_get_status(r[i], &flag, nullptr);
                    if (flag != 0 || core::pready(0, r[i]) != abi::err_arg ||
                        core::pready(3, r[i]) != abi::err_arg ||
                        core::request_free(&r[i]) != abi::err_request ||
                        core::pready_list(1, last, r[i]) != 0)
                        return 1;
                    core::wait(&r[i], nullptr);
                    continue;
                }
                for (int arrived = 0; arrived == 0;)
                    if (core::parrived(r[i], 0, &arrived) != 0)
                        return 2;
                status s;
                core::wait(&r[i], &s);
                for (int j = 0; j < 6; ++j)
                    if (data[i][j] != 100 * round + 10 * i + j || s.bytes != 24)
                        return 3;
            }
        if (core::pready(0, r[0]) != abi::err_request)
            return 4; // it is not started, or receives
        for (request &each : r)
            core::request_free(&each);
        return 0;
    })));
}

TEST(messages, ordinary_receive_takes_no_partitions) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        int data[2] = {5, 7};
        request r{};
        if (me == 0) {
            core::psend_init(&data[0], 1, 1, datatype::int_, 1, 4, on, info::null, &r);
            core::start(&r);
            core::pready(0, r);
            core::send(&data[1], 1, datatype::int_, 1, 4, on);
        } else {
            int got = 0;
            core::recv(&got, 1, datatype::int_, 0, 4, on, nullptr);
            if (got != 7)
                return 1;
            core::precv_init(&data[1], 1, 1, datatype::int_, 0, 4, on, info::null, &r);
            core::start(&r);
        }
        core::wait(&r, nullptr);
        core::request_free(&r);
        return me == 0 || data[1] == 5 ? 0 : 2;
    })));
}

TEST(messages, no_partitions_are_a_message) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        request r = request::null;
        if (me == 0)
            core::psend_init(nullptr, 0, 0, datatype::int_, 1, 4, on, info::null, &r);
        else
            core::precv_init(nullptr, 0, 0, datatype::int_, 0, 4, on, info::null, &r);
        core::start(&r);
        core::wait(&r, nullptr);
        core::request_free(&r);
        return 0;
    })));
}

TEST(messages, statuses_of_requests_that_stay) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int me) {
        int x[2] = {-1, -1};
        request r[3] = {request::null, request::null, request::null};
        core::irecv(&x[0], 1, datatype::int_, 0, 1, on, &r[0]);
        core::irecv(&x[1], 1, datatype::int_, 0, 2, on, &r[2]);
        core::send(&me, 1, datatype::int_, 0, 2, on);
        int flag = 1;
        int index = 0;
        int done = 0;
        int indices[3] = {};
        status s[3];
        core::request_get_status_all(3, r, &flag, s);
        if (flag != 0)
            return 1;
        core::request_get_status_any(3, r, &index, &flag, s);
        if (flag != 1 || index != 2 || s[0].tag != 2)
            return 2;
        core::request_get_status_some(3, r, &done, indices, s);
        if (done != 1 || indices[0] != 2 || s[0].tag != 2 || r[2] == request::null)
            return 3;
        core::send(&me, 1, datatype::int_, 0, 1, on);
        core::waitall(3, r, s);
        return s[0].tag == 1 && s[2].tag == 2 ? 0 : 4;
    })));
}

TEST(messages, freed_requests_do_not_pile_up) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        int x = 0;
        for (int i = 0; i < 1000; ++i) {
            request r = request::null;
            if (me == 0) {
                core::send(&i, 1, datatype::int_, 1, 0, on);
            } else {
                core::irecv(&x, 1, datatype::int_, 0, 0, on, &r);
                core::request_free(&r);
            }
            core::barrier(on);
        }
        return process::mine->requests.live() <= 2 * process::least_freed_requests &&
                       (me == 0 || x == 999)
                   ? 0
                   : 1;
    })));
}

// Rank 0 frees its requests before or after their ends, as the others are slow or fast: that must
// not show in the numbers of later ones.
TEST(messages, requests_have_the_same_numbers_whoever_is_faster) {
    constexpr std::size_t count = 150;
    shared_array<std::uint32_t> numbers(2 * count);
    const auto be_first = [&](std::uint32_t *out) {
        int x = 0;
        for (std::size_t i = 0; i < count; ++i) {
            request r = request::null;
            if (i % 3 == 0)
                core::issend(&x, 1, datatype::int_, 2, 0, on, &r);
            else
                core::irecv(&x, 1, datatype::int_, 1, 0, on, &r);
            out[i] = number(r);
            int flag = 0;
            core::iprobe(0, 9, on, &flag, nullptr); // reads what has come
            usleep(200);
            core::request_free(&r);
        }
        core::barrier(on);
    };
    for (const int slow : {1, 2})
        EXPECT_TRUE(all_well(run_ranks(3, [&](int me) {
            if (me == 0) {
                be_first(&numbers[slow == 1 ? 0 : count]);
                return 0;
            }
            if (me == slow)
                usleep(10'000);
            // The first messages come before their time.
            core::declare_cost(100);
            for (std::size_t i = 0; i < count; ++i)
                if (me == 1 && i % 3 != 0)
                    core::send(&me, 1, datatype::int_, 0, 0, on);
                else if (me == 2 && i % 3 == 0)
                    core::recv(&me, 1, datatype::int_, 0, 0, on, nullptr);
            core::barrier(on);
            return 0;
        })));
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(numbers[i], numbers[count + i]) << i;
}

TEST(messages, communicators_have_buffers) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        char room[2][100];
        void *got = nullptr;
        std::int64_t size = 0;
        request r = request::null;
        if (core::comm_attach_buffer(on, room[0], 100) != 0 ||
            core::comm_attach_buffer(on, room[0], 100) != abi::err_buffer ||
            core::buffer_attach(room[1], 99) != 0 || core::comm_flush_buffer(on) != 0 ||
            core::comm_iflush_buffer(on, &r) != 0 || core::wait(&r, nullptr) != 0 ||
            core::comm_flush_buffer(comm::null) != abi::err_comm)
            return 1;
        core::comm_detach_buffer(on, &got, &size);
        if (got != room[0] || size != 100)
            return 2;
        core::buffer_detach(&got, &size);
        return got == room[1] && size == 99 ? 0 : 3;
    })));
}

} // namespace
} // namespace saguaro::mpi
