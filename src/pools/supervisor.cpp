// SPDX-License-Identifier: MIT
// Replacing workers that have ended or exceeded a limit, and putting results in order.
#include "pools/supervisor.hpp"

#include "platform/clock.hpp"
#include "platform/cpus.hpp"
#include "platform/futex.hpp"
#include "pools/worker.hpp"
#include "spmc/ends.hpp"
#include "spmc/job.hpp"
#include "spmc/lines.hpp"
#include "spmc/spaces.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace saguaro::pools {

namespace {

// While nothing comes, each nap is twice as long as the last one.
constexpr std::int64_t shortest_nap_ns = 1'000'000;
constexpr std::int64_t longest_nap_ns = 8'000'000;

// So often the workers are looked after while results come, and their memory.
constexpr std::int64_t look_after_ns = 10'000'000;

// Results in a lane after which its worker wakes the supervisor before a nap is over, and results
// in another lane, which has room for 256, after which it wakes it at once.
constexpr std::uint64_t many_results = 64;
constexpr std::uint64_t crowded = 128;

// Where the system refuses a worker and others live, each pause is twice as long as the last one.
constexpr std::int64_t shortest_pause_ns = 100'000'000;
constexpr std::int64_t longest_pause_ns = 10'000'000'000;

// Workers that end in a row without a job, and without a result of others.
constexpr unsigned most_idle_ends = 1000;

// Bytes of private memory that a process has; 0 if it is gone.
std::int64_t private_memory_of(std::uint32_t pid) {
    char path[64];
    std::snprintf(path, sizeof(path), "/proc/%u/statm", pid);
    std::FILE *const file = std::fopen(path, "re");
    if (file == nullptr)
        return 0;
    long long resident = 0;
    long long shared_pages = 0;
    const int got = std::fscanf(file, "%*d %lld %lld", &resident, &shared_pages);
    std::fclose(file);
    return got == 2 ? (resident - shared_pages) * sysconf(_SC_PAGESIZE) : 0;
}

std::uint32_t pid_of(spmc::slot worker) {
    // Relaxed: the caller's child, whose number the caller has stored.
    return spmc::job::mine().space_in(worker).pid.load(std::memory_order_relaxed);
}

// "ran longer than 0.5 s"
std::string exceeds(const char *what, double limit, const char *unit) {
    char text[64];
    std::snprintf(text, sizeof(text), "%s %g %s", what, limit, unit);
    return text;
}

std::string line_of(std::size_t job, const std::string &cause) {
    return "job " + std::to_string(job) + ": " + cause;
}

// The post whose next result is that job's, if it is there.
post *post_with(std::vector<post> &posts, const shared_memory &memory, std::size_t job) {
    for (post &each : posts)
        if (each.has_result(memory.lane_at(each.number)) && each.first_result().job == job)
            return &each;
    return nullptr;
}

// When its worker began the job that it computes, or did when it ended; below 0: that it sends; 0:
// it has none.
std::int64_t began_by(const post &of, const shared_memory &memory) {
    // Relaxed: a time, and where the worker has ended, its end was acquired.
    return memory.lane_at(of.number).began.load(std::memory_order_relaxed);
}

bool needs_a_worker(const post &of, const shared_memory &memory) {
    // All jobs of the lane that it has taken have results, or there is one to begin with.
    if (of.worker != 0 || (of.first == no_job && memory.all_taken()))
        return false;
    return !of.is_full(); // else what waits would grow with each worker that ends
}

bool takes_more_than(post &of, std::uint64_t limit) {
    const std::int64_t now = private_memory_of(pid_of(of.worker));
    if (of.memory == 0)
        of.memory = now; // the first that is known
    return now - of.memory > static_cast<std::int64_t>(limit);
}

// A worker rings when it has much to tell. Else naps cost less than a wake for each result would:
// the workers have all processors but for a few µs each millisecond.
void ask_to_ring(const std::vector<post> &posts, const shared_memory &memory, std::size_t job) {
    bool is_crowded = false;
    for (const post &each : posts)
        // Relaxed: how many, and nothing that they hold.
        is_crowded =
            is_crowded || memory.lane_at(each.number).sent.load(std::memory_order_relaxed) >
                              each.received + crowded;
    const int number = memory.lane_of(job);
    if (number >= 0) {
        const post &its = posts[static_cast<std::size_t>(number)];
        // Relaxed: a worker that does not see it sends on, and the nap ends.
        memory.lane_at(its.number)
            .ring_at.store(its.received + (is_crowded ? 1 : many_results),
                           std::memory_order_relaxed);
    }
}

} // namespace

