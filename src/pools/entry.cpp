// SPDX-License-Identifier: MIT
// The function of worker_pool.h that runs a pool.
#include "saguaro/worker_pool.h"

#include "pools/options.hpp"
#include "pools/supervisor.hpp"
#include "spmc/job.hpp"
#include "spmc/lines.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <optional>

namespace saguaro::pools {

namespace {

// Tells the caller how many workers have replaced others, whichever way the run ends.
class restarts_teller {
public:
    restarts_teller(const supervisor &of, std::size_t *to) : of_(of), to_(to) {}
    ~restarts_teller() {
        if (to_ != nullptr)
            *to_ = of_.restarts();
    }
    restarts_teller(const restarts_teller &) = delete;
    restarts_teller &operator=(const restarts_teller &) = delete;

private:
    const supervisor &of_;
    std::size_t *const to_;
};

int run(sg_worker_pool_options options, std::size_t jobs, sg_job_function *compute,
        sg_job_taker *take, void *context, std::size_t *restarts) {
    spmc::job::mine(); // the process is a space from now on
    if (compute == nullptr || take == nullptr) {
        spmc::say("sg_worker_pool_run was given a null pointer for the function that %s",
                  compute == nullptr ? "computes" : "takes results");
        return EINVAL;
    }
    if (!complete(options, "sg_worker_pool_run"))
        return EINVAL;
    options.workers = static_cast<unsigned>(std::min<std::size_t>(options.workers, jobs));
    std::optional<supervisor> pool;
    try {
        pool.emplace(options, jobs, compute, context);
        const restarts_teller tells(*pool, restarts);
        return pool->run(take);
    } catch (const std::bad_alloc &) {
        if (pool && pool->is_taking())
            throw; // the taker's own
        spmc::say("sg_worker_pool_run: no memory for a pool of %zu jobs", jobs);
        return ENOMEM;
    }
}

} // namespace

} // namespace saguaro::pools

extern "C" int sg_worker_pool_run(const sg_worker_pool_options *options, size_t jobs,
                                  sg_job_function *compute, sg_job_taker *take, void *context,
                                  size_t *restarts) {
    return saguaro::pools::run(options != nullptr ? *options : sg_worker_pool_options{}, jobs,
                               compute, take, context, restarts);
}
