// SPDX-License-Identifier: MIT
// The simulator's results as tables of text.
#include "names.hpp"
#include "output.hpp"

#include "common/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace saguaro::sim {

namespace {

using table = std::vector<std::vector<std::string>>;

std::string text_of(const char *form, double value) {
    char text[64];
    std::snprintf(text, sizeof text, form, value);
    return text;
}

std::string percent(double part, double whole) {
    return text_of("%.1f %%", whole > 0 ? 100 * part / whole : 0);
}

// In a unit that leaves one to three figures before the point.
std::string duration(ps time) {
    struct unit {
        const char *form;
        double size;
    };
    constexpr std::array<unit, 4> units{
        {{"%.3f s", 1e12}, {"%.3f ms", 1e9}, {"%.3f us", 1e6}, {"%.1f ns", 1e3}}};
    const auto value = static_cast<double>(time);
    const auto fits = std::find_if(units.begin(), units.end() - 1,
                                   [value](const unit &each) { return value >= each.size; });
    return text_of(fits->form, value / fits->size);
}

std::string laid_out(const table &rows, std::size_t left) {
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto &row : rows)
        for (std::size_t at = 0; at < row.size(); ++at)
            widths[at] = std::max(widths[at], row[at].size());
    std::string text;
    for (const auto &row : rows) {
        for (std::size_t at = 0; at < row.size(); ++at) {
            const std::string room(widths[at] - row[at].size(), ' ');
            const bool is_last = at + 1 == row.size();
            text += at < left ? row[at] + (is_last ? "" : room) : room + row[at];
            text += is_last ? "\n" : "  ";
        }
    }
    return text;
}

std::string program_lines(const sweep &all) {
    const auto ratio = [](ps a, ps b) {
        return text_of("%.1f", b > 0 ? static_cast<double>(a) / static_cast<double>(b) : 1);
    };
    std::string text = "T1 " + duration(all.bounds.work) + ", T-infinity " +
                       duration(all.bounds.path) + ": parallelism " +
                       ratio(all.bounds.work, all.bounds.path) + ", or " +
                       ratio(all.bounds.work, all.bounds.burdened) + " with steals\n";
    text += tools::counted(all.program.spawns, "spawn");
    const double used = static_cast<double>(all.program.touched_bytes) +
                        static_cast<double>(all.program.reused_bytes);
    if (used > 0)
        text += "; " + percent(static_cast<double>(all.program.touched_bytes), used) +
                " of the bytes used miss the cache";
    return text + "\n";
}

std::string machine_line(const sweep &all) {
    std::string text =
        tools::counted(all.processors, "processor") + ", " + tools::counted(all.nodes, "node");
    for (std::size_t level = 0; level < all.levels.size(); ++level)
        text += std::string(level == 0 ? "; latencies between nodes, the own one is 1: " : ", ") +
                text_of("%.1f", all.levels[level]);
    return text + "\n";
}

} // namespace

std::string as_text(const sweep &all) {
    table rows{{"policy", "memory", "steals by", "workers", "time", "speedup", "working", "steals",
                "remote", "fences", "lines remote", "waits"}};
    for (const row &each : all.rows) {
        const outcome &out = each.out;
        const double workers = each.workers;
        const auto took = static_cast<double>(out.time);
        double remote = 0;
        for (const std::uint64_t lines : out.lines.remote_lines)
            remote += static_cast<double>(lines);
        const auto steals = static_cast<double>(out.all_steals());
        rows.push_back(
            {each.policy, each.memory, std::string(name_of(each.how)), in_words(each.workers),
             duration(out.time),
             text_of("%.2f", took > 0 ? static_cast<double>(all.bounds.work) / took : 1),
             percent(static_cast<double>(out.working), took * workers), in_words(out.all_steals()),
             percent(steals - static_cast<double>(out.steals.front()), steals),
             in_words(out.fences),
             percent(remote, remote + static_cast<double>(out.lines.own_lines)),
             percent(static_cast<double>(out.lines.queues + out.lines.distance), took * workers)});
    }
    return program_lines(all) + machine_line(all) + "\n" + laid_out(rows, 3);
}

} // namespace saguaro::sim
