// SPDX-License-Identifier: MIT
// Flushing streams around a fork.
#include "spmc/streams.hpp"

#include <cstdio>
#include <cstring>
#include <ostream>
#include <stdio_ext.h>

#if defined(__GLIBCXX__)
// Null in a program that does not use them: this library does not bring their constructors along.
extern "C" [[gnu::weak]] char saguaro_cout __asm__("_ZSt4cout");
extern "C" [[gnu::weak]] char saguaro_clog __asm__("_ZSt4clog");
#endif

namespace saguaro::spmc {

namespace {

// To look at a type a sanitizer opens a pipe, and there may be no descriptor left.
__attribute__((no_sanitize("vptr"))) void flush_cxx() {
#if defined(__GLIBCXX__)
    for (char *const each : {&saguaro_cout, &saguaro_clog}) {
        // Zeros where the library is there, and no part of the program has begun to use it.
        const void *table = nullptr;
        if (each != nullptr)
            std::memcpy(&table, each, sizeof(table));
        if (table != nullptr)
            reinterpret_cast<std::ostream *>(each)->flush();
    }
#endif
}

} // namespace

void flush_streams() {
    flush_cxx(); // into C's, where they are synchronized
    if (ftrylockfile(stdin) != 0) {
        std::fflush(stdout);
        std::fflush(stderr);
        return;
    }
    std::fflush(nullptr);
    funlockfile(stdin);
}

void forget_input() {
    __fpurge(stdin);
}

} // namespace saguaro::spmc
