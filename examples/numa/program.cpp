// SPDX-License-Identifier: MIT
// Timing the solutions of a problem round by round, and printing where its data lie.
#include "program.hpp"

#include "command_line/command_line.hpp"
#include "common/output.hpp"
#include "common/timing.hpp"

#include <nlohmann/json.hpp>
#include <saguaro/saguaro.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <map>
#include <new>
#include <system_error>

namespace saguaro::numa_examples {

namespace {

using examples::exit_bad_input;
using examples::exit_different;
using examples::median;

/// How long the solutions of one kind took.
struct series {
    std::string name;
    variant where;
    unsigned workers; // 0: serial
    std::vector<double> seconds = {};
};

std::string workers_text(unsigned workers) {
    return workers == 0   ? "serial"
           : workers == 1 ? "1 worker"
                          : std::to_string(workers) + " workers";
}

/// One solution, timed.
void solve_once(problem &given, series &one) {
    given.reset();
    one.seconds.push_back(examples::seconds_of(one.workers, [&] {
        if (one.workers > 0)
            run([&] {
                // To the simulator all memory is temporary that shows up after the first spawn.
                for (const data_array *array : given.data())
                    sg_record_reuse(array->begin(), 1);
                given.solve(true);
            });
        else
            given.solve(false);
    }));
}

/// Of up to 256 pages of the data, spread over all of them: how many are on each node. -1: the
/// system does not say.
std::map<int, unsigned> nodes_of(problem &given) {
    std::map<int, unsigned> pages;
    for (const data_array *array : given.data()) {
        const std::size_t step = std::max<std::size_t>(512, array->size() / 256 / 512 * 512);
        for (std::size_t at = 0; at < array->size(); at += step)
            ++pages[sg_node_of(array->begin() + at)];
    }
    return pages;
}

std::string nodes_text(const std::map<int, unsigned> &pages) {
    unsigned sum = 0;
    for (const auto &[node, count] : pages)
        sum += count;
    std::string text;
    for (const auto &[node, count] : pages)
        text += (text.empty() ? "" : ", ") + std::to_string((count * 100 + sum / 2) / sum) +
                (node < 0 ? " % of the data on unknown nodes"
                          : " % of the data on node " + std::to_string(node));
    return text;
}

class solutions {
public:
    solutions(const program &what, const arguments &given) : what_(what), given_(given) {
        for (const variant where : given.variants)
            problems_.emplace_back(where, what.make(given, where));
        all_.push_back({.name = "serial", .where = given.variants.front(), .workers = 0});
        for (const variant where : given.variants) {
            all_.push_back({.name = name_of(where), .where = where, .workers = 1});
            if (given.workers > 1)
                all_.push_back({.name = name_of(where), .where = where, .workers = given.workers});
        }
    }

    /// The kinds of solution take turns, so that a slow moment of the machine falls on all of them.
    void solve() {
        for (int round = 0; round < given_.repeat; ++round) {
            for (series &one : all_) {
                problem &now = problem_of(one.where);
                solve_once(now, one);
                if (given_.check && different_.empty())
                    if (const std::string found = now.difference(); !found.empty())
                        different_ = one.name + ", " + workers_text(one.workers) + ": " + found;
            }
        }
    }

    void report() {
        for (const auto &[name, text] : problems_.front().second->describe())
            std::printf("%-10s %s\n", name.c_str(), text.c_str());
        for (auto &[where, made] : problems_)
            std::printf("%-10s %s\n", name_of(where), nodes_text(nodes_of(*made)).c_str());
        const double serial = median(all_.front().seconds);
        for (const series &one : all_) {
            const double time = median(one.seconds);
            if (one.workers == 0)
                std::printf("%-10s %10.3f ms\n", "serial", time * 1e3);
            else
                std::printf("%-10s %10.3f ms, %s, %.2f x serial\n", one.name.c_str(), time * 1e3,
                            workers_text(one.workers).c_str(), time / serial);
        }
        if (given_.check)
            std::printf("check: %s\n", different_.empty() ? "ok" : different_.c_str());
    }

    /// Rows of the kind that saguaro-bench writes.
    void write_json(std::ostream &out) {
        const double serial = median(all_.front().seconds);
        auto rows = nlohmann::ordered_json::array();
        for (const series &one : all_) {
            const double time = median(one.seconds);
            auto nodes = nlohmann::ordered_json::object();
            for (const auto &[node, pages] : nodes_of(problem_of(one.where)))
                nodes[std::to_string(node)] = pages;
            rows.push_back({{"bench", what_.name},
                            {"variant", one.name},
                            {"input", given_.input},
                            {"workers", std::max(one.workers, 1u)},
                            {"seconds", time},
                            {"ratio", time / serial},
                            {"pages", nodes}});
        }
        out << rows.dump(2) << '\n';
    }

