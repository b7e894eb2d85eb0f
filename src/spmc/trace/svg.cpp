// SPDX-License-Identifier: MIT
// The picture of a job: a row for each space, time from left to right, waits shaded, and an arrow
// from each send to its receive. What would lie on the same pixels is drawn once, with a title that
// counts it, so that the picture of a million messages is not larger than that of some thousands.
#include "drawing/svg.hpp"
#include "spmc/ends.hpp"
#include "spmc/trace/write.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstring>

namespace saguaro::spmc::trace {

namespace {

constexpr double left = 110, top = 64, width = 1200, row_height = 34, bar = 12;
constexpr double least_wait = 0.6;   // pixels of a wait that is shorter
constexpr double widest_group = 2;   // pixels of waits that are drawn as one
constexpr double between_ticks = 90; // pixels, at least

using drawing::alarm;
using drawing::grid;
using drawing::ink;
using drawing::track;
using drawing::wait;
constexpr auto &colours = drawing::series; // of the arrows that begin in a row

// Nanoseconds in the unit that suits the whole.
struct unit {
    const char *name;
    double ns;
};

unit unit_for(double ns) {
    return ns < 10e3   ? unit{"ns", 1}
           : ns < 10e6 ? unit{"µs", 1e3}
           : ns < 10e9 ? unit{"ms", 1e6}
                       : unit{"s", 1e9};
}

class painter {
public:
    painter(output &to, const picture &p)
        : to_(to), shapes_(to), p_(p),
          lasts_(static_cast<double>(std::max<std::int64_t>(p.end - p.begin, 1))),
          bottom_(top + row_height * static_cast<double>(p.rows.size())) {}

    void draw() {
        shapes_.open(left + width + 30, bottom_ + 44);
        heads();
        title();
        axis();
        for (std::uint32_t r = 0; r < p_.rows.size(); ++r)
            draw_row(r);
        draw_arrows();
        shapes_.close();
    }

private:
    double x(std::int64_t time) const {
        return left + width * static_cast<double>(time - p_.begin) / lasts_;
    }
    static double y(std::uint32_t row) { return top + row_height * (row + 0.5); }
    static const char *colour(std::uint32_t row) { return colours[row % colours.size()]; }

    void heads() {
        to_.put("<defs>");
        for (std::size_t i = 0; i < colours.size(); ++i)
            to_.put("<marker id=\"head%zu\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" "
                    "markerUnits=\"userSpaceOnUse\" markerWidth=\"6\" markerHeight=\"6\" "
                    "orient=\"auto\"><path d=\"M0 0.5L6 3L0 "
                    "5.5z\" fill=\"%s\"/></marker>",
                    i, colours[i]);
        to_.put("</defs>\n");
    }

    void title() {
        std::size_t messages = 0;
        for (const arrow &a : p_.arrows)
            messages += a.channel != creation ? 1 : 0;
        shapes_.begin_text(10, 18, {13});
        to_.put("%zu spaces, %zu channels, %zu messages received", p_.rows.size(),
                p_.channels.size(), messages);
        shapes_.end_text();
        if (p_.dropped != 0) {
            shapes_.begin_text(left + 300, 18, {13, alarm});
            to_.put("%" PRIu64 " events were dropped: the picture has the first %u of each space",
                    p_.dropped, most_events);
            shapes_.end_text();
        }
        shapes_.rect(10, 28, 18, 8, track);
        shapes_.text(32, 36, "runs");
        shapes_.rect(70, 28, 18, 8, wait);
        shapes_.text(92, 36, "waits");
        shapes_.line(140, 32, 162, 32, colours[0], " marker-end=\"url(#head0)\"");
        shapes_.text(168, 36, "message, in the colour of its sender");
        shapes_.line(390, 32, 412, 32, colours[0],
                     " stroke-dasharray=\"3 3\" marker-end=\"url(#head0)\"");
        shapes_.text(418, 36, "begins a space");
        shapes_.rect(520, 28, 2, 9, ink);
        shapes_.text(527, 36, "pages fixed or extended");
    }

