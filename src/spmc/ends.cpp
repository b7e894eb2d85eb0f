// SPDX-License-Identifier: MIT
#include "spmc/ends.hpp"

#include "platform/arithmetic.hpp"
#include "spmc/job.hpp"
#include "spmc/lines.hpp"
#include "spmc/tables.hpp"

#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <utility>

namespace saguaro::spmc {

namespace {

bool lives(const job &all, slot which) {
    const std::uint32_t now = all.space_in(which).state.load(std::memory_order_acquire);
    return (now == life::begins || now == life::lives) && ended_with(all, which) == 0;
}

// What a space waits for, as it was at one moment.
struct seen_wait {
    std::uint32_t version = 0;
    slot on = 0; // 0: any

    bool operator==(const seen_wait &) const = default;
};

// Whether a space sleeps for a word that has not changed, and that whoever it waits for may still
// change: one that waits in vain is about to see it. And what it waits for.
bool wait_of(const job &all, slot which, seen_wait &out) {
    const space &s = all.space_in(which);
    out.version = s.version.load(std::memory_order_acquire);
    // Relaxed: the version is looked at again behind a fence.
    const wait_kind kind = s.waits_for.load(std::memory_order_relaxed);
    if ((out.version & 1) != 0 || kind == wait_kind::nothing || !lives(all, which))
        return false;
    const std::uint64_t word = s.word.load(std::memory_order_relaxed);
    const std::uint32_t value = s.value.load(std::memory_order_relaxed);
    const std::uint64_t page = s.waits_page.load(std::memory_order_relaxed);
    const place of = s.waits_of.load(std::memory_order_relaxed);
    out.on = s.waits_on.load(std::memory_order_relaxed);
    bool is_in_vain = false;
    if (of != 0) {
        const table &waited_for = *all.at<table>(of);
        const entry &e = all.entry_of(waited_for, page);
        out.on = producer_of(waited_for, e);
        is_in_vain = is_given_up(waited_for, e);
    }
    const auto *const now = reinterpret_cast<std::atomic<std::uint32_t> *>(all.control() + word);
    const bool is_unchanged = now->load(std::memory_order_acquire) == value;
    // A giver may be killed before it counts its grant.
    const bool has_a_grant =
        kind == wait_kind::grant && s.grants.load(std::memory_order_acquire) != 0;
    // If the wait is over meanwhile, all of this may have been another's.
    std::atomic_thread_fence(std::memory_order_acquire);
    return s.version.load(std::memory_order_relaxed) == out.version && is_unchanged &&
           !has_a_grant && !is_in_vain && (out.on == 0 || ended_with(all, out.on) == 0);
}

constexpr unsigned longest_cycle = 64; // that is named; of a longer one it is said that all wait

// The spaces that wait for each other, beginning with this one.
struct chain_of_waits {
    slot members[longest_cycle];
    seen_wait waits[longest_cycle];
    unsigned length = 0;

