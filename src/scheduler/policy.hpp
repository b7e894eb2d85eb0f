// SPDX-License-Identifier: MIT
// Whom a thief tries: the one decision of the scheduler that machines differ in.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::scheduler {

// Five operations. `start` and `stop` are called by one thread, before the first and after the last
// worker runs; the others by the thread that has the worker then, of several workers at the same
// time: for one worker never by two at once, and what one has written the next one sees. A worker's
// memory is touched first by the thread that starts it; for worker 0, which threads that enter
// have, that is the one that starts all.
class steal_policy {
public:
    virtual ~steal_policy() = default;

    // There will be `workers` workers, the thread of worker i on processor cpus[i] (-1: on
    // any). Threads that enter run where the kernel puts them; cpus[0] is left for them.
    virtual void start(unsigned workers, const std::vector<int> &cpus) = 0;
    virtual void start_worker(unsigned worker) = 0;

    // The worker to try next, or -1 to try nobody now. Called for each try.
    virtual int choose_victim(unsigned thief) = 0;

    virtual void stop_worker(unsigned worker) = 0;
    virtual void stop() = 0;
};

// The names that SAGUARO_POLICY takes, separated by ", ".
std::string policy_names();

// A policy by its name; null if there is none of this name.
std::unique_ptr<steal_policy> make_policy(std::string_view name);

// The reference: each other worker with the same probability.
std::unique_ptr<steal_policy> make_uniform_policy();

} // namespace saguaro::scheduler
