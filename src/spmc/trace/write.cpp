// SPDX-License-Identifier: MIT
// Merging the logs of a job and writing them as trace events, one a line.
#include "spmc/trace/write.hpp"

#include "spmc/lines.hpp"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdarg>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace saguaro::spmc::trace {

namespace {

// Memory until the process is gone; nothing if the system refuses it.
template <class T>
std::span<T> memory_for(std::size_t count) {
    void *const got = mmap(nullptr, count * sizeof(T) + 1, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
        return {};
    return {static_cast<T *>(got), count};
}

unsigned depth_of(const job &all, slot which) {
    unsigned depth = 0;
    for (; which != root_slot && which != 0; which = all.space_in(which).parent)
        ++depth;
    return depth;
}

// A space comes before its children, and these in the order of their creation.
bool is_before(const job &all, slot a, slot b) {
    const unsigned depth_a = depth_of(all, a);
    const unsigned depth_b = depth_of(all, b);
    for (unsigned i = depth_b; i < depth_a; ++i)
        a = all.space_in(a).parent;
    for (unsigned i = depth_a; i < depth_b; ++i)
        b = all.space_in(b).parent;
    if (a == b)
        return depth_a < depth_b;
    while (all.space_in(a).parent != all.space_in(b).parent) {
        a = all.space_in(a).parent;
        b = all.space_in(b).parent;
    }
    return all.space_in(a).number < all.space_in(b).number;
}

template <class Visit>
void for_each_log(const job &all, Visit visit) {
    // Acquire, both: the space's name, and that its log is zeros where it is not written.
    const slot given = all.header().slots.load(std::memory_order_acquire);
    for (slot s = root_slot; s < given; ++s)
        if (const place where = all.space_in(s).trace.load(std::memory_order_acquire))
            visit(s, *all.at<const log>(where));
}

// What a strand has no event for.
std::uint64_t dropped_of(const strand &s) {
    const std::uint64_t used = s.used.load(std::memory_order_relaxed);
    return (used > most_events ? used - most_events : 0) + s.lost.load(std::memory_order_relaxed);
}

struct sent_message {
    std::uint32_t channel;
    std::uint32_t row;
    std::uint64_t number;
    std::uint64_t bytes;
    std::int64_t time;
};

class collector {
public:
    explicit collector(const job &all) : all_(all) { p_.all = &all; }

    // False if there is no memory.
    bool collect() {
        count();
        return add_rows() && add_channels() && add_sends() && add_arrows();
    }

    const picture &result() const { return p_; }

private:
    void count() {
        for_each_log(all_, [&](slot, const log &l) {
            ++logs_;
            p_.dropped += dropped_of(l.events) + dropped_of(l.waits);
            for_each(all_, l.events, [&](const event &e) {
                const kind what = e.what.load(std::memory_order_relaxed);
                ++counts_[static_cast<unsigned>(what)];
            });
        });
    }

    std::size_t counted(kind what) const { return counts_[static_cast<unsigned>(what)]; }

    // Calls visit(row, event) for the events of that kind: no more than were counted, though spaces
    // may still run if the root fails.
    template <class Visit>
    void for_events(kind what, Visit visit) {
        std::size_t more = counted(what);
        for (std::uint32_t r = 0; r < p_.rows.size(); ++r)
            for_each(all_, p_.rows[r].noted->events, [&](const event &e) {
                if (e.what.load(std::memory_order_relaxed) == what && more > 0) {
                    --more;
                    visit(r, e);
                }
            });
    }

    bool add_rows() {
        p_.rows = memory_for<row>(logs_);
        if (p_.rows.data() == nullptr)
            return false;
        std::size_t used = 0;
        for_each_log(all_, [&](slot which, const log &l) {
            if (used < logs_)
                p_.rows[used++] = {which, &l, 0, 0};
        });
        std::sort(p_.rows.begin(), p_.rows.end(),
                  [&](const row &a, const row &b) { return is_before(all_, a.which, b.which); });
        for (row &r : p_.rows) {
            r.begin = INT64_MAX;
            for_each(all_, r.noted->events, [&](const event &e) {
                r.begin = std::min(r.begin, e.time);
                r.end = std::max(r.end, e.time);
            });
            for_each(all_, r.noted->waits,
                     [&](const event &e) { r.end = std::max(r.end, e.until); });
            r.begin = std::min(r.begin, r.end); // a space that was killed as it began
        }
        p_.begin = p_.rows.front().begin;
        for (const row &r : p_.rows)
            p_.end = std::max(p_.end, r.end);
        return true;
    }

    bool add_channels() {
        p_.channels = memory_for<known_channel>(counted(kind::channel));
        by_place_ = memory_for<std::uint32_t>(counted(kind::channel));
        if (p_.channels.data() == nullptr || by_place_.data() == nullptr)
            return false;
        std::size_t used = 0;
        for_events(kind::channel, [&](std::uint32_t r, const event &e) {
            p_.channels[used++] = {e.of, r, e.count};
        });
        std::sort(p_.channels.begin(), p_.channels.end(), [](const auto &a, const auto &b) {
            return a.row != b.row ? a.row < b.row : a.number < b.number;
        });
        for (std::uint32_t i = 0; i < used; ++i)
            by_place_[i] = i;
        std::sort(by_place_.begin(), by_place_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return p_.channels[a].where < p_.channels[b].where;
        });
        p_.by_place = by_place_;
        return true;
    }

    static bool is_earlier(const sent_message &a, const sent_message &b) {
        return a.channel != b.channel ? a.channel < b.channel : a.number < b.number;
    }

    bool add_sends() {
        sends_ = memory_for<sent_message>(counted(kind::send));
        if (sends_.data() == nullptr)
            return false;
        std::size_t used = 0;
        for_events(kind::send, [&](std::uint32_t r, const event &e) {
            sends_[used++] = {channel_at(p_, e.of), r, e.count, e.bytes, e.time};
        });
        std::sort(sends_.begin(), sends_.end(), is_earlier);
        return true;
    }

    bool add_arrows() {
        const std::span<arrow> room =
            memory_for<arrow>(counted(kind::receive) + counted(kind::create));
        if (room.data() == nullptr)
            return false;
        std::size_t used = 0;
        for_events(kind::receive, [&](std::uint32_t r, const event &e) {
            const sent_message wanted{channel_at(p_, e.of), 0, e.count, 0, 0};
            const auto found = std::lower_bound(sends_.begin(), sends_.end(), wanted, is_earlier);
            if (wanted.channel != creation && found != sends_.end() && !is_earlier(wanted, *found))
                room[used++] = {wanted.channel, found->row,   r,           e.consumer,
                                e.count,        found->bytes, found->time, e.time};
        });
        for_events(kind::create, [&](std::uint32_t r, const event &e) {
            const std::uint32_t to = row_of(p_, e.of);
            if (to < p_.rows.size())
                room[used++] = {creation, r, to, 0, to, 0, e.time, p_.rows[to].begin};
        });
        p_.arrows = room.first(used);
        std::sort(p_.arrows.begin(), p_.arrows.end(), [](const arrow &a, const arrow &b) {
            if (a.channel != b.channel)
                return a.channel < b.channel;
            return a.number != b.number ? a.number < b.number : a.consumer < b.consumer;
        });
        return true;
    }

    const job &all_;
    picture p_{};
    std::size_t logs_ = 0;
    std::size_t counts_[static_cast<unsigned>(kind::wait_end) + 1] = {};
    std::span<std::uint32_t> by_place_;
    std::span<sent_message> sends_;
};

constexpr std::size_t buffer_bytes = 8192;

} // namespace

