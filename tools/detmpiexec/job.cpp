// SPDX-License-Identifier: MIT
// The launcher's loop, which waits for events and hands each to the part that it is for.
#include "job.hpp"

#include "event_set.hpp"
#include "installed_mpiexec.hpp"
#include "job_end.hpp"
#include "job_output.hpp"
#include "leftovers.hpp"
#include "library_check.hpp"
#include "mpi/core/rings/early_rings.hpp"
#include "mpi/core/world/world.hpp"
#include "placement.hpp"
#include "platform/clock.hpp"
#include "programs.hpp"
#include "rank_processes.hpp"
#include "signals.hpp"
#include "spawn_requests.hpp"
#include "spmc/job.hpp"
#include "spmc/trace/record.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <sys/eventfd.h>
#include <unistd.h>

namespace saguaro::detmpiexec {

namespace {

std::uint32_t count(const options &what) {
    std::uint32_t ranks = 0;
    for (const part &p : what.parts)
        ranks += static_cast<std::uint32_t>(p.ranks);
    return ranks;
}

rank_range ranks_here(const options &what, const host_membership *hosts) {
    if (hosts == nullptr)
        return {0, count(what)};
    return {hosts->shares.begin(hosts->shares.me()), hosts->shares.end(hosts->shares.me())};
}

// An eventfd that ranks inherit, and write to when they want the launcher to look.
int make_doorbell() {
    const int made = eventfd(0, EFD_NONBLOCK);
    if (made < 0)
        give_up("the system refuses to wait", errno);
    return made;
}

class running_job {
public:
    running_job(const options &what, const host_membership *hosts)
        : all_(spmc::job::mine()),
          world_(all_, mpi::world::make(all_, count(what),
                                        hosts != nullptr ? hosts->shares.here() : count(what))),
          is_supervised_(what.is_supervised), doorbell_(make_doorbell()),
          output_(events_, what.tags_lines),
          ranks_(all_, world_, ranks_here(what, hosts),
                 choose_placement(what, hosts != nullptr ? hosts->shares.here() : count(what)),
                 events_, output_, doorbell_) {
        events_.add(doorbell_, source::doorbell);
        events_.add(receive_signals(), source::signal);
        for (const std::string &kind : what.channels)
            if (!mpi::reserve_channels(world_, kind)) {
                std::fprintf(stderr, "detmpiexec: -channels: %s is no kind of channels\n",
                             kind.c_str());
                _exit(2);
            }
        if (hosts != nullptr)
            hosts->shares.divide(world_);
        adopt_leftovers();
        ranks_.start_all(what);
        if (hosts != nullptr)
            hosts_ = std::make_unique<transport_thread>(world_, *hosts, doorbell_);
        // One host tells the others.
        if (what.timeout != 0 && ranks_.here().first == 0)
            end_.set_timeout(what.timeout);
    }

    int run() {
        while (others_go_on() || ranks_.living() > 0)
            wait_for_something();
        end_.take_code_elsewhere();
        kill_leftovers();
        output_.finish([this] { end_.handle_signals(); });
        end_.output_written();
        // Writes the file of -trace.
        const bool is_traced = spmc::trace::end_space(all_);
        if (hosts_)
            leave_hosts();
        return end_.exit_code() == 0 && !is_traced ? 1 : end_.exit_code();
    }

private:
    // Whether other machines have ranks, or do not know yet that this one has none.
    bool others_go_on() {
        if (!hosts_)
            return false;
        hosts_->tell({ranks_.living() == 0, end_.exit_code(), end_.fails()});
        return !hosts_->is_over();
    }

    void wait_for_something() {
        for (const std::size_t rank : ranks_.take_unwatched())
            rank_ended(rank);
        if (ranks_.living() == 0 && !others_go_on())
            return;
        const auto events = events_.wait(milliseconds_left());
        // Before the ends that they are the reason for.
        end_.handle_signals();
        for (const event &each : events) {
            if (each.kind == source::rank_streams)
                output_.take_written();
            if (each.kind == source::doorbell)
                answer_doorbell();
            if (each.kind == source::rank_end)
                rank_ended(each.index);
        }
        output_.flush();
        end_.output_written();
        const std::int64_t now = platform::now_ns();
        end_.act(now);
        if (now >= libraries_.due())
            libraries_.look();
    }

    void rank_ended(std::size_t rank) {
        if (!ranks_.of(rank).lives)
            return;
        // Relaxed: the end of the process was seen.
        const std::uint32_t life =
            world_.rank(static_cast<std::uint32_t>(rank)).life.load(std::memory_order_relaxed);
        end_.rank_ended(rank);
        libraries_.rank_ended(rank, life);
    }

    // Until something is due; -1: nothing is.
    int milliseconds_left() const {
        const std::int64_t due = std::min({end_.due(), libraries_.due(), output_.due()});
        if (due == never)
            return -1;
        const std::int64_t left = (due - platform::now_ns()) / 1'000'000 + 1;
        return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
    }

    void answer_doorbell() {
        std::uint64_t rings = 0;
        if (read(doorbell_, &rings, sizeof(rings)) != sizeof(rings))
            return;
        end_.follow_other_hosts();
        // A job that is being ended starts nothing more.
        if (!end_.is_ending())
            spawns_.answer_all();
    }

    void leave_hosts() {
        if (ranks_.here().first == 0 && is_supervised_) {
            const std::string line = line_about_end(end_.exit_code());
            [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
        }
        hosts_->leave(end_.exit_code());
    }

    spmc::job &all_;
    mpi::world world_;
    const bool is_supervised_;
    const int doorbell_;
    event_set events_;
    job_output output_;
    rank_processes ranks_;
    std::unique_ptr<transport_thread> hosts_; // null: there is one machine
    job_end end_{all_, world_, ranks_, output_, hosts_};
    spawn_requests spawns_{all_, world_, ranks_, output_};
    library_check libraries_{world_, ranks_, end_};
};

} // namespace

int run(const options &what, const host_membership *hosts) {
    return running_job(what, hosts).run();
}

} // namespace saguaro::detmpiexec
