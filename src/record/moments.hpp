// SPDX-License-Identifier: MIT
// The moments of a serial run: read from the clock, noted, and told to `strands` when there are
// many.
#pragma once

#include "platform/thread_clock.hpp"
#include "record/strands.hpp"
#include "record/tick_clock.hpp"
#include "scheduler/profile.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace saguaro::record {

// The moments are in the order of their ticks, and what `strands` has not heard of is in the
// buffer. The time from a `stop` to the next `go_on` is the recorder's own, all other is a
// strand's. All is called by the one thread that works.
class moments {
public:
    // See `strands`.
    moments(const std::string &name, std::int64_t grain);

    // Roots run from here on, in this thread.
    void start();

    // What is told until the next call is at this moment: as soon as something begins or ends.
    void stamp() {
        const std::int64_t now = tick_clock::ticks();
        if (now - now_ > gap_) [[unlikely]]
            be_late();
        else
            now_ = now;
    }

    // The time since the last moment was the recorder's own.
    void resume() {
        if (pauses_ != 0)
            return;
        const std::int64_t now = tick_clock::ticks();
        if (now - now_ > gap_) [[unlikely]]
            return resume_late();
        now_ = now;
        note(step::go_on);
    }

    // A moment, for which the recorder works so long that a second reading of the clock is worth
    // while.
    class long_moment {
    public:
        explicit long_moment(moments &m) : moments_(m) { m.stamp(); }
        ~long_moment() { moments_.resume(); }
        long_moment(const long_moment &) = delete;
        long_moment &operator=(const long_moment &) = delete;

    private:
        moments &moments_;
    };

    // While one or several live the time is the recorder's own. Footprints are told in one.
    class pause {
    public:
        explicit pause(moments &m) : moments_(m) { m.hold(); }
        ~pause() { moments_.go_on(); }
        pause(const pause &) = delete;
        pause &operator=(const pause &) = delete;

    private:
        moments &moments_;
    };

    // What a pause does.
    void hold() {
        if (pauses_++ == 0) {
            stamp();
            note(step::stop);
        }
    }
    void go_on() {
        --pauses_;
        resume();
    }

    // What has come at this moment.
    void note(step what) {
        next_->what = what;
        next_->tick = now_;
        if (++next_ == noted_.data() + noted_.size()) [[unlikely]]
            tell();
    }

    std::int64_t now() const { return now_; }
    std::int64_t ticks_in(std::int64_t ns) const { return ticks_.ticks_in(ns); }
    std::uint64_t so_far() const {
        return told_ + static_cast<std::uint64_t>(next_ - noted_.data());
    }

    // What was noted only to learn what noting costs is no moment of the run.
    void forget() { next_ = noted_.data(); }
    // So many parts of ticks from one moment to the next are the recorder's own.
    void take_off(std::int64_t own) { strands_.take_off(own); }

    // A footprint of the strand that runs.
    void touch(bool in_cache, std::uint64_t id, std::uint64_t offset, std::uint64_t bytes);
    std::uint64_t add_object(std::uint64_t bytes, layout how, std::uint64_t node);
    void free_object(std::uint64_t id);

    // ns of all strands up to the last moment, and, where there is no file, of the longest path to
    // there.
    scheduler::profile_totals measured();

    // All has ended. The errno of what could not be written; 0: all was.
    int finish();

private:
    void be_late();
    void resume_late();
    void tell();

    std::int64_t now_ = 0; // the last moment's tick
    std::int64_t gap_ = 0; // ticks; after a longer time others may have run
    moment *next_ = nullptr;
    std::uint64_t told_ = 0; // moments that `strands_` has heard of
    unsigned pauses_ = 1;    // and one between two roots
    const tick_clock ticks_;
    platform::thread_clock<tick_clock, tick_clock::own_time> clock_;
    strands strands_;
    // So few that they stay in the cache.
    std::array<moment, 512> noted_;
};

} // namespace saguaro::record
