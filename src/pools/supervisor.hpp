// SPDX-License-Identifier: MIT
// What the caller of a pool does: begins workers, looks after them, and takes results in order.
#pragma once

#include "pools/post.hpp"
#include "pools/shared.hpp"
#include "pools/worker.hpp"
#include "saguaro/worker_pool.h"
#include "spmc/children.hpp"
#include "spmc/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace saguaro::pools {

class supervisor {
public:
    // For so many jobs that are not done. `options` has no defaults left. Throws std::bad_alloc.
    supervisor(const sg_worker_pool_options &options, std::size_t room, sg_job_function *compute,
               void *context);

    // Ends the workers that live.
    virtual ~supervisor();

    supervisor(const supervisor &) = delete;
    supervisor &operator=(const supervisor &) = delete;

    // Runs `room` jobs. Returns what sg_worker_pool_run does, but for EINVAL. Once.
    int run(sg_job_taker *take);

    std::size_t restarts() const { return restarts_; }

    // Whether the taker runs, or has thrown.
    bool is_taking() const { return is_taking_; }

private:
    // Attempts at a job that came to nothing.
    struct failures {
        unsigned count = 0;
        bool was_kill = true; // the cause: perhaps from outside, so another one is better
        std::string cause;
    };

    int hand_over(post &from, sg_job_taker *take);
    void check(post &of, bool measures);
    int begin(post &of);
    int begin_workers();
    void end(post &of, const std::string &cause, std::int64_t began);
    void has_ended(post &of, const std::string &cause, bool counts, bool was_kill);
    void count_failure(post &of, std::size_t job, const std::string &cause, bool was_kill);

    virtual int begin_worker(const duty &its, spmc::slot &out);
    virtual unsigned attempts_at(std::size_t job) const;
    // How many workers that have no job are enough.
    virtual std::size_t enough_idle() const { return SIZE_MAX; }

protected:
    const shared_memory &memory() const { return memory_; }
    std::vector<post> &posts() { return posts_; }
    bool is_time_to_look() const;
    int look_after_workers();
    void forget_failures(std::size_t job);
    void sleep(std::int64_t longest_ns);
    bool sleep_until(std::int64_t until_ns);
    void await_ends();

private:
    sg_worker_pool_options options_;
    sg_job_function *compute_;
    void *context_;
    shared_memory memory_;
    spmc::end_bell bell_;
    const std::vector<int> cpus_; // that the program may use
    std::vector<post> posts_;
    std::map<std::size_t, failures> failed_;
    std::size_t restarts_ = 0;
    bool is_taking_ = false;
    unsigned idle_ends_ = 0;
    std::uint32_t heard_ = 0; // the bell's word, before the workers were looked after
    std::int64_t nap_ns_;
    std::int64_t looked_after_ = 0; // when that was
    std::int64_t measured_ = 0;     // their memory
    std::int64_t begins_from_ = 0;  // no worker before, because the system has refused one
    std::int64_t pause_ns_;         // so long, the next time
};

} // namespace saguaro::pools
