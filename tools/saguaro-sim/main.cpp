// SPDX-License-Identifier: MIT
// saguaro-sim: the scheduler on machines that are not here. Exit codes: 0 done, 1 output cannot be
// written, 2 bad input.
#include "options.hpp"
#include "output.hpp"

#include <cstdio>

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
        const std::string text = printed(read_options(count, words));
        const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
                                std::fflush(stdout) == 0;
        if (!is_written)
            std::perror("saguaro-sim: standard output");
        return is_written ? 0 : 1;
    } catch (const bad_input &bad) {
        std::fprintf(stderr, "saguaro-sim: %s\n", bad.what());
        return 2;
    }
}
