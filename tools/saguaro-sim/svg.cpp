// SPDX-License-Identifier: MIT
// The picture: a line for each worker, time to the right. Green is work, orange waiting for memory
// of other nodes, grey looking for work; white is sleep.
#include "output.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace saguaro::sim {

namespace {

constexpr double left = 70;
constexpr double top = 64;
constexpr double width = 1024;
constexpr double tallest = 960;

struct paint {
    activity what;
    const char *fill;
    const char *name;
};

constexpr std::array<paint, activities> paints{{
    {activity::work, "#0f6e46", "work"},
    {activity::memory, "#f0a546", "waiting for memory"},
    {activity::sleep, "#ffffff", "asleep"},
}};
constexpr const char *looking = "#c9cfd6";

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

std::string rectangle(double x, double y, double w, double h, const char *fill) {
    return "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(w) +
           "\" height=\"" + number(h) + "\" fill=\"" + fill + "\"/>\n";
}

std::string text(double x, double y, const std::string &words, const char *more = "") {
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" font-size=\"12\" " + more + ">" +
           words + "</text>\n";
}

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

std::string line_of(const timeline &seen, unsigned worker, double y, double height,
                    std::size_t intervals) {
    const double each = width / static_cast<double>(intervals);
    std::string out;
    for (std::size_t from = 0; from < intervals;) {
        const std::size_t what = most(seen, worker, from);
        std::size_t to = from + 1;
        while (to < intervals && most(seen, worker, to) == what)
            ++to;
        if (what < paints.size())
            out += rectangle(left + each * static_cast<double>(from), y,
                             each * static_cast<double>(to - from), height, paints[what].fill);
        from = to;
    }
    return out;
}

std::string legend() {
    std::string out;
    double x = left;
    for (const paint &each : paints) {
        out += rectangle(x, 38, 12, 12, each.fill) + text(x + 18, 48, each.name);
        x += 170;
    }
    return out + rectangle(x, 38, 12, 12, looking) + text(x + 18, 48, "looking for work");
}

} // namespace

std::string as_svg(const sweep &all) {
    const timeline &seen = *all.picture;
    const row &only = all.rows.front();
    const auto intervals = static_cast<std::size_t>(
        std::clamp<ps>((only.out.time + seen.interval() - 1) / seen.interval(), 1,
                       static_cast<ps>(timeline::intervals)));
    const double height = std::min(18.0, tallest / seen.workers());
    std::string body = rectangle(left, top, width, height * seen.workers(), looking);
    for (unsigned worker = 0; worker < seen.workers(); ++worker)
        body += line_of(seen, worker, top + height * worker, height * 0.9, intervals);
    const double bottom = top + height * seen.workers();
    char title[160];
    std::snprintf(
        title, sizeof title, "%u workers, %s, memory %s: %.6g ms, speedup %.2f", only.workers,
        only.policy.c_str(), only.memory.c_str(), static_cast<double>(only.out.time) * 1e-9,
        static_cast<double>(all.bounds.work) / static_cast<double>(std::max<ps>(1, only.out.time)));
    body += text(left, 24, title, "font-weight=\"600\"") + legend();
    body += text(left - 8, top + 12, "worker 0", "text-anchor=\"end\"");
    body += text(left, bottom + 18, "0");
    char end[32];
    std::snprintf(end, sizeof end, "%.4g ms",
                  static_cast<double>(seen.interval()) * static_cast<double>(intervals) * 1e-9);
    body += text(left + width, bottom + 18, end, "text-anchor=\"end\"");
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(left + width + 24) +
           "\" height=\"" + number(bottom + 36) +
           "\" font-family=\"Inter, Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
           "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
           body + "</svg>\n";
}

} // namespace saguaro::sim
