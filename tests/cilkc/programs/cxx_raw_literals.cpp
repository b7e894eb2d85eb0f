// SPDX-License-Identifier: MIT
// Raw string literals with lines and words in them that elsewhere would be directives and Cilk.
#include <cilk/cilk.h>

#include <cstdio>
#include <cstring>

static const char *const shader = R"(
#version 330
#define SCALE 2
#pragma cilk grainsize = SCALE
# 7 "nothing.h"
void main() { cilk_spawn { ( }
)";

static int length(const char *text) {
    return static_cast<int>(std::strlen(text));
}

int main() {
    int x = cilk_spawn length(u8R"x(cilk_spawn { ( ")"
#undef SCALE
} cilk_sync;)x");
    int y = 1'000 + length(R"(
#define { "x)") + length("R\"(");
    cilk_sync;
    std::printf("%d %d %d\n", x, y, length(shader));
    std::printf("%s", shader);
}

/* Output:
44 1016 108

#version 330
#define SCALE 2
#pragma cilk grainsize = SCALE
# 7 "nothing.h"
void main() { cilk_spawn { ( }
*/
