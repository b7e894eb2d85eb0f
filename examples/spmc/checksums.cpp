// SPDX-License-Identifier: MIT
//
// checksums FOLDER [WORKERS] [ATTEMPTS]: a checksum of the pixels of each PCX image of a folder.
//
// The decoder trusts its files, as many do: it aborts on some, and runs for ever or takes all
// memory on others. A pool of processes decodes them, so a bad image is a line among the others,
// and the lines come in the order of the names, whatever has crashed meanwhile. Exit code 1 if
// there was a bad one.
#include "spmc_example.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <saguaro/worker_pool.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct picture {
    std::size_t width;
    std::size_t height;
    std::uint64_t checksum;
};

/// The number of two bytes at `at` in the header.
std::size_t number_at(const std::string &header, std::size_t at) {
    return static_cast<unsigned char>(header[at]) +
           256U * static_cast<unsigned char>(header[at + 1]);
}

/// The pixels of a PCX image of 8 bits: runs of equal bytes, after a header of 128.
std::vector<unsigned char> decode(const fs::path &path, std::size_t &width, std::size_t &height) {
    std::ifstream file(path, std::ios::binary);
    std::string header(128, '\0');
    if (!file.read(header.data(), 128) || header[0] != 10)
        std::abort(); // it is no PCX file
    width = number_at(header, 8) - number_at(header, 4) + 1;
    height = number_at(header, 10) - number_at(header, 6) + 1;
    std::vector<unsigned char> pixels(width * height); // however many these are
    for (std::size_t at = 0; at < pixels.size();) {
        const int byte = file.get();
        if (byte == std::char_traits<char>::eof())
            continue; // the rest will come: it never does
        if (byte < 0xc0) {
            pixels[at++] = static_cast<unsigned char>(byte);
            continue;
        }
        const auto value = static_cast<unsigned char>(file.get());
        for (int i = 0; i < (byte & 0x3f) && at < pixels.size(); ++i)
            pixels[at++] = value;
    }
    return pixels;
}

/// FNV-1a.
std::uint64_t checksum_of(const std::vector<unsigned char> &pixels) {
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const unsigned char each : pixels)
        sum = (sum ^ each) * 0x100000001b3;
    return sum;
}

picture look_at(const fs::path &path) {
    picture seen{};
    seen.checksum = checksum_of(decode(path, seen.width, seen.height));
    return seen;
}

std::vector<fs::path> files_in(const char *folder) {
    std::error_code error;
    std::vector<fs::path> files;
    for (const fs::directory_entry &each : fs::directory_iterator(folder, error))
        if (each.is_regular_file())
            files.push_back(each.path());
    if (error)
        example::refuse("checksums: " + std::string(folder) + ": " + error.message());
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

int main(int argc, char **argv) {
    example::at_most(argc, 3, "checksums FOLDER [WORKERS] [ATTEMPTS]");
    if (argc < 2)
        example::refuse("usage: checksums FOLDER [WORKERS] [ATTEMPTS]");
    const int workers = example::number(argc, argv, 2, "checksums: WORKERS", 0, 0, 1000);
    const int attempts = example::number(argc, argv, 3, "checksums: ATTEMPTS", 2, 1, 1000);
    const std::vector<fs::path> files = files_in(argv[1]);

    saguaro::worker_pool pool({.workers = static_cast<unsigned>(workers),
                               .attempts = static_cast<unsigned>(attempts),
                               .time_limit = std::chrono::seconds(2),
                               .memory_limit = 64 << 20});
    int bad = 0;
    pool.run(files, look_at, [&](std::size_t job, const saguaro::job_result<picture> &result) {
        const std::string name = files[job].filename();
        if (result) {
            const picture &seen = result.value();
            std::printf("%016llx %4zu x %zu %s\n", static_cast<unsigned long long>(seen.checksum),
                        seen.width, seen.height, name.c_str());
        } else {
            std::printf("%s: %s\n", name.c_str(), result.error().c_str());
            ++bad;
        }
    });
    std::fprintf(stderr, "%zu images, %d of them bad, %zu workers replaced\n", files.size(), bad,
                 pool.restarts());
    return bad == 0 ? 0 : 1;
}
