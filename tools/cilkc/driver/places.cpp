// SPDX-License-Identifier: MIT
// Finding cilk2c, the headers, the library and the C compiler, installed or in a build tree.
#include "driver/places.hpp"

#include "driver/variables.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace saguaro::driver {

namespace fs = std::filesystem;

namespace {

// Directories that every compiler and the loader search anyway. A header directory among them must
// not be named: it would change the order in which the system's headers are found.
bool is_standard_include(const fs::path &directory) {
    return directory == "/usr/include" || directory == "/usr/local/include";
}

bool is_standard_library(const fs::path &directory) {
    const std::string text = directory.string();
    return text == "/usr/lib" || text == "/lib" || text == "/usr/lib64" || text == "/lib64" ||
           (text.starts_with("/usr/lib/") && text.ends_with("-linux-gnu"));
}

void add_include(places &to, const fs::path &directory) {
    if (!is_standard_include(directory))
        to.includes.push_back(directory);
}

// The layout of an installed tree, as cmake wrote it down: paths from the driver's directory.
places installed(const fs::path &self) {
    const fs::path here = self.parent_path();
    const auto from_here = [&](const char *path) { return (here / path).lexically_normal(); };
    places found;
    found.self = self;
    found.translator = here / "cilk2c";
    add_include(found, from_here(CILKC_INCLUDE));
    add_include(found, from_here(CILKC_DIALECTS));
    found.shared = found.archive = from_here(CILKC_LIBRARY);
    return found;
}

places built(const fs::path &self, std::ifstream &file, const fs::path &name) {
    places found;
    found.self = self;
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t equals = line.find('=');
        const std::string key = line.substr(0, equals);
        const fs::path value = equals == std::string::npos ? "" : line.substr(equals + 1);
        if (key == "translator") {
            found.translator = value;
        } else if (key == "include") {
            add_include(found, value);
        } else if (key == "shared") {
            found.shared = value;
        } else if (key == "archive") {
            found.archive = value;
        } else {
            throw std::runtime_error(name.string() + ": '" + line +
                                     "': expected translator=, include=, shared= or archive=");
        }
    }
    return found;
}

std::optional<fs::path> on_path(const std::string &program) {
    if (program.find('/') != std::string::npos)
        return fs::path(program);
    const char *path = platform::value_of(variables::path);
    std::istringstream directories(path != nullptr ? path : "/usr/bin:/bin");
    std::string directory;
    while (std::getline(directories, directory, ':')) {
        fs::path candidate = fs::path(directory.empty() ? "." : directory) / program;
        if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate))
            return candidate;
    }
    return std::nullopt;
}

std::vector<std::string> split_at_blanks(const std::string &text) {
    std::istringstream stream(text);
    std::vector<std::string> parts;
    for (std::string word; stream >> word;)
        parts.push_back(word);
    return parts;
}

bool is_self(const std::string &program, const fs::path &self) {
    const auto path = on_path(program);
    std::error_code error;
    return path && fs::equivalent(*path, self, error);
}

} // namespace

places find_places() {
    const fs::path self = fs::canonical("/proc/self/exe");
    const fs::path name = self.parent_path() / "cilkc.places";
    std::ifstream file(name);
    places found = file ? built(self, file, name) : installed(self);
    found.needs_rpath = !is_standard_library(found.shared);
    return found;
}

std::vector<std::string> find_compiler(const std::string *asked, const fs::path &self,
                                       bool for_cxx) {
    if (asked != nullptr) {
        std::vector<std::string> given = split_at_blanks(*asked);
        if (given.empty() || is_self(given.front(), self))
            throw std::runtime_error("--cc=" + *asked + ": expected a " + (for_cxx ? "C++" : "C") +
                                     " compiler");
        return given;
    }
    if (const char *variable =
            platform::value_of(for_cxx ? variables::cxx_compiler : variables::compiler)) {
        std::vector<std::string> given = split_at_blanks(variable);
        if (!given.empty() && !is_self(given.front(), self))
            return given;
    }
    for (const char *name :
         {for_cxx ? "c++" : "cc", for_cxx ? "g++" : "gcc", for_cxx ? "clang++" : "clang"})
        if (on_path(name) && !is_self(name, self))
            return {name};
    if (for_cxx)
        throw std::runtime_error("no C++ compiler: neither c++ nor g++ nor clang++ is on the path; "
                                 "--cc=COMPILER or CXX in the environment names one");
    throw std::runtime_error("no C compiler: neither cc nor gcc nor clang is on the path; "
                             "--cc=COMPILER or CC in the environment names one");
}

} // namespace saguaro::driver
