// SPDX-License-Identifier: MIT
// Running one simulation for each combination of what the command line lists.
#include "sweep.hpp"

#include "engine/recording.hpp"
#include "engine/workloads.hpp"
#include "platform/processors.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace saguaro::sim {

namespace {

std::shared_ptr<const platform::topology> machine_named(const std::string &text) {
    if (text.empty())
        return std::make_shared<const platform::topology>(platform::topology::load());
    auto described = platform::topology::described(text);
    if (!platform::topology::can_read())
        throw bad_input("--topology '" + text +
                        "': it takes hwloc (libhwloc.so.15), which is not here");
    if (!described || described->cpus().empty()) {
        const std::string fault = platform::topology::fault_of(text);
        throw bad_input("--topology '" + text + "': " + (fault.empty() ? "" : fault + "; ") +
                        topologies_accepted);
    }
    return std::make_shared<const platform::topology>(*std::move(described));
}

program program_of(const options &chosen) {
    program made = chosen.recording.empty() ? make_workload(chosen.workload)
                                            : read_recording(chosen.recording);
    if (!chosen.write.empty())
        write_recording(made, chosen.write);
    return made;
}

template <class T>
std::vector<T> or_default(std::vector<T> given, T otherwise) {
    if (given.empty())
        given.push_back(std::move(otherwise));
    return given;
}

// A node of another number would silently be one of these.
void check_nodes(const options &chosen, const machine &on) {
    for (const named_placement &each : chosen.placements)
        if (each.where.where == layout::on_node && !on.find_node(each.where.node))
            throw bad_input("--memory '" + each.name +
                            "': accepted are the nodes of the machine, " +
                            platform::list_of_processors(on.node_numbers()));
}

// Users expect that two workers of a processor are as slow as on a real one.
void say_that_some_share(const std::vector<unsigned> &workers, std::size_t processors) {
    const unsigned most = *std::max_element(workers.begin(), workers.end());
    if (most > processors)
        std::fprintf(stderr,
                     "saguaro-sim: %u workers share %zu processor%s: each is simulated as fast as "
                     "if it were alone there\n",
                     most, processors, processors == 1 ? "" : "s");
}

} // namespace

sweep simulate_all(const options &chosen) {
    const auto topology = machine_named(chosen.topology);
    const auto workers = or_default(chosen.workers, static_cast<unsigned>(topology->cpus().size()));
    const auto policies = or_default(chosen.policies, std::string("uniform"));
    const auto placements = or_default(chosen.placements, named_placement{"recorded", {}});
    const auto protocols = or_default(chosen.protocols, steals::request);
    if (chosen.as == format::svg &&
        workers.size() * policies.size() * placements.size() * protocols.size() != 1)
        throw bad_input("--svg draws one simulation: accepted is one of --workers, --policy, "
                        "--memory and --steals each");
    check_nodes(chosen, machine(topology, 1));
    const program what = program_of(chosen);
    say_that_some_share(workers, topology->cpus().size());
    sweep all{chosen.topology, topology->cpus().size(),    0,  {}, what.all(),
              what.bytes(),    span_of(what, chosen.cost), {}, 0,  {}};
    const auto begun = std::chrono::steady_clock::now();
    for (const unsigned count : workers) {
        const machine on(topology, count);
        all.nodes = on.nodes();
        all.levels = on.levels();
        if (chosen.as == format::svg)
            all.picture.emplace(count);
        for (const std::string &policy : policies)
            for (const named_placement &memory : placements)
                for (const steals how : protocols) {
                    setup set{policy, chosen.seed, chosen.cost, memory.where,
                              all.picture ? &*all.picture : nullptr};
                    set.cost.how = how;
                    all.rows.push_back({count, policy, memory.name, how, simulate(what, on, set)});
                }
    }
    all.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return all;
}

} // namespace saguaro::sim
