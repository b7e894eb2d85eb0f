// SPDX-License-Identifier: MIT
// Helpers of the tests of files: names, plain reading and writing, checks inside ranks.
#pragma once

#include "../ranks.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

// In a rank: ends its body with the line's number, which the test sees as exit code.
#define SG_CHECK(condition)                                                                        \
    do                                                                                             \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);           \
            return 1;                                                                              \
        }                                                                                          \
    while (false)

namespace saguaro::mpi {

// A file of the test alone, which is gone behind it.
class test_file {
public:
    explicit test_file(const char *tells = "")
        : name_(std::string("/tmp/saguaro_mpi_file_") + std::to_string(getpid()) + tells) {
        std::remove(name_.c_str());
    }
    ~test_file() { std::remove(name_.c_str()); }
    test_file(const test_file &) = delete;
    test_file &operator=(const test_file &) = delete;

    const char *name() const { return name_.c_str(); }

    std::vector<char> content() const {
        std::ifstream in(name_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void fill(const std::vector<char> &with) const {
        std::ofstream(name_, std::ios::binary)
            .write(with.data(), static_cast<std::streamsize>(with.size()));
    }
    bool exists() const { return ::access(name_.c_str(), F_OK) == 0; }

private:
    std::string name_;
};

inline constexpr int read_write = abi::mode_rdwr | abi::mode_create;

inline file open_file(const test_file &which, comm on = comm::world, int mode = read_write) {
    file made = file::null;
    return core::file_open(on, which.name(), mode, info::null, &made) == 0 ? made : file::null;
}

} // namespace saguaro::mpi
