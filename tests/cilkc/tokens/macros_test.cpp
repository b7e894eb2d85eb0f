// SPDX-License-Identifier: MIT
// Tests of the macros in grain sizes.
#include "tokens/macros.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace saguaro::cilkc {
namespace {

// The expression that the last grain size pragma of the text has in the end, without blanks.
std::string grain(const std::string &text) {
    const std::string resolved = resolve_macros(text);
    const std::size_t last = resolved.rfind("grainsize");
    EXPECT_NE(last, resolved.npos) << resolved;
    std::string expression = resolved.substr(last + 9, resolved.find('\n', last) - last - 9);
    std::erase(expression, ' ');
    return expression;
}

TEST(macros, are_replaced_in_grain_sizes) {
    EXPECT_EQ(grain("#define GRAIN 64\n#pragma cilk grainsize = GRAIN\n"), "=64");
    EXPECT_EQ(grain("#define GRAIN 64\n#pragma cilk grainsize GRAIN + n\n"), "64+n");
    EXPECT_EQ(grain("#define TWICE(x) (2 * HALF(x))\n#define HALF(x) ((x) / 2)\n"
                    "  #pragma cilk grainsize = TWICE(HALF(n) + 1)\n"),
              "=(2*((((n)/2)+1)/2))");
    EXPECT_EQ(grain("#define NOTHING\n#pragma cilk grainsize = NOTHING\n"), "=");
}

TEST(macros, are_those_of_the_pragmas_place) {
    EXPECT_EQ(
        grain("#define G 1\n#undef G\n#define G 2\n#pragma cilk grainsize = G\n#define G 3\n"),
        "=2");
    EXPECT_EQ(grain("#define G 1\n#undef G\n#pragma cilk grainsize = G\n"), "=G");
}

TEST(macros, stay_where_nothing_replaces_them) {
    EXPECT_EQ(grain("#define f(x) x\n#pragma cilk grainsize = f (1\n#pragma cilk grainsize = f\n"),
              "=f");
    EXPECT_EQ(resolve_macros("#define once 1\n#pragma once\n#pragma omp once\nonce;\n"),
              "\n#pragma once\n#pragma omp once\nonce;\n");
}

TEST(macros, leave_lines_and_columns_as_they_are) {
    EXPECT_EQ(resolve_macros("# 1 \"a.c\"\n#define A \"\\n\"\nint a;\n#undef A\n int b;\n"),
              "# 1 \"a.c\"\n\nint a;\n\n int b;\n");
}

} // namespace
} // namespace saguaro::cilkc
