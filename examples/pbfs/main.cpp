// SPDX-License-Identifier: MIT
// pbfs: breadth-first search of one graph, serially, with one worker and with P.
#include "bfs.hpp"
#include "fault.hpp"
#include "generators.hpp"
#include "matrix_market.hpp"

#include "command_line/command_line.hpp"
#include "common/output.hpp"
#include "common/timing.hpp"

#include <nlohmann/json.hpp>
#include <saguaro/place.hpp>
#include <saguaro/saguaro.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory_resource>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace saguaro::pbfs {

namespace {

using examples::exit_bad_input;
using examples::exit_different;
using examples::median;

struct options {
    std::string graph;
    std::uint64_t source = 0;
    unsigned workers = 0; // 0: what the runtime chooses
    int repeat = 5;
    bool check = false;
    std::string memory = "plain"; // as the programs of examples/numa have it
    std::string json;
};

/// The searches of one kind: how long each took, and the last one's answer.
struct series {
    unsigned workers; // 0 for the serial search
    std::vector<double> seconds = {};
    std::optional<bfs_result> result = {};
};

std::string workers_text(unsigned workers) {
    return std::to_string(workers) + (workers == 1 ? " worker" : " workers");
}

/// Blocks over all nodes. Each is kept when it is given back, for the next search of as many
/// vertices: to place a block takes as long as to search a part of the graph.
class kept_blocks final : public std::pmr::memory_resource {
    void *do_allocate(std::size_t bytes, std::size_t alignment) override {
        const auto same = std::find_if(kept_.begin(), kept_.end(),
                                       [=](const auto &each) { return each.second == bytes; });
        if (same == kept_.end())
            return placed_.allocate(bytes, alignment);
        void *const block = same->first;
        kept_.erase(same);
        return block;
    }
    void do_deallocate(void *block, std::size_t bytes, std::size_t) override {
        kept_.emplace_back(block, bytes);
    }
    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override {
        return this == &other;
    }