    // 1, 2 or 5 times a power of ten.
    double step(double ns_per_unit) const {
        double each = 1;
        for (const double factor : {2.0, 2.5, 2.0})
            if (each * ns_per_unit / lasts_ * width < between_ticks)
                each *= factor;
        while (each * ns_per_unit / lasts_ * width < between_ticks) {
            each *= 2;
            if (each * ns_per_unit / lasts_ * width < between_ticks)
                each *= 2.5;
            if (each * ns_per_unit / lasts_ * width < between_ticks)
                each *= 2;
        }
        return each;
    }

    void axis() {
        const unit u = unit_for(lasts_);
        const double each = step(u.ns);
        for (int i = 0; each * i * u.ns <= lasts_; ++i) {
            const double at = left + width * each * i * u.ns / lasts_;
            shapes_.line(at, top - 8, at, bottom_ + 8, grid);
            shapes_.begin_text(at, bottom_ + 24, middle);
            to_.put("%g %s", each * i, u.name);
            shapes_.end_text();
        }
    }

    void put_duration(double ns) {
        const unit u = unit_for(ns * 10); // from 1 to 1000 of it
        const double number = ns / u.ns;
        to_.put("%.*f %s", number < 10 ? 2 : number < 100 ? 1 : 0, number, u.name);
    }

    void draw_row(std::uint32_t number) {
        const row &r = p_.rows[number];
        char name[name_bytes];
        const char *const shown = name_of(r.which, name);
        const std::size_t length = std::strlen(shown);
        constexpr std::size_t most_shown = 9;
        shapes_.begin_text(10, y(number) + 4);
        to_.put("space %s%s<title>space %s</title>", length > most_shown ? "..." : "",
                length > most_shown ? shown + length - most_shown : shown, shown);
        shapes_.end_text();
        char cause[cause_bytes];
        shapes_.begin_rect(x(r.begin), y(number) - bar / 2, std::max(x(r.end) - x(r.begin), 1.0),
                           bar, track, " rx=\"2\"");
        to_.put("space %s: ", shown);
        put_duration(static_cast<double>(r.end - r.begin));
        to_.put(", %s", ended_with(*p_.all, r.which) != 0 ? cause_of(*p_.all, r.which, cause)
                                                          : "until the picture was made");
        shapes_.end("rect");
        draw_waits(number);
        draw_pages(number);
    }

    // ---- Waits ----

    struct wait_group {
        double begin = 0;
        double end = 0;
        std::uint64_t count = 0; // 0: none so far
        double ns = 0;
        const event *first = nullptr;
    };

    void draw_waits(std::uint32_t number) {
        wait_group open;
        for_each(*p_.all, p_.rows[number].noted->waits, [&](const event &e) {
            const double begin = x(e.time);
            const double end = std::max(x(e.until), begin + least_wait);
            const bool belongs =
                open.count != 0 && begin < open.end + least_wait && end < open.begin + widest_group;
            if (!belongs) {
                draw_wait(number, open);
                open = {begin, end, 0, 0, &e};
            }
            open.end = std::max(open.end, end);
            ++open.count;
            open.ns += static_cast<double>(e.until - e.time);
        });
        draw_wait(number, open);
    }

    void draw_wait(std::uint32_t number, const wait_group &g) {
        if (g.count == 0)
            return;
        shapes_.begin_rect(g.begin, y(number) - bar / 2, g.end - g.begin, bar, wait);
        if (g.count == 1)
            put_wait(*g.first);
        else
            to_.put("%" PRIu64 " waits: ", g.count);
        put_duration(g.ns);
        shapes_.end("rect");
    }

    void put_wait(const event &e) {
        channel_text channel;
        char space[name_bytes];
        switch (e.what.load(std::memory_order_relaxed)) {
        case kind::wait_message:
            to_.put("waits for message %" PRIu64 " of %s: ", e.count,
                    name_channel(p_, channel_at(p_, e.of), channel));
            break;
        case kind::wait_room:
            to_.put("waits for room for message %" PRIu64 " of %s: ", e.count,
                    name_channel(p_, channel_at(p_, e.of), channel));
            break;
        case kind::wait_end:
            to_.put("waits for the end of space %s: ", name_of(e.of, space));
            break;
        default:
            to_.put("waits for the page at 0x%" PRIx64 ": ", e.where);
        }
    }

