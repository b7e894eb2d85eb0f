// SPDX-License-Identifier: MIT
// The line that the process prints when it ends because memory has run out.
#include "platform/no_memory.hpp"

#include <cstdio>
#include <cstdlib>

namespace saguaro::platform {

void end_without_memory(const char *for_what) {
    std::fprintf(stderr, "saguaro: no memory for %s\n", for_what);
    std::_Exit(1);
}

} // namespace saguaro::platform
