// SPDX-License-Identifier: MIT
// Noting events in the calling space's log.
#include "spmc/trace/record.hpp"

#include "platform/clock.hpp"
#include "platform/output_file.hpp"
#include "platform/settings.hpp"
#include "spmc/lines.hpp"
#include "spmc/shared_list.hpp"
#include "spmc/trace/write.hpp"
#include "spmc/variables.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

namespace saguaro::spmc::trace {

constinit log *mine = nullptr;

namespace {

const job *ours = nullptr; // as soon as there is a log: the job may still be on its way

// The root's. A program may close all descriptors and open others, so the file is recognized.
file target;

// The thread that ends the space, and whether it has noted all.
std::atomic<pid_t> writer{0};
std::atomic<bool> is_written{false};

// The waits of the calling thread that are not over, the innermost first. Initial-exec: found in a
// signal handler without memory.
[[gnu::tls_model("initial-exec")]] constinit thread_local wait *waiting = nullptr;

place add_chunk(const job &all, std::atomic<place> &chunk) {
    // A trace leaves half of the control area to the program.
    const std::uint64_t most = all.control_bytes() / unit_bytes / 2;
    if (all.header().control_used.load(std::memory_order_relaxed) > most)
        return 0;
    const place made = take_control(all, chunk_events * sizeof(event));
    place known = 0;
    // Relaxed: a chunk is zeros, and its events say themselves that they are complete. If another
    // thread was faster, this one's is never used.
    if (made == 0 || chunk.compare_exchange_strong(known, made, std::memory_order_relaxed))
        return made;
    return known;
}

// Room for one more event; null if there is none.
event *room_in(strand &s) {
    const job &all = *ours;
    // Relaxed: only its own number.
    const std::uint64_t number = s.used.fetch_add(1, std::memory_order_relaxed);
    if (number >= most_events)
        return nullptr;
    std::atomic<place> &chunk = s.chunks[number / chunk_events];
    place where = chunk.load(std::memory_order_relaxed);
    if (where == 0)
        where = add_chunk(all, chunk);
    if (where == 0) {
        s.lost.fetch_add(1, std::memory_order_relaxed);
        return nullptr;
    }
    return all.at<event>(where) + number % chunk_events;
}

bool ends_in(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

void add_log(const job &all) {
    const place where = take_control(all, sizeof(log));
    if (where == 0)
        return;
    mine = all.at<log>(where);
    ours = &all;
    // Release pairs with the acquire of the root when it writes the file: nothing is behind it but
    // zeros.
    all.self().trace.store(where, std::memory_order_release);
    note(kind::begin, all.self_slot());
}

} // namespace

void begin_job(const job &all) {
    const char *const value = platform::value_of(variables::trace);
    if (value == nullptr || std::strcmp(value, "none") == 0)
        return;
    target.is_picture = ends_in(value, ".svg");
    if (!target.is_picture && !ends_in(value, ".json"))
        give_up("%s=%s is not accepted: one of %s", variables::trace.name, value,
                variables::trace.accepted);
    target.descriptor = above_standard(platform::open_output(value, platform::contents::removed));
    struct stat seen = {};
    if (target.descriptor < 0 || fstat(target.descriptor, &seen) != 0)
        give_up("%s=%s: the file cannot be written: %s", variables::trace.name, value,
                std::strerror(errno));
    target.device = seen.st_dev;
    target.number = seen.st_ino;
    add_log(all);
}

void begin_space(const job &all) {
    if (mine == nullptr)
        return;
    mine = nullptr;
    waiting = nullptr;
    writer.store(0, std::memory_order_relaxed);
    is_written.store(false, std::memory_order_relaxed);
    // Only the root writes it. By now the number may be the program's.
    if (is_still_the_file(target))
        close(target.descriptor);
    target.descriptor = -1;
    add_log(all);
}

void begin_program(const job &all) {
    // Relaxed: this very process has stored it, as another program.
    if (const place where = all.self().trace.load(std::memory_order_relaxed)) {
        mine = all.at<log>(where);
        ours = &all;
    }
}

bool end_space(const job &all) {
    if (mine == nullptr)
        return true;
    const pid_t me = gettid();
    pid_t first = 0;
    // Relaxed, all: whoever is second has nothing to do with what the first one notes. But it would
    // end the process in the middle of the file; it goes on when that is complete, because the
    // first one may wait for it in a destructor. A signal handler that interrupts the first one
    // cannot wait.
    if (!writer.compare_exchange_strong(first, me, std::memory_order_relaxed)) {
        while (first != me && !is_written.load(std::memory_order_relaxed))
            usleep(1000);
        return true;
    }
    while (waiting != nullptr)
        waiting->end();
    note(kind::end, all.self_slot());
    const bool is_whole = all.self_slot() != root_slot || write_file(all, target);
    is_written.store(true, std::memory_order_relaxed);
    return is_whole;
}

void note(kind what, std::uint32_t of, std::uint64_t count, std::uint64_t bytes,
          std::uint32_t consumer, std::uint64_t where) {
    event *const made = room_in(mine->events);
    if (made == nullptr)
        return;
    made->time = platform::now_ns();
    made->count = count;
    made->bytes = bytes;
    made->where = where;
    made->of = of;
    made->consumer = consumer;
    // Release pairs with the acquire in `for_each`: all that stands above.
    made->what.store(what, std::memory_order_release);
}

void note_channel(place channel) {
    if (mine != nullptr)
        note(kind::channel, channel, mine->channels.fetch_add(1, std::memory_order_relaxed) + 1);
}

void note_creation(slot child) {
    if (mine != nullptr)
        note(kind::create, child);
}

void note_pages(kind what, const void *address, std::uint64_t bytes) {
    if (mine != nullptr)
        note(what, 0, 0, bytes, 0, reinterpret_cast<std::uintptr_t>(address));
}

void wait::begin(kind what, std::uint32_t of, std::uint64_t count, std::uint64_t where) {
    what_ = what;
    of_ = of;
    count_ = count;
    where_ = where;
    around_ = std::exchange(waiting, this);
    since_ = platform::now_ns();
}

void wait::end() {
    waiting = around_;
    const std::int64_t since = std::exchange(since_, 0);
    const std::int64_t now = platform::now_ns();
    if (now - since < least_wait_ns)
        return;
    event *const made = room_in(mine->waits);
    if (made == nullptr)
        return;
    made->time = since;
    made->until = now;
    made->count = count_;
    made->where = where_;
    made->of = of_;
    made->what.store(what_, std::memory_order_release); // as in `note`
}

} // namespace saguaro::spmc::trace
