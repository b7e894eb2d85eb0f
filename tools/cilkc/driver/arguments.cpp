// SPDX-License-Identifier: MIT
// The tables of gcc's and cilkc's options, and reading a command line by them.
#include "driver/arguments.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace saguaro::driver {

namespace {

using namespace std::string_view_literals;

struct known_option {
    std::string_view name;
    role is;
};

// Options whose value is the next word, or for some the rest of their own (may_be_joined).
constexpr auto with_value = std::to_array<known_option>({
    {"-o"sv, role::output},
    {"-x"sv, role::language},
    {"-D"sv, role::preprocessor},
    {"-U"sv, role::preprocessor},
    {"-I"sv, role::preprocessor},
    {"-A"sv, role::preprocessor},
    {"-F"sv, role::preprocessor},
    {"-include"sv, role::preprocessor},
    {"-imacros"sv, role::preprocessor},
    {"-isystem"sv, role::preprocessor},
    {"-isystem-after"sv, role::preprocessor},
    {"-iquote"sv, role::preprocessor},
    {"-idirafter"sv, role::preprocessor},
    {"-iprefix"sv, role::preprocessor},
    {"-iwithprefix"sv, role::preprocessor},
    {"-iwithprefixbefore"sv, role::preprocessor},
    {"-imultilib"sv, role::preprocessor},
    {"-isysroot"sv, role::other},
    {"-include-pch"sv, role::preprocessor},
    {"-Xpreprocessor"sv, role::preprocessor},
    {"-MF"sv, role::dependencies},
    {"-MT"sv, role::dependencies},
    {"-MQ"sv, role::dependencies},
    {"-MJ"sv, role::other},
    {"-l"sv, role::linker},
    {"-L"sv, role::linker},
    {"-T"sv, role::linker},
    {"-u"sv, role::linker},
    {"-z"sv, role::linker},
    {"-e"sv, role::linker},
    {"-Xlinker"sv, role::linker},
    {"-rpath"sv, role::linker},
    {"-Xassembler"sv, role::other},
    {"-Xclang"sv, role::other},
    {"-mllvm"sv, role::other},
    {"-target"sv, role::other},
    {"-gcc-toolchain"sv, role::other},
    {"-arch"sv, role::other},
    {"-B"sv, role::other},
    {"-G"sv, role::other},
    {"--param"sv, role::other},
    {"--sysroot"sv, role::other},
    {"-aux-info"sv, role::other},
    {"-dumpdir"sv, role::other},
    {"-dumpbase"sv, role::other},
    {"-dumpbase-ext"sv, role::other},
    {"-wrapper"sv, role::other},
});

// Options without a value.
constexpr auto whole = std::to_array<known_option>({
    {"-c"sv, role::stop},
    {"-S"sv, role::stop},
    {"-E"sv, role::stop},
    {"-fsyntax-only"sv, role::stop},
    {"-M"sv, role::dependencies},
    {"-MM"sv, role::dependencies},
    {"-MD"sv, role::dependencies},
    {"-MMD"sv, role::dependencies},
    {"-MG"sv, role::dependencies},
    {"-MP"sv, role::dependencies},
    {"-MV"sv, role::dependencies},
    {"-P"sv, role::text},
    {"-C"sv, role::text},
    {"-CC"sv, role::text},
    {"-H"sv, role::preprocessor},
    {"-undef"sv, role::preprocessor},
    {"-nostdinc"sv, role::preprocessor},
    {"-trigraphs"sv, role::preprocessor},
    {"-traditional-cpp"sv, role::preprocessor},
    {"-s"sv, role::linker},
    {"-r"sv, role::linker},
    {"-pie"sv, role::linker},
    {"-no-pie"sv, role::linker},
    {"-static"sv, role::linker},
    {"-static-pie"sv, role::linker},
    {"-static-libgcc"sv, role::linker},
    {"-shared"sv, role::linker},
    {"-shared-libgcc"sv, role::linker},
    {"-symbolic"sv, role::linker},
    {"-rdynamic"sv, role::linker},
    {"-nostdlib"sv, role::linker},
    {"-nodefaultlibs"sv, role::linker},
    {"-nostartfiles"sv, role::linker},
    {"-nolibc"sv, role::linker},
});

// Options with what follows in the same word.
constexpr auto beginnings = std::to_array<known_option>({
    {"-g"sv, role::debugging},
    {"-Wp,"sv, role::preprocessor},
    {"-Wl,"sv, role::linker},
    {"-fuse-ld="sv, role::linker},
    {"-save-temps"sv, role::saving},
    {"--save-temps"sv, role::saving},
    {"-dD"sv, role::text},
    {"-dI"sv, role::text},
    {"-dM"sv, role::text},
    {"-dN"sv, role::text},
    {"-dU"sv, role::text},
    {"-fdirectives-only"sv, role::text},
});

// Other compilers' options that mean what is so anyway; -cilk-debug is MIT Cilk's.
constexpr auto without_effect = std::to_array<std::string_view>(
    {"-fopencilk", "-fcilkplus", "-cilk-debug", "-ftapir=opencilk", "-ftapir=cilk",
     "-ftapir=cilkplus", "-fopencilk-enable-pedigrees"});

// Other compilers' options, and such as look like ours, by their beginnings; and what to do in
// their place. The first that fits counts.
struct refusal {
    std::string_view name;
    std::string_view instead;
};
constexpr std::string_view no_such_option = "there is no such option; --help shows those for Cilk";
constexpr auto refused = std::to_array<refusal>({
    {"-fcilktool=", "there is no such tool here; -fcilk-serial gives a program for serial tools"},
    {"-fsanitize=cilk", "there is no race detector for Cilk here; -fcilk-serial gives a program "
                        "for serial tools"},
    {"-ftapir=", "programs run on libsaguaro; leave the option out, or say -ftapir=serial"},
    {"-fcilk", no_such_option},
    {"-cilk-", no_such_option},
    {"--cc", "expected --cc=COMPILER"},
});

// Whether the value of an option may stand right behind it.
bool may_be_joined(const known_option &option) {
    if (option.name.size() == 2)
        return "oxDUIAFlLTBG"sv.find(option.name[1]) != std::string_view::npos;
    return option.is == role::dependencies || option.name.starts_with("-i"sv);
}

language by_suffix(std::string_view file) {
    const std::size_t dot = file.rfind('.');
    if (dot == std::string_view::npos || file.find('/', dot) != std::string_view::npos)
        return language::foreign;
    const std::string_view suffix = file.substr(dot);
    if (suffix == ".c")
        return language::c;
    if (suffix == ".cilk")
        return language::mit;
    if (suffix == ".h")
        return language::header;
    return suffix == ".i" ? language::preprocessed : language::foreign;
}

// As g++ has it: a .c file is C++, and so is a .h file, unless -x says that it is C.
language cxx_by_suffix(std::string_view file) {
    constexpr std::array names = {".cpp"sv, ".cc"sv, ".cxx"sv, ".C"sv,
                                  ".c++"sv, ".cp"sv, ".CPP"sv, ".c"sv};
    constexpr std::array headers = {".h"sv,   ".hh"sv, ".hpp"sv, ".hxx"sv, ".H"sv,
                                    ".h++"sv, ".hp"sv, ".HPP"sv, ".tcc"sv};
    const std::size_t dot = file.rfind('.');
    if (dot == std::string_view::npos || file.find('/', dot) != std::string_view::npos)
        return language::foreign;
    const std::string_view suffix = file.substr(dot);
    if (std::ranges::find(names, suffix) != names.end())
        return language::cxx;
    if (std::ranges::find(headers, suffix) != headers.end())
        return language::cxx_header;
    return suffix == ".ii" ? language::preprocessed_cxx : by_suffix(file);
}

language by_name(std::string_view name, std::string_view file, bool as_cxx) {
    if (name.empty() || name == "none")
        return as_cxx ? cxx_by_suffix(file) : by_suffix(file);
    if (as_cxx && name == "c++")
        return language::cxx;
    if (as_cxx && name == "c++-cpp-output")
        return language::preprocessed_cxx;
    if (name == "c")
        return by_suffix(file) == language::mit ? language::mit : language::c;
    if (name == "cilk")
        return language::mit;
    if (name == "c-header")
        return language::header;
    if (as_cxx && name == "c++-header")
        return language::cxx_header;
    return name == "cpp-output" ? language::preprocessed : language::foreign;
}

class parser {
public:
    parser(const words &given, bool as_cxx) : given_(given) { line_.is_cxx = as_cxx; }

