// SPDX-License-Identifier: MIT
// The picture: a line for each worker, time to the right. Green is work, orange waiting for memory
// of other nodes, grey looking for work; white is sleep.
#include "drawing/svg.hpp"
#include "output.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace saguaro::sim {

namespace {

constexpr double edge_left = 70;
constexpr double top = 64;
constexpr double width = 1024;
constexpr double tallest = 960;

struct paint {
    activity what;
    const char *fill;
    const char *name;
};

constexpr std::array<paint, activities> paints{{
    {activity::work, drawing::green, "work"},
    {activity::memory, drawing::orange, "waiting for memory"},
    {activity::sleep, drawing::paper, "asleep"},
}};
constexpr const char *looking = drawing::rest;

using shapes = drawing::svg<drawing::string_sink>;

// What a worker does for most of an interval: a paint, or all of them for looking.
std::size_t most(const timeline &seen, unsigned worker, std::size_t interval) {
    ps all = 0;
    std::size_t best = paints.size();
    ps longest = 0;
    for (std::size_t at = 0; at < paints.size(); ++at) {
        const ps here = seen.during(worker, interval, paints[at].what);
        all += here;
        if (here > longest) {
            longest = here;
            best = at;
        }
    }
    return seen.interval() - all > longest ? paints.size() : best;
}

void draw_line(shapes &to, const timeline &seen, unsigned worker, double y, double height,
               std::size_t intervals) {
    const double each = width / static_cast<double>(intervals);
    for (std::size_t from = 0; from < intervals;) {
        const std::size_t what = most(seen, worker, from);
        std::size_t next = from + 1;
        while (next < intervals && most(seen, worker, next) == what)
            ++next;
        if (what < paints.size())
            to.rect(edge_left + each * static_cast<double>(from), y,
                    each * static_cast<double>(next - from), height, paints[what].fill);
        from = next;
    }
}

void draw_legend(shapes &to) {
    double x = edge_left;
    for (const paint &each : paints) {
        to.rect(x, 38, 12, 12, each.fill);
        to.text(x + 18, 48, each.name, {12});
        x += 170;
    }
    to.rect(x, 38, 12, 12, looking);
    to.text(x + 18, 48, "looking for work", {12});
}

} // namespace

std::string as_svg(const sweep &all) {
    const timeline &seen = *all.picture;
    const row &only = all.rows.front();
    const auto intervals = static_cast<std::size_t>(
        std::clamp<ps>((only.out.time + seen.interval() - 1) / seen.interval(), 1,
                       static_cast<ps>(timeline::intervals)));
    const double height = std::min(18.0, tallest / seen.workers());
    const double bottom = top + height * seen.workers();
    drawing::string_sink out;
    shapes to(out);
    to.open(edge_left + width + 24, bottom + 36);
    to.rect(edge_left, top, width, height * seen.workers(), looking);
    for (unsigned worker = 0; worker < seen.workers(); ++worker)
        draw_line(to, seen, worker, top + height * worker, height * 0.9, intervals);
    char title[160];
    std::snprintf(
        title, sizeof title, "%u workers, %s, memory %s: %.6g ms, speedup %.2f", only.workers,
        only.policy.c_str(), only.memory.c_str(), static_cast<double>(only.out.time) * 1e-9,
        static_cast<double>(all.bounds.work) / static_cast<double>(std::max<ps>(1, only.out.time)));
    to.text(edge_left, 24, title, {12, nullptr, " font-weight=\"600\""});
    draw_legend(to);
    constexpr shapes::words at_right{12, nullptr, " text-anchor=\"end\""};
    to.text(edge_left - 8, top + 12, "worker 0", at_right);
    to.text(edge_left, bottom + 18, "0", {12});
    char end[32];
    std::snprintf(end, sizeof end, "%.4g ms",
                  static_cast<double>(seen.interval()) * static_cast<double>(intervals) * 1e-9);
    to.text(edge_left + width, bottom + 18, end, at_right);
    to.close();
    return out.text();
}

} // namespace saguaro::sim
