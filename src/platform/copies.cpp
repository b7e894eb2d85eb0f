// SPDX-License-Identifier: MIT
// This copy's version, under a name that the loader may bind to another copy's and one that it may
// not.
#include "platform/copies.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

// Nothing has a symbol in a program that is linked with -static.
#pragma weak dladdr

#if defined(SG_GENERIC) || !(defined(__x86_64__) || defined(__aarch64__))
#define SG_PORT " generic"
#else
#define SG_PORT ""
#endif

// Two copies of which this differs have nothing in common but the names.
extern "C" {
extern const char sg_this_copy[];
const char sg_this_copy[] = SG_VERSION SG_PORT;
}

namespace saguaro::platform {

// clang takes an alias for a definition, which has a size.
[[gnu::alias("sg_this_copy"),
  gnu::visibility("hidden")]] extern const char own_copy[sizeof(SG_VERSION SG_PORT)];

namespace {

// The compiler takes two names for two objects.
const char *as_bound(const char *name) {
    __asm__("" : "+r"(name));
    return name;
}

const char *file_of(const char *copy) {
    Dl_info found;
    return &dladdr != nullptr && dladdr(copy, &found) != 0 ? found.dli_fname : "?";
}

// Calls of this copy's users would go to code of another version, and take its data for their own.
[[gnu::constructor(101)]] void refuse_another_version() {
    const char *const other = as_bound(sg_this_copy);
    if (!is_displaced() || std::strcmp(other, own_copy) == 0)
        return;
    std::fprintf(stderr,
                 "saguaro: the names of version %s in %s hide those of version %s in %s; build "
                 "what contains one of them with -fvisibility=hidden and -Wl,--exclude-libs,ALL\n",
                 other, file_of(other), own_copy, file_of(own_copy));
    std::_Exit(2);
}

} // namespace

bool is_displaced() noexcept {
    return as_bound(sg_this_copy) != as_bound(own_copy);
}

} // namespace saguaro::platform
