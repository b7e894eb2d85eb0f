// SPDX-License-Identifier: MIT
// Starting a launcher on each host with an installed mpiexec, and joining them.
#include "hosts.hpp"

#include "installed_mpiexec.hpp"
#include "mpi/core/clock/order.hpp"
#include "mpi/core/operators/invariant.hpp"
#include "mpi/variables.hpp"
#include "programs.hpp"
#include "variables.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace saguaro::detmpiexec {

namespace {

using mpi::transport::begun_by;
using mpi::transport::shares;

[[noreturn]] void refuse_hosts(const std::string &why) {
    std::fprintf(stderr, "detmpiexec: -transport mpi: %s\n", why.c_str());
    _exit(2);
}

std::uint32_t ranks_of(const options &what) {
    return std::accumulate(
        what.parts.begin(), what.parts.end(), 0U,
        [](std::uint32_t sum, const part &p) { return sum + static_cast<std::uint32_t>(p.ranks); });
}

// How many ranks are on each host.
std::vector<std::uint32_t> counts_for(const options &what, std::uint32_t hosts) {
    const std::uint32_t ranks = ranks_of(what);
    std::vector<std::uint32_t> counts;
    for (const host_option &each : what.hosts)
        counts.push_back(static_cast<std::uint32_t>(each.ranks));
    if (hosts > ranks)
        refuse_hosts(std::to_string(hosts) + " hosts for " + std::to_string(ranks) +
                     " ranks: each host has one at least");
    const bool are_told = std::any_of(counts.begin(), counts.end(), [](auto n) { return n != 0; });
    if (!are_told)
        return shares::even(ranks, hosts);
    const bool have_all = std::none_of(counts.begin(), counts.end(), [](auto n) { return n == 0; });
    if (!have_all || counts.size() != hosts ||
        std::accumulate(counts.begin(), counts.end(), 0U) != ranks)
        refuse_hosts("-hosts gives places to " +
                     std::to_string(std::accumulate(counts.begin(), counts.end(), 0U)) +
                     " ranks on " + std::to_string(counts.size()) + " hosts, and there are " +
                     std::to_string(ranks) + " ranks on " + std::to_string(hosts));
    return counts;
}

// The settings that decide results and may differ although the ranks are the same: users may set
// these by variables, which not every mpiexec hands on.
std::string rules_of(const options &what) {
    std::string all = SG_VERSION;
    for (const part &p : what.parts) {
        const environment own(p);
        const std::string order = own.get(mpi::variables::order.name);
        all += "\n" + own.get(mpi::variables::reduce.name) + "\n" +
               order.substr(0, order.find(' ')); // and not its file
    }
    return all;
}

} // namespace

host_membership join_hosts(const options &what, const begun_by &who) {
    std::string why;
    std::shared_ptr<mpi::transport::mpi_library> library = mpi::transport::load_mpi(who.by, why);
    if (!library)
        refuse_hosts("no MPI library of the mpiexec that began this: " + why);
    mpi::transport::keep_descriptors_of_mpiexec();
    // The process that started this one stands for the whole job.
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    std::vector<std::string> names;
    for (const host_option &each : what.hosts)
        names.push_back(each.name);
    return {shares(counts_for(what, who.hosts), who.me),
            who,
            std::move(library),
            rules_of(what),
            std::move(names),
            what.silence,
            what.is_supervised};
}

// ---- Beginning ----

namespace {

// Names of an installed mpiexec: Debian's names first, which say whose it is.
constexpr std::array launchers = {"mpiexec.mpich", "mpiexec.hydra", "mpiexec.openmpi", "mpiexec",
                                  "mpirun"};

std::string find_in_path(const std::string &name) {
    if (name.find('/') != std::string::npos)
        return access(name.c_str(), X_OK) == 0 ? name : "";
    const char *const path = platform::value_of(variables::path);
    const std::string folders = path != nullptr ? path : "/usr/bin:/bin";
    for (std::size_t at = 0; at <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', at), folders.size());
        const std::string file = folders.substr(at, end - at) + "/" + name;
        std::error_code none;
        // The project's own have these names as well.
        if (access(file.c_str(), X_OK) == 0 &&
            !std::filesystem::equivalent(file, "/proc/self/exe", none))
            return file;
        at = end + 1;
    }
    return {};
}

std::string first_line_of(const std::string &command) {
    std::FILE *const from = popen(command.c_str(), "r");
    if (from == nullptr)
        return {};
    char line[512] = "";
    while (std::fgets(line, sizeof(line), from) != nullptr && line[0] == '\n')
        ;
    pclose(from);
    return line;
}

bool is_open_mpi(const std::string &launcher) {
    const std::string line = first_line_of("'" + launcher + "' --version 2>/dev/null </dev/null");
    return line.find("OpenRTE") != std::string::npos || line.find("Open MPI") != std::string::npos;
}

std::string find_launcher(const options &what) {
    if (!what.mpiexec.empty()) {
        const std::string found = find_in_path(what.mpiexec);
        if (found.empty())
            refuse_hosts("-mpiexec " + what.mpiexec + ": there is no such program");
        return found;
    }
    std::string names;
    for (const char *const name : launchers) {
        if (const std::string found = find_in_path(name); !found.empty())
            return found;
        names += std::string(names.empty() ? "" : ", ") + name;
    }
    refuse_hosts(
        "an installed MPICH or Open MPI begins one process on each host, and PATH has none of " +
        names);
}

// The variables of this process that the launchers need. MPICH's mpiexec hands on all.
std::vector<std::string> variables_to_hand_on(const options &what) {
    std::vector<std::string> names = what.exported;
    for (const part &p : what.parts)
        names.insert(names.end(), p.inherited.begin(), p.inherited.end());
    for (char **each = environ; *each != nullptr; ++each) {
        const std::string name(*each, std::strcspn(*each, "="));
        if (name.compare(0, 8, "SAGUARO_") == 0)
            names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

} // namespace

int begin_hosts(const options &what, int count, char **words) {
    if (what.hosts.empty())
        refuse_hosts(
            "on which hosts? -hosts A,B says it, or an installed mpiexec that begins detmpiexec");
    counts_for(what, static_cast<std::uint32_t>(what.hosts.size())); // or it is refused here
    const std::string launcher = find_launcher(what);
    const std::string number = std::to_string(what.hosts.size());
    std::string names;
    std::string places;
    for (const host_option &each : what.hosts) {
        names += (names.empty() ? "" : ",") + each.name;
        places += (places.empty() ? "" : ",") + each.name + ":1";
    }
    std::vector<std::string> command;
    if (is_open_mpi(launcher)) {
        command = {launcher,    "--host", places, "--map-by", "ppr:1:node",
                   "--bind-to", "none",   "-np",  number};
        if (what.runs_as_root)
            command.push_back("--allow-run-as-root");
        for (const std::string &name : variables_to_hand_on(what))
            if (platform::is_in_environment(name.c_str()))
                command.insert(command.end(), {"-x", name});
    } else {
        command = {launcher, "-hosts", names, "-ppn", "1", "-n", number};
    }
    command.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
    command.push_back("--supervised");
    command.insert(command.end(), words + 1, words + count);
    return run_mpiexec(std::move(command));
}

} // namespace saguaro::detmpiexec
