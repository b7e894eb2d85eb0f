// SPDX-License-Identifier: MIT
// The simulator's results as JSON.
#include "names.hpp"
#include "output.hpp"

#include "common/text.hpp"

#include <utility>

namespace saguaro::sim {

namespace {

using tools::quoted;

template <class T>
std::string list(const std::vector<T> &numbers) {
    std::string out;
    for (const T each : numbers)
        out += (out.empty() ? "" : ", ") + in_words(each);
    return "[" + out + "]";
}

// Members of an object, in this order.
class object {
public:
    object &text(const char *name, const std::string &value) { return add(name, quoted(value)); }
    template <class T>
    object &number(const char *name, T value) {
        return add(name, in_words(value));
    }
    object &seconds(const char *name, ps value) { return number(name, in_seconds(value)); }
    object &add(const char *name, const std::string &value) {
        members_ += (members_.empty() ? "\"" : ", \"") + std::string(name) + "\": " + value;
        return *this;
    }
    std::string done() const { return "{" + members_ + "}"; }

private:
    std::string members_;
};

std::string program_of(const sweep &all, const options &chosen) {
    return object()
        .text("name", chosen.recording.empty() ? chosen.workload : chosen.recording)
        .seconds("work", all.bounds.work)
        .seconds("span", all.bounds.path)
        .seconds("burdened_span", all.bounds.burdened)
        .number("events", all.program.events)
        .number("spawns", all.program.spawns)
        .number("touched_bytes", all.program.touched_bytes)
        .number("reused_bytes", all.program.reused_bytes)
        .number("memory_bytes", all.bytes)
        .done();
}

std::string machine_of(const sweep &all) {
    return object()
        .add("topology", all.topology.empty() ? "null" : quoted(all.topology))
        .number("processors", all.processors)
        .number("nodes", all.nodes)
        .add("latencies", list(all.levels))
        .done();
}

std::string costs_of(const costs &c) {
    return object()
        .number("spawn", c.spawn)
        .number("ask", c.ask)
        .number("look", c.look)
        .number("steal", c.steal)
        .number("robbed", c.robbed)
        .number("fence", c.fence)
        .number("interrupted", c.interrupted)
        .number("wake", c.wake)
        .number("waking", c.waking)
        .number("spin", c.spin)
        .number("line", c.line)
        .number("node_bandwidth", c.node_bandwidth)
        .add("link_bandwidth", list(c.link_bandwidth))
        .done();
}

std::string row_of(const row &each, const span &bounds) {
    const outcome &out = each.out;
    return object()
        .number("workers", each.workers)
        .text("policy", each.policy)
        .text("memory", each.memory)
        .text("steals_by", std::string(name_of(each.how)))
        .seconds("seconds", out.time)
        .number("speedup", out.time > 0
                               ? static_cast<double>(bounds.work) / static_cast<double>(out.time)
                               : 1.0)
        .seconds("working", out.working)
        .seconds("stealing", out.stealing)
        .seconds("fencing", out.fencing)
        .seconds("sleeping", out.sleeping)
        .seconds("distance", out.lines.distance)
        .seconds("queues", out.lines.queues)
        .add("steals", list(out.steals))
        .number("failed_looks", out.failed_looks)
        .number("requests", out.requests)
        .number("fences", out.fences)
        .number("wakes", out.wakes)
        .number("own_lines", out.lines.own_lines)
        .add("remote_lines", list(out.lines.remote_lines))
        .number("wrapped_objects", out.lines.wrapped_nodes)
        .number("events", out.events)
        .done();
}

} // namespace

std::string as_json(const sweep &all, const options &chosen) {
    std::string rows;
    for (const row &each : all.rows)
        rows += (rows.empty() ? "\n    " : ",\n    ") + row_of(each, all.bounds);
    return "{\n  \"program\": " + program_of(all, chosen) + ",\n  \"machine\": " + machine_of(all) +
           ",\n  \"seed\": " + in_words(chosen.seed) + ",\n  \"costs\": " + costs_of(chosen.cost) +
           ",\n  \"runs\": [" + rows + "\n  ]\n}\n";
}

} // namespace saguaro::sim
