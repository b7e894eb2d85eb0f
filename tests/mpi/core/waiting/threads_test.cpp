// SPDX-License-Identifier: MIT
// Threads of a rank that call MPI at the same time, as the faces let them in.
#include "mpi/core/ranks.hpp"
#include "mpi/core/short.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

// As MPI_Init_thread gives it: the test's ranks have begun in another way.
void share() {
    gate.share();
    rank::mine->all().head().has_threads.store(1);
}

int send(int value, int to, int tag) {
    const core::inside here;
    return core::send(&value, 1, datatype::int_, to, tag, on);
}

int receive(int from, int tag) {
    const core::inside here;
    int value = -1;
    core::recv(&value, 1, datatype::int_, from, tag, on, nullptr);
    return value;
}

// Each thread has a tag, and talks to the thread with the same tag of the next rank.
TEST(threads, pairs_of_threads_talk_at_the_same_time) {
    for (const std::uint32_t ranks : {1U, 2U, 5U})
        EXPECT_TRUE(all_well(run_ranks(ranks, [&](int me) {
            alarm(60);
            share();
            const int n = static_cast<int>(ranks);
            std::vector<std::thread> threads;
            std::atomic<int> wrong = 0;
            for (int tag = 0; tag < 4; ++tag)
                threads.emplace_back([&, tag] {
                    for (int i = 0; i < 500; ++i) {
                        send(i * 10 + tag, (me + 1) % n, tag);
                        if (receive((me + n - 1) % n, tag) != i * 10 + tag)
                            ++wrong;
                    }
                });
            for (std::thread &t : threads)
                t.join();
            return wrong.load();
        }))) << ranks;
}

// The receive sleeps, and the other thread's message to its own rank ends it.
TEST(threads, blocked_thread_lets_others_in) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        alarm(60);
        share();
        int got = 0;
        std::thread waits([&] { got = receive(0, 1); });
        usleep(100'000);
        send(5, 0, 2);
        if (receive(0, 2) != 5)
            return 1;
        send(6, 0, 1);
        waits.join();
        return got == 6 ? 0 : 2;
    })));
}

// All ranks have a thread that waits for what the others send only after a while: no deadlock.
TEST(threads, thread_that_computes_is_no_deadlock) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        alarm(60);
        share();
        int got = -1;
        std::thread waits([&] { got = receive(abi::any_source, 1); });
        usleep(500'000);
        send(me, 1 - me, 1);
        waits.join();
        return got == 1 - me ? 0 : 1;
    })));
}

// Probes, tests and wildcards beside each other, with the bound of a rank whose threads all wait.
TEST(threads, wildcards_go_on_while_threads_of_others_wait) {
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        alarm(60);
        share();
        if (me != 0) {
            std::thread first([&] { receive(0, 1); });
            std::thread second([&] { receive(0, 2); });
            for (int i = 0; i < 50; ++i)
                send(i, 0, 3);
            first.join();
            second.join();
            return 0;
        }
        int sum = 0;
        for (int i = 0; i < 100; ++i)
            sum += receive(abi::any_source, 3);
        for (int to = 1; to < 3; ++to)
            for (int tag = 1; tag < 3; ++tag)
                send(0, to, tag);
        return sum == 2450 ? 0 : 1;
    })));
}

// The receive is matched later than the rank's clock. The other thread waits, so the sender is told
// before; then the receive is cancelled at a clock before the match.
TEST(threads, match_that_was_told_is_not_taken_back) {
    shared_array<std::atomic<bool>> is_told(1);
    EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
        alarm(60);
        share();
        int x = me;
        if (me == 1) {
            core::declare_cost(50);
            const core::inside here;
            core::ssend(&x, 1, datatype::int_, 0, 1, on);
            is_told[0] = true;
            return core::recv(&x, 1, datatype::int_, 0, 3, on, nullptr) +
                   core::send(&x, 1, datatype::int_, 0, 2, on);
        }
        request r{};
        {
            const core::inside here;
            core::irecv(&x, 1, datatype::int_, 1, 1, on, &r);
        }
        std::thread waits([&] { receive(1, 2); });
        while (!is_told[0])
            ;
        status s;
        {
            const core::inside here;
            core::cancel(&r);
            core::wait(&r, &s);
        }
        send(0, 1, 3);
        waits.join();
        return x == 1 && !s.cancelled ? 0 : 1;
    })));
}

// None has a permission when they begin.
TEST(threads, begin_sessions_at_the_same_time) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        alarm(60);
        info hints{};
        core::info_create(&hints);
        core::info_set(hints, "thread_level", "MPI_THREAD_MULTIPLE");
        std::vector<std::thread> threads;
        std::atomic<int> waiting = 0;
        std::atomic<int> wrong = 0;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (++waiting; waiting != 4;)
                    ;
                for (int i = 0; i < 2000; ++i) {
                    session made{};
                    if (core::session_init(hints, errhandler::errors_return, &made) != 0)
                        ++wrong;
                    const core::inside here;
                    if (core::session_finalize(&made) != 0)
                        ++wrong;
                }
            });
        for (std::thread &t : threads)
            t.join();
        return wrong + static_cast<int>(process::mine->sessions.live());
    })));
}

