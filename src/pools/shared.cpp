// SPDX-License-Identifier: MIT
// Mapping the memory of a pool, and taking jobs.
#include "pools/shared.hpp"

#include <new>
#include <sys/mman.h>

namespace saguaro::pools {

namespace {

// The word of a job: its number from 1 on, and the lane's, so that a worker that was slow does not
// take a later job's word for that of a job that nobody has.
constexpr unsigned lane_bits = 13; // 4096 lanes, and none

constexpr std::uint64_t word_of(std::size_t job, unsigned lane) {
    return (std::uint64_t{job} + 1) << lane_bits | (lane + 1);
}

constexpr bool is_taken(std::uint64_t word, std::size_t job) {
    return word >> lane_bits > job;
}

} // namespace

shared_memory::shared_memory(std::size_t room, unsigned lanes)
    : room_(room), bytes_(sizeof(shared) + lanes * sizeof(lane) + room * sizeof(*takers_)) {
    if (room > (std::size_t{1} << 44))
        throw std::bad_alloc();
    // Of many jobs only those that were taken have memory.
    void *const begin = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED)
        throw std::bad_alloc();
    words_ = static_cast<shared *>(begin);
    takers_ = reinterpret_cast<std::atomic<std::uint64_t> *>(words_->lanes + lanes);
}

shared_memory::~shared_memory() {
    munmap(words_, bytes_);
}

std::size_t shared_memory::given() const {
    // Acquire pairs with the release in `give_up_to`: what the giver wrote of the job.
    return words_->given.load(std::memory_order_acquire);
}

void shared_memory::give_up_to(std::size_t jobs) const {
    words_->given.store(jobs, std::memory_order_release); // pairs with `given`
    // Release pairs with the acquire in `await`: a worker that saw it sees the job as well.
    words_->news.fetch_add(1, std::memory_order_release);
    platform::futex_wake(words_->news, 1, platform::futex_scope::all_processes);
}

void shared_memory::close() const {
    // Relaxed: the release below.
    words_->is_closed.store(1, std::memory_order_relaxed);
    words_->news.fetch_add(1, std::memory_order_release); // pairs with the acquire in `await`
    platform::futex_wake(words_->news, platform::everybody, platform::futex_scope::all_processes);
}

// A single exchange takes a job, so a worker that is killed has taken it or has not. No job stays
// free before one that is taken: a worker begins at the hint, before which all are taken, and takes
// the first free one. Relaxed, the words: the jobs themselves come with `given`, and that a worker
// has ended is acquired before its jobs are looked for.
std::size_t shared_memory::take(unsigned number) const {
    const std::size_t end = given();
    // Acquire pairs with the release below: who skips jobs by the hint has seen that they are
    // taken, and so has the supervisor when it acquires this worker's end.
    for (std::size_t job = words_->next.load(std::memory_order_acquire); job < end; ++job) {
        std::uint64_t found = taker_of(job).load(std::memory_order_relaxed);
        if (is_taken(found, job) || !taker_of(job).compare_exchange_strong(
                                        found, word_of(job, number), std::memory_order_relaxed))
            continue;
        // A worker that was slow may set it back: then the next one looks at more jobs.
        words_->next.store(job + 1, std::memory_order_release);
        return job;
    }
    return no_job;
}

std::size_t shared_memory::await(unsigned number) const {
    for (;;) {
        // Acquire pairs with the releases of `give_up_to` and `close`. The job or the end that
        // comes after this look changes the word, so that the sleep ends at once.
        const std::uint32_t seen = words_->news.load(std::memory_order_acquire);
        const std::size_t job = take(number);
        // Relaxed: acquired above.
        if (job != no_job || words_->is_closed.load(std::memory_order_relaxed) != 0)
            return job;
        platform::futex_wait(words_->news, seen, platform::never,
                             platform::futex_scope::all_processes);
    }
}

std::size_t shared_memory::taken_from(std::size_t from, unsigned number) const {
    for (std::size_t job = from; job < given(); ++job) {
        const std::uint64_t found = taker_of(job).load(std::memory_order_relaxed);
        if (!is_taken(found, job))
            break;
        if (found == word_of(job, number))
            return job;
    }
    return no_job;
}

int shared_memory::lane_of(std::size_t job) const {
    const std::uint64_t found = taker_of(job).load(std::memory_order_relaxed);
    return is_taken(found, job) ? static_cast<int>(found & ((1U << lane_bits) - 1)) - 1 : -1;
}

bool shared_memory::all_taken() const {
    const std::size_t end = given();
    return end == 0 || lane_of(end - 1) >= 0;
}

void shared_memory::ring() const {
    // Release pairs with the acquire in `supervisor::look_after_workers`: what rings it is seen.
    words_->bell.fetch_add(1, std::memory_order_release);
    platform::futex_wake(words_->bell, 1, platform::futex_scope::all_processes);
}

} // namespace saguaro::pools
