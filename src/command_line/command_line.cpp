// SPDX-License-Identifier: MIT
// Reading a command line with CLI11.
#include "command_line/command_line.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace saguaro::cli {

option &option::required() {
    of_->required();
    return *this;
}

option &option::hidden() {
    of_->group("");
    return *this;
}

option &option::one_at_a_time() {
    of_->allow_extra_args(false);
    return *this;
}

option &option::shows_default() {
    of_->capture_default_str();
    return *this;
}

option &option::placeholder(const std::string &name) {
    of_->type_name(name);
    return *this;
}

option &option::among(const std::vector<std::string> &accepted) {
    of_->check(CLI::IsMember(accepted));
    return *this;
}

option &option::between(int least, int most) {
    of_->check(CLI::Range(least, most));
    return *this;
}

option &option::between(unsigned least, unsigned most) {
    of_->check(CLI::Range(least, most));
    return *this;
}

option &option::between(std::uint64_t least, std::uint64_t most) {
    of_->check(CLI::Range(least, most));
    return *this;
}

command_line::command_line(const std::string &program, const std::string &meaning)
    : app_(std::make_unique<CLI::App>(meaning, program)) {}

command_line::~command_line() = default;

option command_line::add(const std::string &name, std::string &to, const std::string &meaning) {
    return option(app_->add_option(name, to, meaning));
}

option command_line::add(const std::string &name, std::optional<std::string> &to,
                         const std::string &meaning) {
    return option(app_->add_option(name, to, meaning));
}

option command_line::add(const std::string &name, std::vector<std::string> &to,
                         const std::string &meaning) {
    return option(app_->add_option(name, to, meaning));
}

option command_line::add(const std::string &name, int &to, const std::string &meaning) {
    return option(app_->add_option(name, to, meaning));
}

option command_line::add(const std::string &name, unsigned &to, const std::string &meaning) {
    return option(app_->add_option(name, to, meaning));
}

option command_line::add(const std::string &name, std::uint64_t &to, const std::string &meaning) {
    return option(app_->add_option(name, to, meaning));
}

void command_line::add_flag(const std::string &name, bool &to, const std::string &meaning) {
    app_->add_flag(name, to, meaning);
}

void command_line::add_version(const std::string &line) {
    app_->set_version_flag("--version", line);
}

void command_line::end_help_with(const std::string &text) {
    app_->footer(text);
}

std::optional<instead> command_line::read(int argc, char **argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::CallForHelp &) {
        return instead{false, app_->help()};
    } catch (const CLI::CallForVersion &version) {
        return instead{false, std::string(version.what()) + '\n'};
    } catch (const CLI::ParseError &error) {
        std::string line = error.what();
        std::replace(line.begin(), line.end(), '\n', ' ');
        return instead{true, line};
    }
    return std::nullopt;
}

} // namespace saguaro::cli
