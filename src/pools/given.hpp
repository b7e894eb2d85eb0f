// SPDX-License-Identifier: MIT
// The bytes of jobs that were given to a stream, which each worker reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/types.h>

namespace saguaro::pools {

// In a file in memory, whose descriptor a worker has by its fork: one after the other, and what is
// before the oldest one that is not done goes back to the system.
class given_jobs {
public:
    // For so many jobs that are not done. Throws std::bad_alloc.
    explicit given_jobs(std::size_t room);
    ~given_jobs();

    given_jobs(const given_jobs &) = delete;
    given_jobs &operator=(const given_jobs &) = delete;

    // 0, or an error number. By the giver, before the job is given.
    int write(std::size_t job, const void *data, std::size_t size, unsigned attempts);

    // By a worker that has taken the job. Throws std::bad_alloc.
    void read(std::size_t job, std::string &into) const;

    unsigned attempts_at(std::size_t job) const { return of(job).attempts; }

    // So much memory it takes.
    std::size_t bytes() const;

    // Up to this job all are done; its word is no other's yet.
    void done_up_to(std::size_t job);

private:
    struct place {
        std::int64_t at;
        std::uint64_t size;
        unsigned attempts;
    };

    place &of(std::size_t job) const { return places_[job % room_]; }

    std::size_t room_;
    place *places_; // shared with the workers
    int file_;
    std::int64_t end_ = 0;   // the giver's
    std::int64_t freed_ = 0; // before it nothing has memory
};

} // namespace saguaro::pools
