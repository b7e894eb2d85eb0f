// SPDX-License-Identifier: MIT
// Which processors, and how many, this process may use.
#pragma once

#include <vector>

namespace saguaro::platform {

// The numbers of the processors that the calling thread's affinity mask allows, ascending. Never
// empty: where the kernel gives no mask, it is processor 0 alone. Allocates; two system calls or
// more, so ask once.
std::vector<int> allowed_cpus();

// How many workers a program should start when nobody says: as many as there are allowed
// processors, but no more than the control group's processor quota pays for (rounded up). At
// least 1. Reads files under /proc and /sys: some 100 µs. `quota` is told how many processors the
// quota pays for.
unsigned default_workers(double *quota = nullptr);

// Whether so many threads are one for each processor of the machine, all of which this process may
// use, all of the time: a quota, if there is one, pays for them. Then nobody else is expected
// there. `quota`: what default_workers has told; negative: it is asked for, which takes some
// 100 µs.
bool has_machine(unsigned threads, double quota = -1);

} // namespace saguaro::platform
