// SPDX-License-Identifier: MIT
//
// steps: processes in a ring compute for 100 µs and exchange messages with their neighbours, again
// and again; more of them than processors, and beside programs that compute. barrier: 16 processes
// wait for each other.
//
// All on two processors. Each run is a process of its own, because a process that has begun a space
// is the root of a job.
#include "driver/measure.hpp"
#include "driver/registry.hpp"
#include "platform/clock.hpp"
#include "platform/cpus.hpp"

#include <algorithm>
#include <csignal>
#include <pthread.h>
#include <saguaro/channel.hpp>
#include <saguaro/collective.hpp>
#include <saguaro/space.hpp>
#include <sched.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace saguaro::bench {

namespace {

constexpr double step_seconds = 100e-6;

/// Confines this process, and all that it begins, to two processors. How many it has.
int take_processors() {
    std::vector<int> allowed = platform::allowed_cpus();
    allowed.resize(std::min<std::size_t>(allowed.size(), 2));
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : allowed)
        CPU_SET(static_cast<unsigned>(cpu), &set);
    sched_setaffinity(0, sizeof(set), &set);
    return static_cast<int>(allowed.size());
}

/// What takes 100 µs of a processor that has nothing else to do.
class work {
public:
    work() : iterations_(1'000'000) {
        double least = 1;
        for (int i = 0; i < 5; ++i) {
            const double before = used();
            (*this)();
            least = std::min(least, used() - before);
        }
        iterations_ = static_cast<long>(static_cast<double>(iterations_) * step_seconds / least);
    }
    void operator()() const {
        for (volatile long i = 0; i < iterations_;)
            i = i + 1;
    }

private:
    static double used() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    long iterations_;
};

/// A child that runs body() and ends with its parent.
template <typename Body>
pid_t begin_child(Body body) {
    const pid_t child = fork();
    if (child < 0)
        throw std::runtime_error("fork: the system refuses a process");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        body();
        _exit(0);
    }
    return child;
}

