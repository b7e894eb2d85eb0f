// SPDX-License-Identifier: MIT
// Tests of the token passes of both dialects: words, places and problems.
#include "text/line_map.hpp"
#include "tokens/token_pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace saguaro::cilkc {
namespace {

// A text of the user's file, as the preprocessor hands it on.
std::string in_file(const std::string &text, const std::string &name = "a.cilk") {
    return "# 1 \"" + name + "\"\n" + text;
}

// Without line markers, and one blank for many: what the compiler sees.
std::string tokens_of(const std::string &text) {
    std::string plain;
    bool marker = false;
    for (std::size_t at = 0; at < text.size(); at++) {
        const bool begins = at == 0 || text[at - 1] == '\n';
        marker = begins ? text[at] == '#' : marker;
        const char c = text[at] == '\n' ? ' ' : text[at];
        if (!marker && (c != ' ' || (!plain.empty() && plain.back() != ' ')))
            plain += c;
    }
    return plain.substr(0, plain.find_last_not_of(' ') + 1);
}

std::string mit(const std::string &text) {
    const core_text core = to_core(in_file(text), dialect::mit);
    EXPECT_TRUE(core.problems.empty()) << core.problems.front().text;
    return tokens_of(core.text);
}

std::string cilk(const std::string &text) {
    return tokens_of(to_core(in_file(text, "a.c"), dialect::cilk).text);
}

std::string first_problem(const std::string &text) {
    const core_text core = to_core(in_file(text), dialect::mit);
    return core.problems.empty() ? "" : core.problems.front().text;
}

// Where the line markers put the first `wanted` in the translation.
std::string place_of(const std::string &text, const std::string &wanted) {
    const std::size_t at = text.find(wanted);
    EXPECT_NE(at, text.npos) << wanted << " in " << text;
    const place where = line_map(text).where(at);
    return where.file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

TEST(mit_words, become_markers) {
    EXPECT_EQ(mit("cilk int f(int n) { int x; x = spawn f(n); sync; return x; }"),
              "_Cilk_procedure int f(int n) { int x; x = _Cilk_spawn f(n); _Cilk_sync ; "
              "return x; }");
    EXPECT_EQ(mit("cilk void f(void) { if (SYNCHED) abort; }"),
              "_Cilk_procedure void f(void) { if (_Cilk_synched ) _Cilk_abort ; }");
    EXPECT_EQ(mit("shared static int a; private int b;"), "static int a; int b;");
}

TEST(mit_words, are_names_where_the_language_has_no_place_for_them) {
    for (const std::string text :
         {"int sync, abort, spawn, shared, private, inlet;",
          "struct s { int sync; }; int f(struct s *p) { return p->sync + p->sync; }",
          "void f(void) { abort(); sync(); }"}) {
        EXPECT_EQ(mit(text), text);
    }
}

TEST(mit_words, are_names_in_c_and_in_system_headers) {
    EXPECT_EQ(mit("#pragma lang +C\nint f(int spawn) { return (spawn); sync; }\n"
                  "#pragma lang -C\ncilk int g(void);"),
              "int f(int spawn) { return (spawn); sync; } _Cilk_procedure int g(void);");
    EXPECT_EQ(mit("# 1 \"/usr/include/x.h\" 1 3\nextern int cilk g;\n# 2 \"a.cilk\" 2\n"),
              "extern int cilk g;");
    // What a system header's macro expands to stands in the user's file.
    EXPECT_EQ(mit("cilk void f(void) {\n# 2 \"a.cilk\" 3 4\n sync;\n# 2 \"a.cilk\"\n }"),
              "_Cilk_procedure void f(void) { _Cilk_sync ; }");
}

TEST(procedures, without_a_type_return_int) {
    EXPECT_EQ(mit("cilk f(int n) { return n; }"), "_Cilk_procedure int f(int n) { return n; }");
    EXPECT_EQ(mit("cilk static f(int n);"), "_Cilk_procedure int static f(int n);");
    EXPECT_EQ(mit("cilk word f(int n); cilk word (*p)(int); int cilk g(void);"),
              "_Cilk_procedure word f(int n); _Cilk_procedure word (*p)(int); "
              "int _Cilk_procedure g(void);");
}

TEST(inlets, become_a_pointer_and_a_block) {
    EXPECT_EQ(mit("cilk int f(int n) { inlet void add(int x) { n += x; return; } "
                  "add(spawn f(1)); sync; return n; }"),
              "_Cilk_procedure int f(int n) { _Cilk_inlet void (* add) (int x) ; "
              "_Cilk_inlet_body { int x; n += x; _Cilk_inlet_return (0) ; } _Cilk_inlet_call "
              "add,_Cilk_spawn f(1) ; _Cilk_sync ; return n; }");
    EXPECT_EQ(mit("cilk int f(int n) { int a[2]; inlet int two(int x) { return 2 * x; } "
                  "if (n) a[n] = two(spawn f(1)); sync; return n; }"),
              "_Cilk_procedure int f(int n) { int a[2]; _Cilk_inlet int (* two) (int x) ; "
              "_Cilk_inlet_body { int x; _Cilk_inlet_return ( 2 * x) ; } if (n) "
              "_Cilk_inlet_call a[n] , two,_Cilk_spawn f(1) ; _Cilk_sync ; return n; }");
}

TEST(inlets, have_their_parameters_as_variables) {
    const auto variables = [](const std::string &parameters) {
        const std::string text =
            mit("cilk void f(void) { inlet void in(" + parameters + ") { end; } }");
        const std::size_t begin = text.find("_Cilk_inlet_body {") + sizeof "_Cilk_inlet_body {";
        return text.substr(begin, text.find(" end;") - begin);
    };
    EXPECT_EQ(variables("char *argv[]"), "char *(*argv);");
    EXPECT_EQ(variables("int m[2][3], const struct s *p"), "int (*m)[3]; const struct s *p;");
    EXPECT_EQ(variables("int g(int, int)"), "int (*g)(int, int);");
    EXPECT_EQ(variables("int (*m)[3], unsigned"), "int (*m)[3]; unsigned _cilk_unnamed_2;");
    EXPECT_EQ(variables("int [4]"), "int (* _cilk_unnamed_1);");
    EXPECT_EQ(variables("size_t, size_t n"), "size_t _cilk_unnamed_1; size_t n;");
    EXPECT_EQ(variables("cilk int (*p)(int)"), "_Cilk_procedure int (*p)(int);");
}

TEST(main_procedure, is_handed_to_the_runtime) {
    const std::string two = mit("cilk int main(int argc, char *argv[]) { return argc; }");
    EXPECT_NE(two.find("int cilk_main (int argc"), two.npos) << two;
    EXPECT_NE(two.find("return cilk_main(argc, argv);"), two.npos) << two;
    EXPECT_NE(two.find("} int main(int argc"), two.npos) << two;
    const std::string none = mit("cilk void main(void) { }");
    EXPECT_NE(none.find(" cilk_main(); return 0;"), none.npos) << none;
    const std::string untyped = mit("cilk main() { return 1; }");
    EXPECT_NE(untyped.find("return cilk_main();"), untyped.npos) << untyped;
}

TEST(main_procedure, named_cilk_main_leaves_room_for_a_main_in_c) {
    const std::string alone = mit("cilk int cilk_main(int argc, char *argv[]) { return 0; }");
    EXPECT_NE(alone.find("__attribute__((weak)) int main("), alone.npos) << alone;
    const std::string both =
        mit("cilk int cilk_main(int argc, char *argv[]) { return 0; } int main(void) { }");
    EXPECT_EQ(both.find("sg_mit_start"), both.npos) << both;
    EXPECT_EQ(mit("cilk int main(int argc, char *argv[]);").find("sg_mit_start"),
              std::string::npos);
}

TEST(cilk_words, of_blocks_and_grains) {
    EXPECT_EQ(cilk("void f(void) { _Cilk_spawn { g(); } _Cilk_spawn g(); }"),
              "void f(void) { _Cilk_spawn_block { g(); } _Cilk_spawn g(); }");
    EXPECT_EQ(cilk("void f(void) {\n#pragma cilk grainsize = n + 1\n"
                   "_Cilk_for (int i = g(1; 2); i < n; i++) g(); }"),
              "void f(void) { _Cilk_for (int i = g(1; 2); i < n; _Cilk_grain (n + 1), i++) g(); }");
    EXPECT_EQ(cilk("void f(void) { (void)_Cilk_spawn g(); }"), "void f(void) { _Cilk_spawn g(); }");
    EXPECT_EQ(cilk("void f(void) {\n#pragma cilk grainsize 8\n_Cilk_for (;;i++) g(); }"),
              "void f(void) { _Cilk_for (;;_Cilk_grain (8), i++) g(); }");
}

TEST(positions, are_the_users_behind_each_edit) {
    const std::string text = to_core(in_file("cilk int f(int n) {\n  inlet void in(int result,\n"
                                             "               char *text[]) { put(text); }\n"
                                             "  int x; x = spawn f(n); last(x);\n}\n"),
                                     dialect::mit)
                                 .text;
    EXPECT_EQ(place_of(text, "int f"), "a.cilk:1:6");
    EXPECT_EQ(place_of(text, "int result;"), "a.cilk:2:17");
    EXPECT_EQ(place_of(text, "char *(*text)"), "a.cilk:3:16");
    EXPECT_EQ(place_of(text, "put(text)"), "a.cilk:3:32");
    EXPECT_EQ(place_of(text, "_Cilk_spawn"), "a.cilk:4:14");
    EXPECT_EQ(place_of(text, "f(n);"), "a.cilk:4:20");
    EXPECT_EQ(place_of(text, "last"), "a.cilk:4:26");
    EXPECT_EQ(place_of(text, "\n}"), "a.cilk:4:34");
}

TEST(problems, name_the_rule) {
    EXPECT_EQ(first_problem("void f(void) { sync; }").substr(0, 31),
              "sync outside of a cilk procedur");
    EXPECT_EQ(first_problem("cilk void f(void) { sync; }"), "");
}

} // namespace
} // namespace saguaro::cilkc
