// SPDX-License-Identifier: MIT
// What has come from the workers of one lane: results in their channel, and kept ones.
#pragma once

#include "pools/shared.hpp"
#include "saguaro/channel.h"
#include "spmc/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace saguaro::pools {

// A result where it lies.
struct result {
    std::size_t job;
    bool has_failed;
    const void *data;
    std::size_t size;
};

// One that is no longer, or never was, in a channel.
struct kept_result {
    explicit kept_result(const result &from);
    result here() const { return {job, has_failed, bytes.data(), bytes.size()}; }

    std::size_t job;
    bool has_failed;
    std::vector<std::byte> bytes; // which a taker may read as any type
};

// A lane's worker, and what has come from it.
struct post {
    // Whether there is a result. Those of a lane come in the order of their jobs, because its
    // workers take jobs in order, and a new worker begins with the job that the last one left.
    bool has_result(const lane &own);

    // The first one, if there is one.
    result first_result() const { return !kept.empty() ? kept.front().here() : in_channel(); }
    void drop_first_result();

    // Takes what is in the channel of a worker that has ended.
    void keep_results(const lane &own);

    // Whether what waits here would be too much beside what another worker may send.
    bool is_full() const;

    unsigned number;
    spmc::slot worker = 0;  // 0: none
    bool was_begun = false; // it has had one
    sg_channel results = 0;
    std::size_t first = no_job;         // a job that the next worker begins with
    std::size_t next_job = 0;           // the lane's jobs before this one have results
    std::deque<kept_result> kept;       // these come before
    const message_head *head = nullptr; // the next one in the channel, if it was looked at
    std::size_t bytes = 0;              // of it
    std::uint64_t received = 0;         // from the worker, the one at `head` included
    std::int64_t memory = 0;            // private bytes when the worker began; 0: not known

private:
    bool look_at(const lane &own);
    result in_channel() const;
    void leave_in_channel();
};

} // namespace saguaro::pools
