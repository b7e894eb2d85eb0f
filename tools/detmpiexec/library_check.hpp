// SPDX-License-Identifier: MIT
// Looking whether a rank has loaded another MPI library: while it runs, and what its processes have
// noted when it has ended.
#pragma once

#include "job_end.hpp"
#include "rank_processes.hpp"

#include "platform/clock.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace saguaro::detmpiexec {

// Such a rank was started by a script, for instance. It is seen twice before it ends the job: at
// the first look it may be about to load the project's library.
class library_check {
public:
    library_check(mpi::world &world, const rank_processes &ranks, job_end &end)
        : world_(world), ranks_(ranks), end_(end) {}

    // When the next look is due, as platform::now_ns() counts; never again when all ranks have
    // called MPI_Init or ended.
    std::int64_t due() const { return due_; }

    void look();

    // Call it when the end of a rank's process has had its effects. Before that the rank's life was
    // this one.
    void rank_ended(std::size_t rank, std::uint32_t life);

private:
    void fail(std::size_t rank, const std::string &other);

    mpi::world &world_;
    const rank_processes &ranks_;
    job_end &end_;
    std::vector<std::string> last_seen_; // the other library of each rank, by its index
    const std::int64_t started_ = platform::now_ns();
    std::int64_t due_ = started_ + first_look;

    // Programs that others start, as a script's, show later which library they load.
    static constexpr std::int64_t first_look = 500'000'000; // ns
};

} // namespace saguaro::detmpiexec
