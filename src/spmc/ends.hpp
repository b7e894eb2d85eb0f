// SPDX-License-Identifier: MIT
// The life of other spaces, as a space that waits sees it: running, or ended, and how.
#pragma once

#include "spmc/job.hpp"
#include "spmc/layout.hpp"
#include "spmc/waiting.hpp"

#include <cstdint>

namespace saguaro::spmc {

// The space, or the ancestor that has taken it along, that has ended; 0 if it lives. Nobody records
// the end of a space whose parent was gone before.
slot ended_with(const job &all, slot which);

// Whether it has begun and not ended.
bool lives(const job &all, slot which);

// How a space ended, as waitpid tells; and in words: "exit code 3", "signal 9 (Killed)". `text` has
// room for these.
int status_of(const job &all, slot which);
inline constexpr int cause_bytes = 160;
const char *cause_of(const job &all, slot which, char (&text)[cause_bytes]);

// What a space waits for, in words.
inline constexpr int what_bytes = 200;
const char *name_wait(const awaited &what, char (&text)[what_bytes]);

// Whether nobody is left who could end the wait: its peer has ended, or a page has no producer any
// more. What they did before may have ended it, so the caller looks again. `was_given_up` keeps
// what was seen in this wait so far.
bool may_be_in_vain(const awaited &what, bool &was_given_up);

// Of a wait for a peer that is not known yet: says a line about a space that has failed and whose
// end no space has waited for, if there is one. That might have been the peer. True if it said one.
bool name_a_failed_space(const awaited &what);

// Ends the calling space with the line that says why.
[[noreturn]] void end_in_vain(const awaited &what);

} // namespace saguaro::spmc
