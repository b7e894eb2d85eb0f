// SPDX-License-Identifier: MIT
// What privileges_test.py looks at from outside: privileges MODE.
#include "modes.hpp"
#include "saguaro/detail/cilk_library.h"
#include "saguaro/spmc.h"
#include "saguaro/vthread.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <sys/auxv.h>

namespace {

using namespace process;

void run_pair() {
    saguaro::run([] { saguaro::parallel_invoke([] {}, [] {}); });
}

void run_vps() {
    check(sg_vthread_run(nullptr, [](void *, sg_vp *) {}, nullptr) == 0, "sg_vthread_run");
}

void print_lines() {
    sg_c_print_work("all", 2, 1, 1);
}

void be_a_space() {
    std::printf("slot %u\n", static_cast<unsigned>(spmc_space_self()));
}

// Whether the program has loaded hwloc to learn of the machine.
void look_for_hwloc() {
    saguaro::start({.policy = "nearest"});
    std::ifstream maps("/proc/self/maps");
    bool is_there = false;
    for (std::string line; std::getline(maps, line);)
        is_there |= line.find("libhwloc") != line.npos;
    std::puts(is_there ? "hwloc" : "no hwloc");
}

void print_rights() {
    std::puts(getauxval(AT_SECURE) != 0 ? "more than the caller" : "the caller's");
}

constexpr mode modes[] = {{"record", run_pair},      {"vms", run_vps},
                          {"lines", print_lines},    {"space", be_a_space},
                          {"hwloc", look_for_hwloc}, {"rights", print_rights}};

} // namespace

int main(int argc, char **argv) {
    return run_mode(modes, argc, argv);
}
