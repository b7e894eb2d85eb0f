// SPDX-License-Identifier: MIT
// Reading saguaro-sim's command line.
#include "options.hpp"

#include "command_line/command_line.hpp"
#include "engine/workloads.hpp"
#include "names.hpp"
#include "platform/variables.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>

namespace saguaro::sim {

namespace {

// The words that are given, before they are looked at.
struct words_of_options {
    std::string recording, workload, seed = "0";
    std::optional<std::string> topology, write;
    std::vector<std::string> workers, policies, memory, protocols;
    std::optional<std::string> node_bandwidth;
    std::vector<std::string> link_bandwidth;
    std::vector<std::optional<std::string>> prices;
    bool json = false, svg = false, workloads = false;
};

// An option that is a price in nanoseconds.
struct price {
    const char *option;
    double costs::*member;
    const char *meaning;
};

constexpr price prices[] = {
    {"--spawn-cost", &costs::spawn, "A push and a pop that nobody disturbs"},
    {"--ask-cost", &costs::ask, "A pop that takes its lock in vain"},
    {"--look-cost", &costs::look, "A look at a victim in the own node"},
    {"--steal-cost", &costs::steal, "A steal in the own node, up to the first instruction"},
    {"--robbed-cost", &costs::robbed, "What the victim of a steal loses"},
    {"--fence-cost", &costs::fence, "A fence of all processors, for who asks for it"},
    {"--interrupt-cost", &costs::interrupted, "The same, for each other worker that runs"},
    {"--wake-cost", &costs::wake, "From a wake-up until the thread looks for work"},
    {"--waking-cost", &costs::waking, "A wake-up, for who wakes"},
    {"--spin", &costs::spin, "How long a worker looks for work before it sleeps"},
    {"--line-cost", &costs::line, "A missed line of the own node, as part of the work"},
};
constexpr std::size_t price_count = sizeof prices / sizeof *prices;

template <class T>
T number(const std::string &option, const std::string &text, T least, T most) {
    T value{};
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stopped != text.data() + text.size() || !(value >= least) ||
        !(value <= most))
        throw bad_input(option + " '" + text + "': accepted is a number from " + in_words(least) +
                        " to " + in_words(most));
    return value;
}

// In GB/s; 0: any. Below the least a line would take longer than times can tell, and what is
// rounded to 0 would be without bound.
double bandwidth(const std::string &option, const std::string &text) {
    constexpr double least = 1e-3, most = 1e6;
    try {
        const double value = number<double>(option, text, 0, most);
        if (value == 0 || value >= least)
            return value;
    } catch (const bad_input &) {
    }
    throw bad_input(option + " '" + text + "': accepted is 0, which is any, or a number from " +
                    in_words(least) + " to " + in_words(most));
}

// The parts of all texts between commas. CLI11 would leave out those that are empty.
std::vector<std::string> split(const std::vector<std::string> &texts) {
    std::vector<std::string> parts;
    for (const std::string &text : texts)
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t end = std::min(text.find(',', at), text.size());
            parts.push_back(text.substr(at, end - at));
            at = end + 1;
        }
    return parts;
}

named_placement read_placement(const std::string &text) {
    constexpr std::string_view on_node = "node:";
    constexpr std::string_view and_local = "+local";
    std::string name = text;
    placement where;
    if (text.ends_with(and_local)) {
        where.has_local_temporaries = true;
        name.resize(name.size() - and_local.size());
    }
    if (name == "first-touch")
        where.where = layout::first_touch;
    else if (name == "round-robin")
        where.where = layout::round_robin;
    else if (name == "blocked")
        where.where = layout::blocked;
    else if (name.starts_with(on_node)) {
        where.where = layout::on_node;
        where.node = number<unsigned>("--memory node:", name.substr(on_node.size()), 0,
                                      scheduler::most_workers);
    } else if (name != "recorded")
        throw bad_input("--memory '" + text +
                        "': accepted are recorded, first-touch, round-robin, blocked and node:N, "
                        "and each of them with +local behind it");
    return {text, where};
}

steals read_protocol(const std::string &text) {
    for (const steals each : {steals::fence, steals::open, steals::request})
        if (text == name_of(each))
            return each;
    throw bad_input("--steals '" + text + "': accepted are fence, open, request");
}

const std::string &check_policy(const std::string &text) {
    if (scheduler::is_policy(text))
        return text;
    const std::string fault = scheduler::fault_of_policy(text);
    throw bad_input("--policy '" + text + "': " + (fault.empty() ? "" : fault + "; ") +
                    "accepted are " + scheduler::policy_names());
}

