// SPDX-License-Identifier: MIT
// A pool whose jobs are given while it runs.
#pragma once

#include "pools/given.hpp"
#include "pools/supervisor.hpp"
#include "saguaro/worker_pool.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace saguaro::pools {

class stream final : public supervisor {
public:
    // So many jobs may have no end that was taken.
    static constexpr std::size_t room = 65536;

    // `options` has no defaults left. Throws std::bad_alloc.
    stream(const sg_worker_pool_options &options, const sg_job_stream_functions &functions);
    ~stream() override;

    // What the functions of worker_pool.h do.
    int give(const void *data, std::size_t size, unsigned attempts);
    int next(std::uint64_t wait_ns, sg_job_end &end);
    void wake();

private:
    static int compute(void *self, std::size_t job, sg_job_result *result);
    int begin_worker(const duty &its, spmc::slot &out) override;
    unsigned attempts_at(std::size_t job) const override;
    std::size_t enough_idle() const override;

    bool take_any(sg_job_end &end);
    void drop_taken();
    bool sleeps(std::int64_t until_ns);
    bool has_open_jobs() const;
    void end_well();

    const sg_job_stream_functions functions_;
    const unsigned attempts_; // of a job that says nothing
    sg_interpreter interpreter_{};
    given_jobs jobs_;
    std::string data_;                    // in a worker: of its job
    post *taken_ = nullptr;               // whose first result the caller has
    std::string error_;                   // of that result
    std::size_t turn_ = 0;                // the post that is looked at first
    std::vector<bool> is_done_;           // of the jobs from the oldest one on
    std::atomic<std::size_t> oldest_{0};  // all before it are done
    std::atomic<bool> wants_jobs_{false}; // sleeps, and would begin a worker for a new job
    std::atomic<bool> was_woken_{false};
    std::size_t seen_ = 0; // jobs, before the last look at the workers
};

} // namespace saguaro::pools
