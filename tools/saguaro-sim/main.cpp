// SPDX-License-Identifier: MIT
// saguaro-sim: the scheduler on machines that are not here. Exit codes: 0 done, 1 output cannot be
// written or memory does not suffice, 2 bad input.
#include "options.hpp"
#include "output.hpp"

#include "common/tool.hpp"

#include <cstdio>
#include <new>

using namespace saguaro;
using namespace saguaro::sim;

namespace {

std::string printed(const options &chosen) {
    const sweep all = simulate_all(chosen);
    switch (chosen.as) {
    case format::json:
        return as_json(all, chosen);
    case format::svg:
        return as_svg(all);
    case format::text:
        break;
    }
    return as_text(all);
}

} // namespace

int main(int count, char **words) {
    try {
        return tools::print("saguaro-sim", printed(read_options(count, words)));
    } catch (const bad_input &bad) {
        std::fprintf(stderr, "saguaro-sim: %s\n", bad.what());
        return 2;
    } catch (const std::bad_alloc &) {
        std::fputs("saguaro-sim: this simulation takes more memory than the system gives\n",
                   stderr);
        return 1;
    }
}
