// SPDX-License-Identifier: MIT
//
// A picture of mirrors: cilk_for over rows that take very different times, any C++ inside.
#include "example.h"

#include <cilk/cilk.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <numeric>
#include <vector>

namespace {

struct vec {
    double x, y, z;
    vec operator+(vec b) const { return {x + b.x, y + b.y, z + b.z}; }
    vec operator-(vec b) const { return {x - b.x, y - b.y, z - b.z}; }
    vec operator*(double s) const { return {x * s, y * s, z * s}; }
    double dot(vec b) const { return x * b.x + y * b.y + z * b.z; }
    vec unit() const { return *this * (1 / std::sqrt(dot(*this))); }
};

struct ray {
    vec from, to;
};
struct spot { // where a ray meets something first
    double distance = 1e30, mirror = 0;
    vec normal{}, colour{};
};

struct thing {
    virtual ~thing() = default;
    virtual void meet(const ray &r, spot &first) const = 0;
};

struct sphere : thing {
    sphere(vec middle, double radius, vec colour) : m(middle), r(radius), c(colour) {}
    void meet(const ray &by, spot &first) const override {
        const vec d = by.from - m;
        const double b = d.dot(by.to), root = b * b - d.dot(d) + r * r;
        const double distance = root < 0 ? 0 : -b - std::sqrt(root);
        if (distance > 1e-6 && distance < first.distance)
            first = {distance, 0.4, (d + by.to * distance) * (1 / r), c};
    }
    vec m;
    double r;
    vec c;
};

struct board : thing { // the plane y = 0
    void meet(const ray &r, spot &first) const override {
        const double distance = -r.from.y / r.to.y;
        if (distance < 1e-6 || distance > first.distance)
            return;
        const vec at = r.from + r.to * distance;
        const bool odd = (std::lround(std::floor(at.x)) + std::lround(std::floor(at.z))) % 2 != 0;
        first = {distance, 0.2, {0, 1, 0}, odd ? vec{0.85, 0.8, 0.7} : vec{0.15, 0.2, 0.3}};
    }
};

using scene = std::vector<std::unique_ptr<thing>>;
spot meet(const scene &all, const ray &r) {
    spot first;
    for (const auto &one : all)
        one->meet(r, first);
    return first;
}

vec light(const scene &all, const ray &r, int mirrors) {
    const vec sun = vec{-0.5, 0.8, -0.4}.unit();
    const spot s = meet(all, r);
    if (s.mirror == 0) // the sky
        return vec{0.5, 0.7, 1} * (0.4 + 0.6 * std::max(r.to.y, 0.0));
    const vec at = r.from + r.to * s.distance, back = r.to - s.normal * (2 * s.normal.dot(r.to));
    const double lit = meet(all, {at, sun}).mirror == 0 ? std::max(s.normal.dot(sun), 0.0) : 0;
    const vec own = s.colour * (0.25 + 0.75 * lit);
    return mirrors == 0 ? own
                        : own * (1 - s.mirror) + light(all, {at, back}, mirrors - 1) * s.mirror;
}

} // namespace

int main(int argc, char *argv[]) {
    static const example program = {"raytracer",
                                    "a picture of spheres that mirror each other",
                                    {"WIDTH", "in pixels; the height is 3/4 of it", 640, 1, 10000},
                                    {{"mirrors", "that a ray meets at most", 5, 0, 100},
                                     {"write", "1: the file raytracer.ppm", 0, 0, 1}}};
    const example_run run = example_begin(argc, argv, &program);
    scene all;
    all.push_back(std::make_unique<board>());
    for (int i = 0; i < 7; i++) {
        const double a = 0.9 * i, r = 0.5 + 0.07 * i;
        all.push_back(std::make_unique<sphere>(vec{3 * std::cos(a), r, 2.2 * std::sin(a) + 7}, r,
                                               vec{0.95 - 0.12 * i, 0.25, 0.2 + 0.12 * i}));
    }
    const auto width = static_cast<int>(run.size), height = std::max(width * 3 / 4, 1);
    std::vector<unsigned char> picture(static_cast<std::size_t>(width * height * 3));
    const double begin = example_seconds();
    cilk_for(int y = 0; y < height; y++) {
        auto *out = &picture[static_cast<std::size_t>(y * width * 3)];
        for (int x = 0; x < width; x++) {
            const vec to{(2.0 * x - width) / width, 0.45 - 1.5 * y / height, 1.6};
            const vec c = light(all, {{0, 1.4, 0}, to.unit()}, static_cast<int>(run.options[0]));
            for (const double part : {c.x, c.y, c.z})
                *out++ = static_cast<unsigned char>(255 * std::sqrt(std::min(part, 1.0)));
        }
    }
    const double seconds = example_seconds() - begin;
    if (run.options[1] != 0) {
        std::ofstream file("raytracer.ppm", std::ios::binary);
        file << "P6 " << width << ' ' << height << " 255\n";
        file.write(reinterpret_cast<const char *>(picture.data()), long(picture.size()));
    }
    const unsigned long sum = std::accumulate(picture.begin(), picture.end(), 0UL);
    return example_end(&run, seconds, 1, "%d x %d pixels, sum %lu", width, height, sum);
}
