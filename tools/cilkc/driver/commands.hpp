// SPDX-License-Identifier: MIT
// The commands of each step: which of the user's options go where, and what is added.
#pragma once

#include "driver/arguments.hpp"
#include "driver/places.hpp"

#include <filesystem>
#include <string>

namespace saguaro::driver {

// A file that the translator may have to see.
struct source {
    std::size_t index; // of its argument
    language in;
    std::string name; // as the user gave it, or -

    // The name without its directory and suffix.
    [[nodiscard]] std::string stem() const {
        return std::filesystem::path(name).filename().stem().string();
    }
};

class commands {
public:
    commands(const command_line &line, const places &where, words compiler)
        : line_(line), places_(where), compiler_(std::move(compiler)) {}

    // The user's own command, with what plain C needs to find the headers and the library. Inputs
    // whose argument has a replacement are replaced, or left out where that is empty.
    struct replacement {
        std::size_t index;
        std::filesystem::path by;
    };
    [[nodiscard]] words users(const std::vector<replacement> &replaced = {}) const;

    // Preprocesses a source to `to`; dependencies, if the user wants any, go to `dependencies`.
    [[nodiscard]] words preprocess(const source &file, const std::filesystem::path &to,
                                   const std::filesystem::path &dependencies) const;

    // The same as if there were no Cilk in it, and without dependencies. `as`: what -x is to say.
    [[nodiscard]] words preprocess_plain(const source &file, const std::filesystem::path &to,
                                         const std::string &as = "c") const;

    // What -E (with the user's wishes for the text's form), -M and -MM ask for.
    [[nodiscard]] words print(const source &file) const;

    [[nodiscard]] words translate(const source &file, const std::filesystem::path &from,
                                  const std::filesystem::path &to) const;

    // Compiles what the translator made, up to assembly, an object, or a check. `is_clang`: the
    // compiler is known to be clang.
    [[nodiscard]] words compile(const source &file, stage until, bool is_clang,
                                const std::filesystem::path &from,
                                const std::filesystem::path &to) const;

    // Assembles what `compile` made.
    [[nodiscard]] words assemble(const std::filesystem::path &from,
                                 const std::filesystem::path &to) const;

    // Whether the user wants a dependency file beside an object: -MD, -MMD.
    [[nodiscard]] bool wants_dependencies() const;

    // The dependency file of a source, by gcc's rules.
    [[nodiscard]] std::filesystem::path dependency_file(const source &file) const;

    // The object or assembly file of a source, by gcc's rules.
    [[nodiscard]] std::filesystem::path output_of(const source &file) const;

private:
    [[nodiscard]] bool describes_variables() const;
    void add_headers(words &to) const;
    void add_language_headers(const source &file, words &to) const;
    void add_profile(words &to) const;
    void add_library(words &to) const;

    const command_line &line_;
    const places &places_;
    words compiler_;
};

} // namespace saguaro::driver
