// SPDX-License-Identifier: MIT
// cilkc and cilkc++: compile Cilk with the C or C++ compiler that is there. They take what gcc and
// g++ take; files in Cilk go through the translator cilk2c on their way, all others to the compiler
// as they are. Which of the two it is, the name says by which the program is called.
#include "driver/arguments.hpp"
#include "driver/build.hpp"
#include "driver/places.hpp"
#include "driver/process.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

namespace {

using namespace saguaro::driver;

constexpr const char *help = R"(usage: cilkc [option...] file...

Compiles C and Cilk with gcc or clang, the underlying compiler. A .cilk file is MIT Cilk 5.4; a .c
file may use the Cilk of OpenCilk and Cilk Plus (<cilk/cilk.h>). Takes the options of gcc, and:

  --cc=COMPILER        the underlying compiler (default: CC of the environment, cc, gcc, clang)
  -fcilk-serial        compile the serial program: spawns are ordinary calls
  -cilk-profile        compile a program that measures its work and its critical path
  -static-libsaguaro   put libsaguaro into the program
  -x cilk              take the files that follow for MIT Cilk
  -save-temps          keep FILE.i, FILE.cilk.c (which the underlying compiler sees) and FILE.s
  -v, -###             print the commands and run them; only print them
  --help, --version    print this text; print the versions of cilkc and the underlying compiler
)";

constexpr const char *cxx_help = R"(usage: cilkc++ [option...] file...

Compiles C++ and Cilk in C++ with g++ or clang++, the underlying compiler. A C++ file may use the Cilk
of OpenCilk and Cilk Plus (<cilk/cilk.h>). Takes the options of g++, and:

  --cc=COMPILER        the underlying compiler (default: CXX of the environment, c++, g++, clang++)
  -fcilk-serial        compile the serial program: spawns are ordinary calls
  -static-libsaguaro   put libsaguaro into the program
  -save-temps          keep FILE.ii, FILE.cilk.ii (which the underlying compiler sees) and FILE.s
  -v, -###             print the commands and run them; only print them
  --help, --version    print this text; print the versions of cilkc++ and the underlying compiler
)";

// The name that the program is called by says for which language.
std::string own_name(const char *called) {
    return std::filesystem::path(called).filename().string().ends_with("++") ? "cilkc++" : "cilkc";
}

int compile(int argc, char **argv, orderly_end &end) {
    const places where = find_places();
    const std::string name = own_name(argv[0]);
    const bool as_cxx = name == "cilkc++";
    const command_line line = parse(expand_response_files({argv + 1, argv + argc}), as_cxx);
    if (line.help) {
        std::fputs(as_cxx ? cxx_help : help, stdout);
        return 0;
    }
    const words compiler =
        find_compiler(line.compiler ? &*line.compiler : nullptr, where.self, as_cxx);
    if (line.version) {
        std::printf("%s (Saguaro) " CILKC_VERSION ", before this compiler:\n", name.c_str());
        std::fflush(stdout);
        words command = compiler;
        command.emplace_back("--version");
        return run(command);
    }
    return build(line, where, compiler, end);
}

} // namespace

int main(int argc, char **argv) {
    orderly_end end;
    try {
        return compile(argc, argv, end);
    } catch (const interrupted &) {
        return 1;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s: error: %s\n", own_name(argv[0]).c_str(), error.what());
        return 1;
    }
}
