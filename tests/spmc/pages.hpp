// SPDX-License-Identifier: MIT
// Regions as arrays of words, for the programs that the tests run as jobs.
#pragma once

#include "saguaro/spmc.h"
#include "support/job.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>

namespace saguaro::spmc_test {

using test_support::has;
using test_support::job_memory;
using test_support::lines_in;
using test_support::outcome;
using test_support::run_job;

inline constexpr std::size_t page = SPMC_PAGE;
using word = volatile std::int64_t;

// What a test has allocated: copied into each space by its fork.
inline word *shared = nullptr;

inline word &on_page(word *region, std::size_t number) {
    return region[number * (page / sizeof(word))];
}

inline void *page_at(word *region, std::size_t number) {
    return const_cast<std::int64_t *>(&on_page(region, number));
}

inline word *region_of(std::size_t pages) {
    return static_cast<word *>(spmc_alloc(nullptr, pages * page));
}

// Addresses that the library gives nobody by itself.
inline word *wished(std::size_t pages_behind) {
    return reinterpret_cast<word *>(0x300000000000 + pages_behind * page);
}

// Ends the process, which is some space of a job, if a call is refused.
inline void must(int refused, const char *call) {
    if (refused == 0)
        return;
    std::fprintf(stderr, "%s: %d\n", call, refused);
    std::exit(90);
}
#define MUST(call) ::saguaro::spmc_test::must((call), #call)

// Begins a space; its name.
inline spmc_space begin(int (*function)(void *), void *argument = nullptr) {
    spmc_space made = 0;
    MUST(spmc_space_create(&made, function, argument));
    return made;
}

// How a space has ended: its exit code, or 100 more than the number of its signal.
inline int end_of(spmc_space which) {
    int status = 0;
    MUST(spmc_space_wait(which, &status));
    return WIFSIGNALED(status) ? 100 + WTERMSIG(status) : WEXITSTATUS(status);
}

inline void give_all(spmc_space whom, word *region, std::size_t pages) {
    MUST(spmc_transfer_ownership(whom, page_at(region, 0), page_at(region, 0), pages * page));
}

inline void show_all(spmc_space whom, word *region, std::size_t pages) {
    MUST(spmc_copy_consumer(whom, page_at(region, 0), page_at(region, 0), pages * page));
}

inline void fix(word *region, std::size_t first, std::size_t pages = 1) {
    MUST(spmc_fix(page_at(region, first), pages * page));
}

inline void extend(word *region, std::size_t extension, word *to, std::size_t pages) {
    MUST(spmc_extend(page_at(region, extension), page_at(to, 0), pages * page));
}

} // namespace saguaro::spmc_test
