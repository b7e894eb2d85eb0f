// SPDX-License-Identifier: MIT
//
// cilkc: compiles Cilk with the C compiler that is there. It takes what gcc takes; files in Cilk go
// through the translator cilk2c on their way, all others to the compiler as they are.
#include "cilkc_arguments.hpp"
#include "cilkc_build.hpp"
#include "cilkc_places.hpp"
#include "cilkc_process.hpp"

#include <cstdio>
#include <exception>

namespace {

using namespace saguaro::driver;

constexpr const char *help = R"(usage: cilkc [option...] file...

Compiles C and Cilk with the C compiler that is there: .cilk files are MIT Cilk 5.4, .c files may
use the Cilk of OpenCilk and Cilk Plus (<cilk/cilk.h>). Takes what gcc takes, and:

  --cc=COMPILER        the compiler behind (default: CC of the environment, cc, gcc, clang)
  -fcilk-serial        the serial program: spawns are calls
  -cilk-profile        the program measures its work and its critical path
  -static-libsaguaro   the program has libsaguaro in itself
  -x cilk              the files that follow are MIT Cilk
  -save-temps          keeps FILE.i, FILE.cilk.c (what the compiler behind sees) and FILE.s
  -v, -###             prints the commands that are run; prints them only
  --help, --version
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
