// SPDX-License-Identifier: MIT
// The picture: the nodes with their cores and workers, coloured by how the thief prefers them;
// below them the latencies, and each policy's choice as a bar.
#include "drawing/svg.hpp"
#include "output.hpp"

#include "platform/processors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace saguaro::topology_tool {

namespace {

using drawing::deep_green;
using drawing::deep_orange;
using drawing::edge;
using drawing::faint_green;
using drawing::faint_orange;
using drawing::ink;
using drawing::on_dark;
using drawing::on_light;
using drawing::panel;
using drawing::paper;
using drawing::soft;

constexpr double margin = 28;
constexpr double cell = 38;
constexpr double gap = 6;
constexpr double node_padding = 12;
constexpr double node_title = 30;
constexpr double between_nodes = 18;
constexpr double widest_row = 1460;
constexpr double page_title = 92;

// Of the palette's form, #rrggbb.
std::string between(const char *from, const char *to, double share) {
    std::string mixed = "#";
    for (const int at : {1, 3, 5}) {
        const auto part = [at](const char *of) {
            return static_cast<int>(std::strtol(std::string(of + at, 2).c_str(), nullptr, 16));
        };
        char text[16];
        std::snprintf(text, sizeof text, "%02lx",
                      std::lround(part(from) + share * (part(to) - part(from))));
        mixed += text;
    }
    return mixed;
}

const char *readable_on(double share) {
    return share > 0.7 ? on_dark : on_light;
}

// As long as the text is in this size, with figures in mind: no font is asked.
double width_of(const std::string &text, double size) {
    return 0.6 * size * static_cast<double>(text.size());
}

class picture {
public:
    void rectangle(double x, double y, double width, double height, const std::string &fill,
                   const char *more = "") {
        shapes_.rect(x, y, width, height, fill.c_str(), more);
        reaches(x + width, y + height);
    }

    void text(double x, double y, double size, const std::string &words, const char *fill,
              const char *more = "") {
        shapes_.text(x, y, words, {size, fill, more});
        const std::string_view how(more);
        if (how.find("middle") == how.npos && how.find("end") == how.npos)
            reaches(x + width_of(words, size), y);
    }

    // The shapes in between are one thing, with a title that readers of the picture may ask for.
    void open(const char *kind, const std::string &title) { shapes_.begin_group(kind, title); }
    void close() { shapes_.end_group(); }

    double right() const { return right_; }
    double bottom() const { return bottom_; }

    std::string done() const {
        drawing::string_sink out;
        drawing::svg<drawing::string_sink> whole(out);
        whole.open(std::ceil(right_ + margin), std::ceil(bottom_ + margin));
        out.append(body_.text());
        whole.close();
        return out.text();
    }

private:
    void reaches(double x, double y) {
        right_ = std::max(right_, x);
        bottom_ = std::max(bottom_, y);
    }

    drawing::string_sink body_;
    drawing::svg<drawing::string_sink> shapes_{body_};
    double right_ = 0;
    double bottom_ = 0;
};

constexpr const char *centred = " text-anchor=\"middle\"";
constexpr const char *centred_bold = " text-anchor=\"middle\" font-weight=\"600\"";
constexpr const char *bold = " font-weight=\"600\"";
constexpr const char *at_right = " text-anchor=\"end\"";

std::string name_of(const node &each) {
    return each.number < 0 ? "node ?" : "node " + std::to_string(each.number);
}

// All nodes are drawn alike: as the largest needs.
struct plan {
    explicit plan(const view &seen) {
        for (const node &each : seen.nodes) {
            const auto found = each.cores();
            cores = std::max(cores, found.size());
            for (const auto &core : found)
                threads = std::max(threads, core.size());
        }
        // Nearly square, without a row that is not full if that can be.
        const auto square =
            static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(cores))));
        columns = square;
        while (columns < 2 * square && cores % columns != 0)
            ++columns;
        if (cores % columns != 0)
            columns = square;
        rows = (cores + columns - 1) / columns;
        const std::size_t most = std::max<std::size_t>(
            1, static_cast<std::size_t>((widest_row + between_nodes) / (width() + between_nodes)));
        const std::size_t lines = (seen.nodes.size() + most - 1) / most;
        in_a_row = (seen.nodes.size() + lines - 1) / lines;
    }

    double core_width() const { return static_cast<double>(threads) * cell; }
    double width() const {
        return static_cast<double>(columns) * (core_width() + gap) - gap + 2 * node_padding;
    }
    double height() const {
        return static_cast<double>(rows) * (cell + gap) - gap + 2 * node_padding + node_title;
    }

    std::size_t cores = 1;
    std::size_t threads = 1;
    std::size_t columns = 1;
    std::size_t rows = 1;
    std::size_t in_a_row = 1;
};

