// SPDX-License-Identifier: MIT
// The steps of one call of cilkc: preprocess, scan, translate, compile, link.
#include "driver/build.hpp"

#include "driver/commands.hpp"
#include "driver/scan.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

namespace saguaro::driver {

namespace fs = std::filesystem;

namespace {

std::string content(const fs::path &name) {
    std::ifstream file(name, std::ios::binary);
    if (!file)
        throw std::system_error(errno, std::generic_category(), name.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

void copy_over(const fs::path &from, const fs::path &to) {
    std::error_code failed;
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, failed);
    if (failed)
        throw std::system_error(failed, to.string());
}

// Whether the compiler behind takes the file for C++, which cilkc does not.
bool is_foreign_cxx(const argument &a) {
    if (a.is != role::input || !(a.forced.empty() || a.forced == "c++"))
        return false;
    const std::string suffix = fs::path(a.value).extension();
    return a.forced == "c++" || suffix == ".cpp" || suffix == ".cc" || suffix == ".cxx" ||
           suffix == ".C" || suffix == ".c++" || suffix == ".cp" || suffix == ".CPP";
}

class builder {
public:
    builder(const command_line &line, const places &where, const words &compiler, orderly_end &end)
        : line_(line), where_(where), commands_(line, where, compiler), end_(end) {}

    int build() {
        for (std::size_t i = 0; i < line_.arguments.size(); i++) {
            const argument &a = line_.arguments[i];
            if (a.is == role::input && is_header(a.in)) {
                check_header({{i, a.in, a.value}, {}, {}});
            } else if (a.is == role::input && a.in != language::foreign) {
                keep_standard_input(a.value);
                candidate c{{i, a.in, a.value}, {}, {}};
                if (const int failed = look_into(c))
                    return failed;
            } else if (!line_.is_cxx && is_foreign_cxx(a) && line_.until != stage::preprocessed &&
                       line_.until != stage::dependencies) {
                check_cxx({{i, a.in, a.value}, {}, {}});
            }
        }
        if (sources_.empty())
            return pass_on();
        if (line_.until == stage::program)
            return build_program();
        if (line_.output && line_.inputs() > 1)
            throw std::runtime_error("-o with -c, -S or -E takes one file");
        return build_each();
    }

private:
    // A file in Cilk, preprocessed where it had to be looked into.
    struct candidate {
        source file;
        fs::path preprocessed;
        fs::path dependencies;
    };

    // Standard input is read more than once.
    void keep_standard_input(const std::string &name) {
        if (name == "-" && streams_.input.empty()) {
            streams_.input = end_.directory() / "standard-input";
            std::ofstream copy(streams_.input, std::ios::binary);
            copy << std::cin.rdbuf();
        }
    }

    // Is it Cilk?
    int look_into(candidate &c) {
        const bool prints = line_.until == stage::preprocessed;
        if (line_.is_cxx && c.file.in == language::mit)
            throw std::runtime_error(c.file.name + ": MIT Cilk is C, which cilkc compiles");
        if (line_.until == stage::dependencies || (prints && is_preprocessed(c.file.in))) {
            if (c.file.in == language::mit)
                sources_.push_back(c);
        } else if (is_preprocessed(c.file.in)) {
            c.preprocessed = c.file.name == "-" ? streams_.input : fs::path(c.file.name);
            if (fs::is_regular_file(c.preprocessed) && is_cilk(c))
                sources_.push_back(c);
        } else if (c.file.in == language::mit && prints) {
            sources_.push_back(c);
        } else {
            return preprocess(c);
        }
        return 0;
    }

    int preprocess(candidate &c) {
        c.preprocessed = own_file(c, is_cxx(c.file.in) ? ".ii" : ".i");
        c.dependencies = own_file(c, ".d");
        const words command = commands_.preprocess(c.file, c.preprocessed, c.dependencies);
        if (c.file.in == language::mit) {
            const int failed = execute(command);
            if (failed == 0)
                sources_.push_back(c);
            else if (is_cilk_plus_plus(c.file.name))
                throw std::runtime_error(c.file.name +
                                         ": a .cilk file is MIT Cilk 5.4, not Cilk++: a program in "
                                         "C++ is a .cpp file with <cilk/cilk.h>, for cilkc++");
            return failed;
        }
        redirections streams = streams_;
        streams.errors = end_.directory() / "messages";
        announce(command);
        const int failed = run(command, streams);
        if (failed != 0 ? is_plain(c) : !is_cilk(c) && !is_old_with_cilk(c))
            return 0;
        std::cerr << content(streams.errors) << std::flush;
        sources_.push_back(c);
        return failed;
    }

    // Whether a file in C++ has none of Cilk's words, but a header of theirs, and is in a standard
    // before C++14: the headers are compiled as C++14 or later.
    bool is_old_with_cilk(const candidate &c) const {
        if (!is_cxx(c.file.in) || !fs::exists(c.preprocessed))
            return false;
        const std::string text = content(c.preprocessed);
        const bool is_old = text.find("\n#define __cplusplus 2011") != text.npos ||
                            text.find("\n#define __cplusplus 1997") != text.npos;
        return is_old && std::ranges::any_of(where_.includes, [&](const fs::path &directory) {
                   return text.find('"' + (directory / "cilk").string() + '/') != text.npos;
               });
    }

    // Whether a file that cannot be preprocessed as Cilk is C that only our headers are in the way
    // of: for a processor that they do not know, say. The compiler behind gets it as it is then.
    bool is_plain(const candidate &c) {
        redirections streams = streams_;
        streams.errors = end_.directory() / "more-messages";
        const words command =
            commands_.preprocess_plain(c.file, c.preprocessed, is_cxx(c.file.in) ? "c++" : "c");
        announce(command);
        return run(command, streams) == 0 && !is_cilk(c);
    }

    // The compiler behind precompiles headers, without the translator: there must be no Cilk in
    // them.
    void check_header(candidate c) {
        if (line_.until == stage::preprocessed || line_.until == stage::dependencies ||
            !fs::is_regular_file(c.file.name)) {
            return;
        }
        c.preprocessed = own_file(c, is_cxx(c.file.in) ? ".ii" : ".i");
        redirections streams = streams_;
        streams.errors = end_.directory() / "messages";
        const words command =
            commands_.preprocess_plain(c.file, c.preprocessed, is_cxx(c.file.in) ? "c++" : "c");
        announce(command);
        if (run(command, streams) == 0 && is_cilk(c))
            throw std::runtime_error(c.file.name + ": a header with Cilk in it cannot be "
                                                   "precompiled: the translator has to see it in "
                                                   "each file");
    }

    // C++ is the compiler's own affair. But of Cilk in it the compiler would only say that it knows
    // neither the header nor the words.
    void check_cxx(candidate c) {
        if (!fs::is_regular_file(c.file.name) ||
            content(c.file.name).find("ilk") == std::string::npos) {
            return;
        }
        c.preprocessed = own_file(c, ".ii");
        redirections streams = streams_;
        streams.errors = end_.directory() / "messages";
        const words command = commands_.preprocess_plain(c.file, c.preprocessed, "c++");
        announce(command);
        const bool has_it = run(command, streams) == 0
                                ? is_cilk(c) || includes_cilk(content(c.preprocessed))
                                : misses_cilk(content(streams.errors));
        if (has_it)
            throw std::runtime_error(c.file.name +
                                     ": cilkc compiles Cilk in C; cilkc++ compiles it in C++");
    }

    // Whether a .cilk file that cannot be preprocessed is in Cilk++, whose files have that ending
    // too.
    static bool is_cilk_plus_plus(const std::string &name) {
        const std::string text = fs::is_regular_file(name) ? content(name) : std::string();
        return text.find("cilk_") != std::string::npos &&
               (text.find("std::") != std::string::npos ||
                text.find("cilk::") != std::string::npos ||
                text.find("<iostream>") != std::string::npos);
    }

    // Cilk Plus has more headers for C++ than there are here: gcc and clang say so.
    static bool misses_cilk(const std::string &messages) {
        return messages.find(" cilk/") != std::string::npos ||
               messages.find("'cilk/") != std::string::npos;
    }

    bool includes_cilk(const std::string &preprocessed) const {
        return std::ranges::any_of(where_.includes, [&](const fs::path &directory) {
            return preprocessed.find('"' + (directory / "cilk/cilk.h").string() + '"') !=
                   std::string::npos;
        });
    }

    static bool is_cilk(const candidate &c) {
        if (!fs::exists(c.preprocessed))
            return false;
        return has_cilk(content(c.preprocessed));
    }

    int build_program() {
        std::vector<commands::replacement> objects;
        for (const candidate &c : sources_) {
            const fs::path object = own_file(c, ".o");
            if (const int failed = compile(c, object))
                return failed;
            objects.push_back({c.file.index, object});
        }
        return execute(commands_.users(objects));
    }

    // One file after the other, in the user's order; what is not Cilk alone in the user's command.
    int build_each() {
        auto next = sources_.begin();
        for (std::size_t i = 0; i < line_.arguments.size(); i++) {
            if (line_.arguments[i].is != role::input)
                continue;
            int failed = 0;
            if (next != sources_.end() && next->file.index == i)
                failed = build_one(*next++);
            else
                failed = execute(commands_.users(all_inputs_but(i)));
            if (failed != 0)
                return failed;
        }
        return 0;
    }

    int build_one(const candidate &c) {
        if (line_.until == stage::preprocessed || line_.until == stage::dependencies)
            return execute(commands_.print(c.file));
        return compile(c, commands_.output_of(c.file));
    }

    [[nodiscard]] std::vector<commands::replacement> all_inputs_but(std::size_t index) const {
        std::vector<commands::replacement> left_out;
        for (std::size_t i = 0; i < line_.arguments.size(); i++)
            if (line_.arguments[i].is == role::input && i != index)
                left_out.push_back({i, {}});
        return left_out;
    }

    // From preprocessed text to an object, to assembly, or to nothing but messages.
    int compile(const candidate &c, const fs::path &output) {
        const fs::path translated = kept(c, is_cxx(c.file.in) ? ".cilk.ii" : ".cilk.c");
        keep(c.preprocessed, c, is_cxx(c.file.in) ? ".ii" : ".i");
        if (const int failed = execute(commands_.translate(c.file, c.preprocessed, translated)))
            return failed;
        if (commands_.wants_dependencies() && !c.dependencies.empty() && !line_.dry)
            copy_over(c.dependencies, commands_.dependency_file(c.file));
        const bool is_clang =
            fs::is_regular_file(c.preprocessed) && is_by_clang(content(c.preprocessed));
        if (line_.save && line_.until >= stage::object) {
            const fs::path assembly = kept(c, ".s");
            const int failed =
                execute(commands_.compile(c.file, stage::assembly, is_clang, translated, assembly));
            return failed != 0 ? failed : execute(commands_.assemble(assembly, output));
        }
        const stage until = line_.until == stage::program ? stage::object : line_.until;
        return execute(commands_.compile(c.file, until, is_clang, translated, output));
    }

    // Where a file between two steps is written: to the private directory, or, with -save-temps, to
    // where the user finds it.
    [[nodiscard]] fs::path kept(const candidate &c, const char *suffix) {
        if (!line_.save)
            return own_file(c, suffix);
        const std::string name = c.file.stem() + suffix;
        if (line_.save_beside_output && line_.output)
            return fs::path(*line_.output).parent_path() / name;
        return name;
    }

    // A file in the private directory. Its name gets into what some compilers write, so that it is
    // the same at each call; two files of one name are in directories of their own.
    [[nodiscard]] fs::path own_file(const candidate &c, const char *suffix) {
        const fs::path directory = end_.directory() / std::to_string(c.file.index);
        fs::create_directories(directory);
        return directory / (c.file.stem() + suffix);
    }

    void keep(const fs::path &from, const candidate &c, const char *suffix) {
        if (line_.save && !line_.dry && !is_preprocessed(c.file.in))
            copy_over(from, kept(c, suffix));
    }

    void announce(const words &command) const {
        if (line_.verbose)
            std::fprintf(stderr, " %s\n", quoted(command).c_str());
    }

    int execute(const words &command) {
        announce(command);
        return line_.dry ? 0 : run(command, streams_);
    }

    // Without Cilk the whole command is the compiler's, -### too.
    int pass_on() {
        words command = commands_.users();
        announce(command);
        if (line_.dry)
            command.emplace_back("-###");
        return run(command, streams_);
    }

    const command_line &line_;
    const places &where_;
    commands commands_;
    orderly_end &end_;
    redirections streams_;
    std::vector<candidate> sources_;
};

} // namespace

int build(const command_line &line, const places &where, const words &compiler, orderly_end &end) {
    return builder(line, where, compiler, end).build();
}

} // namespace saguaro::driver
