// SPDX-License-Identifier: MIT
// Running copies of a serial program side by side, and the control that watches the clock speed.
#include "driver/ceiling.hpp"

#include "driver/median.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <future>
#include <platform/cpus.hpp>
#include <platform/thread.hpp>

namespace saguaro::bench {

namespace {

/// The seconds of so many copies, each on one processor.
std::vector<double> run_copies(const variant &base, long n, int copies) {
    const std::vector<int> cpus = platform::allowed_cpus();
    std::vector<std::future<double>> running;
    for (int i = 0; i < copies; i++) {
        running.push_back(std::async(std::launch::async, [&, i] {
            platform::pin_to_cpu(cpus[static_cast<std::size_t>(i) % cpus.size()]);
            return base.run(n, 1).seconds;
        }));
    }
    std::vector<double> seconds;
    for (std::future<double> &one : running)
        seconds.push_back(one.get());
    return seconds;
}

} // namespace

variant ceiling_of(const variant &base) {
    variant made = base;
    made.name = "ceiling";
    made.parallel = true;
    made.ceiling = true;
    made.run = [base](long n, int workers) -> outcome {
        double problems_a_second = 0;
        for (double seconds : run_copies(base, n, workers))
            problems_a_second += 1 / seconds;
        return 1 / problems_a_second;
    };
    return made;
}

double control_seconds() {
    constexpr long turns = 30'000'000;
    std::uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
    const auto start = std::chrono::steady_clock::now();
    for (long i = 0; i < turns; i++) {
        // Six chains, none of which waits for another.
        a += a >> 3;
        b ^= b >> 5;
        c -= c << 1;
        d += d >> 7;
        e ^= e << 2;
        f -= f >> 9;
        __asm__ __volatile__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<std::size_t> marked_rounds(const std::vector<double> &controls) {
    if (controls.empty())
        return {};
    constexpr double tolerance = 0.1;
    const double usual = median(controls);
    const auto has_moved = [&](double seconds) {
        return std::abs(seconds - usual) > tolerance * usual;
    };
    std::vector<std::size_t> marked;
    for (std::size_t round = 0; round + 1 < controls.size(); round++)
        if (has_moved(controls[round]) || has_moved(controls[round + 1]))
            marked.push_back(round);
    return marked;
}

} // namespace saguaro::bench