// What an option or the setting says; empty: this machine.
std::string read_topology(const std::optional<std::string> &option) {
    const char *const set = platform::value_of(platform::variables::topology);
    if (!option && set == nullptr)
        return {};
    const std::string text = option.value_or(set == nullptr ? "" : set);
    if (text.empty())
        throw bad_input(std::string(option ? "--topology ''" : "SAGUARO_TOPOLOGY=") + ": " +
                        topologies_accepted);
    return text == "this" ? std::string() : text;
}

options checked(const words_of_options &words) {
    options out;
    if (words.recording.empty() == words.workload.empty())
        throw bad_input("accepted is either a recording or --workload "
                        "(saguaro-sim --workloads lists them)");
    if (words.json && words.svg)
        throw bad_input("--json and --svg: one of them at a time");
    out.as = words.json ? format::json : words.svg ? format::svg : format::text;
    out.recording = words.recording;
    out.workload = words.workload;
    if (words.write && words.write->empty())
        throw bad_input("--write '': accepted is the name of a file");
    out.write = words.write.value_or("");
    out.topology = read_topology(words.topology);
    for (const std::string &each : split(words.workers))
        out.workers.push_back(number<unsigned>("--workers", each, 1, scheduler::most_workers));
    for (const std::string &each : words.policies)
        out.policies.push_back(check_policy(each));
    for (const std::string &each : split(words.memory))
        out.placements.push_back(read_placement(each));
    for (const std::string &each : split(words.protocols))
        out.protocols.push_back(read_protocol(each));
    out.seed =
        number<std::uint64_t>("--seed", words.seed, 0, std::numeric_limits<std::uint64_t>::max());
    constexpr double most_price = 1e9;
    for (std::size_t at = 0; at < price_count; ++at)
        if (words.prices[at])
            out.cost.*prices[at].member =
                number<double>(prices[at].option, *words.prices[at], 0, most_price);
    if (words.node_bandwidth)
        out.cost.node_bandwidth = bandwidth("--node-bandwidth", *words.node_bandwidth);
    if (!words.link_bandwidth.empty())
        out.cost.link_bandwidth.clear();
    for (const std::string &each : split(words.link_bandwidth))
        out.cost.link_bandwidth.push_back(bandwidth("--link-bandwidth", each));
    return out;
}

void add_options(saguaro::cli::command_line &all, words_of_options &words) {
    all.add("recording", words.recording, "What a program with SAGUARO_RECORD has written");
    all.add("--workload", words.workload, "A program that is built in: NAME:N,KEY=VALUE");
    all.add_flag("--workloads", words.workloads, "Print them and exit");
    all.add("--write", words.write, "Write the program as a recording to this file as well");
    all.add("--topology", words.topology, "The machine, as SAGUARO_TOPOLOGY has it");
    all.add("--workers", words.workers, "How many workers, as 1,2,4").one_at_a_time();
    all.add("--policy", words.policies, "Whom thieves try, as SAGUARO_POLICY has it")
        .one_at_a_time();
    all.add("--memory", words.memory,
            "Where memory is: recorded, first-touch, round-robin, blocked, node:N, and with "
            "temporaries where they are first touched: blocked+local")
        .one_at_a_time();
    all.add("--steals", words.protocols, "What a steal needs: request, open, fence")
        .one_at_a_time();
    all.add("--seed", words.seed, "Another number, other victims");
    words.prices.resize(price_count);
    for (std::size_t at = 0; at < price_count; ++at)
        all.add(prices[at].option, words.prices[at], prices[at].meaning + std::string(", ns"));
    all.add("--node-bandwidth", words.node_bandwidth, "Of the memory of a node, GB/s; 0: any");
    all.add("--link-bandwidth", words.link_bandwidth,
            "Of a link between nodes, GB/s, by levels from the inside; 0: any")
        .one_at_a_time();
    all.add_flag("--json", words.json, "For programs");
    all.add_flag("--svg", words.svg, "A picture: what each worker does when");
}

[[noreturn]] void print_and_exit(const std::string &text) {
    std::fputs(text.c_str(), stdout);
    std::exit(std::fflush(stdout) == 0 ? 0 : 1);
}

} // namespace

options read_options(int count, char **words) {
    saguaro::cli::command_line all("saguaro-sim",
                                   "Simulates the scheduler on a machine of any size");
    words_of_options given;
    all.add_version("saguaro-sim " SG_VERSION);
    add_options(all, given);
    if (const auto instead = all.read(count, words)) {
        if (instead->is_fault)
            throw bad_input(instead->text + " (saguaro-sim --help lists the options)");
        print_and_exit(instead->text);
    }
    if (given.workloads)
        print_and_exit(describe_workloads());
    return checked(given);
}

} // namespace saguaro::sim
