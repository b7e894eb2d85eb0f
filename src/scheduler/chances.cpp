// SPDX-License-Identifier: MIT
// The weights of victims by latency, and each policy's chances computed from them.
#include "scheduler/chances.hpp"

#include "scheduler/policy.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace saguaro::scheduler {

namespace {

// Of a worker in the same node, where no weights are given. Others weigh less, but not nothing.
constexpr unsigned full_weight = 1000;

unsigned weight_by_latency(int distance) {
    return std::max(1u, full_weight * static_cast<unsigned>(platform::own_latency) /
                            static_cast<unsigned>(platform::latency_of(distance)));
}

} // namespace

std::vector<std::uint64_t> weights_of(const std::vector<distance_group> &groups,
                                      const std::vector<unsigned> &given) {
    std::vector<std::uint64_t> weights;
    for (std::size_t at = 0; at < groups.size(); ++at)
        weights.push_back(given.empty() ? weight_by_latency(groups[at].distance)
                                        : given[std::min(at, given.size() - 1)]);
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
