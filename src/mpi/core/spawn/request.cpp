// SPDX-License-Identifier: MIT
// A request to spawn as text, and back.
#include "mpi/core/spawn/request.hpp"

#include <cstdlib>
#include <string_view>

namespace saguaro::mpi {

namespace {

void add(std::string &to, std::string_view word) {
    to += word;
    to += '\0';
}

} // namespace

std::string text_of(const std::vector<spawned_part> &parts) {
    std::string text;
    for (const spawned_part &p : parts) {
        add(text, std::to_string(p.ranks));
        add(text, p.folder);
        add(text, std::to_string(p.command.size()));
        for (const std::string &word : p.command)
            add(text, word);
    }
    return text;
}

std::vector<spawned_part> parts_of(const char *text, std::size_t bytes) {
    const char *const end = text + bytes;
    const auto next = [&text] {
        std::string word = text;
        text += word.size() + 1;
        return word;
    };
    std::vector<spawned_part> parts;
    while (text != end) {
        spawned_part &p = parts.emplace_back();
        p.ranks = static_cast<std::uint32_t>(std::strtoul(next().c_str(), nullptr, 10));
        p.folder = next();
        for (auto words = std::strtoul(next().c_str(), nullptr, 10); words != 0; --words)
            p.command.push_back(next());
    }
    return parts;
}

} // namespace saguaro::mpi