int begin_session_of(const char *level, session *kept = nullptr) {
    info hints{};
    core::info_create(&hints);
    core::info_set(hints, "thread_level", level);
    session made{};
    const int error = core::session_init(hints, errhandler::errors_return, &made);
    if (kept != nullptr)
        *kept = made;
    return error;
}

std::string level_of_session(info hints) {
    session made{};
    info got{};
    info_list all;
    core::session_init(hints, errhandler::errors_return, &made);
    core::session_get_info(made, &got);
    read_info(got, all);
    const std::string *const level = find_value(all, "thread_level");
    return level == nullptr ? "none" : *level;
}

// A library's thread that begins a session need not know what the program has asked for.
TEST(threads, may_use_a_session_that_asks_for_no_level_if_they_may_call_at_all) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        info single{};
        core::info_create(&single);
        core::info_set(single, "thread_level", "MPI_THREAD_SINGLE");
        int provided = 0;
        core::init_thread(nullptr, nullptr, abi::thread_multiple, &provided);
        return level_of_session(info::null) == "MPI_THREAD_MULTIPLE" &&
                       level_of_session(single) == "MPI_THREAD_SINGLE"
                   ? 0
                   : 1;
    })));
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        int provided = 0;
        core::init_thread(nullptr, nullptr, abi::thread_serialized, &provided);
        return level_of_session(info::null) == "MPI_THREAD_SINGLE" && !gate.is_shared() ? 0 : 1;
    })));
}

// The thread of the first is the second's.
TEST(threads, of_sessions_that_follow_each_other_are_one) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        core::init(nullptr, nullptr);
        for (int i = 0; i < 3; ++i) {
            session made{};
            begin_session_of("MPI_THREAD_FUNNELED", &made);
            if (gate.is_shared())
                return 1;
            core::session_finalize(&made);
        }
        begin_session_of("MPI_THREAD_FUNNELED");
        begin_session_of("MPI_THREAD_FUNNELED");
        return gate.is_shared() ? 0 : 2;
    })));
}

// One thread for each session: these may meet. A deadlock is looked for as long as they cannot.
TEST(threads, of_serialized_sessions_are_let_in_one_at_a_time) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        const auto &are_several = rank::mine->all().head().has_threads;
        begin_session_of("MPI_THREAD_SINGLE");
        if (gate.is_guarded())
            return 1;
        begin_session_of("MPI_THREAD_FUNNELED");
        if (!gate.is_guarded() || gate.is_shared() || are_several != 0)
            return 2;
        begin_session_of("MPI_THREAD_SERIALIZED");
        return gate.is_shared() && are_several != 0 ? 0 : 3;
    })));
}

// The first thread sleeps in its receive when the second begins a session. Rank 1 sends what the
// second waits for, and then what the first does. It does not wait before the session has begun:
// until then both ranks would be taken for a deadlock.
TEST(threads, session_begins_while_another_thread_waits) {
    const auto run = [](int level, const char *second) {
        shared_array<std::atomic<bool>> has_begun(1);
        return run_ranks(2, [&](int me) {
            alarm(60);
            if (me == 1) {
                while (!has_begun[0])
                    usleep(1000);
                for (int i = 0; i < 3; ++i)
                    send(receive(0, 3) + 1, 0, i == 1 ? 1 : 2);
                return 0;
            }
            int provided = 0;
            core::init_thread(nullptr, nullptr, level, &provided);
            int wrong = 0;
            std::thread other([&] {
                const auto &bell = rank::mine->all().rank(0).bell;
                while ((bell & 1) == 0) // the first does not sleep
                    usleep(1000);
                wrong += begin_session_of(second);
                has_begun[0] = true;
                for (int i = 0; i < 2; ++i) {
                    send(i, 1, 3);
                    wrong += i == 0 && receive(1, 2) != 1 ? 1 : 0;
                }
            });
            wrong += receive(abi::any_source, 1) != 2 ? 2 : 0;
            other.join();
            send(5, 1, 3);
            return wrong + (receive(abi::any_source, 2) != 6 ? 4 : 0);
        });
    };
    for (const int level : {abi::thread_funneled, abi::thread_serialized})
        for (const char *const second : {"MPI_THREAD_FUNNELED", "MPI_THREAD_MULTIPLE"})
            EXPECT_TRUE(all_well(run(level, second))) << level << second;
}

// The prober's own bound is below the message's stamp: it knows that it sends nothing itself only
// because it is blocked.
TEST(threads, probe_from_any_source_uses_the_rank_s_own_blockage) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        alarm(60);
        share();
        if (me == 1) {
            for (int i = 0; i < 20; ++i)
                send(i, 0, 2);
            send(7, 0, 3);
            return receive(0, 4) == 8 ? 0 : 1;
        }
        status seen;
        {
            const core::inside here;
            core::probe(abi::any_source, 3, on, &seen);
        }
        const int got = receive(abi::any_source, 3);
        send(got + 1, 1, 4);
        for (int i = 0; i < 20; ++i)
            receive(1, 2);
        return seen.source == 1 && got == 7 ? 0 : 1;
    })));
}

} // namespace
} // namespace saguaro::mpi
