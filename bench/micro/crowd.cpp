// SPDX-License-Identifier: MIT
// Starting many workers in a process of their own, and what they cost.
#include "micro/crowd.hpp"

#include "driver/registry.hpp"

namespace saguaro::bench {

namespace {

outcome crowd(long n, int) {
    return measure_crowd(n);
}

} // namespace

registry_entry crowd_bench() {
    const kernel problem = {
        .name = "crowd",
        .meaning = "n workers on the cores there are: idle, woken all at once, started, stopped",
        .base = "saguaro",
        .sizes = {4, 16, 64, 256, 1024},
        .greatest_peer_size = 0,
        .greatest_n = 4096,
        .parallel = false};
    return entry_of(problem, {{alone(fixed("saguaro", crowd))}});
}

} // namespace saguaro::bench
