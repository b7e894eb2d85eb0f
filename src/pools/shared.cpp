// SPDX-License-Identifier: MIT
// Mapping the memory of a pool, and taking jobs.
#include "pools/shared.hpp"

#include <new>
#include <sys/mman.h>

namespace saguaro::pools {

shared_memory::shared_memory(std::size_t jobs, unsigned lanes)
    : jobs_(jobs), bytes_(sizeof(shared) + lanes * sizeof(lane) + jobs * sizeof(*takers_)) {
    if (jobs > (std::size_t{1} << 45))
        throw std::bad_alloc();
    // Of many jobs only those that were taken have memory.
    void *const begin = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED)
        throw std::bad_alloc();
    words_ = static_cast<shared *>(begin);
    takers_ = reinterpret_cast<std::atomic<std::uint32_t> *>(words_->lanes + lanes);
}

shared_memory::~shared_memory() {
    munmap(words_, bytes_);
}

// A single exchange takes a job, so a worker that is killed has taken it or has not. No job stays
// free before one that is taken: a worker begins at the hint, before which all are taken, and takes
// the first free one. Relaxed, the words: the jobs themselves are in each worker's memory, and that
// a worker has ended is acquired before its jobs are looked for.
std::size_t shared_memory::take(unsigned number) const {
    // Acquire pairs with the release below: who skips jobs by the hint has seen that they are
    // taken, and so has the supervisor when it acquires this worker's end.
    for (std::size_t job = words_->next.load(std::memory_order_acquire); job < jobs_; ++job) {
        std::uint32_t none = 0;
        if (!taker_of(job).compare_exchange_strong(none, number + 1, std::memory_order_relaxed))
            continue;
        // A worker that was slow may set it back: then the next one looks at more jobs.
        words_->next.store(job + 1, std::memory_order_release);
        return job;
    }
    return jobs_;
}

std::size_t shared_memory::taken_from(std::size_t from, unsigned number) const {
    for (std::size_t job = from; job < jobs_; ++job) {
        const std::uint32_t taker = taker_of(job).load(std::memory_order_relaxed);
        if (taker == 0)
            break;
        if (taker == number + 1)
            return job;
    }
    return jobs_;
}

int shared_memory::lane_of(std::size_t job) const {
    return static_cast<int>(taker_of(job).load(std::memory_order_relaxed)) - 1;
}

bool shared_memory::all_taken() const {
    return jobs_ == 0 || lane_of(jobs_ - 1) >= 0;
}

void shared_memory::ring() const {
    // Release pairs with the acquire in `supervisor::look_after_workers`: what rings it is seen.
    words_->bell.fetch_add(1, std::memory_order_release);
    platform::futex_wake(words_->bell, 1, platform::futex_scope::all_processes);
}

} // namespace saguaro::pools
