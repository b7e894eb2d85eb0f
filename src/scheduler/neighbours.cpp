// SPDX-License-Identifier: MIT
// Sorting the other workers by their distance from one.
#include "scheduler/neighbours.hpp"

#include <algorithm>
#include <utility>

namespace saguaro::scheduler {

void seating::start(std::shared_ptr<const platform::topology> machine,
                    const std::vector<int> &cpus) {
    machine_ = std::move(machine);
    cpus_ = cpus;
    if (machine_ != nullptr && !machine_->cpus().empty()) {
        const std::vector<int> &there = machine_->cpus();
        for (std::size_t worker = 0; worker < cpus_.size(); ++worker)
            cpus_[worker] = there[worker % there.size()];
        return;
    }
    if (std::find(cpus.begin(), cpus.end(), -1) == cpus.end())
        machine_ = std::make_shared<const platform::topology>(platform::topology::load());
    else
        machine_ = nullptr;
}

neighbours seating::around(std::uint32_t worker) const {
    std::vector<std::pair<int, std::uint32_t>> others;
    for (std::uint32_t other = 0; other < cpus_.size(); ++other)
        if (other != worker)
            others.emplace_back(machine_ == nullptr
                                    ? platform::same_node
                                    : machine_->distance(cpus_[worker], cpus_[other]),
                                other);
    std::sort(others.begin(), others.end());
    neighbours found;
    for (const auto &[distance, other] : others) {
        if (found.groups.empty() || found.groups.back().distance != distance)
            found.groups.push_back({distance, static_cast<std::uint32_t>(found.workers.size()), 0});
        ++found.groups.back().count;
        found.workers.push_back(other);
    }
    return found;
}

} // namespace saguaro::scheduler
