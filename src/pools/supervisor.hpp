// SPDX-License-Identifier: MIT
// What the caller of a pool does: begins workers, looks after them, and takes results in order.
#pragma once

#include "pools/shared.hpp"
#include "saguaro/channel.h"
#include "saguaro/worker_pool.h"
#include "spmc/children.hpp"
#include "spmc/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace saguaro::pools {

class supervisor {
public:
    // `options` has no defaults left. Throws std::bad_alloc.
    supervisor(const sg_worker_pool_options &options, std::size_t jobs, sg_job_function *compute,
               void *context);

    // Ends the workers that live.
    ~supervisor();

    supervisor(const supervisor &) = delete;
    supervisor &operator=(const supervisor &) = delete;

    // Returns what sg_worker_pool_run does, but for EINVAL. Once.
    int run(sg_job_taker *take);

    std::size_t restarts() const { return restarts_; }

    // Whether the taker runs, or has thrown.
    bool is_taking() const { return is_taking_; }

private:
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
        unsigned number;
        spmc::slot worker = 0;  // 0: none
        bool was_begun = false; // it has had one
        sg_channel results = 0;
        std::size_t first = 0;              // a job that the next worker begins with
        std::size_t next_job = 0;           // the lane's jobs before this one have results
        std::deque<kept_result> kept;       // these come before
        const message_head *head = nullptr; // the next one in the channel, if it was looked at
        std::size_t bytes = 0;              // of it
        std::uint64_t received = 0;         // from the worker, the one at `head` included
        std::int64_t memory = 0;            // private bytes when the worker began; 0: not known
    };

    // Attempts at a job that came to nothing.
    struct failures {
        unsigned count = 0;
        bool was_kill = true; // the cause: perhaps from outside, so another one is better
        std::string cause;
    };

    post *post_with(std::size_t job);
    bool look_at(post &of);
    static result in_channel(const post &of);
    static void leave_in_channel(post &of);
    int hand_over(post &from, sg_job_taker *take);
    int look_after_workers();
    std::int64_t began_by(const post &of) const;
    bool takes_too_much(post &of);
    void check(post &of, bool measures);
    bool needs_a_worker(const post &of) const;
    int begin(post &of);
    int begin_workers();
    void end(post &of, const std::string &cause, std::int64_t began);
    void has_ended(post &of, const std::string &cause, bool counts, bool was_kill);
    void keep_results(post &of);
    void count_failure(post &of, std::size_t job, const std::string &cause, bool was_kill);
    void sleep_for(std::size_t job);
    void await_ends();

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
