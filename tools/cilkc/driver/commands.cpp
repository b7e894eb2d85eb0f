// SPDX-License-Identifier: MIT
// Composing the command line of each step from the user's options.
#include "driver/commands.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace saguaro::driver {

namespace fs = std::filesystem;

namespace {

// By this name programs know that their compiler has Cilk, before they include its header.
constexpr const char *cilk_in_cxx = "-D__cilk=300";

void append(words &to, const words &more) {
    to.insert(to.end(), more.begin(), more.end());
}

bool is_one_of(role is, std::initializer_list<role> roles) {
    return std::ranges::find(roles, is) != roles.end();
}

bool is_one_of(language is, std::initializer_list<language> languages) {
    return std::ranges::find(languages, is) != languages.end();
}

bool is_one_of(const std::string &word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

// The standard under which the translation of C++ is compiled: C++14 at least.
words with_cxx14(const std::string &word) {
    for (const char *old : {"98", "03", "0x", "11"}) {
        if (word == std::string("-std=c++") + old)
            return {"-std=c++14"};
        if (word == std::string("-std=gnu++") + old)
            return {"-std=gnu++14"};
    }
    return word == "-ansi" ? words{"-std=c++14"} : words{};
}

bool is_before_1999(const std::string &word) {
    return is_one_of(word, {"-ansi", "-std=c89", "-std=c90", "-std=iso9899:1990",
                            "-std=iso9899:199409", "-std=gnu89", "-std=gnu90"});
}

// Compilers end a variable's life at the end of its block, before the implicit sync, and give its
// memory to others; children may still use it. AddressSanitizer would say so.
words keeping_variables(const command_line &line, bool is_clang) {
    words options =
        is_clang ? words{"-Xclang", "-disable-lifetime-markers"} : words{"-fstack-reuse=none"};
    const bool looks_at_addresses = std::ranges::any_of(line.arguments, [](const argument &a) {
        const std::string_view word = a.text.front();
        return word.starts_with("-fsanitize=") && word.find("address") != word.npos;
    });
    if (looks_at_addresses)
        options.emplace_back("-fno-sanitize-address-use-after-scope");
    return options;
}

bool is_pedantic(const std::string &word) {
    return is_one_of(word, {"-pedantic", "-pedantic-errors", "-Wpedantic", "-Werror=pedantic"});
}

} // namespace

words commands::users(const std::vector<replacement> &replaced) const {
    words command = compiler_;
    bool has_c = false;
    bool has_cxx = false;
    bool links = false;
    for (std::size_t i = 0; i < line_.arguments.size(); i++) {
        const argument &a = line_.arguments[i];
        const auto found = std::ranges::find(replaced, i, &replacement::index);
        links |= a.is == role::input && !is_header(a.in);
        if (found == replaced.end()) {
            append(command, a.text);
            if (a.is == role::input) {
                has_c |= is_one_of(a.in, {language::c, language::mit, language::header});
                has_cxx |= is_one_of(a.in, {language::cxx, language::cxx_header});
            }
        } else if (!found->by.empty()) {
            // The object must not be taken for what -x says.
            if (a.forced.empty())
                command.push_back(found->by);
            else
                append(command, {"-x", "none", found->by, "-x", a.forced});
        }
    }
    if (has_cxx)
        command.emplace_back(cilk_in_cxx);
    if (has_c || has_cxx) {
        add_profile(command); // <cilk/cilkscale.h> goes by it, where there is no Cilk as well
        add_headers(command);
    }
    if (line_.until == stage::program && links)
        add_library(command);
    return command;
}

words commands::preprocess(const source &file, const fs::path &to,
                           const fs::path &dependencies) const {
    words command = compiler_;
    // With the definitions of macros: cilk2c replaces those that stand in pragmas.
    append(command, {"-E", "-dD"});
    add_language_headers(file, command);
    bool has_target = false;
    for (const argument &a : line_.arguments) {
        if (is_one_of(a.is, {role::other, role::preprocessor})) {
            append(command, a.text);
        } else if (a.is == role::dependencies && !a.text.front().starts_with("-MF")) {
            append(command, a.text);
            has_target |= a.text.front().starts_with("-MT") || a.text.front().starts_with("-MQ");
        }
    }
    add_headers(command);
    if (wants_dependencies()) {
        append(command, {"-MF", dependencies});
        if (!has_target)
            append(command, {"-MQ", line_.output.value_or(output_of(file))});
    }
    append(command, {"-x", is_cxx(file.in) ? "c++" : "c", file.name, "-o", to});
    return command;
}

words commands::preprocess_plain(const source &file, const fs::path &to,
                                 const std::string &as) const {
    words command = compiler_;
    command.emplace_back("-E");
    for (const argument &a : line_.arguments)
        if (is_one_of(a.is, {role::other, role::preprocessor}))
            append(command, a.text);
    add_headers(command);
    append(command, {"-x", as, file.name, "-o", to});
    return command;
}

words commands::print(const source &file) const {
    words command = compiler_;
    add_language_headers(file, command);
    for (const argument &a : line_.arguments)
        if (!is_one_of(a.is, {role::input, role::language, role::linker, role::saving}))
            append(command, a.text);
    add_headers(command);
    append(command, {"-x", is_cxx(file.in) ? "c++" : "c", file.name});
    return command;
}

words commands::translate(const source &file, const fs::path &from, const fs::path &to) const {
    words command{places_.translator};
    if (is_cxx(file.in))
        command.emplace_back("--dialect=cxx");
    else if (file.in != language::preprocessed)
        command.emplace_back(file.in == language::mit ? "--dialect=mit" : "--dialect=cilk");
    if (line_.serial)
        command.emplace_back("--serial");
    else if (line_.profile)
        command.emplace_back("--profile");
    if (describes_variables() && !is_cxx(file.in))
        command.emplace_back("--debug");
    append(command, {"-o", to, from});
    return command;
}

words commands::compile(const source &file, stage until, bool is_clang, const fs::path &from,
                        const fs::path &to) const {
    words command = compiler_;
    command.emplace_back(until == stage::checked    ? "-fsyntax-only"
                         : until == stage::assembly ? "-S"
                                                    : "-c");
    bool debugs = false;
    // Dialects of C from before 1999 have neither declarations after statements nor `inline`, and
    // the translator's text has both. GNU's variant of them accepts it, unless it is pedantic.
    const bool cxx = is_cxx(file.in);
    const bool is_old = !cxx && std::ranges::any_of(line_.arguments, [](const argument &a) {
        return is_before_1999(a.text.front());
    });
    for (const argument &a : line_.arguments) {
        const std::string &word = a.text.front();
        if (!is_one_of(a.is, {role::other, role::debugging}) || (is_old && is_pedantic(word)))
            continue;
        if (const words newer = cxx ? with_cxx14(word) : words{}; !newer.empty())
            append(command, newer);
        else
            append(command, is_old && is_before_1999(word) ? words{"-std=gnu89"} : a.text);
        debugs |= a.is == role::debugging;
    }
    // clang takes the name of the file that it reads for the program's own.
    if (debugs)
        command.push_back("-fdebug-prefix-map=" + from.string() + "=" + file.name);
    // The user's names are macros in what the translator made: there are no others.
    if (describes_variables() && !cxx) {
        command.emplace_back("-g3");
        if (is_clang)
            command.emplace_back("-fdebug-macro");
    }
    if (cxx)
        append(command, keeping_variables(line_, is_clang));
    append(command, {"-x", cxx ? "c++-cpp-output" : "cpp-output", from});
    if (until != stage::checked)
        append(command, {"-o", to});
    return command;
}

words commands::assemble(const fs::path &from, const fs::path &to) const {
    words command = compiler_;
    command.emplace_back("-c");
    for (const argument &a : line_.arguments)
        if (is_one_of(a.is, {role::other, role::debugging}))
            append(command, a.text);
    append(command, {"-x", "assembler", from, "-o", to});
    return command;
}

// Whether the last word on it asks for debugging information of level 2 or more.
bool commands::describes_variables() const {
    bool asked = false;
    for (const argument &a : line_.arguments) {
        const std::string_view word = a.is == role::debugging ? a.text.front() : std::string_view();
        if (word == "-g0" || word == "-g1" || word == "-ggdb0" || word == "-ggdb1" ||
            word == "-gline-tables-only") {
            asked = false;
        } else if (word == "-g" || word == "-g2" || word == "-g3" || word.starts_with("-ggdb") ||
                   word.starts_with("-gdwarf")) {
            asked = true;
        }
    }
    return asked;
}

bool commands::wants_dependencies() const {
    return std::ranges::any_of(line_.arguments, [](const argument &a) {
        return a.is == role::dependencies && (a.text.front() == "-MD" || a.text.front() == "-MMD");
    });
}

fs::path commands::dependency_file(const source &file) const {
    for (const argument &a : line_.arguments)
        if (a.is == role::dependencies && a.text.front().starts_with("-MF"))
            return a.value;
    fs::path name = line_.output.value_or(file.stem());
    if (line_.output && line_.until == stage::program && line_.inputs() > 1)
        name = name.replace_extension().string() + "-" + file.stem();
    return name.replace_extension(".d");
}

fs::path commands::output_of(const source &file) const {
    if (line_.output && line_.until != stage::program)
        return *line_.output;
    fs::path name = file.stem();
    name += line_.until == stage::assembly ? ".s" : ".o";
    return name;
}

void commands::add_headers(words &to) const {
    for (const fs::path &directory : places_.includes)
        append(to, {"-isystem", directory});
}

void commands::add_language_headers(const source &file, words &to) const {
#ifdef SG_GENERIC
    to.emplace_back("-DSG_GENERIC");
#endif
    add_profile(to);
    if (is_cxx(file.in)) {
        append(to, {cilk_in_cxx, "-include", "saguaro/detail/cilk_cxx.hpp"});
        return;
    }
    append(to, {"-include", "saguaro/cilk_abi.h"});
    if (file.in == language::mit)
        append(to, {"-D__CILK__=546", "-include", "cilk.h"});
}

// __cilkscale__ is the name by which OpenCilk's programs know that they are measured.
void commands::add_profile(words &to) const {
    if (line_.profile)
        append(to, {"-D__CILK_PROFILE__=1", "-D__cilkscale__=1"});
}

// Only programs that use it get it: plain C linked by the driver depends on nothing new.
void commands::add_library(words &to) const {
    if (!line_.has_default_libraries)
        return;
    if (line_.has_static_runtime || line_.is_static) {
        append(to, {"-L" + places_.archive.string(), "-Wl,--push-state,--as-needed",
                    "-l:libsaguaro.a", "-lstdc++", "-lm", "-ldl", "-Wl,--pop-state", "-pthread"});
        return;
    }
    append(to, {"-L" + places_.shared.string(), "-Wl,--push-state,--as-needed", "-lsaguaro",
                "-Wl,--pop-state"});
    if (places_.needs_rpath)
        to.push_back("-Wl,-rpath," + places_.shared.string());
}

} // namespace saguaro::driver
