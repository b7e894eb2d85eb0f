// SPDX-License-Identifier: MIT
// The questions about another space: does it live, how did it end, can a wait succeed.
#include "spmc/ends.hpp"

#include "spmc/deadlocks.hpp"
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
    case wait_kind::first_message:
        std::snprintf(text, sizeof(text), "a first message in team 0x%" PRIxPTR, what.address);
        break;
    case wait_kind::end:
    case wait_kind::nothing:
        std::snprintf(text, sizeof(text), "the end of space %s", name_of(what.who(), name));
        break;
    }
    return text;
}

bool lives(const job &all, slot which) {
    const std::uint32_t now = all.space_in(which).state.load(std::memory_order_acquire);
    return (now == life::begins || now == life::lives) && ended_with(all, which) == 0;
}

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
    if (what.peer_has_left())
        return true;
    if (peer != 0 && ended_with(all, peer) != 0)
        // It may have made another the producer before it ended.
        return peer_of(all, what) == peer;
    if (what.of != nullptr && is_given_up(*what.of, all.entry_of(*what.of, what.page)))
        // Whoever ends gives up its pages first, and the line is to say how it ended: a space that
        // lives is believed the second time.
        return std::exchange(was_given_up, true);
    // Another thread of this space may become the peer, or begin it.
    return peer == 0 && !others_live(all) && own_threads() == 1;
}

bool name_a_failed_space(const awaited &what) {
    const bool may_be_unknown = what.kind == wait_kind::grant || what.kind == wait_kind::message ||
                                what.kind == wait_kind::first_message;
    const job &all = job::mine();
    if (!may_be_unknown || peer_of(all, what) != 0)
        return false;
    for (const slot s : all.given_slots()) {
        const space &each = all.space_in(s);
        // Relaxed: a space whose end is asked for just now may have a line too many.
        if (ended_with(all, s) != s || status_of(all, s) == 0 ||
            each.is_awaited.load(std::memory_order_relaxed) != 0)
            continue;
        char text[what_bytes];
        char name[name_bytes];
        char cause[cause_bytes];
        name_wait(what, text);
        say("waits for %s%s; space %s has ended: %s", text,
            what.kind == wait_kind::message ? ", whose other end no space has taken so far" : "",
            name_of(s, name), cause_of(all, s, cause));
        return true;
    }
    return false;
}

void end_in_vain(const awaited &what) {
    const job &all = job::mine();
    const slot peer = peer_of(all, what);
    char text[what_bytes];
    char name[name_bytes];
    char cause[cause_bytes];
    name_wait(what, text);
    if (what.peer_has_left())
        give_up("waits for %s, but %s%s has freed its end", text,
                peer != 0 ? "space " : "the space that made it",
                peer != 0 ? name_of(peer, name) : "");
    if (peer == 0)
        give_up("waits for %s, and no other space is left", text);
    if (ended_with(all, peer) != 0)
        give_up("waits for %s, but space %s has ended: %s", text, name_of(peer, name),
                cause_of(all, peer, cause));
    give_up("waits for %s, but space %s has given it up without fixing it", text,
            name_of(peer, name));
}

} // namespace saguaro::spmc
