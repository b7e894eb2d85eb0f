// SPDX-License-Identifier: MIT
// Searching the path for a program, and changing environment and folder around its start.
#include "programs.hpp"

#include "counted_work.hpp"
#include "libraries.hpp"
#include "mpi/transport/mpi_link.hpp"
#include "rank_notes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

extern char **environ;

namespace saguaro::detmpiexec {

namespace {

// The file that execvp would run. Empty if there is none.
std::string find_program(const std::string &name, const std::string &path) {
    if (name.find('/') != std::string::npos)
        return access(name.c_str(), F_OK) == 0 ? name : "";
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        const std::string folder = end == at ? "." : path.substr(at, end - at);
        std::string file = folder + "/" + name;
        if (access(file.c_str(), X_OK) == 0)
            return file;
        at = end + 1;
    }
    return {};
}

} // namespace

void give_up(const std::string &what, int error_number) {
    std::fprintf(stderr, "detmpiexec: %s: %s\n", what.c_str(), std::strerror(error_number));
    _exit(1); // its ranks end with it
}

environment::environment(const part &of) {
    for (char **each = environ; *each != nullptr; ++each) {
        const std::string text = *each;
        const std::size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        if (equals != std::string::npos && !mpi::transport::belongs_to_mpiexec(name) &&
            (!of.inherits_listed_only ||
             std::find(of.inherited.begin(), of.inherited.end(), name) != of.inherited.end()))
            values_.emplace(name, text.substr(equals + 1));
    }
    for (const auto &[name, value] : of.environment)
        set(name, value);
}

std::string environment::get(const std::string &name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? "" : found->second;
}

program_scope::program_scope(const program &what) : former_(environ) {
    for (const auto &[name, value] : what.variables.values_)
        texts_.push_back(name + "=" + value);
    for (std::string &text : texts_)
        variables_.push_back(text.data());
    variables_.push_back(nullptr);
    if (!what.folder.empty()) {
        former_folder_ = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (chdir(what.folder.c_str()) != 0)
            give_up(what.folder, errno);
    }
    environ = variables_.data();
}

program_scope::~program_scope() {
    environ = former_;
    if (former_folder_ < 0)
        return;
    if (fchdir(former_folder_) != 0)
        give_up("the folder where it was begun", errno);
    close(former_folder_);
}

std::optional<program> prepare(const part &p, std::string &why) {
    if (!p.folder.empty() && access(p.folder.c_str(), X_OK) != 0) {
        why = p.folder + ": " + std::strerror(errno);
        return {};
    }
    program made{"", environment(p), p.folder};
    made.variables.set("LD_LIBRARY_PATH",
                       with_own_libraries(made.variables.get("LD_LIBRARY_PATH")));
    // mpi4py's wheel would prefer another wheel's library to what the dynamic linker finds.
    if (const std::string own = own_libraries(); !own.empty())
        made.variables.set_unless_there("MPI4PY_LIBMPI", own + "/libmpi.so.12");
    const program_scope inside(made);
    const std::string &name = p.command.front();
    made.file = find_program(name, made.variables.has("PATH") ? made.variables.get("PATH")
                                                              : "/usr/bin:/bin");
    if (made.file.empty())
        why = name + ": " + std::strerror(ENOENT);
    else if (access(made.file.c_str(), X_OK) != 0)
        why = name + ": " + std::strerror(errno);
    if (!why.empty())
        return {};
    const library_search found = search_libraries(made.file);
    if (!found.why_not.empty())
        why = name + ": " + found.why_not;
    else if (counts_work(made.variables))
        prepare_counted_work(made.variables, why);
    if (!found.finds_own)
        ask_for_notes(made.variables);
    return why.empty() ? std::optional(std::move(made)) : std::nullopt;
}

program prepare(const part &p) {
    std::string why;
    std::optional<program> made = prepare(p, why);
    if (!made) {
        std::fprintf(stderr, "detmpiexec: %s\n", why.c_str());
        _exit(1);
    }
    return std::move(*made);
}

} // namespace saguaro::detmpiexec