    command_line parse() {
        while (at_ < given_.size())
            take_word();
        if (only_dependencies_)
            line_.until = stage::dependencies;
        return std::move(line_);
    }

private:
    void take_word() {
        const std::string &word = given_[at_++];
        if (word == "-" || !word.starts_with('-'))
            add_input(word);
        else if (!take_own(word) && !take_whole(word) && !take_with_value(word))
            take_beginning(word);
    }

    void add_input(const std::string &file) {
        line_.arguments.push_back({role::input,
                                   {file},
                                   file,
                                   by_name(language_, file, line_.is_cxx),
                                   forced_for_compiler()});
    }

    // The driver's own options are not handed on.
    bool take_own(const std::string &word) {
        if (word.starts_with("--cc="))
            line_.compiler = word.substr(5);
        else if (word == "-fcilk-serial")
            line_.serial = true;
        else if (word == "-static-libsaguaro")
            line_.has_static_runtime = true;
        else if (word == "-cilk-profile" || word == "-cilk-span" || word == "-cilk-critical-path" ||
                 word == "-fcilktool=cilkscale")
            line_.profile = true;
        else if (word == "--help")
            line_.help = true;
        else if (word == "--version")
            line_.version = true;
        else if (word == "-###")
            line_.dry = line_.verbose = true;
        else
            return take_others(word);
        return true;
    }

