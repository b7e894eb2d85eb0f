// SPDX-License-Identifier: MIT
// What a serial run does, frames and children that begin and end, as moments for `strands`.
// README.md says why they are only noted here.
#pragma once

#include "record/levels.hpp"
#include "record/moments.hpp"
#include "record/pile.hpp"
#include "record/tick_clock.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace saguaro::record {

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

// What scopes, parallel_invoke and C functions spawn. Such a child may be one strand for its
// recorder.
inline bool may_be_fine(part p) {
    return p == part::spawned || p == part::first_closure || p == part::scope_child;
}

inline bool is_child(part p) {
    return may_be_fine(p) || p == part::lower_half;
}

struct begun {
    part what;
    bool is_noted;        // false: a frame that has had no child
    bool has_children;    // since its last SYNC
    bool is_judged;       // whether levels take note of its end
    const void *key;      // what it is: an address that tells it from others of its kind
    std::uint64_t first;  // for whoever asked
    std::uint64_t second; // the same
};

class recorder {
public:
    // Children and frames with less than `grain` ns of work are strands. Without a name there is no
    // file: work and span are measured. Throws std::system_error if the file cannot be made.
    recorder(const std::string &name, std::int64_t grain);

    const std::int64_t grain;
    // Where nothing else is said, the caller has stamped what it tells.
    moments time;

    // All that follows is called by the one thread that works.

    // Between the two there are strands, in this thread.
    void begin_root(const void *key);
    // All that has begun ends.
    void end_root();

    // A part begins; a child that may be fine by begin_child.
    void begin(part what, const void *key, std::uint64_t first = 0, std::uint64_t second = 0) {
        if (is_child(what))
            note_parent();
        time.note(is_child(what) ? step::spawn : step::call);
        push(what, true, key, first, second);
    }

    // The same for one that may be fine. Whether its like are: then nobody need hear of what is in
    // it, if `doze` is called now, and `wake` if something is to be heard before its end.
    // `site` is the place in the program that spawns it.
    bool begin_child(part what, const void *site, const void *key, std::uint64_t first = 0,
                     std::uint64_t second = 0) {
        begin(what, key, first, second);
        return judge(site);
    }
    // The answer of begin_child. Called where the second function of the youngest invocation
    // begins, which ends with that: `site` stands for it.
    bool judge(const void *site) {
        open_.back().is_judged = true;
        return levels_.begins(depth(), site, time.now(), time.so_far());
    }
    void doze() { levels_.dozes(depth()); }
    // Whether that may go on, and whether it was right until the last moment.
    bool may_doze_further() const { return levels_.may_doze(depth(), tick_clock::ticks()); }
    bool has_dozed_much() const { return !levels_.may_doze(depth(), time.now()); }
    void wake() { levels_.woken(depth()); }

    // The youngest part of the kind `what` with this key ends, and all that began later. Nothing
    // happens if there is none. It is not looked for below a root.
    void end(part what, const void *key) {
        if (!open_.empty() && open_.back().what == what && open_.back().key == key) [[likely]]
            end_youngest();
        else
            end_older(what, key);
    }

    // The youngest one that has not ended; null: none.
    begun *youngest() { return open_.empty() ? nullptr : &open_.back(); }
    void end_youngest() {
        const begun &b = open_.back();
        if (b.is_judged)
            levels_.ends(depth(), time.now(), time.so_far());
        open_.pop();
        if (b.is_noted)
            time.note(is_child(b.what) ? step::ret : step::leave);
    }
    // The youngest of this kind and key, in the root that runs; null: none. What is there is found
    // near the top as a rule; what is not costs a look at all that is open.
    begun *find(part what, const void *key) { return find(what, what, key); }
    // The same, of one of two kinds.
    begun *find(part what, part or_what, const void *key);
    // How many parts that has looked at.
    std::uint64_t looked_at() const { return looked_at_; }

    // The youngest frame waits for its children, if it has any. This one reads the clock itself.
    void sync() {
        if (open_.empty() || !open_.back().has_children)
            return;
        time.stamp();
        open_.back().has_children = false;
        time.note(step::sync);
    }

    // C functions; they read the clock themselves. The frame begins with its first child and ends
    // with its last sync: what is before and after is the caller's strand as well. So a function
    // without children reads no clock.
    void begin_function() { push(part::function, false, nullptr, 0, 0); }
    void end_function() {
        if (open_.empty() || open_.back().what != part::function || open_.back().has_children)
            time.stamp();
        end(part::function, nullptr);
    }

    // Only children below so many grains are fine.
    static constexpr std::int64_t short_grains = 6;

    // Everything ends, the recording too. The errno of what could not be written; 0: all was.
    int finish();

private:
    void push(part what, bool is_noted, const void *key, std::uint64_t first,
              std::uint64_t second) {
        begun &b = open_.push();
        b.what = what;
        b.is_noted = is_noted;
        b.has_children = false;
        b.is_judged = false;
        b.key = key;
        b.first = first;
        b.second = second;
    }
    void note_parent() {
        if (open_.empty())
            return;
        begun &parent = open_.back();
        if (!parent.is_noted) {
            parent.is_noted = true;
            time.note(step::call);
        }
        parent.has_children = true;
    }

    std::size_t depth() const { return static_cast<std::size_t>(open_.end() - open_.begin()); }

    void end_older(part what, const void *key);
    std::int64_t own_time();

    pile<begun> open_;
    std::uint64_t looked_at_ = 0;
    levels levels_;
};

} // namespace saguaro::record