    bool all_right() const { return different_.empty(); }

private:
    problem &problem_of(variant where) {
        return *std::find_if(problems_.begin(), problems_.end(), [=](const auto &each) {
                    return each.first == where;
                })->second;
    }

    const program &what_;
    const arguments &given_;
    std::vector<std::pair<variant, std::unique_ptr<problem>>> problems_;
    std::vector<series> all_;
    std::string different_;
};

void declare_options(cli::command_line &words, const program &what, arguments &given,
                     std::vector<std::string> &variants) {
    words.add(what.argument, given.input, what.argument_meaning + "; default " + what.otherwise);
    words.add("--workers", given.workers, "workers; default: what the runtime chooses")
        .between(1u, 4096u)
        .placeholder("P");
    words
        .add("--repeat", given.repeat,
             "solutions of each kind, of which the median counts; default 3")
        .between(1, 1000000)
        .placeholder("R");
    words.add("--variant", variants, "plain, placed or local alone; default: all three")
        .among({"plain", "placed", "local"})
        .placeholder("V");
    words.add_flag("--check", given.check, "check the result of each solution");
    words.add("--json", given.json, "write the times to this file as well").placeholder("FILE");
    words.end_help_with(
        "plain: all memory is malloc's. placed: the pages of the data are on all nodes in\n"
        "turn. local: temporaries are near the worker that uses them, too.\n"
        "Exit codes: 0, 1 if --check finds a wrong result or the output cannot be written,\n"
        "2 for bad input.");
}

void read_number(const program &what, arguments &given) {
    if (what.most == 0)
        return;
    const std::string &text = given.input;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), given.n);
    if (error != std::errc() || end != text.data() + text.size() || given.n < what.least ||
        given.n > what.most)
        throw fault(what.argument + " '" + text + "': accepted is a whole number from " +
                    std::to_string(what.least) + " to " + std::to_string(what.most));
}

/// Everything after the command line; the exit code. Throws a fault for bad input.
int solve_all(const program &what, arguments &given) {
    read_number(what, given);
    std::ofstream json;
    if (!given.json.empty()) {
        json.open(given.json);
        if (!json)
            throw fault("--json " + given.json + ": cannot be written");
    }
    if (given.workers == 0) {
        start();
        given.workers = workers();
        stop();
    }
    solutions all(what, given);
    all.solve();
    all.report();
    if (json.is_open()) {
        all.write_json(json);
        if (!json.flush())
            throw fault("--json " + given.json + ": cannot be written");
    }
    return all.all_right() ? 0 : exit_different;
}

/// One line on standard error.
int complain(const program &what, std::string why) {
    std::replace(why.begin(), why.end(), '\n', ' ');
    std::fprintf(stderr, "%s: %s\n", what.name.c_str(), why.c_str());
    return exit_bad_input;
}

} // namespace

int run_program(const program &what, int argc, char **argv) {
    cli::command_line words(what.name, what.meaning);
    arguments given;
    given.input = what.otherwise;
    std::vector<std::string> variants;
    declare_options(words, what, given, variants);
    if (const auto instead = words.read(argc, argv)) {
        if (instead->is_fault)
            return complain(what, instead->text + " (--help lists the options)");
        std::fputs(instead->text.c_str(), stdout);
        return examples::written(what.name.c_str(), 0);
    }
    try {
        for (const variant each : all_variants)
            if (variants.empty() ||
                std::find(variants.begin(), variants.end(), name_of(each)) != variants.end())
                given.variants.push_back(each);
        return examples::written(what.name.c_str(), solve_all(what, given));
    } catch (const std::bad_alloc &) {
        return complain(what, given.input + ": not enough memory");
    } catch (const std::system_error &error) {           // the workers could not be started
        if (error.code() == std::errc::invalid_argument) // of which the runtime has said a line
            return exit_bad_input;
        return complain(what, error.what());
    } catch (const std::runtime_error &error) {
        return complain(what, error.what());
    } catch (const std::domain_error &error) {
        return complain(what, given.input + ": " + error.what());
    }
}

} // namespace saguaro::numa_examples
