// SPDX-License-Identifier: MIT
// Running a peer's command and parsing its line of figures.
#include "driver/peer.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <sstream>
#include <sys/wait.h>

namespace saguaro::bench {

namespace {

constexpr int exit_unknown_bench = 3;

/// What a command wrote on stdout, and its wait status.
struct ended_command {
    std::string output;
    int status;
};

ended_command run_command(const std::string &command) {
    FILE *pipe = popen(command.c_str(), "r");
    if (pipe == nullptr)
        return {.output = "", .status = -1};
    std::string output;
    std::array<char, 4096> buffer;
    while (std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
        output.append(buffer.data(), size);
    return {.output = output, .status = pclose(pipe)};
}

/// The number that the word is; none if it is anything else or negative.
std::optional<double> parse_number(const std::string &word) {
    double number = 0;
    const char *end = word.data() + word.size();
    auto [stopped, error] = std::from_chars(word.data(), end, number);
    const bool good =
        error == std::errc() && stopped == end && std::isfinite(number) && number >= 0;
    return good ? std::optional(number) : std::nullopt;
}

/// What one line says: seconds, then names and numbers of what the run used, if it likes. None if
/// the text is anything else.
std::optional<outcome> parse_outcome(const std::string &text) {
    if (text.find('\n') + 1 < text.size() && text.find('\n') != std::string::npos)
        return std::nullopt;
    std::istringstream words(text);
    std::string word;
    words >> word;
    const std::optional<double> seconds = parse_number(word);
    if (!seconds)
        return std::nullopt;
    outcome result = *seconds;
    for (std::string name; words >> name;) {
        words >> word;
        const std::optional<double> value = parse_number(word);
        if (!words || !value)
            return std::nullopt;
        result.uses.emplace_back(name, *value);
    }
    return result;
}

outcome run_peer(const std::string &name, const std::string &command) {
    ended_command result = run_command(command);
    std::string who = "peer " + name + ": '" + command + "' ";
    if (result.status == -1 || !WIFEXITED(result.status))
        throw peer_failure(who + "could not be run");
    // A program that a signal ended is 128 + the signal's number: the shell in between says so.
    int code = WEXITSTATUS(result.status);
    if (code == exit_unknown_bench)
        throw unknown_to_peer(who + "does not know this bench");
    if (code != 0)
        throw peer_failure(who + "ended with exit code " + std::to_string(code));
    std::optional<outcome> told = parse_outcome(result.output);
    if (!told) {
        throw peer_failure(who +
                           "must print one line, the seconds as a decimal number; it printed '" +
                           result.output.substr(0, result.output.find('\n')) + "'");
    }
    return *told;
}

} // namespace

variant peer_variant(const kernel &bench, const std::string &name, const std::string &command) {
    auto run = [bench = bench.name, name, command](long n, int workers) {
        return run_peer(name, command + " " + bench + " " + std::to_string(n) + " " +
                                  std::to_string(workers));
    };
    return {.bench = bench.name,
            .name = name,
            .parallel = bench.parallel,
            .greatest_size = bench.greatest_peer_size,
            .run = run};
}

std::vector<variant> peer_variants(const std::string &name, const std::string &command) {
    std::vector<variant> variants;
    for (const kernel &bench : kernels())
        variants.push_back(peer_variant(bench, name, command));
    return variants;
}

std::string shell_quoted(const std::string &text) {
    std::string quoted = "'";
    for (char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string output_of(const std::string &command) {
    return run_command(command).output;
}

std::string own_program() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::filesystem::path own_directory() {
    return std::filesystem::path(own_program()).parent_path();
}

} // namespace saguaro::bench
