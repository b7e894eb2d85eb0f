// SPDX-License-Identifier: MIT
// The contents of MPI_INFO_ENV: command, arguments, machine and folder.
#include "mpi/core/info/info.hpp"

#include <array>
#include <climits>
#include <fstream>
#include <sys/utsname.h>
#include <unistd.h>

namespace saguaro::mpi {

namespace {

std::vector<std::string> arguments_of_process() {
    std::ifstream said("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> all;
    for (std::string each; std::getline(said, each, '\0');)
        all.push_back(each);
    return all;
}

} // namespace

info_list describe_process(int argc, const char *const *argv) {
    const std::vector<std::string> all = argv != nullptr && argc > 0
                                             ? std::vector<std::string>(argv, argv + argc)
                                             : arguments_of_process();
    info_list out;
    if (!all.empty())
        set_value(out, "command", all[0]);
    std::string rest;
    for (std::size_t i = 1; i < all.size(); ++i)
        rest += (i > 1 ? " " : "") + all[i];
    if (!rest.empty())
        set_value(out, "argv", rest);
    utsname system{};
    if (uname(&system) == 0) {
        set_value(out, "arch", system.machine);
        set_value(out, "host", system.nodename);
    }
    std::array<char, PATH_MAX> place{};
    if (getcwd(place.data(), place.size()) != nullptr)
        set_value(out, "wdir", place.data());
    return out;
}

} // namespace saguaro::mpi
