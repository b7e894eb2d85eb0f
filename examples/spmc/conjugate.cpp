// SPDX-License-Identifier: MIT
//
// conjugate [N] [SPACES]: heat at rest in a square plate of N x N cells that is heated evenly and
// whose border is held at 0, by conjugate gradients.
//
// Each space has some rows of the plate. In each step it exchanges its outermost rows with its
// neighbours through channels, and all spaces add up two numbers by an allreduce. The second one
// tells how far the solution is, so all spaces stop at the same step. A sum depends in its last
// bits on the number of spaces, but on nothing else.
#include "spmc_example.hpp"

#include <algorithm>
#include <cstdio>
#include <saguaro/channel.hpp>
#include <saguaro/collective.hpp>
#include <saguaro/space.hpp>
#include <span>
#include <vector>

namespace {

using row = saguaro::channel<double>;

/// The ways between two neighbours.
struct border {
    row down;
    row up;
};

/// What one space has: rows of `width` cells, with one row of a neighbour's before and one behind.
class part {
public:
    part(std::size_t rows, std::size_t width) : rows_(rows), width_(width) {}

    std::vector<double> field(double value) const {
        std::vector<double> made((rows_ + 2) * width_, 0.0);
        for (std::size_t i = width_; i < made.size() - width_; ++i)
            made[i] = value;
        return made;
    }

    /// `above` and `below` are null where the plate ends.
    void exchange_borders(std::vector<double> &of, const border *above, const border *below) const {
        const std::span<double> all(of);
        if (above != nullptr)
            above->up.send(all.subspan(width_, width_));
        if (below != nullptr)
            below->down.send(all.subspan(rows_ * width_, width_));
        if (above != nullptr)
            copy(above->down, all.first(width_));
        if (below != nullptr)
            copy(below->up, all.last(width_));
    }

    /// Four times each cell, less its neighbours.
    void apply(const std::vector<double> &to, std::vector<double> &result) const {
        for (std::size_t i = width_; i < to.size() - width_; ++i) {
            const double left = i % width_ != 0 ? to[i - 1] : 0.0;
            const double right = (i + 1) % width_ != 0 ? to[i + 1] : 0.0;
            result[i] = 4 * to[i] - left - right - to[i - width_] - to[i + width_];
        }
    }

    /// Of the part's own rows.
    double product(const std::vector<double> &a, const std::vector<double> &b) const {
        double sum = 0;
        for (std::size_t i = width_; i < a.size() - width_; ++i)
            sum += a[i] * b[i];
        return sum;
    }

private:
    static void copy(const row &from, std::span<double> to) {
        const auto seen = from.view();
        std::copy(seen.begin(), seen.end(), to.begin());
        from.done();
    }

    const std::size_t rows_;
    const std::size_t width_;
};

void add(std::vector<double> &to, double factor, const std::vector<double> &what) {
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += factor * what[i];
}

struct solution {
    int steps;
    double heat; // of all cells
};

solution solve(const saguaro::team &all, unsigned member, std::size_t rows, std::size_t width,
               const border *above, const border *below) {
    const part mine(rows, width);
    std::vector<double> heat = mine.field(0.0);
    std::vector<double> rest = mine.field(1.0);
    std::vector<double> direction = rest;
    std::vector<double> applied = mine.field(0.0);
    double error = all.allreduce(member, mine.product(rest, rest));
    const double enough = error * 1e-24;
    int steps = 0;
    for (; error > enough; ++steps) {
        mine.exchange_borders(direction, above, below);
        mine.apply(direction, applied);
        const double length = error / all.allreduce(member, mine.product(direction, applied));
        add(heat, length, direction);
        add(rest, -length, applied);
        const double before = error;
        error = all.allreduce(member, mine.product(rest, rest));
        for (std::size_t i = 0; i < direction.size(); ++i)
            direction[i] = rest[i] + error / before * direction[i];
    }
    return {steps, all.allreduce(member, mine.product(heat, mine.field(1.0)))};
}

} // namespace

int main(int argc, char **argv) {
    example::at_most(argc, 2, "conjugate [N] [SPACES]");
    const int size = example::number(argc, argv, 1, "conjugate: N", 200, 1, 10000);
    const int most = size < 256 ? size : 256;
    const int count =
        example::number(argc, argv, 2, "conjugate: SPACES", size < 2 ? 1 : 2, 1, most);
    const saguaro::team all(static_cast<unsigned>(count));
    const std::vector<border> borders(static_cast<std::size_t>(count - 1));
    const auto act = [&](int k) {
        const int rows = size * (k + 1) / count - size * k / count;
        const auto at = static_cast<std::size_t>(k);
        return solve(all, static_cast<unsigned>(k), static_cast<std::size_t>(rows),
                     static_cast<std::size_t>(size), k > 0 ? &borders[at - 1] : nullptr,
                     k + 1 < count ? &borders[at] : nullptr);
    };
    std::vector<saguaro::space> others;
    for (int k = 1; k < count; ++k)
        others.emplace_back([&, k] { act(k); });
    const solution found = act(0);
    for (const saguaro::space &each : others)
        each.wait();
    const double cells = static_cast<double>(size) * size;
    const double scale = 1.0 / ((size + 1.0) * (size + 1.0)); // of a plate with sides of length 1
    std::printf("%d steps, mean heat %.9f\n", found.steps, found.heat / cells * scale);
    return 0;
}
