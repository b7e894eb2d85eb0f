// SPDX-License-Identifier: MIT
// cilk2c: translates a preprocessed file of Cilk to C. See README.md; the manual is
// docs/man/cilk2c.1.
#include "debug_names.hpp"
#include "desugar.hpp"
#include "diagnostics.hpp"
#include "emit_unit.hpp"
#include "macros.hpp"
#include "parse.hpp"
#include "text_edits.hpp"
#include "token_pass.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::cilkc {

namespace {

constexpr const char *usage = "usage: cilk2c [--dialect=mit|cilk] [--serial] [--profile] [--debug] "
                              "[-o OUT] [--stage=tokens|desugar] FILE.i\n";

// After which step to stop and show the text.
enum class stage { tokens, desugar, all };

struct options {
    std::optional<dialect> language;
    stage until = stage::all;
    bool serial = false;
    bool profile = false; // work and critical path are measured
    bool debug = false;   // debuggers are told the names of variables
    std::string output;   // empty: standard output
    std::string input;
};

// One line to stderr; the program ends with 1.
bool refuse(const std::string &what) {
    std::cerr << "cilk2c: " << what << '\n' << usage;
    return false;
}

bool read_options(const std::vector<std::string> &arguments, options &given) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string &a = arguments[i];
        if (a == "--dialect=mit") {
            given.language = dialect::mit;
        } else if (a == "--dialect=cilk") {
            given.language = dialect::cilk;
        } else if (a == "--serial") {
            given.serial = true;
        } else if (a == "--profile") {
            given.profile = true;
        } else if (a == "--debug") {
            given.debug = true;
        } else if (a == "--stage=tokens") {
            given.until = stage::tokens;
        } else if (a == "--stage=desugar") {
            given.until = stage::desugar;
        } else if (a == "-o") {
            if (++i == arguments.size())
                return refuse("-o needs the name of a file");
            given.output = arguments[i];
        } else if (a.size() > 1 && a[0] == '-') {
            return refuse("unknown option " + a);
        } else if (!given.input.empty()) {
            return refuse("more than one input: " + given.input + " and " + a);
        } else {
            given.input = a;
        }
    }
    return !given.input.empty() || refuse("no input");
}

dialect language_of(const std::string &text, const std::string &input) {
    std::string name = line_map(text).main_file();
    if (name.empty())
        name = input;
    const std::string_view suffix = ".cilk";
    const bool is_mit = name.size() >= suffix.size() &&
                        name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
    return is_mit ? dialect::mit : dialect::cilk;
}

// The text of `given.input` as far as the steps go; empty with something in `problems`.
std::string translate(const std::string &text, const options &given,
                      std::vector<problem> &problems) {
    const dialect language =
        given.language.has_value() ? *given.language : language_of(text, given.input);
    core_text core = to_core(resolve_macros(text), language);
    problems = std::move(core.problems);
    if (!problems.empty() || given.until == stage::tokens)
        return std::move(core.text);
    debug_names names;
    const std::unique_ptr<unit> parsed =
        front_end(std::move(core.text), given.input, language,
                  given.serial    ? program::serial
                  : given.profile ? program::profiled
                                  : program::parallel,
                  names, problems);
    if (parsed == nullptr)
        return {};
    if (given.until == stage::desugar)
        return std::string(parsed->text());
    const bool is_mit = language == dialect::mit;
    const std::string code = given.serial
                                 ? emit_serial(*parsed, is_mit, names, problems)
                                 : emit(*parsed, is_mit, given.profile, names, problems);
    return given.debug ? code + '\n' + names.definitions() : code;
}

// What cilk_abi.h tells clang about line markers is to hold from the first of them on.
std::string with_pragma_first(const std::string &result) {
    constexpr std::string_view pragma = "#pragma clang diagnostic ignored \"-Wgnu-line-marker\"\n";
    return (result.find(pragma) != std::string::npos ? std::string(pragma) : "") + result;
}

int run(const std::vector<std::string> &arguments) {
    if (arguments.size() == 1 && arguments[0] == "--help") {
        std::cout << usage << "Translates a preprocessed file of Cilk to C: cilk2c(1).\n";
        return 0;
    }
    options given;
    if (!read_options(arguments, given))
        return 1;
    std::ifstream in(given.input, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in) {
        std::cerr << "cilk2c: cannot read " << given.input << '\n';
        return 1;
    }
    std::vector<problem> problems;
    const std::string result = with_pragma_first(translate(text, given, problems));
    if (!problems.empty()) {
        print_problems(std::cerr, problems);
        return 1;
    }
    if (given.output.empty()) {
        std::cout << result << std::flush;
        return std::cout ? 0 : 1;
    }
    std::ofstream out(given.output, std::ios::binary);
    out << result << std::flush;
    if (!out) {
        std::cerr << "cilk2c: cannot write " << given.output << '\n';
        return 1;
    }
    return 0;
}

} // namespace

} // namespace saguaro::cilkc

int main(int argc, char **argv) {
    return saguaro::cilkc::run({argv + 1, argv + argc});
}
