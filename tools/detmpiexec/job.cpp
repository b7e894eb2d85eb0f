// SPDX-License-Identifier: MIT
// The launcher's loop: starting ranks, reading their output, collecting their ends, timeouts.
#include "job.hpp"

#include "counted_work.hpp"
#include "freed_memory.hpp"
#include "libraries.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/rings/early_rings.hpp"
#include "mpi/core/spawn/request.hpp"
#include "mpi/core/world/world.hpp"
#include "orphans.hpp"
#include "output.hpp"
#include "places.hpp"
#include "platform/clock.hpp"
#include "platform/futex.hpp"
#include "programs.hpp"
#include "signals.hpp"
#include "spmc/ends.hpp"
#include "spmc/job.hpp"
#include "spmc/shared_list.hpp"
#include "spmc/spaces.hpp"
#include "spmc/trace/record.hpp"
#include "supervised.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <memory>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace saguaro::detmpiexec {

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

// Of a job that MPI_Abort ends with code 0: it has its cause, and an exit code of 8 bits is 0.
constexpr int aborted_well = 256;

// The exit code when -timeout ends the job, as that of timeout(1).
constexpr int timed_out = 124;

// Programs that are begun by others, as a script's, show later which library they load.
constexpr std::int64_t first_look_at_libraries = second / 2;

// The launcher's own streams, which the ranks' take the place of while they begin.
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

// As many descriptors as the system allows: a rank takes four. What the launcher forks has the
// former limit again.
class more_descriptors {
public:
    more_descriptors() {
        getrlimit(RLIMIT_NOFILE, &former);
        const rlimit wanted{former.rlim_max, former.rlim_max};
        setrlimit(RLIMIT_NOFILE, &wanted);
        pthread_atfork(nullptr, nullptr, [] { setrlimit(RLIMIT_NOFILE, &former); });
    }

private:
    static rlimit former;
};
rlimit more_descriptors::former{};

struct member {
    part what;
    spmc::slot space = 0;
    pid_t pid = 0;
    int pidfd = -1; // readable when it has ended
    bool lives = true;
    std::string other_library; // which it had loaded when it was last looked at
    std::unique_ptr<output> streams[2];
};

// What an event is about, and of which rank.
enum class source : std::uint32_t { end, stream, error_stream, streams, signal, sink, bell };

class running_job {
public:
    running_job(const options &what, const among_hosts *hosts)
        : all_(spmc::job::mine()),
          world_(all_, mpi::world::make(all_, count(what),
                                        hosts != nullptr ? hosts->shares.here() : count(what))),
          first_(hosts != nullptr ? hosts->shares.begin(hosts->shares.me()) : 0),
          first_elsewhere_(hosts != nullptr ? hosts->shares.end(hosts->shares.me())
                                            : world_.size()),
          is_supervised_(what.is_supervised), tags_lines_(what.tags_lines),
          places_(choose_places(what, ranks_here())),
          sinks_{sink(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)),
                 sink(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3))},
          errors_(sinks_[are_one() ? 0 : 1]) {
        events_ = epoll_create1(EPOLL_CLOEXEC);
        streams_ = epoll_create1(EPOLL_CLOEXEC);
        bell_ = eventfd(0, EFD_NONBLOCK); // which ranks inherit
        if (events_ < 0 || streams_ < 0 || bell_ < 0)
            give_up("the system refuses to wait", errno);
        watch(events_, bell_, source::bell, 0);
        watch(events_, streams_, source::streams, 0);
        watch(events_, receive_signals(), source::signal, 0);
        for (const std::string &kind : what.channels)
            if (!mpi::reserve_channels(world_, kind)) {
                std::fprintf(stderr, "detmpiexec: -channels: %s is no kind of channels\n",
                             kind.c_str());
                _exit(2);
            }
        if (hosts != nullptr)
            hosts->shares.divide(world_);
        take_in_orphans();
        begin_all(what);
        if (hosts != nullptr)
            carriage_ = std::make_unique<carriage>(world_, *hosts, bell_);
        // One host tells the others.
        if (what.timeout != 0 && first_ == 0)
            ends_at_ = platform::now_ns() + what.timeout * second;
        timeout_ = what.timeout;
    }

    int run() {
        while (is_elsewhere() || lives_ > 0)
            wait_for_something();
        if (carriage_ && exit_code_ == 0)
            exit_code_ = carriage_->code_elsewhere(); // which that host has named
        end_orphans();
        for (member &m : members_)
            for (auto &stream : m.streams)
                stream->end(); // a child of the rank's may have it still
        for (sink &each : sinks_)
            while (flush(each), !each.is_empty()) {
                pollfd room{each.to(), POLLOUT, 0};
                poll(&room, 1, -1);
                obey_signals();
            }
        spmc::trace::end_space(all_); // writes the file of -trace
        if (carriage_)
            take_leave();
        return exit_code_;
    }