    // What other compilers of Cilk are told: that Cilk is wanted, where its runtime is, and which
    // it shall be. What has no counterpart here is refused, for no compiler behind knows it; so is
    // what looks like an option of ours.
    bool take_others(const std::string &word) {
        if (word == "-cilk-serialize" || word == "-ftapir=serial" || word == "-ftapir=none") {
            line_.serial = true;
            return true;
        }
        if (word.starts_with("--opencilk-") ||
            std::ranges::find(without_effect, word) != without_effect.end()) {
            return true;
        }
        for (const refusal &option : refused)
            if (word.starts_with(option.name))
                throw std::runtime_error(word + ": " + std::string(option.instead));
        return false;
    }

    bool take_with_value(const std::string &word) {
        for (const known_option &option : with_value) {
            if (word == option.name) {
                if (at_ == given_.size())
                    throw std::runtime_error(word + ": expected its value in the next word");
                const std::string &value = given_[at_++];
                add_valued(option, {word, value}, value);
                return true;
            }
        }
        // The longest name wins: -isystem-after is not -isystem with a value.
        const known_option *best = nullptr;
        for (const known_option &option : with_value) {
            if (may_be_joined(option) && word.starts_with(option.name) &&
                (best == nullptr || option.name.size() > best->name.size())) {
                best = &option;
            }
        }
        if (best == nullptr)
            return false;
        add_valued(*best, {word}, word.substr(best->name.size()));
        return true;
    }

    void add_valued(const known_option &option, words text, const std::string &value) {
        if (option.is == role::language) {
            language_ = value;
            if (value == "cilk")
                text = {"-x", "c"};
        } else if (option.is == role::output) {
            line_.output = value;
        }
        if (option.name == "-l" &&
            (value == "cilkrts" || value == "opencilk" || value.starts_with("opencilk-"))) {
            return; // libsaguaro is in their place
        }
        line_.arguments.push_back({option.is, std::move(text), value, language::foreign, {}});
    }

    bool take_whole(const std::string &word) {
        const auto *found = std::ranges::find(whole, word, &known_option::name);
        if (found != whole.end())
            add_single(word, found->is);
        return found != whole.end();
    }

    void take_beginning(const std::string &word) {
        const auto *found = std::ranges::find_if(
            beginnings, [&](const known_option &option) { return word.starts_with(option.name); });
        add_single(word, found != beginnings.end() ? found->is : role::other);
    }

    void add_single(const std::string &word, role is) {
        note(word, is);
        line_.arguments.push_back({is, {word}, {}, language::foreign, {}});
    }

    void note(const std::string &word, role is) {
        if (word == "-v") {
            line_.verbose = true;
        } else if (is == role::saving) {
            line_.save = true;
            line_.save_beside_output = word.ends_with("=obj");
        } else if (word == "-static" || word == "-static-pie") {
            line_.is_static = true;
        } else if (word == "-nostdlib" || word == "-nodefaultlibs" || word == "-r") {
            line_.has_default_libraries = false;
        } else if (is == role::stop) {
            note_stop(word);
        } else if (word == "-M" || word == "-MM") {
            only_dependencies_ = true;
        }
    }

    // As in gcc, the earliest stage wins.
    void note_stop(const std::string &word) {
        const stage asked = word == "-E"              ? stage::preprocessed
                            : word == "-fsyntax-only" ? stage::checked
                            : word == "-S"            ? stage::assembly
                                                      : stage::object;
        line_.until = std::min(line_.until, asked);
    }

    [[nodiscard]] std::string forced_for_compiler() const {
        return language_ == "none" ? "" : language_ == "cilk" ? "c" : language_;
    }

    const words &given_;
    std::size_t at_ = 0;
    std::string language_;
    bool only_dependencies_ = false;
    command_line line_;
};

// The words in the text of a response file.
words split(std::string_view text) {
    words found;
    std::size_t at = 0;
    while (true) {
        while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0)
            at++;
        if (at == text.size())
            return found;
        std::string word;
        char quote = 0;
        for (; at < text.size(); at++) {
            const char c = text[at];
            if (c == '\\' && at + 1 < text.size())
                word += text[++at];
            else if (quote != 0)
                if (c == quote)
                    quote = 0;
                else
                    word += c;
            else if (c == '\'' || c == '"')
                quote = c;
            else if (std::isspace(static_cast<unsigned char>(c)) != 0)
                break;
            else
                word += c;
        }
        found.push_back(std::move(word));
    }
}

// A file that names itself would have no end.
constexpr int deepest_response_file = 100;

void expand(const words &given, int depth, words &out) {
    for (const std::string &word : given) {
        if (word.size() > 1 && word.front() == '@' && depth < deepest_response_file) {
            std::ifstream file(word.substr(1));
            if (file) {
                const std::string text{std::istreambuf_iterator<char>(file), {}};
                expand(split(text), depth + 1, out);
                continue;
            }
        }
        out.push_back(word);
    }
}

} // namespace

std::size_t command_line::inputs() const {
    return static_cast<std::size_t>(std::ranges::count(arguments, role::input, &argument::is));
}

words expand_response_files(const words &given) {
    words out;
    expand(given, 0, out);
    return out;
}

command_line parse(const words &given, bool as_cxx) {
    return parser(given, as_cxx).parse();
}

} // namespace saguaro::driver