void draw_title(picture &p, const view &seen) {
    p.text(margin, 42, 22,
           counted(seen.nodes.size(), "node") + ", " + counted(seen.cores(), "core") + ", " +
               counted(seen.processors(), "processor"),
           ink, bold);
    std::string below = counted(seen.workers, "worker");
    if (!seen.has_places())
        below += ", not bound";
    below += ". Darker: worker " + std::to_string(seen.thief) + ", the thief, tries it " +
             (seen.set_choice().turns.empty() ? "more often" : "earlier") + " (" +
             seen.set_choice().policy + ")";
    p.text(margin, 64, 13, below, soft);
    p.text(margin, 82, 13, "Large numbers are workers, small ones processors.", soft);
}

// One processor: its workers in the middle, its own number below.
void draw_processor(picture &p, const view &seen, const processor &one, double x, double y) {
    std::string title = "processor " + std::to_string(one.number);
    if (one.workers.empty()) {
        p.open("processor", title);
        p.rectangle(
            x, y, cell - 1, cell, paper,
            (" rx=\"5\" stroke-dasharray=\"3 3\" stroke=\"" + std::string(edge) + "\"").c_str());
        p.text(x + cell / 2, y + cell - 6, 9, std::to_string(one.number), soft, centred);
        p.close();
        return;
    }
    const auto thief = static_cast<int>(seen.thief);
    const bool is_thief =
        std::find(one.workers.begin(), one.workers.end(), thief) != one.workers.end();
    double liked = 0;
    for (const int worker : one.workers)
        liked = std::max(liked, seen.preference(static_cast<unsigned>(worker)));
    const std::string who = platform::list_of_processors(one.workers);
    const std::string shown = who.size() <= 5 ? who
                                              : std::to_string(one.workers.front()) + "+" +
                                                    std::to_string(one.workers.size() - 1);
    title += ", worker " + who + (is_thief ? ", the thief" : "");
    p.open("processor", title);
    p.rectangle(x, y, cell - 1, cell,
                is_thief ? drawing::gold : between(faint_green, deep_green, liked), " rx=\"5\"");
    const char *const words = is_thief ? on_light : readable_on(liked);
    p.text(x + cell / 2, y + 21, shown.size() <= 3 ? 15 : 11, shown, words, centred_bold);
    p.text(x + cell / 2, y + cell - 6, 9, std::to_string(one.number), words,
           " text-anchor=\"middle\" opacity=\"0.75\"");
    p.close();
}

void draw_node(picture &p, const view &seen, const node &each, const plan &all, double x,
               double y) {
    p.open("node", name_of(each));
    p.rectangle(x, y, all.width(), all.height(), panel,
                (" rx=\"10\" stroke=\"" + std::string(edge) + "\"").c_str());
    p.text(x + node_padding, y + 25, 13, name_of(each), ink, bold);
    std::size_t at = 0;
    for (const auto &core : each.cores()) {
        const double left =
            x + node_padding + static_cast<double>(at % all.columns) * (all.core_width() + gap);
        const double top =
            y + node_padding + node_title + static_cast<double>(at / all.columns) * (cell + gap);
        for (std::size_t thread = 0; thread < core.size(); ++thread)
            draw_processor(p, seen, core[thread], left + static_cast<double>(thread) * cell, top);
        ++at;
    }
    p.close();
}

void draw_nodes(picture &p, const view &seen) {
    const plan all(seen);
    for (std::size_t at = 0; at < seen.nodes.size(); ++at)
        draw_node(p, seen, seen.nodes[at], all,
                  margin + static_cast<double>(at % all.in_a_row) * (all.width() + between_nodes),
                  page_title + 14 +
                      static_cast<double>(at / all.in_a_row) * (all.height() + between_nodes));
}

