// SPDX-License-Identifier: MIT
// Turns what a serial run does into the events of a recording: frames and children that begin and
// end, and the time between. README.md says what becomes of short ones.
#pragma once

#include "platform/arch.hpp"
#include "platform/thread_clock.hpp"
#include "record/file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace saguaro::record {

// The processor's counter as nanoseconds, with a rate that was measured against the system's clock.
class tick_clock {
public:
    // Takes some 2 ms.
    static tick_clock measured();

    std::int64_t operator()() const {
        __extension__ using wide = unsigned __int128;
        const std::uint64_t passed = platform::ticks() - origin_;
        return static_cast<std::int64_t>((static_cast<wide>(passed) * rate_) >> 32);
    }

private:
    std::uint64_t origin_ = 0;
    std::uint64_t rate_ = 0; // ns for each tick, times 2^32
};

// What has begun and not ended. What ends with a RETURN is a child, the rest are frames.
enum class part : unsigned char {
    root,          // a computation that a thread has entered with
    function,      // a C function
    spawned,       // its child
    invocation,    // a parallel_invoke
    first_closure, // its child
    scope,         // from its first spawn to its end
    scope_child,
    loop,
    lower_half, // of a part of a loop
};

struct begun {
    part what;
    const void *key;          // what it is: an address that tells it from others of its kind
    std::uint64_t first = 0;  // for whoever asked
    std::uint64_t second = 0; // the same
    std::uint64_t before = 0; // where its first event is, and the WORK before that
    std::uint64_t inside = 0; // where the event after its first one is
    std::int64_t work = 0;    // ns of the whole recording when it began
    std::int64_t unwritten = 0;
    bool has_children = false; // since its last SYNC
};

class recorder {
public:
    // Children and frames with less than `grain` ns of work are strands. Throws std::system_error
    // if the file cannot be made.
    recorder(const std::string &name, std::int64_t grain);

    // While one or several live the time is the recorder's own. All that follows is called in one,
    // by the one thread that works.
    class pause {
    public:
        explicit pause(recorder &r) : recorder_(r) { r.hold(); }
        ~pause() { recorder_.go_on(); }
        pause(const pause &) = delete;
        pause &operator=(const pause &) = delete;

    private:
        recorder &recorder_;
    };

    // What a pause does.
    void hold() {
        if (pauses_++ == 0)
            stop_clock();
    }
    void go_on() {
        if (--pauses_ == 0)
            start_clock();
    }

    // `b` begins; its first three members are the caller's.
    void begin(const begun &b);

    // The youngest part of the kind `what` with this key ends, and all that began later. Nothing
    // happens if there is none. It is not looked for below a root.
    void end(part what, const void *key);

    // All that has begun ends.
    void end_root();

    // The youngest one that has not ended; null: none.
    begun *youngest() { return open_.empty() ? nullptr : &open_.back(); }
    void end_youngest();
    // The youngest of this kind and key, in the root that runs; null: none. What is there is found
    // near the top as a rule; what is not costs a look at all that is open.
    begun *find(part what, const void *key) { return find(what, what, key); }
    // The same, of one of two kinds.
    begun *find(part what, part or_what, const void *key);
    // How many parts that has looked at.
    std::uint64_t looked_at() const { return looked_at_; }

    // The youngest frame waits for its children, if it has any.
    void sync();

    // A footprint of the strand that runs.
    void touch(bool in_cache, std::uint64_t id, std::uint64_t offset, std::uint64_t bytes);
    std::uint64_t add_object(std::uint64_t bytes, layout how, std::uint64_t node);
    void free_object(std::uint64_t id);

    // ns of all strands so far.
    std::int64_t work() const { return work_; }
    std::int64_t grain() const { return grain_; }

    // Everything ends, the recording too. The errno of what could not be written; 0: all was.
    int finish();

private:
    void stop_clock();
    void start_clock();
    void put_work();
    void put_memory(event e);

    file out_;
    platform::thread_clock<tick_clock> clock_;
    const std::int64_t grain_;
    std::int64_t reading_ = 0; // ns that a reading of the clock takes: it is in each strand
    unsigned pauses_ = 0;
    std::int64_t since_ = 0; // the strand that runs, since then
    std::int64_t work_ = 0;
    std::int64_t unwritten_ = 0;   // of `work_`: in no event yet
    std::uint64_t footprints_ = 0; // the position behind the last event of memory
    std::uint64_t objects_ = 0;
    std::uint64_t looked_at_ = 0;
    std::vector<begun> open_;
};

} // namespace saguaro::record
