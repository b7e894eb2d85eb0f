// SPDX-License-Identifier: MIT
// Outcomes that are forced: see tests/mpi/launcher/order_test.py for whole programs.
#include "mpi/core/clock/order.hpp"
#include "mpi/core/replay.hpp"
#include "mpi/variables.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

// Over at once, as a wait for room may be.
class inner_event final : public awaited_event {
public:
    bool is_over(const clock_bounds &) override { return true; }
    bool describe(blockage &) const override { return false; }
};

// Waits for another event the first time that somebody looks.
class outer_event final : public awaited_event {
public:
    outer_event() { call = "MPI_Outer"; }
    bool is_over(const clock_bounds &) override {
        found = -1;
        return true;
    }
    bool describe(blockage &) const override { return false; }
    bool outcome(std::vector<int> &out) const override {
        out.assign(1, found);
        return true;
    }
    bool force(const std::vector<int> &to) override {
        if (found != 0) {
            found = to[0];
            return true;
        }
        inner_event inner;
        rank::mine->wait(inner);
        found = -2;
        return false;
    }

    int found = 0;
};

TEST(replay, forces_a_wait_that_has_another_inside) {
    EXPECT_TRUE(all_well(replay({"poll 1 MPI_Outer 5\n"}, [](int) {
        outer_event outer;
        rank::mine->wait(outer);
        return outer.found == 5 ? 0 : 1;
    })));
}

// Bounds would not change what it does, and others would wake it whenever they tell of themselves.
TEST(arrival, asks_nobody_for_clocks) {
    setenv(variables::order.name, "arrival", 1);
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        alarm(60);
        int x = me;
        if (me == 1) {
            for (int i = 0; i < 4; ++i) {
                usleep(2000);
                core::send(&x, 1, datatype::int_, 0, 1, comm::world);
            }
            return 0;
        }
        core::recv(&x, 1, datatype::int_, abi::any_source, 1, comm::world, nullptr);
        core::probe(abi::any_source, 1, comm::world, nullptr);
        request both[2];
        for (request &each : both)
            core::irecv(&x, 1, datatype::int_, abi::any_source, 1, comm::world, &each);
        int first = 0;
        core::waitany(2, both, &first, nullptr);
        int flag = 0;
        while (flag == 0)
            core::test(&both[1 - first], &flag, nullptr);
        core::recv(&x, 1, datatype::int_, abi::any_source, 1, comm::world, nullptr);
        return rank::mine->all().head().is_asked.load() == 0 ? 0 : 1;
    })));
    unsetenv(variables::order.name);
}

// Others would take it for one that may go on by what another rank has sent, which it does not read
// while it sleeps, and would not derive a bound of it.
TEST(replay, waits_for_the_recorded_source_alone) {
    EXPECT_TRUE(all_well(replay({"receive 1 1 1\nreceive 2 1 2\n", "", ""}, [](int me) {
        alarm(60);
        int x = me;
        if (me == 0) {
            for (int i = 0; i < 2; ++i)
                core::recv(&x, 1, datatype::int_, abi::any_source, 1, comm::world, nullptr);
            return x == 2 ? 0 : 1;
        }
        if (me == 1) {
            core::recv(&x, 1, datatype::int_, 2, 1, comm::world, nullptr);
            return core::send(&me, 1, datatype::int_, 0, 1, comm::world);
        }
        const world &all = rank::mine->all();
        const rank_record &waiting = all.rank(0);
        // Acquire, the first: pairs with the fence of clock_board::begin_change, so that the epoch
        // is not one before the change. The second: pairs with end_change; even says that all is
        // there.
        while (waiting.is_blocked.load(std::memory_order_acquire) == 0 ||
               waiting.epoch.load(std::memory_order_acquire) % 2 != 0)
            usleep(1000);
        const bool is_right = all.waits_for(waiting)[0].load() == 2;
        core::send(&x, 1, datatype::int_, 0, 1, comm::world);
        core::send(&x, 1, datatype::int_, 1, 1, comm::world);
        return is_right ? 0 : 2;
    })));
}

TEST(replay, names_ranks_that_there_may_be) {
    spmc::job &job = spmc::job::mine();
    const std::uint32_t capacity = world(job, world::make(job, 1)).capacity();
    const auto exit_of = [](std::uint32_t source) {
        return replay({"receive 1 1 " + std::to_string(source) + "\n"}, [](int) { return 0; });
    };
    EXPECT_EQ(exit_of(capacity - 1), std::vector<int>{0});
    EXPECT_EQ(exit_of(capacity), std::vector<int>{2});
}

TEST(replay, of_several_threads_is_refused) {
    EXPECT_EQ(replay({""},
                     [](int) {
                         int provided = 0;
                         core::init_thread(nullptr, nullptr, abi::thread_multiple, &provided);
                         return 0;
                     }),
              std::vector<int>{2});
}

