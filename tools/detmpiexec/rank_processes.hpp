// SPDX-License-Identifier: MIT
// The processes of this machine's ranks: starting them, and which of them live.
#pragma once

#include "event_set.hpp"
#include "job_output.hpp"
#include "options.hpp"
#include "placement.hpp"
#include "programs.hpp"

#include "mpi/core/world/world.hpp"
#include "spmc/job.hpp"

#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace saguaro::detmpiexec {

// The ranks that a machine has when the job starts.
struct rank_range {
    std::uint32_t first;
    std::uint32_t end; // one after the last
};

struct rank_process {
    part what;
    spmc::slot space = 0;
    pid_t pid = 0;
    int pidfd = -1; // readable when it has ended
    bool lives = true;
};

// As many descriptors as the system allows: a rank takes four. What the launcher forks has the
// former limit again.
class more_descriptors {
public:
    more_descriptors();
};

class rank_processes {
public:
    // Ranks write to `output` and inherit `doorbell`; `events` tells of their ends, by
    // source::rank_end and the rank.
    rank_processes(spmc::job &all, mpi::world &world, rank_range here, placement where,
                   event_set &events, job_output &output, int doorbell);

    // Starts this machine's ranks of all parts. Ends the launcher with a line if a program is
    // missing, before any rank starts.
    void start_all(const options &what);

    // The next rank. Ends the launcher with a line if the system refuses it.
    void start(const part &p, program &what);

    // Sets, in the environment of a rank that will start, which part of this machine it has.
    void share_machine(environment &of) const;

    // The process of a rank has ended, or will have at once: returns its status, when it has.
    int wait_for_end(std::size_t rank);

    // Ranks whose end no event will tell of; each is returned once.
    std::vector<std::size_t> take_unwatched();

    void send(int signal) const; // to each that lives

    int living() const { return living_; }
    rank_range here() const { return here_; }
    // Of those that have been started on this machine, of which index 0 has the first rank.
    std::size_t count() const { return processes_.size(); }
    std::size_t rank_of(std::size_t index) const { return here_.first + index; }
    std::size_t index_of(std::size_t rank) const { return rank - here_.first; }
    const rank_process &of(std::size_t rank) const { return processes_[index_of(rank)]; }

private:
    int start_redirected(rank_process &which, const std::string &file,
                         std::vector<char *> &arguments, std::size_t rank);
    std::uint32_t ranks_at_start() const { return here_.end - here_.first; }

    spmc::job &all_;
    mpi::world &world_;
    const rank_range here_;
    const placement where_;
    event_set &events_;
    job_output &output_;
    const int doorbell_;
    const more_descriptors descriptors_;
    std::vector<rank_process> processes_;
    std::vector<std::size_t> unwatched_;
    int living_ = 0;
};

} // namespace saguaro::detmpiexec
