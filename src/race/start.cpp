// SPDX-License-Identifier: MIT
// The detector's start, before the program's own constructors, and its end, which is the program's
// exit code.
#include "race/detector.hpp"
#include "race/reports.hpp"

#include <cstdio>
#include <pthread.h>
#include <unistd.h>

// Defined by each object that includes the library's headers without SG_RACE.
extern "C" [[gnu::weak]] const char sg_objects_without_race_detection;

namespace saguaro::race {

detector now;

namespace {

// Exit codes: as ThreadSanitizer's for what was found; 2 for a program that cannot be checked.
constexpr int found_races = 66;
constexpr int cannot_check = 2;

constexpr std::size_t most_strands = std::size_t{1} << 31;
constexpr std::size_t most_calls = std::size_t{1} << 24;

void find_stack() {
    pthread_attr_t attributes;
    void *low = nullptr;
    std::size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        give_up("cannot find out where the stack is");
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
    now.stack_low = address_of(low);
    now.stack_high = now.stack_touched = now.stack_low + bytes;
}

} // namespace

void give_up(const char *why) {
    std::fflush(stdout);
    std::fprintf(stderr, "saguaro race: %s\n", why);
    _exit(cannot_check);
}

[[gnu::constructor(101)]] void start() {
    if (now.tree != nullptr)
        return;
    if (&sg_objects_without_race_detection != nullptr)
        give_up("an object file of the program was compiled without SG_RACE: compile all of them "
                "for the race detector");
    now.births = static_cast<birth *>(reserve(most_strands * sizeof(birth)));
    now.calls = now.call_top = static_cast<address *>(reserve(most_calls * sizeof(address)));
    if (now.births == nullptr || now.calls == nullptr || !make_shadow())
        give_up("the system refuses 16 TB of address space: see ulimit -v, and "
                "vm.overcommit_memory, which must not be 2");
    now.tree = new order;
    find_stack();
    now.off = 0;
}

namespace {

[[gnu::destructor(101)]] void finish() {
    ++now.off;
    if (races_found() == 0)
        return;
    std::fflush(nullptr);
    _exit(found_races);
}

} // namespace

} // namespace saguaro::race
