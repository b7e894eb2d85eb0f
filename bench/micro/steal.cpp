// SPDX-License-Identifier: MIT
// The variants of steal: the thief's latency, the victim's loss and the fence alone.
#include "micro/steal.hpp"

#include "driver/registry.hpp"
#include "micro/two_workers.hpp"

namespace saguaro::bench {

registry_entry steal_bench() {
    const kernel problem = {.name = "steal",
                            .meaning =
                                "n steals, one at a time: the thief's latency, the victim's loss",
                            .base = "latency",
                            .sizes = {5000},
                            .greatest_peer_size = 0,
                            .greatest_n = 10'000'000,
                            .parallel = false,
                            .operations = n_operations};
    const std::vector<variant> variants = {
        fixed("latency", on_two_workers<measure_steal_latency>),
        fixed("victim-loss", on_two_workers<measure_victim_loss>),
        fixed("fence-alone", on_two_workers<measure_fence_loss>),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
