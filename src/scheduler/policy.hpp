// SPDX-License-Identifier: MIT
// Whom a thief tries: the one decision of the scheduler that machines differ in.
#pragma once

#include "platform/topology.hpp"

#include <memory>
#include <optional>
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

    // Whether the thread that starts all may call start_worker for all, where memory is equally
    // near to each.
    virtual bool may_start_elsewhere() const { return false; }

    // The worker to try next, or -1 to try nobody now. Called for each try; `failed` tries of this
    // thief have found nothing since the last one that found something.
    virtual int choose_victim(unsigned thief, unsigned failed) = 0;

    virtual void stop_worker(unsigned worker) = 0;
    virtual void stop() = 0;
};

// The policies that SAGUARO_POLICY takes, as the manual names them, separated by ", ".
std::string policy_names();

// Whether make_policy makes something of the name.
bool is_policy(std::string_view name);

// What is wrong with the weights of a policy that there is not, for a line that refuses it; empty
// if it has none.
std::string fault_of_policy(const std::string &name);

// The weights in a name: none in "biased", 4, 2 and 1 in "biased:4,2,1". Nothing if it is another
// policy's name, or none.
std::optional<std::vector<unsigned>> weights_in(std::string_view name);

// A policy by its name: "uniform", "nearest", "biased", or "biased:" with weights. Null if there is
// none of this name. `machine`: where the workers are, or are to be thought; null is this machine.
std::unique_ptr<steal_policy> make_policy(std::string_view name,
                                          std::shared_ptr<const platform::topology> machine);

// The reference: each other worker with the same probability.
std::unique_ptr<steal_policy> make_uniform_policy();

// First one of the nearest workers, after each failure one of the next distance, and so on; behind
// the farthest the nearest again. Work that only distant workers have is found, but late.
std::unique_ptr<steal_policy> make_nearest_policy(std::shared_ptr<const platform::topology>);

// Each other worker with a chance; the nearer, the greater. `weights[d]` is what a worker at the
// d-th smallest distance weighs; distances beyond the last one weigh as much as the last. Empty:
// weights follow the latency of memory, so that a worker twice as far has half the chance.
std::unique_ptr<steal_policy> make_biased_policy(std::shared_ptr<const platform::topology>,
                                                 std::vector<unsigned> weights);

} // namespace saguaro::scheduler
