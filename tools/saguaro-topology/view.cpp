// SPDX-License-Identifier: MIT
// Gathering nodes, latencies, workers and chances from the runtime.
#include "view.hpp"

#include "options.hpp"
#include "platform/processors.hpp"
#include "scheduler/chances.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace saguaro::topology_tool {

namespace {

using scheduler::distance_group;
using scheduler::settings;

// A node for each number, in their order, with the workers that sit there.
std::vector<node> nodes_of(const platform::topology &machine, const std::vector<int> &seats) {
    std::vector<node> nodes;
    for (const int cpu : machine.cpus()) {
        const int number = machine.node_of(cpu);
        auto at = std::lower_bound(nodes.begin(), nodes.end(), number,
                                   [](const node &each, int n) { return each.number < n; });
        if (at == nodes.end() || at->number != number)
            at = nodes.insert(at, node{number, {}});
        processor here{cpu, machine.core_of(cpu), {}};
        for (std::size_t worker = 0; worker < seats.size(); ++worker)
            if (seats[worker] == cpu)
                here.workers.push_back(static_cast<int>(worker));
        at->processors.push_back(std::move(here));
    }
    return nodes;
}

std::vector<std::vector<int>> latencies_between(const platform::topology &machine,
                                                const std::vector<node> &nodes) {
    std::vector<std::vector<int>> rows;
    for (const node &from : nodes) {
        rows.emplace_back();
        for (const node &to : nodes)
            // Processors without a known node stand together, but need not be near each other.
            rows.back().push_back(platform::latency_of(
                from.number < 0 ? platform::nothing_known
                                : machine.distance(from.processors.front().number,
                                                   to.processors.front().number)));
    }
    return rows;
}

// With a try for each group in turn, if chances depend on the tries before.
choice choice_of(const std::string &policy, const std::string &set,
                 const std::vector<distance_group> &groups) {
    choice made{policy, policy == set, scheduler::chances_of(policy, groups, 0), {}};
    std::vector<unsigned> turns(groups.size(), 0);
    for (unsigned failed = 0; failed < groups.size(); ++failed) {
        const std::vector<double> now = scheduler::chances_of(policy, groups, failed);
        for (std::size_t at = 0; at < groups.size(); ++at)
            if (now[at] == 1 && turns[at] == 0)
                turns[at] = failed + 1;
    }
    if (groups.size() > 1 && std::find(turns.begin(), turns.end(), 0u) == turns.end())
        made.turns = std::move(turns);
    return made;
}

} // namespace

std::vector<int> node::cpus() const {
    std::vector<int> all;
    for (const processor &each : processors)
        all.push_back(each.number);
    return all;
}

std::vector<int> node::workers() const {
    std::vector<int> all;
    for (const processor &each : processors)
        all.insert(all.end(), each.workers.begin(), each.workers.end());
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<std::vector<processor>> node::cores() const {
    std::vector<std::vector<processor>> found;
    for (const processor &each : processors) {
        const auto same = [&](const std::vector<processor> &core) {
            return each.core >= 0 && core.front().core == each.core;
        };
        const auto at = std::find_if(found.begin(), found.end(), same);
        if (at == found.end())
            found.push_back({each});
        else
            at->push_back(each);
    }
    return found;
}

std::size_t view::processors() const {
    std::size_t count = 0;
    for (const node &each : nodes)
        count += each.processors.size();
    return count;
}

std::size_t view::cores() const {
    std::size_t count = 0;
    for (const node &each : nodes)
        count += each.cores().size();
    return count;
}

const choice &view::set_choice() const {
    return *std::find_if(choices.begin(), choices.end(),
                         [](const choice &each) { return each.is_set; });
}

std::vector<int> view::members(const distance_group &group) const {
    const auto first = around.workers.begin() + group.first;
    std::vector<int> all(first, first + group.count);
    return all;
}

double view::preference(unsigned worker) const {
    const choice &set = set_choice();
    double most = 0;
    double own = 0;
    for (std::size_t at = 0; at < around.groups.size(); ++at) {
        const std::vector<int> there = members(around.groups[at]);
        const double each = set.turns.empty() ? set.chances[at] / static_cast<double>(there.size())
                                              : 1 - static_cast<double>(set.turns[at] - 1) /
                                                        static_cast<double>(set.turns.size());
        most = std::max(most, each);
        if (std::find(there.begin(), there.end(), static_cast<int>(worker)) != there.end())
            own = each;
    }
    return most > 0 ? own / most : 0;
}

int view::node_of(unsigned worker) const {
    for (const node &each : nodes)
        for (const processor &one : each.processors)
            if (one.number == seats[worker])
                return each.number;
    return -1;
}

view look(unsigned thief) {
    const settings s = scheduler::settings_from_environment();
    check_processors(s);
    if (thief >= s.workers)
        throw bad_input("--thief " + std::to_string(thief) + ": " + std::to_string(s.workers) +
                        (s.workers == 1 ? " worker, only 0"
                                        : " workers, 0 to " + std::to_string(s.workers - 1)));
    const auto described = machine_of(s);
    // The thread that starts the workers may run anywhere: worker 0 has the first.
    const std::vector<int> bound = cpus_of_workers(s, -1);
    scheduler::seating seats;
    seats.start(described, bound);

    view seen{};
    seen.described = s.topology;
    seen.has_hwloc = platform::topology::can_read();
    const platform::topology machine =
        described != nullptr ? *described : platform::topology::load();
    seen.workers = s.workers;
    seen.seats = seats.cpus();
    seen.is_bound = bound.front() >= 0;
    seen.nodes = nodes_of(machine, seen.seats);
    seen.latencies = latencies_between(machine, seen.nodes);
    seen.thief = thief;
    seen.around = seats.around(thief);
    for (const char *policy : {"uniform", "nearest", "biased"})
        seen.choices.push_back(choice_of(policy, s.policy, seen.around.groups));
    if (s.policy.starts_with("biased:"))
        seen.choices.push_back(choice_of(s.policy, s.policy, seen.around.groups));
    return seen;
}

std::string name_of_distance(int distance) {
    switch (distance) {
    case platform::same_core:
        return "same core";
    case platform::same_cache:
        return "same cache";
    case platform::same_node:
        return "same node";
    case platform::nothing_known:
        return "unknown";
    default:
        return "another node";
    }
}

} // namespace saguaro::topology_tool