// When it was recorded, the cancel came before the message, which is there before it now. If the
// sender knows of the match, that cannot be forced.
TEST(replay, cancels_a_receive_whose_message_comes_sooner) {
    for (const bool is_synchronous : {false, true}) {
        shared_array<std::atomic<bool>> has_sent(1);
        const std::vector<int> codes = replay({"poll 1 MPI_Cancel -1\n", ""}, [&](int me) {
            alarm(60);
            int x = me;
            request r{};
            if (me == 1) {
                if (is_synchronous)
                    core::issend(&x, 1, datatype::int_, 0, 1, comm::world, &r);
                else
                    core::isend(&x, 1, datatype::int_, 0, 1, comm::world, &r);
                has_sent[0] = true;
                return core::wait(&r, nullptr);
            }
            core::irecv(&x, 1, datatype::int_, 1, 1, comm::world, &r);
            while (!has_sent[0])
                ;
            core::cancel(&r);
            status s;
            core::wait(&r, &s);
            x = 0;
            core::recv(&x, 1, datatype::int_, 1, 1, comm::world, nullptr);
            return s.cancelled && x == 1 ? 0 : 1;
        });
        EXPECT_EQ(codes, (std::vector<int>{is_synchronous ? 2 : 0, 0}));
    }
}

// A session's calls go on behind MPI_Finalize.
TEST(replay, ends_with_the_last_session) {
    EXPECT_TRUE(all_well(replay({"poll 2 MPI_Iprobe -1\n"}, [](int) {
        int flag = 0;
        session s{};
        core::session_init(info::null, errhandler::errors_return, &s);
        core::iprobe(0, 0, comm::world, &flag, nullptr);
        core::finalize();
        core::iprobe(0, 0, comm::world, &flag, nullptr);
        return core::session_finalize(&s);
    })));
}

// It may be the last that the program does with MPI.
TEST(record, is_whole_when_the_last_session_has_ended) {
    const std::string name = testing::TempDir() + "recorded";
    setenv(variables::order.name, ("record:" + name).c_str(), 1);
    EXPECT_TRUE(all_well(run_ranks(1, [&](int) {
        int flag = 0;
        session s{};
        core::session_init(info::null, errhandler::errors_return, &s);
        core::iprobe(0, 0, comm::world, &flag, nullptr);
        core::session_finalize(&s);
        std::ifstream file(name + ".0");
        const std::string text(std::istreambuf_iterator<char>(file), {});
        return text == "ranks 1\npoll 1 MPI_Iprobe -1\n" ? 0 : 1;
    })));
    unsetenv(variables::order.name);
    using std::filesystem::perms;
    EXPECT_EQ(std::filesystem::status(name + ".0").permissions(),
              perms::owner_read | perms::owner_write);
    std::remove((name + ".0").c_str());
}

// Each call that asks is named by its own name, in recordings and in the lines of -stats.
TEST(record, names_the_call_that_the_program_made) {
    const std::string name = testing::TempDir() + "named";
    setenv(variables::order.name, ("record:" + name).c_str(), 1);
    EXPECT_TRUE(all_well(run_ranks(1, [&](int) {
        int x = 0;
        int flag = 0;
        int index = 0;
        message m{};
        request r[1];
        core::init(nullptr, nullptr);
        core::iprobe(0, 0, comm::world, &flag, nullptr);
        core::improbe(0, 0, comm::world, &flag, &m, nullptr);
        core::irecv(&x, 1, datatype::int_, 0, 1, comm::world, r);
        core::test(r, &flag, nullptr);
        core::testall(1, r, &flag, nullptr);
        core::testany(1, r, &index, &flag, nullptr);
        core::testsome(1, r, &flag, &index, nullptr);
        core::request_get_status(r[0], &flag, nullptr);
        core::request_get_status_all(1, r, &flag, nullptr);
        core::request_get_status_any(1, r, &index, &flag, nullptr);
        core::request_get_status_some(1, r, &flag, &index, nullptr);
        core::send(&x, 1, datatype::int_, 0, 1, comm::world);
        core::waitsome(1, r, &flag, &index, nullptr);
        core::send(&x, 1, datatype::int_, 0, 1, comm::world);
        core::probe(0, 1, comm::world, nullptr);
        core::mprobe(0, 1, comm::world, &m, nullptr);
        core::mrecv(&x, 1, datatype::int_, &m, nullptr);
        return core::finalize();
    })));
    unsetenv(variables::order.name);
    std::ifstream file(name + ".0");
    std::vector<std::string> calls;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string kind, times, call;
        words >> kind >> times >> call;
        if (kind == "poll")
            calls.push_back(call);
    }
    std::remove((name + ".0").c_str());
    EXPECT_EQ(calls, (std::vector<std::string>{
                         "MPI_Iprobe", "MPI_Improbe", "MPI_Test", "MPI_Testall", "MPI_Testany",
                         "MPI_Testsome", "MPI_Request_get_status", "MPI_Request_get_status_all",
                         "MPI_Request_get_status_any", "MPI_Request_get_status_some",
                         "MPI_Waitsome", "MPI_Probe", "MPI_Mprobe"}));
}

} // namespace
} // namespace saguaro::mpi
