// SPDX-License-Identifier: MIT
//
// nbody [BODIES] [STEPS] [--serial]: bodies that attract each other, by the leapfrog method.
//
// A step asks, for each body, what all others do to it: one parallel loop over bodies, in which
// every iteration adds in the same order as the serial loop. The energy is a sum over all bodies;
// `exact_sum` rounds it once, at the end, so that it has the same bits whoever added what. What the
// program prints is therefore the same on any number of workers, to the last digit.
#include "example.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <saguaro/exact_sum.hpp>
#include <saguaro/parallel_for.hpp>
#include <saguaro/reducer.hpp>

namespace {

constexpr double softening = 1e-3; // squared; keeps bodies that meet from flying apart
constexpr double time_step = 1e-3;

struct vector {
    double x = 0, y = 0, z = 0;

    vector &operator+=(const vector &v) {
        x += v.x;
        y += v.y;
        z += v.z;
        return *this;
    }
    friend vector operator-(vector a, const vector &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend vector operator*(vector v, double s) { return {v.x * s, v.y * s, v.z * s}; }
    double squared() const { return x * x + y * y + z * z; }
};

struct body {
    vector place, velocity, pull;
};

class galaxy {
public:
    galaxy(unsigned bodies, bool serial) : bodies_(bodies), serial_(serial) {
        std::mt19937_64 random(7);
        const auto number = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
        for (body &one : bodies_) {
            one.place = {number(), number(), number() / 4};
            one.velocity = vector{-one.place.y, one.place.x, 0} * 0.5; // it turns
        }
        attract();
    }

    void step() {
        each([](body &one) {
            one.velocity += one.pull * (time_step / 2);
            one.place += one.velocity * time_step;
        });
        attract();
        each([](body &one) { one.velocity += one.pull * (time_step / 2); });
    }

    double energy() {
        saguaro::reducer<saguaro::exact_sum<double>> total;
        each([&](const body &one) {
            *total += mass() * one.velocity.squared() / 2;
            for (const body *other = &one + 1; other != bodies_.data() + bodies_.size(); ++other)
                *total -=
                    mass() * mass() / std::sqrt((other->place - one.place).squared() + softening);
        });
        return total.get();
    }

    const vector &place_of_the_first() const { return bodies_.front().place; }

private:
    double mass() const { return 1 / static_cast<double>(bodies_.size()); }

    /// Calls f for each body, in parallel if the program is to be.
    template <class F>
    void each(const F &f) {
        if (serial_)
            std::for_each(bodies_.begin(), bodies_.end(), f);
        else
            saguaro::parallel_for(bodies_.begin(), bodies_.end(), f);
    }

    /// Computes what pulls at each body.
    void attract() {
        each([this](body &one) {
            vector sum;
            for (const body &other : bodies_) {
                const vector way = other.place - one.place;
                const double square = way.squared() + softening;
                sum += way * (mass() / (square * std::sqrt(square)));
            }
            one.pull = sum;
        });
    }

    std::vector<body> bodies_;
    bool serial_;
};

} // namespace

int main(int argc, char **argv) {
    const example::arguments given(argc, argv, "nbody [BODIES] [STEPS] [--serial]", 0, 2);
    const unsigned bodies = given.number(0, "nbody: BODIES", 2000, 1, 1000000);
    const unsigned steps = given.number(1, "nbody: STEPS", 10, 0, 1000000);
    galaxy turning(bodies, given.serial);
    std::printf("energy %.15g\n", turning.energy());
    example::timed(given.serial, [&] {
        for (unsigned i = 0; i < steps; ++i)
            turning.step();
    });
    const vector &first = turning.place_of_the_first();
    std::printf("energy %.15g after %u steps of %u bodies\n", turning.energy(), steps, bodies);
    std::printf("the first is at %.15g %.15g %.15g\n", first.x, first.y, first.z);
}
