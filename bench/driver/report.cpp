// SPDX-License-Identifier: MIT
// Printing rows as a table and writing them as JSON.
#include "driver/report.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

namespace saguaro::bench {

namespace {

/// A line that names the rounds in which the machine changed its speed; nothing if there are none.
void print_marked(const row &ceiling) {
    const std::vector<std::size_t> &marked = ceiling.machine->marked;
    if (marked.empty())
        return;
    std::string rounds;
    for (std::size_t round : marked)
        rounds += (rounds.empty() ? "" : ", ") + std::to_string(round);
    const bool all = marked.size() == ceiling.samples.size();
    std::printf("%s, n=%ld: the control moved by more than 10 %% beside %s %s of %zu: %s\n",
                ceiling.bench.c_str(), ceiling.n, marked.size() == 1 ? "round" : "rounds",
                rounds.c_str(), ceiling.samples.size(),
                all ? "all were left in the medians" : "left out of the medians");
}

} // namespace

void print_heading() {
    std::printf("%-10s %-18s %7s %11s %10s %8s %10s\n", "bench", "variant", "workers", "n",
                "seconds", "ratio", "ns_per_op");
}

void print_rows(const std::vector<row> &rows) {
    for (const row &one : rows) {
        std::printf("%-10s %-18s %7d %11ld %10.6f %8.3f", one.bench.c_str(), one.variant.c_str(),
                    one.workers, one.n, one.seconds, one.ratio);
        if (one.ns_per_op)
            std::printf(" %10.3f", *one.ns_per_op);
        if (one.of_ceiling)
            std::printf("  ceiling %+.1f %%", 100 * (*one.of_ceiling - 1));
        for (const auto &[name, seconds] : one.parts)
            std::printf("  %s %.6f", name.c_str(), seconds);
        for (const auto &[name, value] : one.uses)
            std::printf("  %s %.10g", name.c_str(), value);
        std::printf("\n");
    }
    for (const row &one : rows)
        if (one.machine)
            print_marked(one);
    std::fflush(stdout);
}

void write_json(std::ostream &out, const std::vector<row> &rows) {
    auto array = nlohmann::ordered_json::array();
    for (const row &one : rows) {
        nlohmann::ordered_json object = {{"bench", one.bench},     {"variant", one.variant},
                                         {"workers", one.workers}, {"n", one.n},
                                         {"seconds", one.seconds}, {"ratio", one.ratio}};
        if (one.ns_per_op)
            object["ns_per_op"] = *one.ns_per_op;
        object["samples"] = one.samples;
        for (const auto &[name, seconds] : one.parts)
            object["parts"][name] = seconds;
        for (const auto &[name, value] : one.uses)
            object.emplace(name, value); // a peer's name does not replace a member above
        if (one.machine) {
            object["control"] = one.machine->control;
            object["marked"] = one.machine->marked;
        }
        array.push_back(object);
    }
    out << array.dump(2) << '\n';
}

} // namespace saguaro::bench
