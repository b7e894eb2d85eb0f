// SPDX-License-Identifier: MIT
// The picture of a virtual time line, in the manner of the paper's figure 1: a row for each VP,
// time from left to right. A trace segment is a bar in the colour of its core; an ordering point is
// the capsule that begins where the VP was blocked and ends where it became ready; a tie is a line
// between the ordering points of two VPs.
#include "drawing/svg.hpp"
#include "vms/trace.hpp"

#include <algorithm>
#include <map>

namespace saguaro::vms {

namespace {

constexpr double left = 70, top = 56, row_height = 44, bar = 14, capsule = 8;
constexpr double widest = 32'000; // what viewers can take
constexpr double widest_step = 22;
constexpr double narrowest_named = 5; // steps of fewer pixels have no names

using drawing::alarm;
using drawing::grid;
using drawing::ink;
using drawing::paper;
using drawing::soft;
constexpr auto &colours = drawing::series; // of the cores

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
    picture(std::FILE *to, const trace_record &seen) : to_(to), shapes_(to_), seen_(seen) {
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
        shapes_.open(std::max(width, 560.0), height);
        shapes_.text(10, 18, "virtual time line of " + seen_.plugin, {13});
        legend();
        axis(height - 28);
        for (const auto &[number, r] : rows_)
            shapes_.text(10, r.y + 4, "VP " + std::to_string(number));
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
        shapes_.close();
    }

private:
    double x(std::uint64_t time) const { return left + step_ * static_cast<double>(time); }

    static const char *colour_of(unsigned core) { return colours[core % colours.size()]; }

    void legend() {
        double at = 10;
        const double y = 36;
        for (unsigned core = 0; core < std::min<std::size_t>(seen_.cores, colours.size()); ++core) {
            shapes_.rect(at, y - 8, 18, 8, colour_of(core), " rx=\"2\"");
            shapes_.text(at + 22, y, "core " + std::to_string(core));
            at += 70;
        }
        shapes_.rect(at, y - 8, 18, 8, paper, (" rx=\"4\"" + outline).c_str());
        shapes_.text(at + 22, y, "ordering point");
        shapes_.line(at + 110, y - 4, at + 128, y - 4, soft, " stroke-width=\"2\"");
        shapes_.text(at + 132, y, "ready");
        shapes_.line(at + 175, y - 4, at + 193, y - 4, alarm);
        shapes_.text(at + 197, y, "tie");
    }

    void axis(double y) {
        // Some 100 pixels between two numbers, and round ones.
        std::uint64_t each = 1;
        for (const std::uint64_t factor : {5U, 2U, 5U, 2U, 5U, 2U, 5U, 2U, 5U, 2U, 5U, 2U})
            if (step_ * static_cast<double>(each) < 60)
                each *= factor;
        shapes_.line(left, y, x(last_), y, ink);
        for (std::uint64_t t = 0; t <= last_; t += each) {
            shapes_.line(x(t), top - 6, x(t), y, grid);
            shapes_.text(x(t), y + 14, std::to_string(t), {11, nullptr, middle});
        }
        shapes_.text(10, y + 14, "time");
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
        const std::string name = std::to_string(number) + "." + std::to_string(r.segment);
        const bool has_name = step_ >= narrowest_named && r.segment > 0;
        switch (r.state) {
        case trace_step::animated:
            shapes_.begin_rect(r.since, r.y - bar / 2, end - r.since, bar, colour_of(r.core),
                               " rx=\"2\"");
            to_.put("trace segment %s, core %u", name.c_str(), r.core);
            shapes_.end("rect");
            if (has_name)
                shapes_.text((r.since + end) / 2, r.y - bar / 2 - 3, name, {9, soft, middle});
            break;
        case trace_step::blocked:
            shapes_.begin_rect(r.since, r.y - capsule / 2, std::max(end - r.since, 1.0), capsule,
                               paper, (" rx=\"4\"" + outline).c_str());
            shapes_.put("ordering point " + name + ": " + r.request);
            shapes_.end("rect");
            // In the picture as well where there is room for it.
            if (has_name && end - r.since > 5.5 * static_cast<double>(r.request.size()))
                shapes_.text(r.since + 4, r.y + bar / 2 + 8, r.request, {9});
            break;
        case trace_step::ready:
            shapes_.line(r.since, r.y, end, r.y, soft, " stroke-width=\"2\"");
            break;
        default:
            break;
        }
    }

    static std::string at_time(std::uint64_t vp, std::uint64_t time) {
        return "VP " + std::to_string(vp) + " at " + std::to_string(time);
    }

    // An ordering point that suspends no VP.
    void message(const trace_event &e) {
        shapes_.begin_circle(x(e.time), rows_[e.vp].y, 3.5, paper, outline.c_str());
        shapes_.put(at_time(e.vp, e.time) + ": " + e.request);
        shapes_.end("circle");
    }

    // From the one ordering point to where it ended the other's.
    void tie(const trace_event &e) {
        const row &before = rows_[e.tied_vp];
        const row &after = rows_[e.vp];
        const double down = after.y > before.y ? 1 : -1;
        shapes_.begin_line(x(e.tied_to), before.y + down * capsule / 2, x(e.time), after.y, alarm,
                           " stroke-width=\"1.2\"");
        shapes_.put(at_time(e.tied_vp, e.tied_to) + " tied to VP " + std::to_string(e.vp));
        shapes_.end("line");
        shapes_.circle(x(e.time), after.y, 2.5, alarm);
    }

    static constexpr const char *middle = " text-anchor=\"middle\"";
    const std::string outline = std::string(" stroke=\"") + ink + "\"";

    drawing::file_sink to_;
    drawing::svg<drawing::file_sink> shapes_;
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
