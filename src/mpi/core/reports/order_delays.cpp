// SPDX-License-Identifier: MIT
// Measuring waits for an order by call and program address, and printing the dearest.
#include "mpi/core/reports/order_delays.hpp"

#include "mpi/core/clock/parked_memory.hpp"
#include "mpi/core/reports/call_sites.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/variables.hpp"
#include "platform/clock.hpp"
#include "platform/settings.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace saguaro::mpi::order_delays {

bool is_measured = false;

namespace {

struct cost {
    std::int64_t time = 0; // ns
    std::uint64_t times = 0;
};

struct site {
    const char *call;
    const void *where; // in the program
    bool operator<(const site &other) const {
        return where != other.where ? where < other.where : std::strcmp(call, other.call) < 0;
    }
};

bool prints = false;
std::int64_t patience = 0; // ns; 0: without end

// The present wait:
const char *in_call = "";
std::int64_t since = 0; // held up; 0: it is not
bool was_named = false;

std::uint64_t waits = 0;
cost all;
// Which there are depends on who is faster.
std::map<site, cost, std::less<>, parked_allocator<std::pair<const site, cost>>> sites;

constexpr std::size_t most_sites = 8; // are said

} // namespace

void begin() {
    prints = platform::value_of(variables::stats) != nullptr;
    if (const char *const seconds = platform::value_of(variables::patience)) {
        char *rest = nullptr;
        patience = static_cast<std::int64_t>(std::strtod(seconds, &rest) * 1e9);
        if (*rest != '\0' || patience <= 0)
            fail("%s=%s: this is no number of seconds", variables::patience.name, seconds);
    }
    is_measured = prints || patience != 0;
    // The first time it loads a library, and takes memory of the program's.
    if (prints)
        program_address();
}

void end() {
    if (!prints)
        return;
    say("%llu of %llu waits were for an order alone, for %.6f s",
        static_cast<unsigned long long>(all.times), static_cast<unsigned long long>(waits),
        static_cast<double>(all.time) * 1e-9);
    std::vector<std::pair<site, cost>> by_time(sites.begin(), sites.end());
    std::sort(by_time.begin(), by_time.end(),
              [](const auto &a, const auto &b) { return a.second.time > b.second.time; });
    for (std::size_t i = 0; i < by_time.size() && i < most_sites; ++i)
        say("%12.6f s %8llu times in %s at %s", static_cast<double>(by_time[i].second.time) * 1e-9,
            static_cast<unsigned long long>(by_time[i].second.times), by_time[i].first.call,
            name_of_address(by_time[i].first.where).c_str());
}

void wait::enter(const char *call) {
    in_call = call;
    since = 0;
    was_named = false;
    ++waits;
}

void wait::leave() {
    if (since == 0)
        return;
    const std::int64_t time = platform::now_ns() - since;
    since = 0;
    for (cost *const each : {&all, prints ? &sites[{in_call, program_address()}] : &all}) {
        each->time += time;
        ++each->times;
        if (!prints)
            break;
    }
}

void note() {
    if (is_measured && since == 0)
        since = platform::now_ns();
}

bool is_too_long() {
    if (patience == 0 || since == 0 || was_named || platform::now_ns() - since < patience)
        return false;
    was_named = true;
    return true;
}

void name(std::span<const std::uint32_t> ranks) {
    char names[600] = "";
    std::size_t used = 0;
    for (const std::uint32_t each : ranks)
        if (used + 16 < sizeof(names))
            used += static_cast<std::size_t>(
                std::snprintf(names + used, sizeof(names) - used, used == 0 ? "%u" : ", %u", each));
    say("%s is not decided for %.0f s: outside MPI, or behind in calls: rank %s", in_call,
        static_cast<double>(patience) * 1e-9, names);
}

} // namespace saguaro::mpi::order_delays
