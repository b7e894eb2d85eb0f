// SPDX-License-Identifier: MIT
// Tests of columns behind the macros of gcc's and Clang's preprocessors.
#include "text/line_map.hpp"
#include "tokens/user_columns.hpp"

#include <gtest/gtest.h>

namespace saguaro::cilkc {
namespace {

// Where the first `what` stands once all columns are the user's: "file:line:column".
std::string columns_in(const std::string &preprocessed, const std::string &what) {
    const std::string text = with_users_columns(preprocessed);
    const std::size_t at = text.find(what);
    EXPECT_NE(at, text.npos) << text;
    const place where = line_map(text).where(at);
    return where.file + ':' + std::to_string(where.line) + ':' + std::to_string(where.column);
}

const std::string gcc = "# 0 \"a.c\"\n# 1 \"a.c\"\n";
const std::string clang = "# 1 \"<built-in>\" 3\n#define __clang__ 1\n# 1 \"cilk.h\" 1 3\n"
                          "#define cilk_spawn _Cilk_spawn\n# 1 \"a.c\" 2\n";

TEST(user_columns, are_one_further_behind_gccs_macros) {
    const std::string text = gcc + "void f(void) {\n   \n# 2 \"a.c\" 3 4\n   _Cilk_spawn \n"
                                   "# 2 \"a.c\"\n              g(1);\n    h();\n}\n";
    EXPECT_EQ(columns_in(text, "_Cilk_spawn"), "a.c:2:5");
    EXPECT_EQ(columns_in(text, "g(1)"), "a.c:2:16");
    EXPECT_EQ(columns_in(text, "h()"), "a.c:3:5");
}

TEST(user_columns, are_one_further_on_the_line_behind_gccs_macro) {
    const std::string text = gcc + "  \n# 5 \"a.c\" 3 4\n _Cilk_spawn\n   \n# 6 \"a.c\"\n  g(2);\n";
    EXPECT_EQ(columns_in(text, "_Cilk_spawn"), "a.c:5:3");
    EXPECT_EQ(columns_in(text, "g(2)"), "a.c:6:4");
}

TEST(user_columns, are_as_gcc_says_at_the_beginning_of_a_line_and_in_headers) {
    const std::string text = gcc + "# 1 \"h.h\" 1 3 4\n  int x;\n# 9 \"h.h\" 3 4\n  int y;\n"
                                   "# 2 \"a.c\" 2\n  int z;\n\n# 3 \"a.c\" 3 4\n_Cilk_sync\n"
                                   "# 3 \"a.c\"\n         ;\n";
    EXPECT_EQ(columns_in(text, "y;"), "h.h:9:7");
    EXPECT_EQ(columns_in(text, "z;"), "a.c:2:7");
    EXPECT_EQ(columns_in(text, "_Cilk_sync"), "a.c:3:1");
    EXPECT_EQ(columns_in(text, "         ;"), "a.c:3:2");
}

TEST(user_columns, are_one_back_behind_each_of_clangs_keywords) {
    const std::string text = clang + "void f(void) {\n    _Cilk_spawn g(1); _Cilk_spawn h(2);\n"
                                     "    _Cilk_sync;\n    k();\n}\n";
    EXPECT_EQ(columns_in(text, "_Cilk_spawn\n# 2"), "a.c:2:5");
    EXPECT_EQ(columns_in(text, "g(1)"), "a.c:2:16");
    EXPECT_EQ(columns_in(text, "_Cilk_spawn\n# 2 \"a.c\"\n                                h"),
              "a.c:2:22");
    EXPECT_EQ(columns_in(text, "h(2)"), "a.c:2:33");
    EXPECT_EQ(columns_in(text, ";\n    k"), "a.c:3:14");
    EXPECT_EQ(columns_in(text, "k()"), "a.c:4:5");
}

TEST(user_columns, are_clangs_where_the_keywords_are_no_macros) {
    const std::string text = "#define __clang__ 1\n# 1 \"a.c\"\n  _Cilk_spawn g(1);\n";
    EXPECT_EQ(with_users_columns(text), text);
}

} // namespace
} // namespace saguaro::cilkc
