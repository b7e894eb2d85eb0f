// SPDX-License-Identifier: MIT
// Composing and writing a space's last line without allocating memory.
#include "spmc/lines.hpp"

#include "spmc/job.hpp"
#include "spmc/statuses.hpp"
#include "spmc/trace/record.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace saguaro::spmc {

namespace {

// Set once, before any thread does what it tells.
std::atomic<write_activity *> activity{nullptr};

// vsnprintf of glibc allocates nothing for the conversions that are used here, so a signal handler
// may call this.
void write_line(const char *format, va_list arguments) {
    char text[640];
    std::size_t used = 0;
    // The last byte is for the end of the line. snprintf tells how much there was to write.
    const auto add = [&](int bytes) {
        used = std::min(used + static_cast<std::size_t>(bytes), sizeof(text) - 1);
    };
    char name[name_bytes];
    const job *const mine = job::mine_if_any();
    add(mine != nullptr && mine->self_slot() != 0
            ? std::snprintf(text, sizeof(text),
                            "saguaro: spmc: space %s: ", name_of(mine->self_slot(), name))
            : std::snprintf(text, sizeof(text), "saguaro: spmc: "));
    // Relaxed: the function is code, and what it reads is the calling thread's own.
    if (write_activity *const tell = activity.load(std::memory_order_relaxed))
        add(tell(text + used, sizeof(text) - used));
    add(std::vsnprintf(text + used, sizeof(text) - used, format, arguments));
    text[used] = '\n';
    // Nobody could be told of a failure.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, used + 1);
}

// A process says once why it ends, though several of its threads may find a reason at the same
// time: a thread that comes later waits here for the end. One that has come before may come again,
// when a signal interrupts its line.
void be_the_first_to_end() {
    // The process and its thread, because a process that fork makes meanwhile inherits the value.
    static std::atomic<std::uint64_t> first{0};
    const auto process = static_cast<std::uint64_t>(getpid()) << 32;
    const std::uint64_t me = process | static_cast<std::uint64_t>(gettid());
    // Relaxed: the value itself is all that threads tell each other.
    std::uint64_t seen = first.load(std::memory_order_relaxed);
    while ((seen & ~UINT64_C(0xffffffff)) != process)
        if (first.compare_exchange_weak(seen, me, std::memory_order_relaxed))
            return;
    while (seen != me)
        pause();
}

[[noreturn]] void end_now(bool broke_a_rule) {
    const job *const mine = job::mine_if_any();
    if (mine != nullptr && mine->self_slot() != 0) {
        // Relaxed, both: read by those whom the end itself tells, or who look for a deadlock.
        mine->self().broke_a_rule.store(broke_a_rule ? 1 : 0, std::memory_order_relaxed);
        mine->self().is_about_to_end.store(1, std::memory_order_relaxed);
        trace::end_space(*mine);
        leave_code(*mine, 2);
    }
    _exit(2);
}

} // namespace

const char *name_of(slot which, char (&text)[name_bytes]) {
    const job &mine = *job::mine_if_any();
    if (which == 0)
        return "of no job";
    // From the end, because a space knows its parent.
    char *first = text + name_bytes - 1;
    *first = '\0';
    for (; which != root_slot && which != 0; which = mine.space_in(which).parent) {
        char digits[16];
        const int count = std::snprintf(digits, sizeof(digits), ".%u", mine.space_in(which).number);
        if (first - count < text + 4) {
            first -= 3;
            std::memcpy(first, "...", 3);
            break;
        }
        first -= count;
        std::memcpy(first, digits, static_cast<std::size_t>(count));
    }
    *--first = '0';
    return first;
}

void give_up(const char *format, ...) {
    be_the_first_to_end();
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments);
    va_end(arguments);
    end_now(false);
}

void give_up_mapping(const char *what, std::uint64_t bytes, std::uintptr_t address) {
    const int why = errno;
    give_up("the system refuses to %s %" PRIu64 " bytes at 0x%" PRIxPTR ": %s%s", what, bytes,
            address, std::strerror(why), why == ENOMEM ? " (vm.max_map_count is a bound)" : "");
}

void trap(const char *format, ...) {
    be_the_first_to_end();
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments);
    va_end(arguments);
    end_now(true);
}

void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments);
    va_end(arguments);
}

void set_activity(write_activity *function) {
    activity.store(function, std::memory_order_relaxed);
}

} // namespace saguaro::spmc
