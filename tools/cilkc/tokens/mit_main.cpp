// SPDX-License-Identifier: MIT
// Renaming a MIT Cilk program's first procedure and composing C's main.
#include "tokens/mit_main.hpp"

namespace saguaro::cilkc {

namespace {

// The arguments of the call that gives it what it takes. Programs may leave out the last ones, and
// some systems' main has the environment as a third.
std::string arguments_for(const token_list &tokens, std::size_t open) {
    const std::size_t close = tokens.closing(open);
    if (close == open + 1 || (close == open + 2 && tokens[open + 1].is("void")))
        return "";
    std::size_t count = 1;
    for (std::size_t at = open + 1; at < close; at++)
        count += tokens[at].is(",") ? 1 : 0;
    return count == 1 ? "argc" : count == 2 ? "argc, argv" : "argc, argv, environ";
}

bool returns_nothing(const token_list &tokens, std::size_t name) {
    return name > 0 && tokens[name - 1].is("void");
}

} // namespace

void mit_main::declared(std::size_t name, bool typed) {
    const token_list &tokens = edits_.tokens();
    const bool is_main = tokens[name].is("main");
    if (!is_main && !tokens[name].is("cilk_main"))
        return;
    renamed_ |= is_main;
    if (tokens[tokens.closing(name + 1) + 1].is("{")) {
        body_of_ = name;
        returns_void_ = typed && returns_nothing(tokens, name);
    }
}

bool mit_main::has_plain_main() const {
    const token_list &tokens = edits_.tokens();
    for (std::size_t at = 0; at < tokens.size(); at++) {
        if (tokens[at].is("main") && tokens[at].braces == 0 && tokens[at + 1].is("(") &&
            tokens[tokens.closing(at + 1) + 1].is("{")) {
            return true;
        }
    }
    return false;
}

std::string mit_main::finish() {
    const token_list &tokens = edits_.tokens();
    for (std::size_t at = 0; renamed_ && at < tokens.size(); at++)
        if (tokens[at].is("main") && !tokens[at].plain)
            edits_.replace(at, "cilk_main");
    if (body_of_ == 0 || (!renamed_ && has_plain_main()))
        return {};
    const std::string arguments = arguments_for(tokens, body_of_ + 1);
    const std::string call = "cilk_main(" + arguments + ")";
    // `cilk_main` may be the procedure that a `main` in C, in another file, spawns itself.
    const std::string weak = renamed_ ? "" : "__attribute__((weak)) ";
    // All on the line of the user's `main`, where debuggers stop in it.
    return "\n" + edits_.lines().marker(tokens[body_of_].offset) +
           "extern int sg_mit_start(int argc, char **argv, int (*program)(int, char **)); " +
           (arguments.find("environ") == arguments.npos ? "" : "extern char **environ; ") +
           "static int _cilk_program(int argc, char **argv) { (void)argc; (void)argv; " +
           (returns_void_ ? call + "; return 0; } " : "return " + call + "; } ") + weak +
           "int main(int argc, char *argv[]) { return sg_mit_start(argc, argv, _cilk_program); }\n";
}

} // namespace saguaro::cilkc
