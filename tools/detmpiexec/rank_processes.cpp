// SPDX-License-Identifier: MIT
// Starting a rank with its streams, environment, processors and space.
#include "rank_processes.hpp"

#include "counted_work.hpp"
#include "freed_memory.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/variables.hpp"
#include "spmc/ends.hpp"
#include "spmc/spaces.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace saguaro::detmpiexec {

namespace {

// The launcher's own streams, which the ranks' take the place of while they start.
class own_streams {
public:
    own_streams() {
        for (int stream = 0; stream < 3; ++stream)
            kept_[stream] = fcntl(stream, F_DUPFD_CLOEXEC, 3);
    }
    ~own_streams() {
        for (int stream = 0; stream < 3; ++stream)
            if (kept_[stream] >= 0) {
                dup2(kept_[stream], stream);
                close(kept_[stream]);
            }
    }
    own_streams(const own_streams &) = delete;
    own_streams &operator=(const own_streams &) = delete;

private:
    int kept_[3];
};

rlimit former_limit{};

} // namespace

more_descriptors::more_descriptors() {
    getrlimit(RLIMIT_NOFILE, &former_limit);
    const rlimit wanted{former_limit.rlim_max, former_limit.rlim_max};
    setrlimit(RLIMIT_NOFILE, &wanted);
    pthread_atfork(nullptr, nullptr, [] { setrlimit(RLIMIT_NOFILE, &former_limit); });
}

rank_processes::rank_processes(spmc::job &all, mpi::world &world, rank_range here, placement where,
                               event_set &events, job_output &output, int doorbell)
    : all_(all), world_(world), here_(here), where_(std::move(where)), events_(events),
      output_(output), doorbell_(doorbell) {}

void rank_processes::start_all(const options &what) {
    std::vector<program> programs;
    for (const part &p : what.parts) {
        programs.push_back(prepare(p));
        share_machine(programs.back().variables);
    }
    std::size_t rank = 0;
    for (std::size_t i = 0; i < what.parts.size(); ++i)
        for (int n = 0; n < what.parts[i].ranks; ++n, ++rank)
            if (rank >= here_.first && rank < here_.end)
                start(what.parts[i], programs[i]);
}

void rank_processes::share_machine(environment &of) const {
    // Ranks that are spawned share it with those that were there.
    const std::uint32_t spawned = world_.size() - world_.head().first_ranks;
    const std::uint32_t ranks = ranks_at_start() + spawned;
    keep_freed_memory(of, ranks);
    if (world_.size() == 1)
        return;
    const std::string cores =
        std::to_string(std::max(1U, where_.cores_of_a_rank * ranks_at_start() / ranks));
    of.set_unless_there("OMP_NUM_THREADS", cores);
    if (!of.has("CILK_NWORKERS"))
        of.set_unless_there("SAGUARO_WORKERS", cores);
}

void rank_processes::start(const part &p, program &what) {
    const std::size_t index = processes_.size();
    const std::size_t rank = rank_of(index);
    rank_process &started = processes_.emplace_back();
    started.what = p;
    std::vector<char *> arguments;
    for (const std::string &word : p.command)
        arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    what.variables.set(mpi::variables::rank.name, std::to_string(world_.where()) + "," +
                                                      std::to_string(rank) + "," +
                                                      std::to_string(doorbell_));
    int refused = 0;
    {
        const program_scope inside(what);
        const same_addresses each_time(what.variables);
        // Ranks that are spawned run wherever the system likes.
        const processor_scope there(index < where_.of_ranks.size() ? where_.of_ranks[index]
                                                                   : std::vector<int>());
        refused = start_redirected(started, what.file, arguments, rank);
    }
    if (refused != 0)
        give_up(p.command.front(), refused);
    started.pid =
        static_cast<pid_t>(all_.space_in(started.space).pid.load(std::memory_order_relaxed));
    ++living_;
    // None if it has ended already.
    started.pidfd = static_cast<int>(syscall(SYS_pidfd_open, started.pid, 0));
    if (started.pidfd >= 0)
        events_.add(started.pidfd, source::rank_end, rank);
    else if (errno == ESRCH)
        unwatched_.push_back(rank);
    else
        give_up("a rank cannot be watched", errno);
}

int rank_processes::start_redirected(rank_process &which, const std::string &file,
                                     std::vector<char *> &arguments, std::size_t rank) {
    const own_streams kept;
    output_.redirect(rank);
    if (rank != 0) {
        const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
    return spmc::begin_program(file.c_str(), arguments.data(), which.space);
}

int rank_processes::wait_for_end(std::size_t rank) {
    rank_process &ended = processes_[index_of(rank)];
    spmc::wait_for_end(ended.space);
    if (ended.pidfd >= 0)
        close(ended.pidfd);
    ended.pidfd = -1;
    ended.lives = false;
    --living_;
    return spmc::status_of(all_, ended.space);
}

std::vector<std::size_t> rank_processes::take_unwatched() {
    return std::exchange(unwatched_, {});
}

void rank_processes::send(int signal) const {
    for (const rank_process &each : processes_)
        if (each.pidfd >= 0)
            syscall(SYS_pidfd_send_signal, each.pidfd, signal, nullptr, 0);
}

} // namespace saguaro::detmpiexec
