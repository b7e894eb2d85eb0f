// SPDX-License-Identifier: MIT
// The topology as tables of text.
#include "output.hpp"

#include "platform/one_line.hpp"
#include "platform/processors.hpp"

#include <algorithm>
#include <cstdio>

namespace saguaro::topology_tool {

namespace {

using platform::list_of_processors;

using table = std::vector<std::vector<std::string>>;

// Columns apart by two spaces; all but the first `left` stand at the right.
std::string laid_out(const table &rows, std::size_t left) {
    std::vector<std::size_t> widths;
    for (const auto &row : rows)
        for (std::size_t at = 0; at < row.size(); ++at) {
            widths.resize(std::max(widths.size(), at + 1));
            widths[at] = std::max(widths[at], row[at].size());
        }
    std::string text;
    for (const auto &row : rows) {
        std::string line;
        for (std::size_t at = 0; at < row.size(); ++at) {
            const std::string room(widths[at] - row[at].size(), ' ');
            line += (at == 0 ? "" : "  ") + (at < left ? row[at] + room : room + row[at]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string number_of(int node) {
    return node < 0 ? "?" : std::to_string(node);
}

std::string percent(double chance) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f %%", 100 * chance);
    return text;
}

std::string machine_line(const view &seen) {
    std::string text = counted(seen.processors(), "processor") + ", " +
                       counted(seen.cores(), "core") + ", " + counted(seen.nodes.size(), "node");
    if (!seen.described.empty())
        return text + ": SAGUARO_TOPOLOGY=" + platform::one_line(seen.described) + "\n";
    if (!seen.has_hwloc)
        text += ": hwloc is not here, so nothing is known but the processors' numbers";
    return text + "\n";
}

std::string workers_line(const view &seen) {
    std::string text = counted(seen.workers, "worker");
    if (!seen.described.empty())
        return text + "; the policies take them to sit as below\n";
    if (seen.is_bound)
        return text + ", bound; but worker 0 is the thread that calls run, which is not\n";
    return text + ", not bound: for the policies all are equally near\n";
}

table nodes_table(const view &seen) {
    table rows{{"node", "processors", "workers", "cores"}};
    for (const node &each : seen.nodes)
        rows.push_back({number_of(each.number), list_of_processors(each.cpus()),
                        list_of_processors(each.workers()), std::to_string(each.cores().size())});
    return rows;
}

table latencies_table(const view &seen) {
    table rows{{"node"}};
    for (const node &each : seen.nodes)
        rows.front().push_back(number_of(each.number));
    for (std::size_t from = 0; from < seen.nodes.size(); ++from) {
        rows.push_back({number_of(seen.nodes[from].number)});
        for (const int latency : seen.latencies[from])
            rows.back().push_back(std::to_string(latency));
    }
    return rows;
}

table chances_table(const view &seen) {
    table rows{{"victims", "workers", "latency"}};
    for (const choice &each : seen.choices)
        rows.front().push_back(each.policy + (each.is_set ? "*" : ""));
    for (std::size_t at = 0; at < seen.around.groups.size(); ++at) {
        const scheduler::distance_group &group = seen.around.groups[at];
        std::vector<int> workers = seen.members(group);
        rows.push_back({name_of_distance(group.distance), list_of_processors(workers),
                        std::to_string(platform::latency_of(group.distance))});
        for (const choice &each : seen.choices)
            rows.back().push_back(each.turns.empty() ? percent(each.chances[at])
                                                     : "try " + std::to_string(each.turns[at]));
    }
    return rows;
}

std::string thief_line(const view &seen) {
    std::string text = "Whom worker " + std::to_string(seen.thief);
    if (seen.has_places())
        text += " on processor " + std::to_string(seen.seats[seen.thief]);
    return text + " tries when it has no work (*: SAGUARO_POLICY)\n";
}

} // namespace

std::string as_text(const view &seen) {
    std::string text = machine_line(seen) + workers_line(seen) + "\n" +
                       laid_out(nodes_table(seen), 3) +
                       "\nLatency of memory, 10 in the own node\n" +
                       laid_out(latencies_table(seen), 1) + "\n" + thief_line(seen);
    return text + (seen.around.groups.empty() ? "nobody: it is alone\n"
                                              : laid_out(chances_table(seen), 2));
}

} // namespace saguaro::topology_tool