private:
    void take_leave() {
        if (first_ == 0 && is_supervised_) {
            const std::string line = line_about_end(exit_code_);
            [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
        }
        carriage_->leave(exit_code_);
    }

    static std::uint32_t count(const options &what) {
        std::uint32_t ranks = 0;
        for (const part &p : what.parts)
            ranks += static_cast<std::uint32_t>(p.ranks);
        return ranks;
    }

    // Lines of both streams go to one place, where they must not mix.
    static bool are_one() {
        struct stat out;
        struct stat err;
        return fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0 &&
               out.st_dev == err.st_dev && out.st_ino == err.st_ino && out.st_rdev == err.st_rdev;
    }

    // ---- Beginning ----

    void begin_all(const options &what) {
        // All are looked at before any begins.
        std::vector<program> programs;
        for (const part &p : what.parts) {
            programs.push_back(prepare(p));
            share_machine(programs.back().variables);
        }
        std::size_t rank = 0;
        for (std::size_t i = 0; i < what.parts.size(); ++i)
            for (int n = 0; n < what.parts[i].ranks; ++n, ++rank)
                if (rank >= first_ && rank < first_elsewhere_)
                    begin(what.parts[i], programs[i]);
    }

    // Of this machine, as it began.
    unsigned ranks_here() const { return first_elsewhere_ - first_; }
    std::size_t rank_of(std::size_t index) const { return first_ + index; } // of a member
    member &member_of(std::size_t rank) { return members_[rank - first_]; }

    void share_machine(environment &of) const {
        // Ranks that are spawned share it with those that were there.
        const std::uint32_t spawned = world_.size() - world_.head().first_ranks;
        const std::uint32_t ranks = ranks_here() + spawned;
        keep_freed_memory(of, ranks);
        if (world_.size() == 1)
            return;
        const std::string cores =
            std::to_string(std::max(1U, places_.cores_of_a_rank * ranks_here() / ranks));
        of.set_unless_there("OMP_NUM_THREADS", cores);
        if (!of.has("CILK_NWORKERS"))
            of.set_unless_there("SAGUARO_WORKERS", cores);
    }

    void begin(const part &p, program &what) {
        const std::size_t rank = rank_of(members_.size());
        member &m = members_.emplace_back();
        m.what = p;
        std::vector<char *> arguments;
        for (const std::string &word : p.command)
            arguments.push_back(const_cast<char *>(word.c_str()));
        arguments.push_back(nullptr);
        what.variables.set(mpi::rank_variable, std::to_string(world_.where()) + "," +
                                                   std::to_string(rank) + "," +
                                                   std::to_string(bell_));
        int refused = 0;
        {
            const entered inside(what);
            const same_addresses each_time(what.variables);
            // Ranks that are spawned run wherever the system likes.
            const bound there(rank - first_ < places_.of_ranks.size()
                                  ? places_.of_ranks[rank - first_]
                                  : std::vector<int>());
            refused = begin_program(m, what.file, arguments, rank);
        }
        if (refused != 0)
            give_up(p.command.front(), refused);
        m.pid = static_cast<pid_t>(all_.space_in(m.space).pid.load(std::memory_order_relaxed));
        ++lives_;
        // None if it has ended already.
        m.pidfd = static_cast<int>(syscall(SYS_pidfd_open, m.pid, 0));
        if (m.pidfd >= 0)
            watch(events_, m.pidfd, source::end, rank);
        else if (errno == ESRCH)
            gone_.push_back(rank);
        else
            give_up("a rank cannot be watched", errno);
    }

    int begin_program(member &m, const std::string &file, std::vector<char *> &arguments,
                      std::size_t rank) {
        const std::string tag = tags_lines_ ? "[" + std::to_string(rank) + "] " : "";
        const own_streams kept;
        m.streams[0] = redirect(STDOUT_FILENO, sinks_[0], tag);
        m.streams[1] = redirect(STDERR_FILENO, errors_, tag);
        watch(streams_, m.streams[0]->from(), source::stream, rank);
        watch(streams_, m.streams[1]->from(), source::error_stream, rank);
        if (rank != 0) {
            const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
            dup2(nothing, STDIN_FILENO);
            close(nothing);
        }
        return spmc::begin_program(file.c_str(), arguments.data(), m.space);
    }

    // A pipe, whose writing end becomes that stream of what begins now.
    std::unique_ptr<output> redirect(int stream, sink &to, const std::string &tag) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            give_up("the system refuses a pipe", errno);
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        dup2(ends[1], stream);
        close(ends[1]);
        return std::make_unique<output>(ends[0], to, tag);
    }

    // ---- Ranks that others spawn ----

    void answer_requests() {
        std::uint64_t rings = 0;
        if (read(bell_, &rings, sizeof(rings)) != sizeof(rings))
            return;
        // A job that is being ended begins nothing more.
        if (carriage_ && carriage_->fails_elsewhere() && !fails_) {
            if (exit_code_ == 0)
                exit_code_ = carriage_->code_elsewhere(); // which that host has named
            end_all();
        }
        while (!is_ending_) {
            mpi::block *const each =
                spmc::take_first<mpi::block>(all_, world_.head().spawn_requests);
            if (each == nullptr)
                return;
            auto &request = *reinterpret_cast<mpi::spawn_request *>(each + 1);
            const std::uint32_t answer =
                begin_spawned(request) ? mpi::spawn_answer::begun : mpi::spawn_answer::refused;
            // Release pairs with the acquire of the rank that waits: it finds the ranks there.
            request.answer.store(answer, std::memory_order_release);
            platform::futex_wake(request.answer, platform::everybody,
                                 platform::futex_scope::all_processes);
        }
    }

    // All of them, or none if a program is missing or there is no room.
    bool begin_spawned(mpi::spawn_request &request) {
        std::vector<part> parts;
        std::vector<program> programs;
        for (const mpi::spawned_part &each : mpi::parts_of(request.text(), request.bytes)) {
            // The environment and the folder of who asks.
            part p = member_of(request.parent).what;
            p.ranks = static_cast<int>(each.ranks);
            p.command = each.command;
            if (!each.folder.empty())
                p.folder = each.folder;
            std::string why;
            std::optional<program> found = prepare(p, why);
            if (!found) {
                say("MPI_Comm_spawn: " + why);
                return false;
            }
            parts.push_back(std::move(p));
            programs.push_back(std::move(*found));
        }
        const std::uint32_t first =
            world_.add(request.ranks, request.parent, request.clock, request.family);
        if (first == world_.capacity()) {
            say("MPI_Comm_spawn: a job has room for " + std::to_string(first) +
                " ranks, and those that have ended count; this one has had " +
                std::to_string(world_.size()) + ", and asks for " + std::to_string(request.ranks) +
                " more");
            return false;
        }
        all_.at<mpi::family_record>(request.family)->first_child = first;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            share_machine(programs[i].variables);
            for (int n = 0; n < parts[i].ranks; ++n) {
                world_.rank(static_cast<std::uint32_t>(members_.size())).application =
                    static_cast<std::uint32_t>(i);
                begin(parts[i], programs[i]);
            }
        }
        return true;
    }

    // ---- Waiting ----

    void watch(int set, int what, source kind, std::size_t rank, unsigned events = EPOLLIN) {
        epoll_event event{};
        event.events = events;
        event.data.u64 = std::uint64_t{rank} << 32 | static_cast<std::uint32_t>(kind);
        if (epoll_ctl(set, EPOLL_CTL_ADD, what, &event) != 0)
            give_up("the system refuses to wait", errno);
    }

    void wait_for_something() {
        for (const std::size_t rank : std::exchange(gone_, {}))
            ended(rank);
        if (lives_ == 0 && !is_elsewhere())
            return;
        epoll_event events[64];
        const int count = epoll_wait(events_, events, 64, rest());
        if (count < 0 && errno != EINTR)
            give_up("the system refuses to wait", errno);
        // Before the ends that they are the reason for.
        obey_signals();
        for (int i = 0; i < count; ++i) {
            const auto kind = static_cast<source>(events[i].data.u64 & 0xffffffff);
            if (kind == source::streams)
                read_streams();
            if (kind == source::bell)
                answer_requests();
            if (kind == source::end)
                ended(static_cast<std::size_t>(events[i].data.u64 >> 32));
        }
        for (sink &each : sinks_)
            flush(each);
        hold_streams(sinks_[0].is_full() || sinks_[1].is_full());
        const std::int64_t now = platform::now_ns();
        if (now >= kill_at_)
            end_all();
        if (now >= ends_at_)
            time_is_over();
        if (now >= look_at_)
            look_at_libraries();
    }

    // Milliseconds until something is due.
    int rest() const {
        const std::int64_t due = std::min({ends_at_, kill_at_, look_at_});
        if (due == never)
            return -1;
        const std::int64_t left = (due - platform::now_ns()) / 1'000'000 + 1;
        return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
    }

    void read_streams() {
        epoll_event events[64];
        const int count = epoll_wait(streams_, events, 64, 0);
        for (int i = 0; i < count; ++i) {
            member &m = member_of(events[i].data.u64 >> 32);
            const auto kind = static_cast<source>(events[i].data.u64 & 0xffffffff);
            m.streams[kind == source::stream ? 0 : 1]->pass_on();
        }
    }

    // While somebody reads too slowly the ranks' pipes fill, so that they wait.
    void hold_streams(bool holds) {
        if (holds == holds_)
            return;
        holds_ = holds;
        if (holds)
            epoll_ctl(events_, EPOLL_CTL_DEL, streams_, nullptr);
        else
            watch(events_, streams_, source::streams, 0);
    }

    // Writes what is taken now, and waits for the rest to be.
    void flush(sink &which) {
        which.flush();
        const std::size_t index = &which == &sinks_[0] ? 0 : 1;
        if (which.is_empty() == !waits_for_sink_[index])
            return;
        waits_for_sink_[index] = !which.is_empty();
        if (waits_for_sink_[index])
            watch(events_, which.to(), source::sink, index, EPOLLOUT);
        else
            epoll_ctl(events_, EPOLL_CTL_DEL, which.to(), nullptr);
    }

    // ---- Ends ----

    // Whether other machines have ranks, or do not know yet that this one has none.
    bool is_elsewhere() {
        if (!carriage_)
            return false;
        carriage_->tell({lives_ == 0, exit_code_, fails_});
        return !carriage_->is_over();
    }

    void ended(std::size_t rank) {
        member &m = member_of(rank);
        if (!m.lives)
            return;
        spmc::wait_for_end(m.space);
        if (m.pidfd >= 0)
            close(m.pidfd);
        m.pidfd = -1;
        m.lives = false;
        --lives_;
        for (auto &stream : m.streams)
            stream->take_rest();
        mpi::rank_record &record = world_.rank(static_cast<std::uint32_t>(rank));
        const int status = spmc::status_of(all_, m.space);
        // Relaxed: the end of the process was seen.
        const std::uint32_t life = record.life.load(std::memory_order_relaxed);
        const bool has_finalized = life == mpi::life::finished;
        const bool is_aborted = life == mpi::life::aborted;
        if (status == 0 && life != mpi::life::inside && !is_aborted) {
            // A program that never called MPI_Init sends nothing any more either.
            record.life.store(mpi::life::finished, std::memory_order_relaxed);
            record.bound.store(mpi::forever, std::memory_order_release);
            return;
        }
        // Only the first is named: most others are ended with it.
        if (exit_code_ == 0)
            name_cause(m, rank, status, is_aborted);
        // The others may wait for it for ever, unless all that it sends has been sent: whether it
        // was inside or failed before it came so far.
        if (has_finalized && !WIFSIGNALED(status))
            return;
        fails_ = true;
        // Those that were asked to end may have to put something in order.
        if (was_asked_to_end_)
            kill_at_ = std::min(kill_at_, platform::now_ns() + second);
        else
            end_all();
    }

    void name_cause(const member &m, std::size_t rank, int status, bool is_aborted) {
        exit_code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                     : status != 0       ? WEXITSTATUS(status)
                     : is_aborted        ? aborted_well
                                         : 1;
        if (carriage_ && was_asked_to_end_)
            return; // by mpiexec, because of another host or of the user
        char cause[spmc::cause_bytes];
        char host[256] = "?";
        gethostname(host, sizeof(host) - 1);
        say("rank " + std::to_string(rank) + " on " + host + ", " + m.what.command.front() + ": " +
            (status != 0  ? spmc::cause_of(all_, m.space, cause)
             : is_aborted ? "MPI_Abort with code 0"
                          : "it has ended without MPI_Finalize"));
    }

    void say(const std::string &line) {
        errors_.put("detmpiexec: " + line + "\n");
        flush(errors_);
    }

    void send_all(int signal) {
        for (const member &m : members_)
            if (m.pidfd >= 0)
                syscall(SYS_pidfd_send_signal, m.pidfd, signal, nullptr, 0);
    }

    void end_all() {
        is_ending_ = true;
        fails_ = true;
        kill_at_ = never;
        send_all(SIGKILL);
        if (carriage_ && was_asked_to_end_)
            _exit(exit_code_ != 0 ? exit_code_ : 1); // its ranks end with it
    }

    void time_is_over() {
        ends_at_ = never;
        say("the job has run for " + std::to_string(timeout_) + " seconds, and has no more time");
        exit_code_ = timed_out;
        end_all();
    }

    // Ranks that a script has begun, for instance. One is seen twice before it ends the job: at the
    // first look it may be about to load the project's library.
    void look_at_libraries() {
        const std::int64_t waited = look_at_ - begun_;
        look_at_ = never;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            member &m = members_[i];
            const std::size_t rank = rank_of(i);
            if (!m.lives || world_.rank(static_cast<std::uint32_t>(rank))
                                    .life.load(std::memory_order_relaxed) != mpi::life::outside)
                continue;
            look_at_ = begun_ + 2 * waited;
            const std::string other = other_library_of(m.pid);
            const std::string before = std::exchange(m.other_library, other);
            if (other.empty() || other != before || exit_code_ != 0)
                continue;
            say(m.what.command.front() + ": rank " + std::to_string(rank) +
                " has loaded another MPI library, " + other +
                ", and does not know the other ranks");
            exit_code_ = 1;
            end_all();
        }
    }

    // ---- Signals ----

    void obey_signals() {
        for (arrived_signal s; next_signal(s);)
            obey(s);
    }

    void obey(const arrived_signal &s) {
        const bool asks_to_end =
            s.number == SIGINT || s.number == SIGTERM || s.number == SIGHUP || s.number == SIGQUIT;
        if (asks_to_end && was_asked_to_end_) {
            exit_code_ = 128 + s.number;
            end_all();
            if (lives_ == 0)
                _exit(exit_code_); // nobody reads the rest of the output
            return;
        }
        was_asked_to_end_ = was_asked_to_end_ || asks_to_end;
        // Another host may never answer.
        if (asks_to_end && carriage_) {
            kill_at_ = platform::now_ns() + second;
            carriage_->expect_end(128 + s.number);
        }
        // SIGTSTP itself would stop no rank of a group of processes that has no shell.
        if (!s.is_known_to_ranks)
            send_all(s.number == SIGTSTP ? SIGSTOP : s.number);
        if (s.number == SIGTSTP)
            raise(SIGSTOP);
    }

    spmc::job &all_;
    mpi::world world_;
    const std::uint32_t first_;           // rank of this machine
    const std::uint32_t first_elsewhere_; // behind it
    bool is_supervised_;
    bool tags_lines_;
    const places places_;
    sink sinks_[2]; // of standard output and error
    sink &errors_;  // of the latter: the first, if both are one
    const more_descriptors descriptors_;
    std::vector<member> members_;
    std::unique_ptr<carriage> carriage_; // null: there is one machine
    std::vector<std::size_t> gone_;      // had ended before they were watched
    int lives_ = 0;
    int exit_code_ = 0;
    bool was_asked_to_end_ = false;
    bool is_ending_ = false; // all ranks have been killed
    bool fails_ = false;     // so they are, or will be: those elsewhere as well
    int timeout_ = 0;

    int events_ = -1;  // an epoll descriptor
    int streams_ = -1; // another, of what the ranks write
    int bell_ = -1;    // which ranks ring that want ranks to be begun
    bool holds_ = false;
    bool waits_for_sink_[2] = {false, false};
    const std::int64_t begun_ = platform::now_ns();
    std::int64_t ends_at_ = never; // -timeout
    std::int64_t kill_at_ = never;
    std::int64_t look_at_ = begun_ + first_look_at_libraries;
};

} // namespace

int run(const options &what, const among_hosts *hosts) {
    return running_job(what, hosts).run();
}

} // namespace saguaro::detmpiexec
