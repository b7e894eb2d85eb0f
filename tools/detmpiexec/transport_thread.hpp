// SPDX-License-Identifier: MIT
// The thread that carries messages between this machine's ranks and those of others.
#pragma once

#include "mpi/transport/carrier.hpp"
#include "mpi/transport/mpi_link.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace saguaro::detmpiexec {

// How this process belongs to a job on several machines.
struct host_membership {
    mpi::transport::shares shares;
    mpi::transport::begun_by who;
    std::shared_ptr<mpi::transport::mpi_library> by;
    std::string in_common;          // that all hosts must have been told
    std::vector<std::string> names; // of the hosts, if they were told
    int silence;                    // seconds until a host is given up
    bool is_supervised;             // mpiexec's parent waits for the line about the end

    std::string name_of(std::uint32_t host) const;
};

class transport_thread {
public:
    // Begins, when all ranks of this machine have begun. Rings the doorbell, an eventfd, when the
    // job has failed elsewhere, and when it is over.
    transport_thread(const mpi::world &of, const host_membership &among, int doorbell);
    ~transport_thread() { leave(); }

    // Returns when it has taken leave. MPI_Finalize of some libraries may hang, for example MPICH's
    // over UCX and TCP: after a second the process ends with the code nevertheless.
    void leave(int code = 0);

    // Any time, the same or something later.
    void tell(const mpi::transport::ending &own);

    // The user has asked for the end, which may have this exit code: other hosts may leave before
    // this one has failed.
    void expect_end(int code);

    // Another host has failed: the ranks of this one shall end.
    // Acquire, both: pairs with the releases in `run` and `carry`, so the code is there.
    bool fails_elsewhere() const { return fails_elsewhere_.load(std::memory_order_acquire); }
    bool is_over() const { return is_over_.load(std::memory_order_acquire); }
    // The first exit code other than 0 that another host has told; or 0. Call it after one of the
    // above.
    int code_elsewhere() const { return code_elsewhere_.load(std::memory_order_relaxed); }

private:
    void run();
    void carry(mpi::transport::carrier &all);
    void ring() const;
    [[noreturn]] void give_up(std::uint32_t lost, mpi::transport::carrier &with);
    // `with` is null before there is a carrier.
    [[noreturn]] void break_off(const char *why, const mpi::transport::carrier *with);
    [[noreturn]] void end_by(int code);
    int code_of_end(const mpi::transport::carrier *with) const;
    bool ends_already(const mpi::transport::carrier *with) const;

    mpi::world world_;
    const host_membership &among_;
    int doorbell_;
    std::atomic<int> code_{0};
    std::atomic<int> expected_code_{0};
    std::atomic<bool> fails_{false};
    std::atomic<bool> has_no_rank_{false};
    std::atomic<int> code_elsewhere_{0};
    std::atomic<bool> fails_elsewhere_{false};
    std::atomic<bool> is_over_{false};
    std::atomic<bool> has_left_{false};
    std::thread thread_;
};

} // namespace saguaro::detmpiexec
