// SPDX-License-Identifier: MIT
//
// mandelbrot FILE.png [WIDTH] [--serial]: draws the Mandelbrot set.
//
// One row of pixels is one iteration of a parallel loop. Rows through the middle of the set take a
// hundred times as long as those at the edge, and the loop has no grain size and no schedule: a
// worker that has nothing to do takes half of the rows that another one has left. Each pixel is
// written by whoever computes it, so the file is the same, byte for byte, on any number of workers.
#include "example.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <png.h>
#include <saguaro/parallel_for.hpp>

namespace {

constexpr int most_iterations = 1000;
constexpr int samples = 3; // in a row and in a column of each pixel

using colour = std::array<double, 3>;

/// How long the point takes to leave the circle of radius 16, with a fraction; -1 if it stays.
double escape_time(std::complex<double> c) {
    double x = 0;
    double y = 0;
    for (int i = 0; i < most_iterations; ++i) {
        const double xx = x * x;
        const double yy = y * y;
        if (xx + yy > 256)
            return i + 1 - std::log2(std::log2(xx + yy) / 2);
        y = 2 * x * y + c.imag();
        x = xx - yy + c.real();
    }
    return -1;
}

/// Black inside; outside from dark blue through white and gold to black, the slower the later.
colour colour_of(std::complex<double> c) {
    const double time = escape_time(c);
    if (time < 0)
        return {0, 0, 0};
    constexpr std::array<colour, 5> stops = {
        {{0, 7, 100}, {32, 107, 203}, {237, 255, 255}, {255, 170, 0}, {0, 2, 0}}};
    const double at = std::fmod(std::sqrt(std::max(time, 0.0)), stops.size());
    const auto before = static_cast<std::size_t>(at);
    const colour &from = stops[before];
    const colour &to = stops[(before + 1) % stops.size()];
    const double share = at - static_cast<double>(before);
    colour mixed{};
    for (std::size_t i = 0; i < mixed.size(); ++i)
        mixed[i] = from[i] + (to[i] - from[i]) * share;
    return mixed;
}

struct picture {
    unsigned width;
    unsigned height = width * 2 / 3;
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(std::size_t{3} * width * height);

    /// The real axis goes from -2.5 to 1.1 and lies in the middle.
    void draw_row(unsigned row) {
        const double step = 3.6 / (width * samples);
        for (unsigned column = 0; column < width; ++column) {
            colour sum{};
            for (unsigned i = 0; i < samples * samples; ++i) {
                const double x = column * samples + i % samples + 0.5;
                const double y = row * samples + i / samples + 0.5 - height * samples / 2.0;
                const colour one = colour_of({-2.5 + x * step, y * step});
                for (std::size_t part = 0; part < sum.size(); ++part)
                    sum[part] += one[part];
            }
            for (std::size_t part = 0; part < sum.size(); ++part)
                bytes[(std::size_t{row} * width + column) * 3 + part] =
                    static_cast<std::uint8_t>(sum[part] / (samples * samples));
        }
    }
};

} // namespace

int main(int argc, char **argv) {
    const example::arguments given(argc, argv, "mandelbrot FILE.png [WIDTH] [--serial]", 1, 2);
    picture drawn{given.number(1, "mandelbrot: WIDTH", 960, 3, 20000)};
    example::timed(given.serial, [&] {
        if (given.serial)
            for (unsigned row = 0; row < drawn.height; ++row)
                drawn.draw_row(row);
        else
            saguaro::parallel_for(0U, drawn.height, [&](unsigned row) { drawn.draw_row(row); });
    });
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = drawn.width;
    image.height = drawn.height;
    image.format = PNG_FORMAT_RGB;
    if (png_image_write_to_file(&image, given.words[0].c_str(), 0, drawn.bytes.data(), 0,
                                nullptr) == 0) {
        std::fprintf(stderr, "mandelbrot: %s: %s\n", given.words[0].c_str(), image.message);
        return 1;
    }
    std::printf("%s: %u x %u\n", given.words[0].c_str(), drawn.width, drawn.height);
}
