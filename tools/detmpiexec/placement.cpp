// SPDX-License-Identifier: MIT
// Choosing processors for ranks, and binding the launcher while it starts one.
#include "placement.hpp"

#include "platform/cpu_mask.hpp"
#include "platform/cpus.hpp"
#include "platform/topology.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sched.h>

namespace saguaro::detmpiexec {

namespace {

using processors = std::vector<int>;

void run_on(const processors &which) {
    platform::cpu_mask mask(static_cast<std::size_t>(which.back()) + 1);
    for (const int each : which)
        mask.add(each);
    // Where the system refuses, the ranks run wherever it likes.
    [[maybe_unused]] const int refused = sched_setaffinity(0, mask.bytes(), mask.data());
}

// The processors that the launcher may use, those of a core together; cores near each other are
// neighbours.
std::vector<processors> cores_of(const processors &allowed) {
    const platform::topology machine = platform::topology::load();
    std::vector<processors> cores;
    for (const int cpu : allowed) {
        const auto same = std::find_if(cores.begin(), cores.end(), [&](const processors &core) {
            return machine.distance(core.front(), cpu) == platform::same_core;
        });
        if (same != cores.end())
            same->push_back(cpu);
        else
            cores.push_back({cpu});
    }
    return cores;
}

// The ranks of a list, in turn.
std::vector<processors> listed(const options &what, unsigned ranks, const processors &allowed) {
    std::vector<processors> found;
    for (const processors &each : what.bind_list)
        for (const int cpu : each)
            if (std::find(allowed.begin(), allowed.end(), cpu) == allowed.end()) {
                std::fprintf(stderr, "detmpiexec: -bind: no processor %d is there for this job\n",
                             cpu);
                std::exit(2);
            }
    for (unsigned rank = 0; rank < ranks; ++rank)
        found.push_back(what.bind_list[rank % what.bind_list.size()]);
    return found;
}

} // namespace

placement choose_placement(const options &what, unsigned ranks) {
    const processors allowed = platform::allowed_cpus();
    const std::vector<processors> cores = cores_of(allowed);
    const auto count = static_cast<unsigned>(cores.size());
    placement made;
    made.cores_of_a_rank = std::max(1U, std::min(count, platform::default_workers()) / ranks);
    if (what.binds == binding::list)
        made.of_ranks = listed(what, ranks, allowed);
    // With fewer cores than ranks the system moves these better. A single rank has all. And where
    // the control group pays for less than the cores, each may be needed by any rank.
    const bool is_sensible = ranks > 1 && platform::default_workers() >= count;
    if (what.binds == binding::core || (what.binds == binding::automatic && is_sensible))
        for (unsigned rank = 0; rank < ranks && ranks <= count; ++rank) {
            processors &share = made.of_ranks.emplace_back();
            for (unsigned core = rank * count / ranks; core < (rank + 1) * count / ranks; ++core)
                share.insert(share.end(), cores[core].begin(), cores[core].end());
            std::sort(share.begin(), share.end());
        }
    return made;
}

processor_scope::processor_scope(const std::vector<int> &which) {
    if (which.empty())
        return;
    former_ = platform::allowed_cpus();
    run_on(which);
}

processor_scope::~processor_scope() {
    if (!former_.empty())
        run_on(former_);
}

} // namespace saguaro::detmpiexec