    bool operator==(const chain_of_waits &other) const {
        if (length != other.length)
            return false;
        for (unsigned i = 0; i < length; ++i)
            if (members[i] != other.members[i] || waits[i] != other.waits[i])
                return false;
        return true;
    }
};

// Follows the waits from this space on, until they come back to it. Empty if some wait ends at a
// space that runs, or at any; or in a cycle to which this space does not belong: one of that will
// end, and this one be told.
chain_of_waits follow_waits(const job &all) {
    chain_of_waits found;
    for (slot at = all.self_slot(); found.length < longest_cycle;) {
        seen_wait w;
        if (!wait_of(all, at, w) || w.on == 0)
            return {};
        found.members[found.length] = at;
        found.waits[found.length++] = w;
        at = w.on;
        if (at == all.self_slot())
            return found;
    }
    return {};
}

// Whether all spaces that live wait; `seen` is the same again if none of them has moved.
bool all_wait(const job &all, std::uint64_t &seen) {
    seen = 0;
    for (const slot s : all.given_slots()) {
        if (!lives(all, s))
            continue;
        seen_wait w;
        if (!wait_of(all, s, w))
            return false;
        seen = platform::mixed(seen ^ (std::uint64_t{s} << 32 | w.version));
    }
    return true;
}

constexpr int what_bytes = 200;

const char *name_wait(const awaited &what, char (&text)[what_bytes]) {
    char name[name_bytes];
    switch (what.kind) {
    case wait_kind::page:
        std::snprintf(text, sizeof(text), "the page at 0x%" PRIxPTR, what.address);
        break;
    case wait_kind::grant:
        std::snprintf(text, sizeof(text), "pages at 0x%" PRIxPTR ", which nobody has given it",
                      what.address);
        break;
    case wait_kind::begin:
        std::snprintf(text, sizeof(text), "space %" PRIu64 " to begin",
                      static_cast<std::uint64_t>(what.address));
        break;
    case wait_kind::message:
        std::snprintf(text, sizeof(text), "channel 0x%" PRIxPTR, what.address);
        break;
    case wait_kind::end:
    case wait_kind::nothing:
        std::snprintf(text, sizeof(text), "the end of space %s", name_of(what.who(), name));
        break;
    }
    return text;
}

[[noreturn]] void say_cycle(const chain_of_waits &c, const char *what) {
    char path[300];
    int used = 0;
    for (unsigned i = 0; i < c.length && used < 200; ++i) {
        char name[name_bytes];
        used += std::snprintf(path + used, sizeof(path) - static_cast<std::size_t>(used), "%s -> ",
                              name_of(c.members[i], name));
    }
    char name[name_bytes];
    std::snprintf(path + used, sizeof(path) - static_cast<std::size_t>(used), "%s",
                  name_of(c.waits[c.length - 1].on, name));
    give_up("waits for %s: deadlock, each of these waits for the next: %s", what, path);
}

slot peer_of(const job &all, const awaited &what) {
    return what.of != nullptr ? producer_of(*what.of, all.entry_of(*what.of, what.page))
                              : what.who();
}

bool others_live(const job &all) {
    for (const slot s : all.given_slots())
        if (s != all.self_slot() && lives(all, s))
            return true;
    return false;
}

} // namespace

slot ended_with(const job &all, slot which) {
    for (; which != 0; which = all.space_in(which).parent)
        // Acquire pairs with the release of whoever saw the end: the status, and what it did.
        if (all.space_in(which).state.load(std::memory_order_acquire) == life::ended)
            return which;
    return 0;
}

int status_of(const job &all, slot which) {
    // Who ends takes its children along by a signal.
    return ended_with(all, which) == which
               ? all.space_in(which).status.load(std::memory_order_relaxed)
               : SIGKILL;
}

const char *cause_of(const job &all, slot which, char (&text)[cause_bytes]) {
    const slot first = ended_with(all, which);
    const int status = status_of(all, which);
    char name[name_bytes];
    if (first != which)
        std::snprintf(text, sizeof(text), "with space %s, its ancestor", name_of(first, name));
    else if (all.space_in(which).broke_a_rule.load(std::memory_order_relaxed) != 0)
        std::snprintf(text, sizeof(text), "it broke a rule, which it has named");
    else if (WIFSIGNALED(status))
        std::snprintf(text, sizeof(text), "signal %d (%s)", WTERMSIG(status),
                      strsignal(WTERMSIG(status)));
    else
        std::snprintf(text, sizeof(text), "exit code %d", WEXITSTATUS(status));
    return text;
}

bool may_be_in_vain(const awaited &what, bool &was_given_up) {
    if (what.kind == wait_kind::end)
        return false; // an end is what it waits for
    const job &all = job::mine();
    const slot peer = peer_of(all, what);
    if (peer != 0 && ended_with(all, peer) != 0)
        // It may have made another the producer before it ended.
        return peer_of(all, what) == peer;
    if (what.of != nullptr && is_given_up(*what.of, all.entry_of(*what.of, what.page)))
        // Whoever ends gives up its pages first, and the line is to say how it ended: a space that
        // lives is believed the second time.
        return std::exchange(was_given_up, true);
    // Another thread of this space may become the peer.
    return peer == 0 && !others_live(all) && (what.whose == nullptr || is_alone());
}

void end_in_vain(const awaited &what) {
    const job &all = job::mine();
    const slot peer = peer_of(all, what);
    char text[what_bytes];
    char name[name_bytes];
    char cause[cause_bytes];
    name_wait(what, text);
    if (peer == 0)
        give_up("waits for %s, and no other space is left", text);
    if (ended_with(all, peer) != 0)
        give_up("waits for %s, but space %s has ended: %s", text, name_of(peer, name),
                cause_of(all, peer, cause));
    give_up("waits for %s, but space %s has given it up without fixing it", text,
            name_of(peer, name));
}

void end_in_a_cycle(const awaited &what) {
    const job &all = job::mine();
    char text[what_bytes];
    // Each space that was seen to wait twice, in the same wait, has waited in between: so there was
    // a moment at which all of them waited, with words that only they change.
    const chain_of_waits cycle = follow_waits(all);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (cycle.length != 0 && follow_waits(all) == cycle)
        say_cycle(cycle, name_wait(what, text));
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    // Ends that are waited for will come, when those end that wait for anything else.
    if (what.kind == wait_kind::end || !all_wait(all, before))
        return;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (all_wait(all, after) && before == after)
        give_up("waits for %s: deadlock, every space of the job waits", name_wait(what, text));
}

} // namespace saguaro::spmc
