// SPDX-License-Identifier: MIT
//
// The convex hull of points in the plane, by quickhull: what a child returns may be any object.
// Each half of a hull is a vector, which the spawned call makes in its place; the parent reads it
// after the sync. (W. Eddy 1977; A. Bykat 1978.)
#include "example.h"

#include <cilk/cilk.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

namespace {

constexpr std::ptrdiff_t grain = 2000; // so many points are sorted out faster than a spawn pays

struct point {
    double x, y;
    bool operator<(const point &other) const {
        return x < other.x || (x == other.x && y < other.y);
    }
};
using points = std::vector<point>;

// Twice the area of the triangle; positive: c lies to the left of the line from a to b.
double area(const point &a, const point &b, const point &c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

points left_of(const point &a, const point &b, const points &from) {
    points found;
    std::copy_if(from.begin(), from.end(), std::back_inserter(found),
                 [&](const point &p) { return area(a, b, p) > 0; });
    return found;
}

// The hull from a, which is in it, to b, which is not; all of `outside` lies to the left.
points half(point a, point b, points outside) {
    if (outside.empty())
        return {a};
    const point top =
        *std::max_element(outside.begin(), outside.end(), [&](const point &p, const point &q) {
            return area(a, b, p) < area(a, b, q);
        });
    points before = left_of(a, top, outside), after = left_of(top, b, outside);
    outside = points(); // the children need the memory
    if (static_cast<std::ptrdiff_t>(before.size() + after.size()) < grain) {
        points hull = half(a, top, std::move(before));
        const points rest = half(top, b, std::move(after));
        hull.insert(hull.end(), rest.begin(), rest.end());
        return hull;
    }
    points hull = cilk_spawn half(a, top, std::move(before));
    const points rest = half(top, b, std::move(after));
    cilk_sync;
    hull.insert(hull.end(), rest.begin(), rest.end());
    return hull;
}

points quickhull(const points &all) {
    const auto ends = std::minmax_element(all.begin(), all.end());
    const point first = *ends.first, last = *ends.second;
    points above = cilk_spawn half(first, last, left_of(first, last, all));
    const points below = half(last, first, left_of(last, first, all));
    cilk_sync;
    above.insert(above.end(), below.begin(), below.end());
    return above;
}

// Whether each corner turns to the right, and no point lies outside.
bool is_hull(const points &hull, const points &all) {
    for (std::size_t i = 0; i < hull.size(); i++) {
        const point &a = hull[i], &b = hull[(i + 1) % hull.size()];
        if (hull.size() > 2 && area(a, b, hull[(i + 2) % hull.size()]) >= 0)
            return false;
        if (!left_of(a, b, all).empty())
            return false;
    }
    return !hull.empty();
}

} // namespace

int main(int argc, char *argv[]) {
    static const example program = {"quickhull",
                                    "the convex hull of random points in a circle",
                                    {"POINTS", "how many", 1000000, 1, 100000000},
                                    {{"seed", "of the points", 1, 0, 1000000000}}};
    const example_run run = example_begin(argc, argv, &program);
    auto seed = static_cast<std::uint64_t>(run.options[0]);
    points all(static_cast<std::size_t>(run.size));
    for (point &p : all) {
        const double angle = 6.283185307179586 * example_random_double(&seed);
        const double radius = std::sqrt(example_random_double(&seed));
        p = {radius * std::cos(angle), radius * std::sin(angle)};
    }
    const double begin = example_seconds();
    const points hull = quickhull(all);
    const double seconds = example_seconds() - begin;
    double twice = 0;
    for (std::size_t i = 0; i < hull.size(); i++)
        twice += area({0, 0}, hull[(i + 1) % hull.size()], hull[i]);
    return example_end(&run, seconds, !run.check || is_hull(hull, all),
                       "%zu corners around an area of %.9f", hull.size(), twice / 2);
}
