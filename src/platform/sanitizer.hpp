// SPDX-License-Identifier: MIT
// The sanitizers whose runtime is in the process: of the program, or of the library as well.
//
// The ordinary library serves a program that was compiled with a sanitizer. It finds out when it is
// loaded, by the names of the sanitizers' interfaces, and announces what they cannot see: switches
// of stacks (stacks/sanitizers.hpp), and what is handed from one thread to another (below). Without
// a sanitizer each of the latter costs a load and a branch.
#pragma once

#include "saguaro/detail/sanitizers.h"

namespace saguaro::platform {

// Bits of sanitizers_here.
inline constexpr unsigned char address_sanitizer = 1;
inline constexpr unsigned char thread_sanitizer = 2;

// Which of the two is in the process. Constant once the program's constructors run.
[[gnu::visibility("hidden")]] extern unsigned char sanitizers_here;

// Whether switches of stacks are to be announced.
inline bool is_watched() {
    return sanitizers_here != 0;
}

inline bool has_address_sanitizer() {
    return (sanitizers_here & address_sanitizer) != 0;
}

inline bool has_thread_sanitizer() {
    return (sanitizers_here & thread_sanitizer) != 0;
}

// Tells LeakSanitizer, if it is in the process, that what `made` points to is not freed on purpose.
void ignore_leak(const void *made);

// Whether anything in the process looks for what it has left when it ends, as threads: one of the
// two, or valgrind.
bool is_looked_at_in_the_end();

// Why the library cannot work under the sanitizer that is in the process, and which one to use, in
// one line; null if there is no reason.
const char *refusal_of_sanitizer();

// Whether what is handed over is to be announced: a library that was compiled with ThreadSanitizer
// shows it.
inline bool is_handing_over_watched() {
    return !SG_THREAD_SANITIZER && has_thread_sanitizer();
}

namespace detail {
void announce_handing_over(const void *what);
void announce_taking_over(const void *what);
} // namespace detail

// ThreadSanitizer does not see the ordinary library's atomics and locks. These two say: what the
// calling thread did before hand_over(what) happened before what a thread does after a later
// take_over(what). `what`: any address that both know. Any thread.
inline void hand_over(const void *what) {
    if (is_handing_over_watched()) [[unlikely]]
        detail::announce_handing_over(what);
}

inline void take_over(const void *what) {
    if (is_handing_over_watched()) [[unlikely]]
        detail::announce_taking_over(what);
}

} // namespace saguaro::platform
