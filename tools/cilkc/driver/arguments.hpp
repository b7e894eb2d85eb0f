// SPDX-License-Identifier: MIT
// The driver's command line: gcc's, and a few options of its own. It is kept as it was written, in
// order; what the driver must understand of it stands beside each argument.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace saguaro::driver {

using words = std::vector<std::string>;

// What an argument is.
enum class role {
    input,        // a file, or - for standard input
    language,     // -x
    output,       // -o
    stop,         // -c, -S, -E, -fsyntax-only: where the compilation ends
    dependencies, // -M and its relatives
    preprocessor, // what only the preprocessor reads: -I, -D, ...
    text,         // how preprocessed text is printed: -P, -C, -dD, ...
    debugging,    // -g and its relatives
    linker,       // what only the linker reads: -l, -L, -Wl, ...
    saving,       // -save-temps
    other,        // all the rest: goes to every step
};

// What is in a file.
enum class language {
    c,                // C, perhaps in OpenCilk's dialect
    mit,              // MIT Cilk
    preprocessed,     // C of either dialect that went through the preprocessor
    cxx,              // C++, perhaps with Cilk in it
    preprocessed_cxx, // C++ that went through the preprocessor
    header,           // a header of C that is to be precompiled
    cxx_header,       // the same of C++
    foreign,          // anything else: the compiler behind knows
};

// Whether it is C++; cilkc has none.
[[nodiscard]] constexpr bool is_cxx(language one) {
    return one == language::cxx || one == language::preprocessed_cxx || one == language::cxx_header;
}

[[nodiscard]] constexpr bool is_header(language one) {
    return one == language::header || one == language::cxx_header;
}

[[nodiscard]] constexpr bool is_preprocessed(language one) {
    return one == language::preprocessed || one == language::preprocessed_cxx;
}

struct argument {
    role is = role::other;
    words text;        // as given: one word, or an option and its value
    std::string value; // input: the file; language, output: the value
    language in = language::foreign;
    // The word of the last -x, empty without: what the compiler behind takes the file for.
    std::string forced;
};

// Where the compilation of a file ends.
enum class stage { preprocessed, checked, assembly, object, program, dependencies };

struct command_line {
    std::vector<argument> arguments;
    stage until = stage::program;
    std::optional<std::string> output;   // -o
    std::optional<std::string> compiler; // --cc
    bool serial = false;                 // -fcilk-serial
    bool profile = false;                // -cilk-profile and its synonyms
    bool verbose = false;                // -v
    bool dry = false;                    // -###
    bool save = false;                   // -save-temps
    bool save_beside_output = false;     // -save-temps=obj
    bool is_static = false;              // -static, -static-pie
    bool has_static_runtime = false;     // -static-libsaguaro
    bool has_default_libraries = true;   // no -nostdlib, -nodefaultlibs, -r
    bool is_cxx = false;                 // called as cilkc++
    bool help = false;
    bool version = false;

    [[nodiscard]] std::size_t inputs() const;
};

// Replaces each @FILE by the words in FILE, as gcc does: words are separated by white space, quoted
// by ' or ", and \ takes the next character as it is. A file that cannot be read leaves its word.
[[nodiscard]] words expand_response_files(const words &given);

// Understands a command line; `given` is without the program's name. What is unknown goes to the
// compiler behind as it is. As cilkc++ the driver takes files for C++ that g++ takes for it.
[[nodiscard]] command_line parse(const words &given, bool as_cxx);

} // namespace saguaro::driver
