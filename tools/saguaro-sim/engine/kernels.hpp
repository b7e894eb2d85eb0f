// SPDX-License-Identifier: MIT
// The workloads of workloads.cpp. Each writes its events; the values are those of its keys.
#pragma once

#include "program.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::sim {

void make_fib(program_builder &out, const std::vector<double> &values);
void make_tree(program_builder &out, const std::vector<double> &values);
void make_loop(program_builder &out, const std::vector<double> &values);
void make_stream(program_builder &out, const std::vector<double> &values);
void make_matmul(program_builder &out, const std::vector<double> &values);
void make_strassen(program_builder &out, const std::vector<double> &values);
void make_cholesky(program_builder &out, const std::vector<double> &values);

// A parallel loop: halves, down to `grain` iterations, for which `leaf(first, last)` writes events.
template <class Leaf>
void halves(program_builder &out, std::uint64_t first, std::uint64_t last, std::uint64_t grain,
            Leaf leaf) {
    if (last - first <= grain) {
        leaf(first, last);
        return;
    }
    const std::uint64_t middle = first + (last - first) / 2;
    out.call();
    out.spawn();
    halves(out, first, middle, grain, leaf);
    out.child_ends();
    halves(out, middle, last, grain, leaf);
    out.leave();
}

// Misses of a part of what a strand reads and writes. The work that a strand of a workload does has
// the time of its misses, as a measured one has.
struct misses {
    double percent;

    // Bytes of whole lines.
    void write(program_builder &out, const range_event &of) const;
};

} // namespace saguaro::sim
