// SPDX-License-Identifier: MIT
// Starting the ranks that running ranks ask for: MPI_Comm_spawn.
#pragma once

#include "job_output.hpp"
#include "rank_processes.hpp"

#include "mpi/core/spawn/request.hpp"

namespace saguaro::detmpiexec {

class spawn_requests {
public:
    spawn_requests(spmc::job &all, mpi::world &world, rank_processes &ranks, job_output &output)
        : all_(all), world_(world), ranks_(ranks), output_(output) {}

    // Answers all that have come, in their order.
    void answer_all();

private:
    // All of its ranks, or none if a program is missing or there is no room: then says why.
    bool start(mpi::spawn_request &request);

    spmc::job &all_;
    mpi::world &world_;
    rank_processes &ranks_;
    job_output &output_;
};

} // namespace saguaro::detmpiexec
