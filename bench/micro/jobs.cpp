// SPDX-License-Identifier: MIT
//
// jobs: n jobs of some 100 µs, serially and by a pool of processes that are replaced when they end.
//
// Each run of a pool is a process of its own, because a process that has begun a space is the root
// of a job.
#include "driver/measure.hpp"
#include "driver/registry.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <new>
#include <numeric>
#include <saguaro/worker_pool.hpp>
#include <sys/mman.h>
#include <vector>

namespace saguaro::bench {

namespace {

/// A chain of multiplications: 100 µs at 3.6 GHz.
constexpr int steps = 90'000;

/// In a pool that crashes, one job of so many does, when it is begun for the first time.
constexpr long crash_in = 100;

std::uint64_t compute(long job) {
    auto x = static_cast<std::uint64_t>(job);
    for (int i = 0; i < steps; ++i)
        x = x * 6364136223846793005U + 1442695040888963407U;
    return x;
}

/// What a job gives where nothing crashes: cheaper to check than to compute again.
std::uint64_t expected(long job) {
    std::uint64_t factor = 1;
    std::uint64_t addend = 0;
    std::uint64_t one_factor = 6364136223846793005U;
    std::uint64_t one_addend = 1442695040888963407U;
    for (int left = steps; left > 0; left /= 2) { // the power of the map, by squares
        if (left % 2 != 0) {
            factor *= one_factor;
            addend = addend * one_factor + one_addend;
        }
        one_addend *= one_factor + 1;
        one_factor *= one_factor;
    }
    return static_cast<std::uint64_t>(job) * factor + addend;
}

void expect_right(long job, std::uint64_t result) {
    if (result != expected(job))
        throw wrong_answer("job " + std::to_string(job));
}

double serially(long n, int) {
    return measure<no_runtime>(1, [&] {
        for (long job = 0; job < n; ++job)
            expect_right(job, compute(job));
    });
}

/// Whether each job has begun, in memory that all workers share.
class marks {
public:
    explicit marks(long n)
        : bytes_(static_cast<std::size_t>(n)),
          begun_(static_cast<std::atomic<char> *>(
              mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
        if (begun_ == MAP_FAILED)
            throw std::bad_alloc();
    }
    ~marks() { munmap(begun_, bytes_); }
    marks(const marks &) = delete;
    marks &operator=(const marks &) = delete;

    bool is_first(long job) const { return begun_[job].exchange(1) == 0; }

private:
    std::size_t bytes_;
    std::atomic<char> *begun_;
};

outcome by_pool(long n, int workers, bool crashes) {
    std::vector<long> jobs(static_cast<std::size_t>(n));
    std::iota(jobs.begin(), jobs.end(), 0L);
    const marks begun(n);
    worker_pool pool({.workers = static_cast<unsigned>(workers)});
    outcome took = measure<no_runtime>(workers, [&] {
        pool.run(
            jobs,
            [&](long job) {
                const std::uint64_t result = compute(job);
                if (crashes && job % crash_in == crash_in / 2 && begun.is_first(job))
                    raise(SIGKILL);
                return result;
            },
            [&](std::size_t job, const job_result<std::uint64_t> &result) {
                expect_right(static_cast<long>(job), result.value());
            });
    });
    took.uses = {{"restarts", static_cast<double>(pool.restarts())}};
    return took;
}

} // namespace

registry_entry jobs_bench() {
    const kernel problem = {.name = "jobs",
                            .meaning = "n jobs of 100 µs, by processes that may crash",
                            .base = "serial",
                            .sizes = {10'000},
                            .greatest_peer_size = 0,
                            .greatest_n = 1'000'000,
                            .operations = n_operations};
    const auto pool = [](const char *name, bool crashes) {
        return alone(
            parallel(name, [=](long n, int workers) { return by_pool(n, workers, crashes); }));
    };
    return entry_of(problem,
                    {{fixed("serial", serially), pool("pool", false), pool("pool-crashes", true)}});
}

} // namespace saguaro::bench
