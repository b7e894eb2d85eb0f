// SPDX-License-Identifier: MIT
// Where the driver's own things are: everything is found from where the driver itself lies.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace saguaro::driver {

struct places {
    std::filesystem::path self;       // the driver
    std::filesystem::path translator; // cilk2c
    // Directories of headers, to be searched after the user's own.
    std::vector<std::filesystem::path> includes;
    std::filesystem::path shared;  // the directory of libsaguaro.so
    std::filesystem::path archive; // the directory of libsaguaro.a
    // Whether programs must be told where libsaguaro.so is: the system's loader does not look
    // there.
    bool needs_rpath = true;
};

// In a build the file cilkc.places beside the driver names the places, one `name=path` a line; an
// installed driver has none and goes by the layout of the prefix. Throws std::runtime_error when
// the file cannot be understood.
[[nodiscard]] places find_places();

// The compiler behind, and words that go with it: `asked` (--cc=) if it is given, else CC of the
// environment unless that is the driver itself (a build system may have been told CC=cilkc), else
// the first of cc, gcc, clang on the path. For C++: CXX, and c++, g++, clang++. Throws
// std::runtime_error when there is none.
[[nodiscard]] std::vector<std::string>
find_compiler(const std::string *asked, const std::filesystem::path &self, bool for_cxx);

} // namespace saguaro::driver
