// SPDX-License-Identifier: MIT
// Noting moments with their ticks, and handing them to `strands` when the buffer is full.
#include "record/moments.hpp"

#include <utility>

namespace saguaro::record {

moments::moments(const std::string &name, std::int64_t grain)
    : ticks_(tick_clock::measured()), clock_(ticks_), strands_(name, grain, ticks_) {
    gap_ = ticks_.ticks_in(clock_.gap);
    forget();
}

void moments::start() {
    clock_.change_threads();
    clock_.start();
    now_ = tick_clock::ticks();
    go_on();
}

// The time since the last moment may have been others'.
void moments::be_late() {
    std::int64_t lost = 0;
    const std::int64_t now = clock_.read(lost);
    now_ = ticks_.ticks_in(now - lost);
    if (pauses_ == 0)
        note(step::stop);
    resume();
}

void moments::resume_late() {
    clock_.start();
    now_ = tick_clock::ticks();
    note(step::go_on);
}

void moments::tell() {
    if (next_ == noted_.data()) // one footprint after the other
        return;
    const moment *const end = std::exchange(next_, noted_.data());
    told_ += static_cast<std::uint64_t>(end - noted_.data());
    strands_.hear(noted_.data(), end);
    resume();
}

void moments::touch(bool in_cache, std::uint64_t id, std::uint64_t offset, std::uint64_t bytes) {
    tell();
    strands_.touch(in_cache, id, offset, bytes);
}

std::uint64_t moments::add_object(std::uint64_t bytes, layout how, std::uint64_t node) {
    tell();
    return strands_.add_object(bytes, how, node);
}

void moments::free_object(std::uint64_t id) {
    tell();
    strands_.free_object(id);
}

scheduler::profile_totals moments::measured() {
    if (pauses_ == 0)
        note(step::stop);
    tell();
    return {strands_.work(), strands_.span()};
}

int moments::finish() {
    tell();
    return strands_.finish();
}

} // namespace saguaro::record
