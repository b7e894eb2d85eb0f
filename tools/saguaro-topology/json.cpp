// SPDX-License-Identifier: MIT
// The topology as JSON.
#include "output.hpp"

#include "common/text.hpp"

#include <cstdio>

namespace saguaro::topology_tool {

namespace {

using tools::quoted;

std::string json_number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

std::string json_number(int value) {
    return std::to_string(value);
}

std::string json_number(unsigned value) {
    return std::to_string(value);
}

// Of what `each` makes of the items.
template <class Items, class Each>
std::string list(const Items &items, Each each) {
    std::string out;
    for (const auto &item : items)
        out += (out.empty() ? "" : ", ") + each(item);
    return "[" + out + "]";
}

template <class T>
std::string numbers(const std::vector<T> &items) {
    return list(items, [](T item) { return json_number(item); });
}

std::string lines(const std::vector<std::string> &items) {
    std::string out;
    for (const std::string &item : items)
        out += (out.empty() ? "\n    " : ",\n    ") + item;
    return "[" + out + (items.empty() ? "]" : "\n  ]");
}

std::string nodes(const view &seen) {
    std::vector<std::string> items;
    for (const node &each : seen.nodes) {
        const auto cpus = [](const std::vector<processor> &core) {
            return list(core, [](const processor &one) { return json_number(one.number); });
        };
        items.push_back("{\"node\": " + json_number(each.number) +
                        ", \"cores\": " + list(each.cores(), cpus) +
                        ", \"workers\": " + numbers(each.workers()) + "}");
    }
    return lines(items);
}

std::string distances(const view &seen) {
    std::vector<std::string> items;
    for (const scheduler::distance_group &group : seen.around.groups)
        items.push_back("{\"distance\": " + json_number(group.distance) +
                        ", \"name\": " + quoted(name_of_distance(group.distance)) +
                        ", \"latency\": " + json_number(platform::latency_of(group.distance)) +
                        ", \"workers\": " + numbers(seen.members(group)) + "}");
    return lines(items);
}

std::string policies(const view &seen) {
    std::vector<std::string> items;
    for (const choice &each : seen.choices)
        items.push_back("{\"policy\": " + quoted(each.policy) +
                        ", \"set\": " + (each.is_set ? "true" : "false") +
                        ", \"chances\": " + numbers(each.chances) + ", \"turns\": " +
                        (each.turns.empty() ? "null" : numbers(each.turns)) + "}");
    return lines(items);
}

} // namespace

std::string as_json(const view &seen) {
    return "{\n  \"topology\": " + (seen.described.empty() ? "null" : quoted(seen.described)) +
           ",\n  \"hwloc\": " + (seen.has_hwloc ? "true" : "false") +
           ",\n  \"nodes\": " + nodes(seen) + ",\n  \"latencies\": " +
           list(seen.latencies, [](const std::vector<int> &row) { return numbers(row); }) +
           ",\n  \"bound\": " + (seen.is_bound ? "true" : "false") +
           ",\n  \"processor_of_worker\": " + numbers(seen.seats) +
           ",\n  \"thief\": " + json_number(seen.thief) + ",\n  \"distances\": " + distances(seen) +
           ",\n  \"policies\": " + policies(seen) + "\n}\n";
}

} // namespace saguaro::topology_tool
