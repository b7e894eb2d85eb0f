// SPDX-License-Identifier: MIT
// What the workers of a pool and its supervisor share beside their channels: README.md.
#pragma once

#include "platform/futex.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::pools {

// One worker after the other has a lane: each replaces the one before.
struct alignas(64) lane {
    // When the worker has begun the job that it computes now, as now_ns() counts; the same below 0
    // while it sends that job's result; 0: it has none.
    std::atomic<std::int64_t> began;
    std::atomic<std::uint64_t> sent; // results, by the worker that has the lane
    // The worker rings when it has sent so many; 0: it does not.
    std::atomic<std::uint64_t> ring_at;
};

// All of it begins as zeros.
struct shared {
    std::atomic<std::uint32_t> bell;  // rung by ends and workers: adds 1, and wakes
    std::atomic<std::uint64_t> next;  // a hint: all jobs before it have a lane
    std::atomic<std::uint64_t> given; // jobs before it may be taken
    // Workers without a job sleep on it: adds 1 and wakes when a job is given, or none will be.
    std::atomic<std::uint32_t> news;
    std::atomic<std::uint32_t> is_closed; // no more jobs will be given
    lane lanes[1];                        // as many as there are workers; then a word for each job
};

// No job.
inline constexpr std::size_t no_job = SIZE_MAX;

// What a message in a lane's channel begins with; the result's bytes, or the text of an error,
// follow.
struct message_head {
    std::uint64_t job;
    std::uint64_t has_failed;
};

// The memory that both map.
class shared_memory {
public:
    // With words for so many jobs that are not done. Throws std::bad_alloc if the system refuses.
    shared_memory(std::size_t room, unsigned lanes);
    ~shared_memory();

    shared_memory(const shared_memory &) = delete;
    shared_memory &operator=(const shared_memory &) = delete;

    shared &words() const { return *words_; }
    lane &lane_at(unsigned number) const { return words_->lanes[number]; }
    std::size_t room() const { return room_; }

    // How many jobs there are so far.
    std::size_t given() const;

    // There are so many jobs now, each of which has its word to itself: those that are `room()`
    // before it are done. Wakes a worker.
    void give_up_to(std::size_t jobs) const;

    // No job will be given any more.
    void close() const;

    // A job for this lane, the first that no lane has; no_job if there is none.
    std::size_t take(unsigned number) const;

    // The same, but waits until there is one, or none will be given any more.
    std::size_t await(unsigned number) const;

    // The first job from `from` on that the lane has taken; no_job if there is none. Looks only at
    // jobs that some lane has taken, and all before `from` minus room() are done.
    std::size_t taken_from(std::size_t from, unsigned number) const;

    // Which lane has taken the job; -1: none.
    int lane_of(std::size_t job) const;

    // Whether each job that was given has a lane.
    bool all_taken() const;

    void ring() const;

private:
    // Which lane has the job, or has had an earlier one with the same word.
    std::atomic<std::uint64_t> &taker_of(std::size_t job) const { return takers_[job % room_]; }

    std::size_t room_;
    std::size_t bytes_;
    shared *words_;
    std::atomic<std::uint64_t> *takers_;
};

} // namespace saguaro::pools
