// SPDX-License-Identifier: MIT
// The table of built-in workloads with their keys, and reading a workload's name.
#include "workloads.hpp"

#include "kernels.hpp"

#include <charconv>
#include <string_view>
#include <vector>

namespace saguaro::sim {

namespace {

struct key {
    std::string_view name;
    double value; // the default
    double least;
    double most;
};

struct workload {
    std::string_view name;
    std::vector<key> keys; // the first is N
    void (*make)(program_builder &, const std::vector<double> &);
    std::string_view meaning;
};

constexpr double many = 1e9;

const std::vector<workload> &workloads() {
    static const std::vector<workload> all{
        {"fib",
         {{"n", 25, 0, 34}, {"ns", 10, 0, many}},
         make_fib,
         "fib(n) by double recursion, each call of ns nanoseconds"},
        {"tree",
         {{"depth", 12, 0, 60},
          {"branch", 3, 1, 1000},
          {"ns", 1000, 0, many},
          {"seed", 1, 0, many}},
         make_tree,
         "a random tree: up to `branch` children, strands of up to ns nanoseconds"},
        {"loop",
         {{"n", 100'000, 0, many}, {"ns", 100, 0, many}, {"grain", 0, 0, many}},
         make_loop,
         "a loop of n iterations of ns nanoseconds, by halves down to `grain` iterations; 0: "
         "n/2048"},
        {"stream",
         {{"mb", 64, 1, 1 << 20},
          {"kb", 64, 4, 1 << 20},
          {"passes", 10, 1, many},
          {"ns", 20, 0, many},
          {"miss", 100, 0, 100}},
         make_stream,
         "passes over a vector of mb MB, by halves down to kb KB; a line takes ns nanoseconds, and "
         "miss percent of the lines miss the cache"},
        {"matmul",
         {{"n", 2048, 16, 1 << 16},
          {"tile", 128, 8, 1 << 12},
          {"flops", 8, 0.01, 1e6},
          {"miss", 10, 0, 100}},
         make_matmul,
         "the product of n x n matrices, eight products a level, down to tiles; `flops` operations "
         "a "
         "nanosecond, and miss percent of a tile's lines miss"},
        {"strassen",
         {{"n", 2048, 16, 1 << 16},
          {"tile", 128, 8, 1 << 12},
          {"flops", 8, 0.01, 1e6},
          {"miss", 10, 0, 100}},
         make_strassen,
         "the same by seven products a level, with temporaries that each call allocates"},
        {"cholesky",
         {{"n", 4096, 16, 1 << 16},
          {"tile", 128, 8, 1 << 12},
          {"flops", 8, 0.01, 1e6},
          {"miss", 30, 0, 100}},
         make_cholesky,
         "the Cholesky factors of an n x n matrix of tiles, one column of tiles after the other"},
    };
    return all;
}

std::string number(double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    return {text, end};
}

std::string names() {
    std::string all;
    for (const workload &each : workloads())
        all += (all.empty() ? "" : ", ") + std::string(each.name);
    return all;
}

double read(const key &which, std::string_view text, const std::string &whole) {
    double value = 0;
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stopped != text.data() + text.size() || !(value >= which.least) ||
        !(value <= which.most))
        throw bad_input("workload '" + whole + "': " + std::string(which.name) + " is '" +
                        std::string(text) + "': accepted is a number from " + number(which.least) +
                        " to " + number(which.most));
    return value;
}

std::size_t find_key(const workload &in, std::string_view name, const std::string &whole) {
    std::string known;
    for (std::size_t at = 0; at < in.keys.size(); ++at) {
        if (in.keys[at].name == name)
            return at;
        known += (at == 0 ? "" : ", ") + std::string(in.keys[at].name);
    }
    throw bad_input("workload '" + whole + "': " + std::string(in.name) + " has no '" +
                    std::string(name) + "': accepted are " + known);
}

const workload &find(std::string_view name, const std::string &whole) {
    for (const workload &each : workloads())
        if (each.name == name)
            return each;
    throw bad_input("workload '" + whole + "': accepted are " + names());
}

} // namespace

program make_workload(const std::string &text, std::uint64_t most_events) {
    std::string_view rest = text;
    const std::size_t name_end = rest.find(':');
    const workload &chosen = find(rest.substr(0, name_end), text);
    rest = name_end == rest.npos ? std::string_view() : rest.substr(name_end + 1);
    std::vector<double> values;
    for (const key &each : chosen.keys)
        values.push_back(each.value);
    std::vector<bool> are_given(values.size(), false);
    for (bool has_more = name_end != text.npos; has_more;) {
        const std::string_view part = rest.substr(0, rest.find(','));
        has_more = part.size() < rest.size();
        rest.remove_prefix(part.size() + has_more);
        const std::size_t equals = part.find('=');
        const std::size_t at =
            equals == part.npos ? 0 : find_key(chosen, part.substr(0, equals), text);
        const double value =
            read(chosen.keys[at], equals == part.npos ? part : part.substr(equals + 1), text);
        if (are_given[at])
            throw bad_input("workload '" + text + "': " + std::string(chosen.keys[at].name) +
                            " is given twice");
        are_given[at] = true;
        values[at] = value;
    }
    program_builder builder(most_events);
    try {
        chosen.make(builder, values);
        return builder.finish();
    } catch (const bad_input &bad) {
        throw bad_input("workload '" + text + "': " + bad.what());
    }
}

std::string describe_workloads() {
    std::string text;
    for (const workload &each : workloads()) {
        text += std::string(each.name) + ":";
        for (std::size_t at = 0; at < each.keys.size(); ++at)
            text += (at == 0 ? "" : ",") + std::string(each.keys[at].name) + "=" +
                    number(each.keys[at].value);
        text += "\n    " + std::string(each.meaning) + "\n   ";
        for (const key &one : each.keys)
            text += (&one == &each.keys.front() ? " " : ", ") + std::string(one.name) + " from " +
                    number(one.least) + " to " + number(one.most);
        text += "\n";
    }
    return text + "Each may have up to " + std::to_string(most_workload_events) + " events.\n";
}

} // namespace saguaro::sim
