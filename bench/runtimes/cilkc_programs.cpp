// SPDX-License-Identifier: MIT
// Finding the programs of examples/cilk that cilkc has compiled, as variants.
#include "driver/peer.hpp"
#include "runtimes/programs.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <unistd.h>

namespace saguaro::bench {

namespace {

/// Those of examples/cilk that are in MIT Cilk: they take the number of workers as an option.
const std::set<std::string> mit_programs = {"cholesky", "connect4", "fib-mit", "heat",
                                            "knapsack", "lu",       "queens"};

std::filesystem::path directory() {
    return own_directory() / "cilk";
}

bool exists(const std::string &program) {
    return access((directory() / program).c_str(), X_OK) == 0;
}

/// The command that runs the program, to be followed by BENCH N WORKERS: a script
/// whose $0 is the program.
std::string command_of(const std::string &program) {
    std::string script = mit_programs.contains(program)
                             ? "exec \"$0\" --nproc \"$3\" --time --check \"$2\""
                             : "CILK_NWORKERS=$3 exec \"$0\" --time --check \"$2\"";
    return "sh -c " + shell_quoted(script) + " " + shell_quoted((directory() / program).string());
}

std::string serial_command_of(const std::string &program) {
    std::filesystem::path path = directory() / (program + "-serial");
    return "sh -c 'exec \"$0\" --time --check \"$2\"' " + shell_quoted(path.string());
}

variant any_size_variant(const kernel &bench, const std::string &name, const std::string &command) {
    variant made = peer_variant(bench, name, command);
    made.greatest_size = any_size;
    return made;
}

} // namespace

std::vector<variant> cilkc_program(const kernel &bench, const std::string &program) {
    if (!exists(program))
        return {};
    return {any_size_variant(bench, "cilkc", command_of(program))};
}

std::vector<variant> cilkc_programs(const kernel &bench) {
    if (!exists(bench.name) || !exists(bench.name + "-serial"))
        return {};
    variant serial = any_size_variant(bench, "cilkc-serial", serial_command_of(bench.name));
    serial.parallel = false;
    std::vector<variant> variants = {serial,
                                     any_size_variant(bench, "cilkc", command_of(bench.name))};
    if (std::string mit = bench.name + "-mit"; exists(mit))
        variants.push_back(any_size_variant(bench, "cilkc-mit", command_of(mit)));
    return variants;
}

} // namespace saguaro::bench
