// SPDX-License-Identifier: MIT
// Counting the work of sections, and reading the counters of other ranks.
#include "mpi/core/clock/work_clock.hpp"

#include "mpi/core/clock/work.hpp"
#include "mpi/core/rank.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/core/waiting/threads.hpp"
#include "mpi/core/windows/memory.hpp"
#include "platform/clock.hpp"
#include "platform/work_counter.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <pthread.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace saguaro::mpi {

namespace {

// The lowest number for descriptors that this rank takes when it first waits for another one. When
// that is depends on who is faster, so the program's own should not come so far. Each rank has room
// behind it. Not higher than `most`: the kernel has a table up to the highest number.
int least_descriptor(std::uint32_t ranks) {
    constexpr rlim_t most = 1 << 15;
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const rlim_t end = std::min(limit.rlim_cur, most);
    return static_cast<int>(end - std::min<rlim_t>(ranks, end / 2));
}

// Opened when they are first looked at.
class counters_of_others {
public:
    explicit counters_of_others(const world &of)
        : of_(of), least_(least_descriptor(of.capacity())), all_(of.capacity()) {}

    event_count read(std::uint32_t which) {
        platform::work_counter &counter = all_[which];
        if (!counter) {
            const work_record &told = of_.rank(which).work;
            // Relaxed: whoever has seen a section sees what was told before the first one.
            counter = platform::work_counter(told.process.load(std::memory_order_relaxed),
                                             told.descriptor.load(std::memory_order_relaxed),
                                             told.event.load(std::memory_order_relaxed), least_);
            // Else the rank has ended, or this one has no descriptor left: no bound is known.
            if (!counter && (errno == EPERM || errno == ENOSYS))
                fail("-order work: the system does not let ranks read each other's counters: %s; "
                     "/proc/sys/kernel/yama/ptrace_scope above 1 forbids it, and so may a "
                     "container",
                     std::strerror(errno));
        }
        return counter ? counter.read() : std::nullopt;
    }

private:
    const world &of_;
    const int least_;
    std::vector<platform::work_counter> all_;
};

} // namespace

work_of_others::work_of_others(const world &of, std::uint32_t me, count_of read)
    : of_(of), me_(me), read_(std::move(read)), bounds_(of.capacity()), last_looks_(of.capacity()) {
}

work_of_others::count_of counters_of_processors(const world &of) {
    return [all = std::make_shared<counters_of_others>(of)](std::uint32_t which) {
        return all->read(which);
    };
}

void work_of_others::learn(clock_value needed) {
    // No bound would decide what the caller waits for.
    if (needed >= forever)
        return;
    const std::int64_t now = platform::now_ns();
    if (now < next_look_)
        return;
    expected_at_ = never;
    for (std::uint32_t r = 0; r < of_.size(); ++r) {
        const rank_record &other = of_.rank(r);
        // Relaxed: a hint. Whoever needs this bound reads it again.
        if (r == me_ || std::max(bounds_[r], other.bound.load(std::memory_order_relaxed)) > needed)
            continue;
        const clock_value bound = work_bound(other.work, [&] { return read_(r); });
        note(last_looks_[r], {bound, now}, needed);
        bounds_[r] = std::max(bounds_[r], bound);
    }
    next_look_ = platform::now_ns() + pause_ns;
}

void work_of_others::note(look &last, const look &now, clock_value needed) {
    const look before = std::exchange(last, now);
    if (before.bound == 0 || now.bound <= before.bound || now.bound > needed)
        return;
    const double each =
        static_cast<double>(now.when - before.when) / static_cast<double>(now.bound - before.bound);
    constexpr double far = 1e15; // ns
    const double time = std::min(far, static_cast<double>(needed + 1 - now.bound) * each);
    expected_at_ = std::min(expected_at_, now.when + static_cast<std::int64_t>(time));
}

namespace work {

namespace {

// Of the rank. Never destroyed: an object that the program made before this library may call MPI
// when the process ends.
struct counted_thread {
    platform::work_counter counter;
    work_clock sections;
};
counted_thread *counted = nullptr;
bool computes = false; // the program, in a section
// In the memory that the dynamic linker keeps for this, as `thread_gate::depth`.
[[gnu::tls_model("initial-exec")]] thread_local bool is_of_this_thread = false;

[[noreturn]] void fail_without_counter() {
    fail("-order work: the processor's counter is gone: the program has closed its descriptor, "
         "or somebody else counts");
}

} // namespace

void begin(const world &of, std::uint32_t me) {
    std::string why;
    platform::work_counter counter(why);
    if (!counter)
        fail("-order work: %s", why.c_str());
    work_record &told = of.rank(me).work;
    // Relaxed, all three: the release of the first section is behind them.
    told.process.store(getpid(), std::memory_order_relaxed);
    told.descriptor.store(counter.descriptor(), std::memory_order_relaxed);
    told.event.store(counter.event(), std::memory_order_relaxed);
    allow_access();
    // A child is not the rank, and must not tell of sections.
    pthread_atfork(nullptr, nullptr, end);
    counted = new counted_thread{std::move(counter), work_clock(told)};
    is_of_this_thread = true;
    is_counted.store(true, std::memory_order_relaxed);
    // So each call comes to `stop` and `start`, and calls by another order have no branch for it.
    gate.guard();
}

void end() {
    is_counted.store(false, std::memory_order_relaxed);
}

void stop() {
    if (!is_of_this_thread)
        fail("-order work: a thread calls MPI whose work is not counted: only that of the thread "
             "is which began MPI");
    if (!std::exchange(computes, false))
        return;
    const std::optional<clock_value> rise =
        counted->sections.enter([] { return counted->counter.read(); });
    if (!rise)
        fail_without_counter();
    if (*rise == 0)
        return;
    rank::mine->advance_to(rank::mine->clock() + *rise);
    rank::mine->publish();
}

bool pause::begins() {
    if (!is_of_this_thread || !computes)
        return false;
    stop();
    return true;
}

void start() {
    const event_count seen = counted->counter.read();
    if (!seen)
        fail_without_counter();
    counted->sections.leave(rank::mine->clock(), *seen);
    // Behind `leave`: a signal handler that calls MPI_Wtime meanwhile must not end a section that
    // has not begun.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    computes = true;
}

} // namespace work

} // namespace saguaro::mpi
