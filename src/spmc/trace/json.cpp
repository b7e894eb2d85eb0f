// SPDX-License-Identifier: MIT
// Chrome's trace-event format, which ui.perfetto.dev and others open: a row for each space, and a
// flow from each send to its receive. All text is made of numbers and fixed words, so nothing is to
// be escaped but the words of strsignal, which have no quotes.
#include "spmc/ends.hpp"
#include "spmc/trace/write.hpp"

#include <cinttypes>

namespace saguaro::spmc::trace {

namespace {

class writer {
public:
    writer(output &to, const picture &p) : to_(to), p_(p) {}

    void write() {
        to_.put("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped\":%" PRIu64
                "},\"traceEvents\":[\n"
                "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"tid\":0,\"args\":{\"name\":"
                "\"spaces\"}}",
                p_.dropped);
        for (std::uint32_t r = 0; r < p_.rows.size(); ++r) {
            row_ = r;
            write_row(p_.rows[r]);
        }
        for (std::size_t i = 0; i < p_.arrows.size(); ++i)
            write_flow(i, p_.arrows[i]);
        to_.put("\n]}\n");
    }

private:
    void write_row(const row &r) {
        char text[name_bytes];
        to_.put(",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":"
                "\"space %s\"}}",
                row_, name_of(r.which, text));
        to_.put(",\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":1,\"tid\":%u,\"args\":{"
                "\"sort_index\":%u}}",
                row_, row_);
        char cause[cause_bytes];
        begin("space", "space", r.begin, r.end - r.begin);
        to_.put("\"space\":\"%s\",\"end\":\"%s\"}}", name_of(r.which, text),
                ended_with(*p_.all, r.which) != 0 ? cause_of(*p_.all, r.which, cause)
                                                  : "the file was written");
        std::uint64_t sequence = 0;
        for_each(*p_.all, r.noted->events, [&](const event &e) { write_event(e, sequence++); });
        for_each(*p_.all, r.noted->waits, [&](const event &e) { write_wait(e); });
    }

    // Up to the begin of its arguments. A moment is a slice too, because flows go from slice to
    // slice.
    void begin(const char *name, const char *category, std::int64_t time, std::int64_t lasts = 1) {
        to_.put(",\n{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":1,\"tid\":%u,", name,
                category, row_);
        put_time("ts", time - p_.begin);
        put_time("dur", lasts);
        to_.put("\"args\":{");
    }

    void put_time(const char *name, std::int64_t ns) {
        to_.put("\"%s\":%" PRId64 ".%03" PRId64 ",", name, ns / 1000, ns % 1000);
    }

    void put_channel(place where) {
        channel_text text;
        to_.put("\"channel\":\"%s\",", name_channel(p_, channel_at(p_, where), text));
    }

    void write_event(const event &e, std::uint64_t sequence) {
        char text[name_bytes];
        const kind what = e.what.load(std::memory_order_relaxed);
        begin(event_name(what),
              what >= kind::fix       ? "pages"
              : what >= kind::channel ? "channel"
                                      : "space",
              e.time);
        switch (what) {
        case kind::create:
            to_.put("\"created\":\"%s\",", name_of(e.of, text));
            break;
        case kind::channel:
            put_channel(e.of);
            break;
        case kind::send:
        case kind::close:
        case kind::receive:
            put_channel(e.of);
            to_.put("\"message\":%" PRIu64 ",\"bytes\":%" PRIu64 ",", e.count, e.bytes);
            if (what == kind::receive)
                to_.put("\"consumer\":%u,", e.consumer);
            break;
        case kind::fix:
        case kind::extend:
            to_.put("\"address\":\"0x%" PRIx64 "\",\"bytes\":%" PRIu64 ",", e.where, e.bytes);
            break;
        default:
            break;
        }
        to_.put("\"space\":\"%s\",\"sequence\":%" PRIu64 "}}", name_of(p_.rows[row_].which, text),
                sequence);
    }

    static const char *event_name(kind what) {
        switch (what) {
        case kind::begin:
            return "begin";
        case kind::end:
            return "end";
        case kind::create:
            return "create";
        case kind::channel:
            return "new channel";
        case kind::send:
            return "send";
        case kind::close:
            return "close";
        case kind::receive:
            return "receive";
        case kind::fix:
            return "fix";
        default:
            return "extend";
        }
    }

    void write_wait(const event &e) {
        char text[name_bytes];
        const kind what = e.what.load(std::memory_order_relaxed);
        begin(what == kind::wait_message ? "wait for a message"
              : what == kind::wait_room  ? "wait for room"
              : what == kind::wait_page  ? "wait for a page"
              : what == kind::wait_grant ? "wait to be given pages"
                                         : "wait for an end",
              "wait", e.time, e.until - e.time);
        if (what == kind::wait_message || what == kind::wait_room) {
            put_channel(e.of);
            to_.put("\"message\":%" PRIu64 ",", e.count);
        } else if (what == kind::wait_end) {
            to_.put("\"ends\":\"%s\",", name_of(e.of, text));
        } else {
            to_.put("\"address\":\"0x%" PRIx64 "\",", e.where);
        }
        to_.put("\"space\":\"%s\"}}", name_of(p_.rows[row_].which, text));
    }

    void write_flow(std::size_t number, const arrow &a) {
        write_flow_end(number, a, "s", a.from, a.sent);
        write_flow_end(number, a, "f\",\"bp\":\"e", a.to, a.received);
    }

    void write_flow_end(std::size_t number, const arrow &a, const char *phase, std::uint32_t at,
                        std::int64_t time) {
        to_.put(",\n{\"ph\":\"%s\",\"name\":\"%s\",\"cat\":\"%s\",\"id\":%zu,\"pid\":1,\"tid\":%u,",
                phase, a.channel == creation ? "create" : "message",
                a.channel == creation ? "space" : "channel", number + 1, at);
        const std::int64_t ns = time - p_.begin;
        to_.put("\"ts\":%" PRId64 ".%03" PRId64 "}", ns / 1000, ns % 1000);
    }

    output &to_;
    const picture &p_;
    std::uint32_t row_ = 0;
};

} // namespace

void write_json(output &to, const picture &p) {
    writer(to, p).write();
}

} // namespace saguaro::spmc::trace
