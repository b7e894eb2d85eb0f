// SPDX-License-Identifier: MIT
// saguaro-topology: the machine as the runtime sees it.
#include "options.hpp"
#include "output.hpp"

#include "common/tool.hpp"

#include <cstdio>

using namespace saguaro;
using namespace saguaro::topology_tool;

namespace {

std::string printed(const options &chosen) {
    const view seen = look(chosen.thief);
    switch (chosen.as) {
    case format::json:
        return as_json(seen);
    case format::svg:
        return as_svg(seen);
    case format::text:
        break;
    }
    return as_text(seen);
}

int refuse(const char *why) {
    std::fprintf(stderr, "saguaro-topology: %s\n", why);
    return 2;
}

} // namespace

int main(int count, char **words) {
    try {
        return tools::print("saguaro-topology", printed(read_options(count, words)));
    } catch (const bad_input &bad) {
        return refuse(bad.what());
    } catch (const scheduler::bad_setting &bad) {
        return refuse(bad.what());
    }
}
