// SPDX-License-Identifier: MIT
// cilk2c: translates a preprocessed file of Cilk to C, or to C++. See README.md; the manual is
// docs/man/cilk2c.1.
#include "command_line/command_line.hpp"
#include "cxx/translate.hpp"
#include "desugar/desugar.hpp"
#include "desugar/program.hpp"
#include "emit/parallel.hpp"
#include "emit/serial.hpp"
#include "parse/debug_names.hpp"
#include "parse/unit.hpp"
#include "text/diagnostics.hpp"
#include "text/line_map.hpp"
#include "tokens/macros.hpp"
#include "tokens/token_pass.hpp"
#include "tokens/user_columns.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace saguaro::cilkc {

namespace {

// After which step to stop and show the text.
enum class stage { tokens, desugar, all };

struct options {
    std::optional<dialect> language; // of C
    bool cxx = false;
    stage until = stage::all;
    bool serial = false;
    bool profile = false; // work and critical path are measured
    bool debug = false;   // debuggers are told the names of variables
    std::string output;   // empty: standard output
    std::string input;
};

// The values of options that are names of something.
struct named_values {
    std::optional<std::string> language, until;
};

void describe(saguaro::cli::command_line &words, options &given, named_values &named) {
    words.add("FILE.i", given.input, "A file in Cilk that the preprocessor has expanded")
        .required();
    words.add("-o", given.output, "Write to this file instead of standard output");
    words
        .add("--dialect", named.language,
             "MIT Cilk 5.4, or OpenCilk's in C or C++ (default: as the file's name says)")
        .among({"cilk", "cxx", "mit"});
    words.add_flag("--serial", given.serial, "Write the serial program: spawns are ordinary calls");
    words.add_flag("--profile", given.profile,
                   "Write functions that measure work and critical path");
    words.add_flag("--debug", given.debug, "Let debuggers find variables by the user's names");
    words.add("--stage", named.until, "Stop after this step and write its result")
        .among({"desugar", "tokens"});
}

// The suffix of the file that the text is of.
std::string suffix_of(const std::string &text, const std::string &input) {
    std::string name = line_map(text).main_file();
    if (name.empty())
        name = input;
    const std::size_t dot = name.rfind('.');
    return dot == name.npos ? std::string() : name.substr(dot);
}

bool is_cxx_suffix(const std::string &suffix) {
    constexpr std::array names = {".cpp", ".cc",  ".cxx", ".C",   ".c++", ".cp", ".CPP",
                                  ".ii",  ".hpp", ".hh",  ".hxx", ".H",   ".h++"};
    return std::find(names.begin(), names.end(), suffix) != names.end();
}

// The text of `given.input` as far as the steps go; empty with something in `problems`.
std::string translate(const std::string &text, const options &given,
                      std::vector<problem> &problems) {
    const std::string suffix = suffix_of(text, given.input);
    if (given.cxx || (!given.language && is_cxx_suffix(suffix)))
        return translate_cxx(text, given.input, given.serial, problems);
    const dialect language =
        given.language.value_or(suffix == ".cilk" ? dialect::mit : dialect::cilk);
    core_text core = to_core(resolve_macros(with_users_columns(text)), language);
    problems = std::move(core.problems);
    if (!problems.empty() || given.until == stage::tokens)
        return std::move(core.text);
    debug_names names;
    const std::unique_ptr<unit> parsed =
        front_end(std::move(core.text), given.input, language, standard_of(text),
                  given.serial    ? program::serial
                  : given.profile ? program::profiled
                                  : program::parallel,
                  names, problems);
    if (parsed == nullptr)
        return {};
    if (given.until == stage::desugar)
        return std::string(parsed->text());
    const bool is_mit = language == dialect::mit;
    const std::string code = given.serial ? emit_serial(*parsed, is_mit, names, problems)
                                          : emit(*parsed, is_mit, given.profile, names, problems);
    return given.debug ? code + '\n' + names.definitions() : code;
}

// What cilk_abi.h tells clang about line markers is to hold from the first of them on.
std::string with_pragma_first(const std::string &result) {
    constexpr std::string_view pragma = "#pragma clang diagnostic ignored \"-Wgnu-line-marker\"\n";
    return (result.find(pragma) != std::string::npos ? std::string(pragma) : "") + result;
}

int run(const options &given) {
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
    using namespace saguaro::cilkc;
    saguaro::cli::command_line words(
        "cilk2c",
        "Translates a preprocessed file in Cilk to C or C++. Programs are compiled with cilkc "
        "and cilkc++.");
    options given;
    named_values named;
    describe(words, given, named);
    if (const auto instead = words.read(argc, argv)) {
        if (instead->is_fault)
            std::cerr << "cilk2c: " << instead->text << "; --help shows what is accepted\n";
        else
            std::cout << instead->text << std::flush;
        return instead->is_fault || !std::cout ? 1 : 0;
    }
    given.cxx = named.language == "cxx";
    if (named.language && !given.cxx)
        given.language = *named.language == "mit" ? dialect::mit : dialect::cilk;
    if (named.until)
        given.until = *named.until == "tokens" ? stage::tokens : stage::desugar;
    return run(given);
}
