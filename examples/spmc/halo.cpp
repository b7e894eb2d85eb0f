// SPDX-License-Identifier: MIT
//
// halo [CELLS] [STEPS] [SPACES]: heat in a rod, whose ends are held at 1 and at 0.
//
// Each space has a part of the rod. In each step it sends its outermost cells to its neighbours and
// receives theirs: the halo of its part. A space is never more than one step ahead of its
// neighbours, and no barrier is needed. The result has the same bits for any number of spaces.
#include "spmc_example.hpp"

#include <cstdio>
#include <saguaro/channel.hpp>
#include <saguaro/space.hpp>
#include <utility>
#include <vector>

namespace {

using cells = saguaro::channel<double>;

/// The ways between two neighbours.
struct border {
    cells to_the_right;
    cells to_the_left;
};

/// The heat in cells [begin, end) of the rod after so many steps. `left` and `right` are null where
/// the rod ends.
std::vector<double> part_of_rod(std::size_t size, int steps, const border *left,
                                const border *right) {
    std::vector<double> now(size + 2, 0.0); // the halo is before and behind
    now.front() = 1.0;
    std::vector<double> next = now;
    for (int step = 0; step < steps; ++step) {
        if (left != nullptr)
            left->to_the_left.send(now[1]);
        if (right != nullptr)
            right->to_the_right.send(now[size]);
        now.front() = left != nullptr ? left->to_the_right.receive() : 1.0;
        now.back() = right != nullptr ? right->to_the_left.receive() : 0.0;
        for (std::size_t i = 1; i <= size; ++i)
            next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
        std::swap(now, next);
    }
    return {now.begin() + 1, now.end() - 1};
}

} // namespace

int main(int argc, char **argv) {
    example::at_most(argc, 3, "halo [CELLS] [STEPS] [SPACES]");
    const int size = example::number(argc, argv, 1, "halo: CELLS", 1000, 1, 100000000);
    const int steps = example::number(argc, argv, 2, "halo: STEPS", 10000, 0, 100000000);
    const int most = size < 256 ? size : 256;
    const int count = example::number(argc, argv, 3, "halo: SPACES", size < 2 ? 1 : 2, 1, most);
    const std::vector<border> borders(static_cast<std::size_t>(count - 1));
    std::vector<cells> results;
    std::vector<saguaro::space> spaces;
    for (int k = 0; k < count; ++k) {
        const auto begin = static_cast<std::size_t>(static_cast<long>(size) * k / count);
        const auto end = static_cast<std::size_t>(static_cast<long>(size) * (k + 1) / count);
        const auto at = static_cast<std::size_t>(k);
        results.emplace_back();
        spaces.emplace_back([=, &borders, out = results.back()] {
            out.send(part_of_rod(end - begin, steps, k > 0 ? &borders[at - 1] : nullptr,
                                 k + 1 < count ? &borders[at] : nullptr));
        });
    }
    std::vector<double> rod;
    for (const cells &result : results) {
        const auto part = result.view();
        rod.insert(rod.end(), part.begin(), part.end());
    }
    for (const saguaro::space &each : spaces)
        each.wait();
    std::printf("the heat at a tenth, a third and the middle: %.17g %.17g %.17g\n",
                rod[rod.size() / 10], rod[rod.size() / 3], rod[rod.size() / 2]);
    return 0;
}