/// As long as it lives, so many programs compute that know nothing of the others.
class strangers {
public:
    explicit strangers(int count) {
        for (int i = 0; i < count; ++i)
            all_.push_back(begin_child([] {
                for (volatile long n = 0;;)
                    n = n + 1;
            }));
        if (count > 0)
            usleep(100'000); // until the system has spread them
    }
    ~strangers() {
        for (const pid_t each : all_) {
            kill(each, SIGKILL);
            waitpid(each, nullptr, 0);
        }
    }
    strangers(const strangers &) = delete;
    strangers &operator=(const strangers &) = delete;

private:
    std::vector<pid_t> all_;
};

/// Runs member(i) in `count` spaces at once; the longest time that one of them took. The member
/// tells whether it got what it should.
template <typename Member>
double in_spaces(int count, Member member) {
    const channel<bool> begin(static_cast<unsigned>(count));
    const std::vector<channel<double>> ends(static_cast<std::size_t>(count));
    std::vector<space> all;
    for (int i = 0; i < count; ++i)
        all.emplace_back([&, i] {
            begin.receive(static_cast<unsigned>(i));
            const std::int64_t before = platform::now_ns();
            const bool is_right = member(i);
            const double seconds = 1e-9 * static_cast<double>(platform::now_ns() - before);
            ends[static_cast<std::size_t>(i)].send(is_right ? seconds : -1);
        });
    begin.send(true);
    double longest = 0;
    for (const channel<double> &each : ends) {
        const double seconds = each.receive();
        if (seconds < 0)
            throw wrong_answer("a space got another message than the one that it waited for");
        longest = std::max(longest, seconds);
    }
    for (const space &each : all)
        each.wait();
    return longest;
}

// ---- Steps with neighbours ----

/// What the seconds are of those that are due to so many of ours: n steps on all processors, each
/// of which the kernel divides equally among the processes that are ready. Ours always are.
outcome with_share(double seconds, long n, int ours, int others, int processors) {
    const double due = step_seconds * static_cast<double>(n) / processors * (ours + others) / ours;
    outcome result = seconds;
    result.uses = {{"of_share", seconds / due}};
    return result;
}

/// Two processes that have nothing to tell each other: what the machine can do.
outcome apart(long n, int) {
    const int processors = take_processors();
    const work step;
    const double seconds = measure<no_runtime>(1, [&] {
        std::vector<pid_t> all;
        for (int i = 0; i < processors; ++i)
            all.push_back(begin_child([&] {
                for (long k = 0; k < n / processors; ++k)
                    step();
            }));
        for (const pid_t each : all)
            waitpid(each, nullptr, 0);
    });
    return with_share(seconds, n, processors, 0, processors);
}

/// n steps in all, by so many spaces in a ring: after each step a space tells both neighbours, and
/// waits for both.
outcome in_a_ring(long n, int spaces, bool beside_strangers) {
    const int processors = take_processors();
    const work step;
    const int others = beside_strangers ? processors : 0;
    const strangers burning(others);
    const auto size = static_cast<std::size_t>(spaces);
    const std::vector<channel<long>> to_next(size);
    const std::vector<channel<long>> to_last(size);
    const long steps = std::max(n / spaces, 1L);
    const double seconds = in_spaces(spaces, [&](int number) {
        const auto me = static_cast<std::size_t>(number);
        bool is_right = true;
        for (long k = 0; k < steps; ++k) {
            step();
            to_next[me].send(k);
            to_last[me].send(-k);
            is_right &= to_next[(me + size - 1) % size].receive() == k;
            is_right &= to_last[(me + 1) % size].receive() == -k;
        }
        return is_right;
    });
    return with_share(seconds, steps * spaces, spaces, others, processors);
}

template <int spaces, bool beside_strangers>
outcome ring(long n, int) {
    return in_a_ring(n, spaces, beside_strangers);
}

// ---- Barriers ----

constexpr int crowd = 16;

outcome barrier_of_a_team(long n, int) {
    take_processors();
    const team all(crowd);
    return in_spaces(crowd, [&](int me) {
        for (long k = 0; k < n; ++k)
            all.barrier(static_cast<unsigned>(me));
        return true;
    });
}

/// The C library's barrier, which sleeps at once.
outcome barrier_by_futex(long n, int) {
    take_processors();
    void *const shared = mmap(nullptr, sizeof(pthread_barrier_t), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        throw std::runtime_error("mmap: the system refuses a page");
    auto *const barrier = static_cast<pthread_barrier_t *>(shared);
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(barrier, &attributes, crowd);
    const auto meet = [=](long times) {
        for (long k = 0; k < times; ++k)
            pthread_barrier_wait(barrier);
    };
    std::vector<pid_t> others;
    for (int i = 1; i < crowd; ++i)
        others.push_back(begin_child([&] { meet(n + 1); }));
    meet(1); // all have begun
    const double seconds = measure<no_runtime>(1, [&] { meet(n); });
    for (const pid_t each : others)
        waitpid(each, nullptr, 0);
    munmap(shared, sizeof(pthread_barrier_t));
    return seconds;
}

} // namespace

registry_entry steps_bench() {
    const kernel problem = {.name = "steps",
                            .meaning = "n times 100 us of work on two cores, in processes that "
                                       "exchange messages with neighbours",
                            .base = "apart",
                            .sizes = {8'000},
                            .greatest_peer_size = 0,
                            .greatest_n = 10'000'000,
                            .parallel = false,
                            .operations = n_operations};
    const std::vector<variant> variants = {
        alone(fixed("apart", apart)),
        alone(fixed("spaces-2", ring<2, false>)),
        alone(fixed("spaces-8", ring<8, false>)),
        alone(fixed("spaces-16", ring<16, false>)),
        alone(fixed("spaces-2-beside-2", ring<2, true>)),
        alone(fixed("spaces-8-beside-2", ring<8, true>)),
        alone(fixed("spaces-16-beside-2", ring<16, true>)),
    };
    return entry_of(problem, {variants});
}

registry_entry barrier_bench() {
    const kernel problem = {.name = "barrier",
                            .meaning = "n barriers of 16 processes on two cores",
                            .base = "pthread",
                            .sizes = {3'000},
                            .greatest_peer_size = 0,
                            .greatest_n = 10'000'000,
                            .parallel = false,
                            .operations = n_operations};
    const std::vector<variant> variants = {
        alone(fixed("pthread", barrier_by_futex)),
        alone(fixed("team", barrier_of_a_team)),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