// Returns its width.
double draw_latencies(picture &p, const view &seen, double x, double y) {
    const auto count = static_cast<double>(seen.nodes.size());
    const double side = std::min(34.0, 340 / count);
    const double size = std::min(12.0, side * 0.42);
    p.text(x, y, 15, "Latency of memory", ink, bold);
    int least = 255;
    int most = 0;
    for (const auto &row : seen.latencies)
        for (const int latency : row) {
            least = std::min(least, latency);
            most = std::max(most, latency);
        }
    const double left = x + 24;
    const double top = y + 36;
    for (std::size_t from = 0; from < seen.nodes.size(); ++from) {
        const double along = (static_cast<double>(from) + 0.5) * side;
        const std::string name =
            seen.nodes[from].number < 0 ? "?" : std::to_string(seen.nodes[from].number);
        p.text(left + along, top - 8, size, name, soft, centred);
        p.text(left - 9, top + along + size * 0.36, size, name, soft, at_right);
        for (std::size_t to = 0; to < seen.nodes.size(); ++to) {
            const int latency = seen.latencies[from][to];
            const double share =
                most > least ? static_cast<double>(latency - least) / (most - least) : 0;
            const double across = static_cast<double>(to) * side;
            const double down = static_cast<double>(from) * side;
            p.rectangle(left + across, top + down, side - 2, side - 2,
                        between(faint_orange, deep_orange, share), " rx=\"3\"");
            p.text(left + across + side / 2 - 1, top + down + side / 2 + size * 0.36 - 1, size,
                   std::to_string(latency), on_light, centred);
        }
    }
    return 24 + count * side;
}

// Of the groups, the nearest first: as dark as near.
double depth(std::size_t at, std::size_t groups) {
    return groups <= 1 ? 1 : 1 - 0.85 * static_cast<double>(at) / static_cast<double>(groups - 1);
}

void draw_bar(picture &p, const view &seen, const choice &each, double x, double y, double width) {
    constexpr double height = 26;
    const std::size_t groups = seen.around.groups.size();
    p.open("policy", each.policy);
    p.text(x, y - 7, 13, each.policy, ink, each.is_set ? bold : "");
    if (each.is_set)
        p.text(x + width_of(each.policy, 13) + 10, y - 7, 11, "SAGUARO_POLICY", soft);
    double left = x;
    for (std::size_t at = 0; at < groups; ++at) {
        // Of a row of failed tries each distance has one.
        const double share =
            each.turns.empty() ? each.chances[at] : 1 / static_cast<double>(groups);
        if (share <= 0)
            continue;
        const double wide = share * width;
        const double dark = depth(at, groups);
        p.rectangle(left, y, std::max(wide - 1.5, 0.5), height,
                    between(faint_green, deep_green, dark), " rx=\"3\"");
        char label[32];
        if (each.turns.empty())
            std::snprintf(label, sizeof label, share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
        else
            std::snprintf(label, sizeof label, "try %u", each.turns[at]);
        if (width_of(label, 11) + 4 <= wide)
            p.text(left + wide / 2, y + 17, 11, label, readable_on(dark), centred);
        left += wide;
    }
    p.close();
}

void draw_legend(picture &p, const view &seen, double x, double y) {
    const std::size_t groups = seen.around.groups.size();
    for (std::size_t at = 0; at < groups; ++at) {
        const scheduler::distance_group &group = seen.around.groups[at];
        const double top = y + static_cast<double>(at) * 20;
        p.rectangle(x, top, 14, 14, between(faint_green, deep_green, depth(at, groups)),
                    " rx=\"3\"");
        std::string line = name_of_distance(group.distance);
        if (group.distance > platform::same_node)
            line += ", latency " + std::to_string(platform::latency_of(group.distance));
        p.text(x + 22, top + 11.5, 12, line + ": " + counted(group.count, "worker"), ink);
    }
}

void draw_choices(picture &p, const view &seen, double x, double y, double width) {
    p.text(x, y, 15, "Whom worker " + std::to_string(seen.thief) + " tries", ink, bold);
    if (seen.around.groups.empty()) {
        p.text(x, y + 24, 12, "Nobody: it is alone.", soft);
        return;
    }
    double top = y + 44;
    for (const choice &each : seen.choices) {
        draw_bar(p, seen, each, x, top, width);
        top += 54;
    }
    draw_legend(p, seen, x, top - 16);
}

} // namespace

std::string as_svg(const view &seen) {
    picture p;
    draw_title(p, seen);
    draw_nodes(p, seen);
    constexpr double narrowest_bars = 400;
    constexpr double apart = 44;
    const double y = p.bottom() + 46;
    const double bars = margin + draw_latencies(p, seen, margin, y) + apart;
    const double at = std::max(bars, margin + 150 + apart); // room for the heading
    draw_choices(p, seen, at, y, std::max(narrowest_bars, p.right() - at));
    return p.done();
}

} // namespace saguaro::topology_tool