    place_resource placed_{sg_layout_blocked(nullptr, 0)};
    std::vector<std::pair<void *, std::size_t>> kept_; // until the process ends
};

/// The graph's two arrays and the distances in blocks over all nodes, unless it is "plain", so that
/// what a vertex needs is on one node. "local": the bags' blocks near the worker that fills them.
search_memory memory_of(const std::string &variant) {
    static kept_blocks blocks;
    static local_resource near;
    search_memory memory;
    if (variant != "plain")
        memory.distances = &blocks;
    if (variant == "local")
        memory.bags = &near;
    return memory;
}

graph load(const std::string &name) {
    try {
        if (std::optional<graph> made = generate(name))
            return *std::move(made);
        return read_matrix_market(name, "grid3d:K or rmat:SCALE");
    } catch (const std::bad_alloc &) {
        throw fault(name + ": not enough memory for the graph");
    }
}

graph load(const options &o) {
    if (o.memory == "plain")
        return load(o.graph);
    const graph plain = load(o.graph);
    errno = ENOMEM;
    try {
        return {plain, memory_of(o.memory).distances};
    } catch (const std::bad_alloc &) {
        throw fault(o.graph + ": the graph cannot be placed on all nodes: " + std::strerror(errno));
    }
}

/// One search, timed.
void search_once(const graph &g, const options &o, series &s) {
    s.result.reset(); // returns its memory before the next one takes it, in every series alike
    const auto source = static_cast<vertex>(o.source);
    const search_memory memory = memory_of(o.memory);
    s.seconds.push_back(examples::seconds_of(s.workers, [&] {
        s.result.emplace(s.workers > 0 ? parallel_bfs(g, source, memory) : serial_bfs(g, source));
    }));
}

/// Where an answer first differs from the serial one, in a sentence; empty if nowhere.
std::string difference(const bfs_result &serial, const series &other) {
    const auto &expected = serial.distances;
    const auto &found = other.result->distances;
    const auto [at, where] = std::mismatch(expected.begin(), expected.end(), found.begin());
    if (at == expected.end())
        return {};
    const auto text = [](std::uint32_t distance) {
        return distance == unreached ? "not reached" : "at distance " + std::to_string(distance);
    };
    return "vertex " + std::to_string(at - expected.begin()) + " is " + text(*where) + " with " +
           workers_text(other.workers) + ", " + text(*at) + " serially";
}

/// The kinds of search take turns, so that a slow moment of the machine falls on all of them.
/// `different` becomes the first difference() of any search, if asked for.
std::vector<series> search_all(const graph &g, const options &o, std::string &different) {
    std::vector<series> all = {{.workers = 0}, {.workers = 1}};
    if (o.workers > 1)
        all.push_back({.workers = o.workers});
    for (int round = 0; round < o.repeat; ++round) {
        for (series &s : all) {
            search_once(g, o, s);
            if (o.check && different.empty())
                different = difference(*all.front().result, s);
        }
    }
    return all;
}

void report(const graph &g, const options &o, const std::vector<series> &all) {
    const bfs_result &serial = *all.front().result;
    const auto reached = static_cast<std::size_t>(
        std::count_if(serial.distances.begin(), serial.distances.end(),
                      [](std::uint32_t distance) { return distance != unreached; }));
    std::printf("graph       %s\n", o.graph.c_str());
    std::printf("|V|         %u\n", g.vertices());
    std::printf("|E|         %ju\n", std::uintmax_t{g.edges()});
    std::printf("D           %u layers from vertex %ju, %zu vertices reached\n", serial.depth,
                std::uintmax_t{o.source}, reached);
    std::printf("memory      %s\n", o.memory.c_str());
    std::printf("lookups     %ju of the reducer of bags\n",
                std::uintmax_t{all.back().result->lookups});

    const double serial_time = median(all.front().seconds);
    const double one_time = median(all[1].seconds);
    std::printf("serial      %10.3f ms\n", serial_time * 1e3);
    for (std::size_t i = 1; i < all.size(); ++i) {
        const double time = median(all[i].seconds);
        std::printf("%-11s %10.3f ms, %.2f x serial", workers_text(all[i].workers).c_str(),
                    time * 1e3, time / serial_time);
        std::printf(i == 1 ? "\n" : ", %.2f x faster than 1 worker\n", one_time / time);
    }
}

/// Rows of the kind that saguaro-bench writes.
void write_json(std::ostream &out, const graph &g, const options &o,
                const std::vector<series> &all) {
    const double serial_time = median(all.front().seconds);
    auto rows = nlohmann::ordered_json::array();
    for (const series &s : all) {
        const double time = median(s.seconds);
        rows.push_back({{"bench", "pbfs"},
                        {"variant", s.workers == 0 ? "serial" : "saguaro"},
                        {"memory", o.memory},
                        {"graph", o.graph},
                        {"workers", std::max(s.workers, 1u)},
                        {"n", g.vertices()},
                        {"seconds", time},
                        {"ratio", time / serial_time},
                        {"vertices", g.vertices()},
                        {"edges", g.edges()},
                        {"depth", s.result->depth},
                        {"lookups", s.result->lookups}});
    }
    out << rows.dump(2) << '\n';
}

/// Everything after the command line; the exit code. Throws a fault for bad input.
int search_graph(options o) {
    std::ofstream json;
    if (!o.json.empty()) {
        json.open(o.json);
        if (!json)
            throw fault("--json " + o.json + ": cannot be written");
    }
    const graph g = load(o);
    if (o.source >= g.vertices()) {
        throw fault("--source " + std::to_string(o.source) + ": no such vertex; accepted: 0 to " +
                    std::to_string(g.vertices() - 1));
    }
    if (o.workers == 0) {
        start();
        o.workers = workers();
        stop();
    }
    std::string different;
    const std::vector<series> all = search_all(g, o, different);
    report(g, o, all);
    if (json.is_open()) {
        write_json(json, g, o, all);
        if (!json.flush())
            throw fault("--json " + o.json + ": cannot be written");
    }
    if (o.check)
        std::printf("check: %s\n", different.empty() ? "ok" : different.c_str());
    return different.empty() ? 0 : exit_different;
}

void declare_options(saguaro::cli::command_line &words, options &o) {
    words
        .add("GRAPH", o.graph,
             "a Matrix Market file (.mtx, .mtx.gz): square, coordinate; pattern, real or\n"
             "integer; general (an entry i, j is the edge from i to j) or symmetric;\n"
             "or grid3d:K (a K x K x K grid, K up to 1625)\n"
             "or rmat:SCALE (a scale-free graph of 2^SCALE vertices, SCALE up to 31);\n"
             "grid3d200 and rmat23 as in published tables are grid3d:200 and rmat:23")
        .required();
    words
        .add("--source", o.source,
             "where the search begins, counted from 0: row 1 of a file is vertex 0; default 0")
        .between(std::uint64_t{0}, std::uint64_t{max_vertices} - 1)
        .placeholder("N");
    words.add("--workers", o.workers, "workers; default: what the runtime chooses")
        .between(1u, 4096u)
        .placeholder("P");
    words.add("--repeat", o.repeat, "searches of each kind, of which the median counts; default 5")
        .between(1, 1000000)
        .placeholder("R");
    words
        .add("--memory", o.memory,
             "plain: all memory is malloc's. placed: the graph and the distances lie in\n"
             "blocks, one on each node of memory. local: the bags of a layer are near the\n"
             "worker that fills them, too. default plain")
        .among({"plain", "placed", "local"})
        .placeholder("V");
    words.add_flag("--check", o.check,
                   "compare every distance of every search with the serial one");
    words.add("--json", o.json, "write the times to this file as well").placeholder("FILE");
    words.end_help_with(
        "Exit codes: 0, 1 if --check finds a difference or the output cannot be written,\n"
        "2 for bad input.");
}

/// One line on standard error.
int complain(std::string what) {
    std::replace(what.begin(), what.end(), '\n', ' ');
    std::fprintf(stderr, "pbfs: %s\n", what.c_str());
    return exit_bad_input;
}

} // namespace
} // namespace saguaro::pbfs

int main(int argc, char **argv) {
    using namespace saguaro::pbfs;
    namespace examples = saguaro::examples;
    saguaro::cli::command_line words(
        "pbfs", "Breadth-first search of a graph: serially, with one worker, with P workers.");
    options o;
    declare_options(words, o);
    if (const auto instead = words.read(argc, argv)) {
        if (instead->is_fault)
            return complain(instead->text + " (pbfs --help lists the options)");
        std::fputs(instead->text.c_str(), stdout);
        return examples::written("pbfs", 0);
    }
    try {
        return examples::written("pbfs", search_graph(o));
    } catch (const std::bad_alloc &) {
        return complain(o.graph + ": not enough memory for the search");
    } catch (const std::system_error &error) {           // the workers could not be started
        if (error.code() == std::errc::invalid_argument) // of which the runtime has said a line
            return exit_bad_input;
        return complain(error.what());
    } catch (const fault &error) {
        return complain(error.what());
    }
}