supervisor::supervisor(const sg_worker_pool_options &options, std::size_t room,
                       sg_job_function *compute, void *context)
    : options_(options), compute_(compute), context_(context), memory_(room, options.workers),
      bell_(memory_.words().bell), cpus_(platform::allowed_cpus()), posts_(options.workers),
      nap_ns_(shortest_nap_ns), pause_ns_(shortest_pause_ns) {
    for (unsigned i = 0; i < options.workers; ++i)
        posts_[i].number = i;
}

supervisor::~supervisor() {
    for (const post &each : posts_)
        if (each.worker != 0)
            spmc::terminate(each.worker); // one that the system does not let it end, it waits for
    await_ends();
    for (const post &each : posts_)
        sg_channel_free(each.results);
}

void supervisor::await_ends() {
    for (post &each : posts_)
        if (const spmc::slot worker = std::exchange(each.worker, 0))
            spmc::wait_for_end(worker);
}

int supervisor::run(sg_job_taker *take) {
    const std::size_t jobs = memory_.room();
    memory_.give_up_to(jobs);
    memory_.close();
    for (std::size_t job = 0; job < jobs;) {
        if (post *const from = post_with(posts_, memory_, job)) {
            if (const int stop = hand_over(*from, take))
                return stop;
            ++job;
            nap_ns_ = shortest_nap_ns;
            if (!is_time_to_look())
                continue;
        }
        if (const int refused = look_after_workers())
            return refused;
        if (job < jobs && post_with(posts_, memory_, job) == nullptr) {
            ask_to_ring(posts_, memory_, job);
            sleep(platform::never);
        }
    }
    await_ends();
    return 0;
}

// ---- Results ----

// 0, or that the taker ends the run.
int supervisor::hand_over(post &from, sg_job_taker *take) {
    const result next = from.first_result();
    std::string line;
    if (next.has_failed)
        line = line_of(next.job, std::string(static_cast<const char *>(next.data), next.size));
    is_taking_ = true;
    const int stop = next.has_failed ? take(context_, next.job, nullptr, 0, line.c_str())
                                     : take(context_, next.job, next.data, next.size, nullptr);
    is_taking_ = false;
    forget_failures(next.job);
    from.drop_first_result();
    return stop != 0 ? ECANCELED : 0;
}

// The job has a result.
void supervisor::forget_failures(std::size_t job) {
    idle_ends_ = 0;
    failed_.erase(job);
}

// ---- Workers ----

bool supervisor::is_time_to_look() const {
    return platform::now_ns() - looked_after_ >= look_after_ns;
}

int supervisor::look_after_workers() {
    // Acquire pairs with the releases of who rings: what it was rung for is seen below, so it is
    // slept for what comes later.
    heard_ = memory_.words().bell.load(std::memory_order_acquire);
    looked_after_ = platform::now_ns();
    const bool measures = options_.memory_limit != 0 && looked_after_ - measured_ >= look_after_ns;
    if (measures)
        measured_ = looked_after_;
    for (post &each : posts_)
        if (each.worker != 0)
            check(each, measures);
    const int refused = begin_workers();
    if (idle_ends_ > most_idle_ends) {
        spmc::say("worker pool: workers end again and again before they begin a job");
        return ECHILD;
    }
    if (refused == 0)
        return 0;
    spmc::say("worker pool: the system refuses a worker: %s", std::strerror(refused));
    return refused;
}

// 0, or why no worker lives.
int supervisor::begin_workers() {
    bool lives_any = false;
    std::size_t idle = 0;
    for (const post &each : posts_) {
        lives_any = lives_any || each.worker != 0;
        idle += each.worker != 0 && began_by(each, memory_) == 0 ? 1 : 0;
    }
    if (lives_any && looked_after_ < begins_from_)
        return 0;
    for (post &each : posts_) {
        if (!needs_a_worker(each, memory_) || (each.first == no_job && idle++ >= enough_idle()))
            continue;
        if (const int refused = begin(each)) {
            // As long as one worker lives the others can begin later.
            begins_from_ = looked_after_ + pause_ns_;
            pause_ns_ = std::min(2 * pause_ns_, longest_pause_ns);
            return lives_any ? 0 : refused;
        }
        lives_any = true;
        pause_ns_ = shortest_pause_ns;
    }
    return 0;
}