    // ---- Pages ----

    void draw_pages(std::uint32_t number) {
        double last = -1;
        for_each(*p_.all, p_.rows[number].noted->events, [&](const event &e) {
            const kind what = e.what.load(std::memory_order_relaxed);
            if ((what != kind::fix && what != kind::extend) || x(e.time) < last + 1)
                return;
            last = x(e.time);
            shapes_.begin_rect(last - 1, y(number) - bar / 2, 2, bar, ink);
            to_.put("%s: %" PRIu64 " bytes at 0x%" PRIx64, what == kind::fix ? "fixes" : "extends",
                    e.bytes, e.where);
            shapes_.end("rect");
        });
    }

    // ---- Arrows ----

    // Where an arrow is, in pixels.
    struct line {
        std::uint32_t from;
        std::uint32_t to;
        bool is_creation;
        long begin;
        long end;

        auto operator<=>(const line &) const = default;
    };

    line line_of(const arrow &a) const {
        return {a.from, a.to, a.channel == creation, static_cast<long>(x(a.sent)),
                static_cast<long>(x(a.received))};
    }

    void draw_arrows() {
        std::sort(p_.arrows.begin(), p_.arrows.end(), [&](const arrow &a, const arrow &b) {
            const line first = line_of(a);
            const line second = line_of(b);
            return first != second ? first < second : a.sent < b.sent;
        });
        for (std::size_t i = 0; i < p_.arrows.size();) {
            std::size_t end = i + 1;
            while (end < p_.arrows.size() && line_of(p_.arrows[end]) == line_of(p_.arrows[i]))
                ++end;
            draw_arrow(p_.arrows.subspan(i, end - i));
            i = end;
        }
    }

    void draw_arrow(std::span<const arrow> same) {
        const arrow &a = same.front();
        const double down = a.to == a.from ? 0 : a.to > a.from ? bar / 2 : -bar / 2;
        char look[128];
        std::snprintf(look, sizeof look, " stroke-width=\"%s\"%s marker-end=\"url(#head%zu)\"",
                      same.size() > 1 ? "1.6" : "1",
                      a.channel == creation ? " stroke-dasharray=\"3 3\"" : "",
                      a.from % colours.size());
        shapes_.begin_line(x(a.sent), y(a.from) + down, x(a.received), y(a.to) - down,
                           colour(a.from), look);
        char from[name_bytes];
        char to[name_bytes];
        const char *const giver = name_of(p_.rows[a.from].which, from);
        const char *const taker = name_of(p_.rows[a.to].which, to);
        if (a.channel == creation)
            to_.put("space %s begins space %s: ", giver, taker);
        else if (same.size() == 1)
            put_message(a, giver, taker);
        else
            put_messages(same, giver, taker);
        put_duration(static_cast<double>(a.received - a.sent));
        shapes_.end("line");
    }

    void put_message(const arrow &a, const char *from, const char *to) {
        channel_text channel;
        to_.put("message %" PRIu64 " of %s, from space %s to %s, %" PRIu64 " bytes: ", a.number,
                name_channel(p_, a.channel, channel), from, to, a.bytes);
    }

    void put_messages(std::span<const arrow> same, const char *from, const char *to) {
        std::uint64_t bytes = 0;
        for (const arrow &a : same)
            bytes += a.bytes;
        to_.put("%zu messages from space %s to %s, %" PRIu64 " bytes; the first: ", same.size(),
                from, to, bytes);
    }

    static constexpr drawing::svg<output>::words middle{11, nullptr, " text-anchor=\"middle\""};

    output &to_;
    drawing::svg<output> shapes_;
    const picture &p_;
    const double lasts_; // ns
    const double bottom_;
};

} // namespace

void write_svg(output &to, const picture &p) {
    painter(to, p).draw();
}

} // namespace saguaro::spmc::trace
