// SPDX-License-Identifier: MIT
#include "sweep.hpp"

#include "engine/recording.hpp"
#include "engine/workloads.hpp"

#include <chrono>

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
                        "accepted is hwloc's notation, as \"pack:2 numa:1 core:4 pu:1\", or a "
                        "file of lstopo's whose name ends in .xml");
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

} // namespace

sweep simulate_all(const options &chosen) {
    const auto topology = machine_named(chosen.topology);
    const auto workers = or_default(chosen.workers, static_cast<unsigned>(topology->cpus().size()));
    const auto policies = or_default(chosen.policies, std::string("uniform"));
    const auto placements = or_default(chosen.placements, named_placement{"recorded", {}});
    const auto ways = or_default(chosen.ways, steals::request);
    if (chosen.as == format::svg &&
        workers.size() * policies.size() * placements.size() * ways.size() != 1)
        throw bad_input("--svg draws one simulation: accepted is one of --workers, --policy, "
                        "--memory and --steals each");
    const program what = program_of(chosen);
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
                for (const steals how : ways) {
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
