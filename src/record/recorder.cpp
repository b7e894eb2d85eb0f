// SPDX-License-Identifier: MIT
// Noting moments with their ticks, and handing them to `strands` when the buffer is full.
#include "record/recorder.hpp"

#include <algorithm>
#include <utility>

namespace saguaro::record {

recorder::recorder(const std::string &name, std::int64_t grain)
    : grain_(grain), ticks_(tick_clock::measured()), clock_(ticks_), strands_(name, grain, ticks_),
      levels_(ticks_.ticks_in(short_grains * grain)) {
    gap_ = ticks_.ticks_in(clock_.gap);
    const std::int64_t own = own_time();
    strands_.take_off(own);
    // A moment costs the run twice that. Where one comes so often it is slower by a quarter.
    constexpr int often = 8;
    levels_.fine_below((often * own) >> strands::shift);
}

// The usual time from one moment to the next where children do nothing. Of many together, because a
// counter may go on seldom, or one reading follow the one before at once.
std::int64_t recorder::own_time() {
    constexpr int count = 40;
    std::array<std::int64_t, 9> all;
    for (std::int64_t &each : all) {
        next_ = moments_.data();
        stamp();
        const std::int64_t since = now_;
        for (int i = 0; i < count; ++i) {
            stamp();
            begin_child(part::first_closure, this, this);
            stamp();
            end(part::first_closure, this);
        }
        each = ((now_ - since) << strands::shift) / (2 * count);
    }
    next_ = moments_.data();
    std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
    return all[all.size() / 2];
}

// The time since the last moment may have been others'.
void recorder::be_late() {
    std::int64_t lost = 0;
    const std::int64_t now = clock_.read(lost);
    now_ = ticks_.ticks_in(now - lost);
    if (pauses_ == 0)
        note(step::stop);
    resume();
}

void recorder::resume_late() {
    clock_.start();
    now_ = tick_clock::ticks();
    note(step::go_on);
}

void recorder::tell() {
    if (next_ == moments_.data()) // one footprint after the other
        return;
    const moment *const end = std::exchange(next_, moments_.data());
    told_ += static_cast<std::uint64_t>(end - moments_.data());
    strands_.hear(moments_.data(), end);
    resume();
}

void recorder::begin_root(const void *key) {
    clock_.change_threads();
    clock_.start();
    now_ = tick_clock::ticks();
    go_on();
    begin(part::root, key);
}

void recorder::end_root() {
    hold();
    while (!open_.empty())
        end_youngest();
}

begun *recorder::find(part what, part or_what, const void *key) {
    for (begun *above = open_.end(); above != open_.begin(); --above) {
        begun &b = above[-1];
        if (b.what == part::root)
            break;
        ++looked_at_;
        if ((b.what == what || b.what == or_what) && b.key == key)
            return &b;
    }
    return nullptr;
}

void recorder::end_older(part what, const void *key) {
    const begun *const b = find(what, key);
    if (b == nullptr)
        return;
    while (open_.end() != b)
        end_youngest();
}

void recorder::touch(bool in_cache, std::uint64_t id, std::uint64_t offset, std::uint64_t bytes) {
    tell();
    strands_.touch(in_cache, id, offset, bytes);
}

std::uint64_t recorder::add_object(std::uint64_t bytes, layout how, std::uint64_t node) {
    tell();
    return strands_.add_object(bytes, how, node);
}

void recorder::free_object(std::uint64_t id) {
    tell();
    strands_.free_object(id);
}

scheduler::profile_totals recorder::measured() {
    if (pauses_ == 0)
        note(step::stop);
    tell();
    return {strands_.work(), strands_.span()};
}

int recorder::finish() {
    end_root();
    tell();
    return strands_.finish();
}

} // namespace saguaro::record