bool is_still_the_file(const file &to) {
    struct stat seen = {};
    return fstat(to.descriptor, &seen) == 0 && seen.st_dev == to.device && seen.st_ino == to.number;
}

std::uint32_t channel_at(const picture &p, place where) {
    const auto found =
        std::lower_bound(p.by_place.begin(), p.by_place.end(), where,
                         [&](std::uint32_t i, place w) { return p.channels[i].where < w; });
    return found != p.by_place.end() && p.channels[*found].where == where ? *found : creation;
}

std::uint32_t row_of(const picture &p, slot which) {
    const auto found =
        std::lower_bound(p.rows.begin(), p.rows.end(), which, [&](const row &r, slot s) {
            return r.which != s && is_before(*p.all, r.which, s);
        });
    return static_cast<std::uint32_t>(found != p.rows.end() && found->which == which
                                          ? found - p.rows.begin()
                                          : std::ssize(p.rows));
}

const char *name_channel(const picture &p, std::uint32_t channel, channel_text &text) {
    if (channel == creation) {
        std::snprintf(text, sizeof(text), "an unknown channel");
        return text;
    }
    char name[name_bytes];
    const known_channel &c = p.channels[channel];
    std::snprintf(text, sizeof(text), "channel %" PRIu64 " of space %s", c.number,
                  name_of(p.rows[c.row].which, name));
    return text;
}

void output::put(const char *format, ...) {
    constexpr std::size_t longest = 1024;
    if (used_ > buffer_.size() - longest)
        flush();
    va_list arguments;
    va_start(arguments, format);
    const int count = std::vsnprintf(buffer_.data() + used_, longest, format, arguments);
    va_end(arguments);
    used_ += std::min(static_cast<std::size_t>(count), longest - 1);
}

void output::flush() {
    std::size_t done = 0;
    while (done < used_ && error_ == 0) {
        const ssize_t written = write(descriptor_, buffer_.data() + done, used_ - done);
        if (written > 0)
            done += static_cast<std::size_t>(written);
        else if (errno != EINTR)
            error_ = errno;
    }
    used_ = 0;
}

bool write_file(const job &all, const file &to) {
    if (!is_still_the_file(to)) {
        say("SAGUARO_TRACE: the program has closed the file, which is not written");
        return false;
    }
    collector seen(all);
    const std::span<char> buffer = memory_for<char>(buffer_bytes);
    if (buffer.data() == nullptr || !seen.collect()) {
        say("SAGUARO_TRACE: no memory to put the events in order: the file is not written");
        return false;
    }
    const picture &p = seen.result();
    // A program that this one has begun, and that was given the same name, may have written it.
    // What cannot be cut, as a pipe, need not be.
    [[maybe_unused]] const int cut = ftruncate(to.descriptor, 0);
    output out(to.descriptor, buffer);
    (to.is_picture ? write_svg : write_json)(out, p);
    out.flush();
    if (out.error() != 0)
        say("SAGUARO_TRACE: the file cannot be written: %s", std::strerror(out.error()));
    if (p.dropped != 0)
        say("SAGUARO_TRACE: %" PRIu64 " events were dropped: of a space the trace has the first "
            "%u, and as many waits",
            p.dropped, most_events);
    return out.error() == 0;
}

} // namespace saguaro::spmc::trace