// 0, or an error number.
int supervisor::begin(post &of) {
    of.results = sg_channel_create(1, 0);
    if (of.results == 0)
        return errno;
    // The worker knows whom it waits for, also if no result of its lane is looked at for long.
    sg_channel_done(of.results, 0);
    lane &own = memory_.lane_at(of.number);
    // Relaxed, all: no worker has the lane, and the fork follows.
    own.began.store(0, std::memory_order_relaxed);
    own.sent.store(0, std::memory_order_relaxed);
    own.ring_at.store(0, std::memory_order_relaxed);
    of.received = 0;
    if (options_.memory_limit != 0) // it will have a copy; later it may have taken some
        of.memory = private_memory_of(static_cast<std::uint32_t>(getpid()));
    const duty its{memory_,    compute_, context_, of.number, cpus_[of.number % cpus_.size()],
                   of.results, of.first};
    const int refused = begin_worker(its, of.worker);
    if (refused != 0) {
        sg_channel_free(std::exchange(of.results, 0));
        return refused;
    }
    if (std::exchange(of.was_begun, true))
        ++restarts_;
    return 0;
}

int supervisor::begin_worker(const duty &its, spmc::slot &out) {
    duty told = its;
    return spmc::begin_space([](void *of) { return work(*static_cast<const duty *>(of)); }, &told,
                             out);
}

void supervisor::check(post &of, bool measures) {
    if (const spmc::job &all = spmc::job::mine(); spmc::ended_with(all, of.worker) != 0) {
        char text[spmc::cause_bytes];
        const int status = spmc::status_of(all, of.worker);
        return has_ended(of, spmc::cause_of(all, of.worker, text), true,
                         WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
    const std::int64_t began = began_by(of, memory_);
    if (options_.time_limit != 0 && began > 0 &&
        platform::now_ns() - began > static_cast<std::int64_t>(options_.time_limit))
        end(of, exceeds("ran longer than", static_cast<double>(options_.time_limit) / 1e9, "s"),
            began);
    else if (measures && takes_more_than(of, options_.memory_limit))
        end(of,
            exceeds("took more than", static_cast<double>(options_.memory_limit) / (1 << 20),
                    "MB of memory"),
            began);
}

// Ends a worker that was seen to exceed a limit in the job that it began then. If it has left that
// job meanwhile, the next one is not to blame.
void supervisor::end(post &of, const std::string &cause, std::int64_t began) {
    if (spmc::terminate(of.worker) != 0)
        return; // the system does not let it: a program with the set-user-ID bit
    spmc::wait_for_end(of.worker);
    has_ended(of, cause, std::abs(began_by(of, memory_)) == std::abs(began), false);
}

// The worker has ended: keeps its results, and finds out what the next one begins with. A job
// counts as failed if the worker was computing it, or sending its result.
void supervisor::has_ended(post &of, const std::string &cause, bool counts, bool was_kill) {
    spmc::wait_for_end(std::exchange(of.worker, 0)); // it is over; the end is awaited
    of.keep_results(memory_.lane_at(of.number));
    sg_channel_free(std::exchange(of.results, 0));
    // Those that are a whole room before the last one are done.
    const std::size_t given = memory_.given();
    const std::size_t oldest = given > memory_.room() ? given - memory_.room() : 0;
    const std::size_t job = memory_.taken_from(std::max(of.next_job, oldest), of.number);
    of.first = job;
    if (job != no_job && counts && began_by(of, memory_) != 0)
        count_failure(of, job, cause, was_kill);
    else if (job != no_job || !memory_.all_taken())
        ++idle_ends_;
}

void supervisor::count_failure(post &of, std::size_t job, const std::string &cause, bool was_kill) {
    failures &its = failed_[job];
    if (++its.count == 1 || (its.was_kill && !was_kill)) {
        its.cause = cause;
        its.was_kill = was_kill;
    }
    if (its.count < attempts_at(job))
        return;
    const std::string text = its.cause + ", in " + std::to_string(its.count) +
                             (its.count == 1 ? " attempt" : " attempts");
    of.kept.emplace_back(result{job, true, text.data(), text.size()});
    of.next_job = job + 1;
    of.first = no_job;
}

unsigned supervisor::attempts_at(std::size_t) const {
    return options_.attempts;
}

// ---- Waiting ----

// Until the bell rings after the last look at the workers, or for a nap, or so long if that is
// less.
void supervisor::sleep(std::int64_t longest_ns) {
    const std::int64_t nap =
        longest_ns == platform::never ? nap_ns_ : std::min(nap_ns_, longest_ns);
    if (sleep_until(platform::now_ns() + nap))
        nap_ns_ = shortest_nap_ns;
    else
        nap_ns_ = std::min(2 * nap_ns_, longest_nap_ns);
}

// True if the bell rang, or a signal came.
bool supervisor::sleep_until(std::int64_t until_ns) {
    return platform::futex_wait(memory_.words().bell, heard_, until_ns,
                                platform::futex_scope::all_processes);
}

} // namespace saguaro::pools
