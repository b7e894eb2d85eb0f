// SPDX-License-Identifier: MIT
// The file of the notes, and the variables that load the library which writes them.
#include "rank_notes.hpp"

#include "implements_mpi.h"
#include "libraries.hpp"
#include "mpi/variables.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace saguaro::detmpiexec {

namespace {

constexpr const char *hook = "/libsaguaro_rank.so";

// A file without a name, so nothing stays behind. Ranks open it by the launcher's process: a
// program may close all descriptors that it inherits.
int file_of_notes() {
    static const int made = memfd_create("saguaro: MPI libraries of ranks", MFD_CLOEXEC);
    if (made < 0)
        give_up("the system refuses a file in memory", errno);
    return made;
}

std::string of_this_process(int descriptor) {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor);
}

} // namespace

void ask_for_notes(environment &of) {
    std::string library = own_libraries() + hook;
    if (library == hook || access(library.c_str(), R_OK) != 0)
        return;
    // The dynamic linker knows no quotes in LD_PRELOAD.
    if (library.find_first_of(" :") != std::string::npos) {
        static const int opened = open(library.c_str(), O_PATH | O_CLOEXEC);
        library = of_this_process(opened);
    }
    const auto append = [&](const char *name, const std::string &what) {
        const std::string former = of.get(name);
        of.set(name, former.empty() ? what : former + ":" + what);
    };
    append("LD_PRELOAD", library);
    append("ASAN_OPTIONS", "verify_asan_link_order=0");
    of.set(mpi::variables::notes.name, of_this_process(file_of_notes()));
}

std::string noted_library(std::size_t rank) {
    char note[SG_NOTE_BYTES] = {};
    const auto where = static_cast<off_t>(rank * sizeof(note));
    if (pread(file_of_notes(), note, sizeof(note) - 1, where) <= 0)
        return {};
    return note;
}

} // namespace saguaro::detmpiexec
