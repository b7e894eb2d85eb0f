// SPDX-License-Identifier: MIT
//
// matmult_mp [N] [SPACES]: the product of two N x N matrices, by spaces.
//
// This is the program matmult-mp of Zhang and Ford's paper. Every space reads the second matrix
// from one channel with many consumers, so there is one copy of it, and gets its rows of the first
// from a channel of its own. The result's rows come back through another one.
#include "spmc_example.hpp"

#include <chrono>
#include <cstdio>
#include <saguaro/channel.hpp>
#include <saguaro/space.hpp>
#include <span>
#include <vector>

namespace {

using matrix = std::vector<double>;
using rows = saguaro::channel<double>;

matrix some_matrix(int n, int seed) {
    matrix m(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
    unsigned state = static_cast<unsigned>(seed);
    for (double &x : m) {
        state = state * 1664525U + 1013904223U;
        x = static_cast<double>(state >> 8) / (1 << 24) - 0.5;
    }
    return m;
}

void multiply(std::span<const double> a, std::span<const double> b, std::span<double> c,
              std::size_t n) {
    for (std::size_t i = 0; i < a.size() / n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/// The part of [0, n) that space `k` of `count` has, as its begin.
std::size_t part(int n, int k, int count) {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(k) /
           static_cast<std::size_t>(count);
}

} // namespace

int main(int argc, char **argv) {
    example::at_most(argc, 2, "matmult_mp [N] [SPACES]");
    const int size = example::number(argc, argv, 1, "matmult_mp: N", 512, 1, 8192);
    const int count = example::number(argc, argv, 2, "matmult_mp: SPACES", 2, 1, 256);
    const auto n = static_cast<std::size_t>(size);
    const auto start = std::chrono::steady_clock::now();

    const rows second(static_cast<unsigned>(count));
    std::vector<rows> there;
    std::vector<rows> back;
    std::vector<saguaro::space> spaces;
    for (int k = 0; k < count; ++k) {
        there.emplace_back();
        back.emplace_back();
        spaces.emplace_back([=, in = there.back(), out = back.back()] {
            const auto b = second.view(static_cast<unsigned>(k));
            const auto a = in.view();
            out.send_in_place(a.size(), [&](std::span<double> c) {
                std::fill(c.begin(), c.end(), 0.0);
                multiply(a, b, c, n);
            });
        });
    }
    second.send(some_matrix(size, 2));
    const matrix first = some_matrix(size, 1);
    for (int k = 0; k < count; ++k)
        there[static_cast<std::size_t>(k)].send(std::span(first).subspan(
            part(size, k, count) * n, (part(size, k + 1, count) - part(size, k, count)) * n));
    double trace = 0;
    for (int k = 0; k < count; ++k) {
        const auto c = back[static_cast<std::size_t>(k)].view();
        for (std::size_t i = part(size, k, count); i < part(size, k + 1, count); ++i)
            trace += c[(i - part(size, k, count)) * n + i];
    }
    for (const saguaro::space &each : spaces)
        each.wait();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("the sum of the diagonal is %.9f\n", trace);
    std::fprintf(stderr, "%.3f seconds, %d space(s)\n", taken.count(), count);
    return 0;
}
