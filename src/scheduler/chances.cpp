// SPDX-License-Identifier: MIT
// The weights of victims by latency, and each policy's chances computed from them.
#include "scheduler/chances.hpp"

#include "scheduler/policy.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace saguaro::scheduler {

namespace {

// Of a worker in the same node, where no weights are given. Those of other nodes weigh less, but
// not nothing.
constexpr unsigned full_weight = 1000;

// Of a worker behind the thief's own cache, in a node that has several: the frame and its data are
// in that cache, and the lock's line does not leave it. Twice is a cautious estimate.
constexpr unsigned weight_in_own_cache = 2 * full_weight;

unsigned weight_by_latency(int distance) {
    return std::max(1u, full_weight * static_cast<unsigned>(platform::own_latency) /
                            static_cast<unsigned>(platform::latency_of(distance)));
}

// Whether workers of the thief's node are behind another cache than its own.
bool node_has_several_caches(const std::vector<distance_group> &groups) {
    return std::any_of(groups.begin(), groups.end(), [](const distance_group &each) {
        return each.distance == platform::same_node;
    });
}

std::vector<std::uint64_t> weights_by_machine(const std::vector<distance_group> &groups) {
    const bool caches_differ = node_has_several_caches(groups);
    std::vector<std::uint64_t> weights;
    for (const distance_group &each : groups)
        weights.push_back(caches_differ && each.distance <= platform::same_cache
                              ? weight_in_own_cache
                              : weight_by_latency(each.distance));
    return weights;
}

} // namespace

std::vector<std::uint64_t> weights_of(const std::vector<distance_group> &groups,
                                      const std::vector<unsigned> &given) {
    if (given.empty())
        return weights_by_machine(groups);
    std::vector<std::uint64_t> weights;
    for (std::size_t at = 0; at < groups.size(); ++at)
        weights.push_back(given[std::min(at, given.size() - 1)]);
    return weights;
}

std::vector<double> chances_of(std::string_view policy, const std::vector<distance_group> &groups,
                               unsigned failed) {
    std::vector<std::uint64_t> weights;
    if (policy == "uniform") {
        weights.assign(groups.size(), 1);
    } else if (policy == "nearest") {
        weights.assign(groups.size(), 0);
        if (!groups.empty())
            weights[group_in_turn(groups, failed)] = 1;
    } else if (const auto given = weights_in(policy)) {
        weights = weights_of(groups, *given);
    } else {
        return {};
    }
    std::vector<double> chances;
    for (std::size_t at = 0; at < groups.size(); ++at)
        chances.push_back(static_cast<double>(weights[at]) * groups[at].count);
    const double all = std::accumulate(chances.begin(), chances.end(), 0.0);
    if (all > 0)
        for (double &each : chances)
            each /= all;
    return chances;
}

} // namespace saguaro::scheduler
