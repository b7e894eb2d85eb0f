// SPDX-License-Identifier: MIT
// The launcher's command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace saguaro::detmpiexec {

// Ranks that run one program.
struct part {
    int ranks = 1;
    std::vector<std::pair<std::string, std::string>> environment;
    bool inherits_listed_only = false;  // of the launcher's environment
    std::vector<std::string> inherited; // these variables
    std::string folder;                 // where it runs; empty: the launcher's
    std::vector<std::string> command;   // the program and its arguments
};

struct host_option {
    std::string name;
    int ranks; // 0: as many as come to it
};

enum class binding { automatic, none, core, list };

struct options {
    std::vector<part> parts;
    bool tags_lines = false;
    binding binds = binding::automatic;
    std::vector<std::vector<int>> bind_list; // processors, for the ranks in turn
    std::vector<std::string> channels;       // kinds of those that are reserved
    int timeout = 0;                         // seconds; 0: none
    std::vector<std::string> exported;       // variables of the launcher's that are named by -x
    std::vector<host_option> hosts;
    bool crosses_machines = false; // -transport mpi
    std::string mpiexec;           // that begins a launcher on each host; empty: the first found
    int silence = 5;               // seconds until a host that says nothing is given up
    bool is_supervised = false;    // a launcher elsewhere has begun mpiexec
    bool runs_as_root = false;     // Open MPI's mpiexec wants to be told
};

// Ends the process with one line if something is wrong, and after --help and --version.
options read_options(int count, char **words);

} // namespace saguaro::detmpiexec
