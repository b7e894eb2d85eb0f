// SPDX-License-Identifier: MIT
// How likely a thief is to try whom: what the policies that are built in draw by.
#pragma once

#include "scheduler/neighbours.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace saguaro::scheduler {

// What each worker of each of these groups weighs in `biased`. `given[d]` is the weight at the d-th
// smallest distance; distances beyond the last one weigh as much as the last. Empty: weights follow
// the latency of memory; in a node with several caches, a worker that shares the thief's cache
// counts twice.
std::vector<std::uint64_t> weights_of(const std::vector<distance_group> &groups,
                                      const std::vector<unsigned> &given);

// The probability that a thief tries a worker of each of these groups, by the policy of this name
// and after `failed` tries that have found nothing. All are 0 if the thief tries nobody. Empty if
// no policy has the name.
std::vector<double> chances_of(std::string_view policy, const std::vector<distance_group> &groups,
                               unsigned failed);

} // namespace saguaro::scheduler
