// SPDX-License-Identifier: MIT
// The built-in spawn trees: fib, random trees, loops and streams.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace saguaro::sim {

namespace {

std::uint64_t whole(double value) {
    return static_cast<std::uint64_t>(std::llround(value));
}

void fib(program_builder &out, std::uint64_t n, std::uint64_t ns) {
    out.work(ns);
    if (n < 2)
        return;
    out.spawn();
    fib(out, n - 1, ns);
    out.child_ends();
    out.call();
    fib(out, n - 2, ns);
    out.leave();
    out.sync();
}

struct random_tree {
    program_builder &out;
    std::mt19937_64 random;
    std::uint64_t branch;
    std::uint64_t ns;

    std::uint64_t up_to(std::uint64_t most) { return random() % (most + 1); }

    void grow(std::uint64_t depth) {
        out.work(up_to(ns));
        if (depth == 0)
            return;
        const std::uint64_t children = up_to(branch);
        for (std::uint64_t child = 0; child < children; ++child) {
            out.spawn();
            grow(depth - 1);
            out.child_ends();
            out.work(up_to(ns));
            if (up_to(3) == 0)
                out.sync();
        }
        if (children > 0 && up_to(3) == 0) {
            out.call();
            grow(depth - 1);
            out.leave();
        }
        out.sync();
        out.work(up_to(ns));
    }
};

} // namespace

void make_fib(program_builder &out, const std::vector<double> &values) {
    fib(out, whole(values[0]), whole(values[1]));
}

void make_tree(program_builder &out, const std::vector<double> &values) {
    random_tree tree{out, std::mt19937_64(whole(values[3])), whole(values[1]), whole(values[2])};
    tree.grow(whole(values[0]));
}

void make_loop(program_builder &out, const std::vector<double> &values) {
    constexpr std::uint64_t parts = 2048;
    const std::uint64_t n = whole(values[0]);
    // Rounded first: halves of one iteration down to none would never end.
    const std::uint64_t asked = whole(values[2]);
    const std::uint64_t grain = asked > 0 ? asked : std::max<std::uint64_t>(1, n / parts);
    halves(out, 0, n, grain, [&](std::uint64_t first, std::uint64_t last) {
        out.work(whole(static_cast<double>(last - first) * values[1]));
    });
}

void misses::write(program_builder &out, const range_event &of) const {
    const std::uint64_t lines = of.bytes / line_bytes;
    const std::uint64_t missed = whole(static_cast<double>(lines) * percent / 100);
    const std::uint64_t bytes = missed * line_bytes;
    out.work(whole(static_cast<double>(missed) * costs().line));
    if (bytes > 0)
        out.touch({of.id, of.offset, bytes});
    if (bytes < of.bytes)
        out.reuse({of.id, of.offset + bytes, of.bytes - bytes});
}

void make_stream(program_builder &out, const std::vector<double> &values) {
    constexpr std::uint64_t a_kilobyte = 1024;
    const std::uint64_t bytes = whole(values[0] * 1024 * 1024);
    const std::uint64_t grain = whole(values[1]) * a_kilobyte;
    const std::uint64_t vector = out.object(bytes);
    for (std::uint64_t pass = 0; pass < whole(values[2]); ++pass)
        halves(out, 0, bytes, grain, [&](std::uint64_t first, std::uint64_t last) {
            out.work(whole(static_cast<double>((last - first) / line_bytes) * values[3]));
            misses{values[4]}.write(out, {vector, first, last - first});
        });
}

} // namespace saguaro::sim
