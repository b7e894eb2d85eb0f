// SPDX-License-Identifier: MIT
// What one worker of a pool does, in its own process.
#pragma once

#include "pools/shared.hpp"
#include "saguaro/channel.h"
#include "saguaro/worker_pool.h"

#include <cstddef>

namespace saguaro::pools {

struct duty {
    const shared_memory &all;
    sg_job_function *compute;
    void *context;
    unsigned lane;
    int cpu; // where it begins
    sg_channel results;
    std::size_t first; // a job of the lane's that was begun before, or no_job
};

// Thrown by a job's function: another worker has to begin the job, because this one is too old. No
// attempt is counted.
struct another_worker_wanted {};

// Computes jobs and sends their results until each job has a worker and no job will be given any
// more. Returns the exit code.
int work(const duty &mine);

} // namespace saguaro::pools
