// SPDX-License-Identifier: MIT
//
// The ceiling of speedups: what the machine gives to copies of a serial program that share nothing.
// The processors of a virtual machine are sometimes two threads of one core, and sometimes have a
// neighbour: then two copies of a serial program take longer than one, and no runtime is to blame
// when two workers are less than twice as fast. So the grid has beside its parallel rows
//
//     ceiling   copies of the base at once, one for each worker: the time in which P workers would
//               solve one problem if nothing but the machine held them up
//     control   some dense serial code, alone, before and after each round: when it changes its
//               speed, the machine has, and the round is marked
#pragma once

#include "driver/grid.hpp"

#include <cstddef>
#include <vector>

namespace saguaro::bench {

/// The variant `ceiling` of the base's kernel. The base is called by several threads at once, each
/// on a processor of its own while there are enough; it has been called once before.
variant ceiling_of(const variant &base);

/// The seconds of the control: some 20 ms of integer arithmetic that keeps most of a core's units
/// busy, so that a second thread on the same core slows it down.
double control_seconds();

/// The rounds, from 0, before or after which the control was more than 10 % away from its median.
/// `controls` are its seconds before the first round and after each, or none.
std::vector<std::size_t> marked_rounds(const std::vector<double> &controls);

} // namespace saguaro::bench
