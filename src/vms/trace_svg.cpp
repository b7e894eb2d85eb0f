// SPDX-License-Identifier: MIT
// The picture of a virtual time line, in the manner of the paper's figure 1: a row for each VP,
// time from left to right. A trace segment is a bar in the colour of its core; an ordering point is
// the capsule that begins where the VP was blocked and ends where it became ready; a tie is a line
// between the ordering points of two VPs.
#include "vms/trace.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <map>

namespace saguaro::vms {

namespace {

constexpr double left = 70, top = 56, row_height = 44, bar = 14, capsule = 8;
constexpr double widest = 32'000; // what viewers can take
constexpr double widest_step = 22;
constexpr double narrowest_named = 5; // steps of fewer pixels have no names

constexpr std::array colours{"#4e79a7", "#f28e2b", "#59a14f", "#b07aa1",
                             "#76b7b2", "#e15759", "#9c755f", "#edc948"};
constexpr const char *tie_colour = "#c0392b";

std::string escaped(const std::string &text) {
    std::string out;
    for (const char c : text)
        switch (c) {
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '&':
            out += "&amp;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
    return out;
}

// What a VP is doing since when, while the events are gone through.
struct row {
    double y;
    trace_step state = trace_step::created;
    double since = 0;
    unsigned core = 0;
    unsigned segment = 0; // the current one, from 1
    std::string request;
};

class picture {
public:
    picture(std::FILE *to, const trace_record &seen) : to_(to), seen_(seen) {
        for (const trace_event &e : seen.events)
            if (rows_.find(e.vp) == rows_.end()) {
                const double y = top + row_height * (static_cast<double>(rows_.size()) + 0.5);
                rows_[e.vp].y = y;
            }
        last_ = seen.events.empty() ? 1 : seen.events.back().time + 1;
        step_ = std::min(widest_step, (widest - left) / static_cast<double>(last_));
    }

    void draw() {
        const double width = x(last_) + 20;
        const double height = top + row_height * static_cast<double>(rows_.size()) + 40;
        put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"11\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            std::max(width, 560.0), height);
        put("<text x=\"10\" y=\"18\" font-size=\"13\">virtual time line of %s</text>\n",
            escaped(seen_.plugin).c_str());
        legend();
        axis(height - 28);
        for (const auto &[number, r] : rows_)
            put("<text x=\"10\" y=\"%.1f\">VP %llu</text>\n", r.y + 4,
                static_cast<unsigned long long>(number));
        for (const trace_event &e : seen_.events)
            change(e);
        for (auto &[number, r] : rows_)
            if (r.state != trace_step::dissipated)
                finish(number, r, x(last_));
        // Over everything else.
        for (const trace_event &e : seen_.events) {
            if (e.what == trace_step::sent)
                message(e);
            if (e.tied_to != 0)
                tie(e);
        }
        put("</svg>\n");
    }

private:
    double x(std::uint64_t time) const { return left + step_ * static_cast<double>(time); }

    [[gnu::format(printf, 2, 3)]] void put(const char *format, ...) {
        va_list arguments;
        va_start(arguments, format);
        std::vfprintf(to_, format, arguments);
        va_end(arguments);
    }

    static const char *colour_of(unsigned core) { return colours[core % colours.size()]; }

    void legend() {
        double at = 10;
        const double y = 36;
        for (unsigned core = 0; core < std::min<std::size_t>(seen_.cores, colours.size()); ++core) {
            put("<rect x=\"%.0f\" y=\"%.0f\" width=\"18\" height=\"8\" rx=\"2\" fill=\"%s\"/>"
                "<text x=\"%.0f\" y=\"%.0f\">core %u</text>\n",
                at, y - 8, colour_of(core), at + 22, y, core);
            at += 70;
        }
        put("<rect x=\"%.0f\" y=\"%.0f\" width=\"18\" height=\"8\" rx=\"4\" fill=\"white\" "
            "stroke=\"#333\"/><text x=\"%.0f\" y=\"%.0f\">ordering point</text>\n",
            at, y - 8, at + 22, y);
        put("<line x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\" stroke=\"#aaa\" "
            "stroke-width=\"2\"/><text x=\"%.0f\" y=\"%.0f\">ready</text>\n",
            at + 110, y - 4, at + 128, y - 4, at + 132, y);
        put("<line x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\" stroke=\"%s\"/>"
            "<text x=\"%.0f\" y=\"%.0f\">tie</text>\n",
            at + 175, y - 4, at + 193, y - 4, tie_colour, at + 197, y);
    }

    void axis(double y) {
        // Some 100 pixels between two numbers, and round ones.
        std::uint64_t each = 1;
        for (const std::uint64_t factor : {5U, 2U, 5U, 2U, 5U, 2U, 5U, 2U, 5U, 2U, 5U, 2U})
            if (step_ * static_cast<double>(each) < 60)
                each *= factor;
        put("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#333\"/>\n", left, y,
            x(last_), y);
        for (std::uint64_t t = 0; t <= last_; t += each)
            put("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#eee\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%llu</text>\n",
                x(t), top - 6, x(t), y, x(t), y + 14, static_cast<unsigned long long>(t));
        put("<text x=\"10\" y=\"%.1f\">time</text>\n", y + 14);
    }

    // A state begins: what was before is drawn.
    void change(const trace_event &e) {
        row &r = rows_[e.vp];
        if (e.what == trace_step::sent)
            return; // `message` draws it
        finish(e.vp, r, x(e.time));
        r.state = e.what;
        r.since = x(e.time);
        if (e.what == trace_step::animated) {
            r.core = e.core;
            ++r.segment;
        }
        r.request = e.request;
    }

    // Draws what the VP has been doing until `end`.
    void finish(std::uint64_t number, const row &r, double end) {
        const auto vp = static_cast<unsigned long long>(number);
        const bool has_name = step_ >= narrowest_named && r.segment > 0;
        switch (r.state) {
        case trace_step::animated:
            put("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" fill=\"%s\">"
                "<title>trace segment %llu.%u, core %u</title></rect>\n",
                r.since, r.y - bar / 2, end - r.since, bar, colour_of(r.core), vp, r.segment,
                r.core);
            if (has_name)
                put("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#555\" "
                    "font-size=\"9\">%llu.%u</text>\n",
                    (r.since + end) / 2, r.y - bar / 2 - 3, vp, r.segment);
            break;
        case trace_step::blocked:
            put("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" "
                "fill=\"white\" stroke=\"#333\"><title>ordering point %llu.%u: %s</title></rect>\n",
                r.since, r.y - capsule / 2, std::max(end - r.since, 1.0), capsule, capsule / 2, vp,
                r.segment, escaped(r.request).c_str());
            // In the picture as well where there is room for it.
            if (has_name && end - r.since > 5.5 * static_cast<double>(r.request.size()))
                put("<text x=\"%.1f\" y=\"%.1f\" fill=\"#333\" font-size=\"9\">%s</text>\n",
                    r.since + 4, r.y + bar / 2 + 8, escaped(r.request).c_str());
            break;
        case trace_step::ready:
            put("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#aaa\" "
                "stroke-width=\"2\"/>\n",
                r.since, r.y, end, r.y);
            break;
        default:
            break;
        }
    }

    // An ordering point that suspends nobody.
    void message(const trace_event &e) {
        const double y = rows_[e.vp].y;
        put("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"white\" stroke=\"#333\"><title>"
            "VP %llu at %llu: %s</title></circle>\n",
            x(e.time), y, static_cast<unsigned long long>(e.vp),
            static_cast<unsigned long long>(e.time), escaped(e.request).c_str());
    }

    // From the one ordering point to where it ended the other's.
    void tie(const trace_event &e) {
        const row &before = rows_[e.tied_vp];
        const row &after = rows_[e.vp];
        const double down = after.y > before.y ? 1 : -1;
        put("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-width=\"1.2\"><title>VP %llu at %llu tied to VP %llu</title></line>"
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n",
            x(e.tied_to), before.y + down * capsule / 2, x(e.time), after.y, tie_colour,
            static_cast<unsigned long long>(e.tied_vp), static_cast<unsigned long long>(e.tied_to),
            static_cast<unsigned long long>(e.vp), x(e.time), after.y, tie_colour);
    }

    std::FILE *const to_;
    const trace_record &seen_;
    std::map<std::uint64_t, row> rows_;
    std::uint64_t last_;
    double step_;
};

} // namespace

void write_svg(std::FILE *to, const trace_record &seen) {
    picture(to, seen).draw();
}

} // namespace saguaro::vms
