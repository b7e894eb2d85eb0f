// SPDX-License-Identifier: MIT
// The function of worker_pool.h that runs a pool.
#include "saguaro/worker_pool.h"

#include "platform/cpus.hpp"
#include "pools/supervisor.hpp"
#include "spmc/job.hpp"
#include "spmc/lines.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <optional>

namespace saguaro::pools {

namespace {

constexpr unsigned most_workers = 4096;
constexpr unsigned usual_attempts = 3;

int run(sg_worker_pool_options options, std::size_t jobs, sg_job_function *compute,
        sg_job_taker *take, void *context, std::size_t *restarts) {
    spmc::job::mine(); // the process is a space from now on
    if (compute == nullptr || take == nullptr) {
        spmc::say("sg_worker_pool_run was given a null pointer for the function that %s",
                  compute == nullptr ? "computes" : "takes results");
        return EINVAL;
    }
    if (options.workers > most_workers) {
        spmc::say("sg_worker_pool_run was given %u workers: up to %u are possible", options.workers,
                  most_workers);
        return EINVAL;
    }
    if (options.workers == 0)
        options.workers = platform::default_workers();
    options.workers = static_cast<unsigned>(std::min<std::size_t>(options.workers, jobs));
    if (options.attempts == 0)
        options.attempts = usual_attempts;
    std::optional<supervisor> pool;
    try {
        pool.emplace(options, jobs, compute, context);
    } catch (const std::bad_alloc &) {
        spmc::say("sg_worker_pool_run: no memory for a pool of %zu jobs", jobs);
        return ENOMEM;
    }
    const int how = pool->run(take);
    if (restarts != nullptr)
        *restarts = pool->restarts();
    return how;
}

} // namespace

} // namespace saguaro::pools

extern "C" int sg_worker_pool_run(const sg_worker_pool_options *options, size_t jobs,
                                  sg_job_function *compute, sg_job_taker *take, void *context,
                                  size_t *restarts) {
    return saguaro::pools::run(options != nullptr ? *options : sg_worker_pool_options{}, jobs,
                               compute, take, context, restarts);
}
