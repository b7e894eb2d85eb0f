// SPDX-License-Identifier: MIT
// Tests of a launcher that cannot reach another host any more.
#include "transport_thread.hpp"

#include "spmc/job.hpp"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <thread>

namespace saguaro::detmpiexec {
namespace {

using mpi::transport::begun_by;
using mpi::transport::broken_link;
using mpi::transport::byte_row;
using mpi::transport::link;
using mpi::transport::mpi_library;

std::atomic<bool> breaks{false};

class breaking_link final : public link {
public:
    std::uint32_t hosts() const override { return 2; }
    std::uint32_t me() const override { return 0; }
    void send(std::uint32_t, byte_row) override {}
    std::size_t unsent(std::uint32_t) override { return 0; }
    bool receive(std::uint32_t, byte_row &) override {
        if (breaks)
            throw broken_link("the wire is cut");
        return false;
    }
    void close() override {}
};

class breaking_library final : public mpi_library {
public:
    std::unique_ptr<link> begin(const begun_by &) override {
        return std::make_unique<breaking_link>();
    }
};

// Ends the process, some time behind the break.
void run_until_the_link_breaks(const mpi::transport::ending &told, int expected = 0) {
    host_membership among{mpi::transport::shares({1, 1}, 0),
                          {begun_by::family::mpich, 0, 2},
                          std::make_shared<breaking_library>(),
                          "",
                          {},
                          5,
                          false};
    const mpi::world all(spmc::job::mine(), mpi::world::make(spmc::job::mine(), 2, 1));
    among.shares.divide(all);
    transport_thread carries(all, among, eventfd(0, 0));
    carries.tell(told);
    if (expected != 0)
        carries.expect_end(expected);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    breaks = true;
    std::this_thread::sleep_for(std::chrono::seconds(60));
}

TEST(transport_thread, says_that_another_host_does_not_answer) {
    EXPECT_EXIT(run_until_the_link_breaks({false, 0, false}), testing::ExitedWithCode(2),
                "^saguaro: mpi: another host does not answer: the wire is cut\n$");
}

TEST(transport_thread, says_nothing_of_a_job_that_ends_already) {
    EXPECT_EXIT(run_until_the_link_breaks({false, 130, true}), testing::ExitedWithCode(130), "^$");
}

TEST(transport_thread, says_nothing_when_the_user_has_asked_for_the_end) {
    EXPECT_EXIT(run_until_the_link_breaks({false, 0, false}, 130), testing::ExitedWithCode(130),
                "^$");
}

} // namespace
} // namespace saguaro::detmpiexec
