// SPDX-License-Identifier: MIT
// cilkc: compiles Cilk with the C compiler that is there. It takes what gcc takes; files in Cilk go
// through the translator cilk2c on their way, all others to the compiler as they are.
#include "driver/arguments.hpp"
#include "driver/build.hpp"
#include "driver/places.hpp"
#include "driver/process.hpp"

#include <cstdio>
#include <exception>

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

int compile(int argc, char **argv, orderly_end &end) {
    const places where = find_places();
    const command_line line = parse(expand_response_files({argv + 1, argv + argc}));
    if (line.help) {
        std::fputs(help, stdout);
        return 0;
    }
    const words compiler = find_compiler(line.compiler ? &*line.compiler : nullptr, where.self);
    if (line.version) {
        std::puts("cilkc (Saguaro) " CILKC_VERSION ", before this compiler:");
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
        std::fprintf(stderr, "cilkc: error: %s\n", error.what());
        return 1;
    }
}
