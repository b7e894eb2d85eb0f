// SPDX-License-Identifier: MIT
// Reading saguaro-topology's command line, and its help.
#include "options.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace saguaro::topology_tool {

namespace {

constexpr const char *help =
    R"(Prints the machine as Saguaro's runtime sees it: processors, cores and nodes of memory, what
memory of another node costs, which worker sits where, and how likely a thief tries whom.

Usage: saguaro-topology [--thief N] [--json | --svg]

Options:
  -h,--help       Print this and exit
  --version       Print the version and exit
  --thief N       The worker whose choice of a victim is told; by default 0
  --json          For programs
  --svg           A picture

SAGUARO_WORKERS, SAGUARO_PIN, SAGUARO_CPUS, SAGUARO_POLICY and SAGUARO_TOPOLOGY mean what they mean for
the runtime; saguaro(7) lists them.
)";

[[noreturn]] void print_and_exit(const char *text) {
    std::fputs(text, stdout);
    std::exit(std::fflush(stdout) == 0 ? 0 : 1);
}

unsigned read_thief(const char *word) {
    const std::string_view text = word == nullptr ? "" : word;
    unsigned thief = 0;
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), thief);
    if (error != std::errc() || stopped != text.data() + text.size())
        throw bad_input("--thief " + std::string(text) +
                        ": the number of a worker, from 0, follows");
    return thief;
}

void choose(options &out, format as) {
    if (out.as != format::text && out.as != as)
        throw bad_input("--json and --svg: one of them at a time");
    out.as = as;
}

} // namespace

options read_options(int count, char **words) {
    options out;
    for (int at = 1; at < count; ++at) {
        const std::string_view word = words[at];
        if (word == "-h" || word == "--help")
            print_and_exit(help);
        else if (word == "--version")
            print_and_exit("saguaro-topology " SG_VERSION "\n");
        else if (word == "--thief")
            out.thief = read_thief(words[++at]); // null behind the last one
        else if (word == "--json")
            choose(out, format::json);
        else if (word == "--svg")
            choose(out, format::svg);
        else
            throw bad_input(std::string(word) +
                            ": there is no such option (saguaro-topology --help lists them)");
    }
    return out;
}

} // namespace saguaro::topology_tool
