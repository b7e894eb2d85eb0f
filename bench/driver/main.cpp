// SPDX-License-Identifier: MIT
//
// saguaro-bench: the command line. Exit codes: 0 done, 1 a wrong answer, a failing peer or output
// that cannot be written, 2 a command line that is not understood.
#include "driver/alone.hpp"
#include "driver/grid.hpp"
#include "driver/peer.hpp"
#include "driver/report.hpp"
#include "driver/rounds.hpp"

#include "command_line/command_line.hpp"

#include <common/output.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>
#include <saguaro/saguaro.hpp>
#include <string>
#include <vector>

namespace saguaro::bench {

namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

/// A command line that is not understood; what() is the whole message.
struct usage_error : std::runtime_error {
    using runtime_error::runtime_error;
};

struct command_line {
    std::vector<std::string> names;
    std::vector<std::string> peers;
    std::vector<std::string> variants;
    std::string workers;
    std::string repeat = "5";
    std::string n;
    std::string json;
    std::string alone;
    bool list = false;
};

/// The number, or a usage_error that says which option, what it got and what it takes.
long whole_number(const std::string &option, const std::string &text, long least, long greatest) {
    long value = 0;
    const char *end = text.data() + text.size();
    auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stopped != end || value < least || value > greatest) {
        throw usage_error(option + " '" + text + "': accepted is a whole number from " +
                          std::to_string(least) + " to " + std::to_string(greatest));
    }
    return value;
}

const kernel *find_kernel(const std::string &name) {
    auto found = std::find_if(kernels().begin(), kernels().end(),
                              [&](const kernel &one) { return one.name == name; });
    return found == kernels().end() ? nullptr : &*found;
}

bool contains(const std::vector<std::string> &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The kernels named, each once, in the order of the registry.
std::vector<kernel> select_kernels(const std::vector<std::string> &names) {
    if (names.empty())
        throw usage_error("no bench named; 'all' runs all, --list shows them");
    for (const std::string &name : names)
        if (name != "all" && find_kernel(name) == nullptr)
            throw usage_error("no bench '" + name + "'; --list shows all");
    std::vector<kernel> selected;
    for (const kernel &one : kernels())
        if (contains(names, one.name) || contains(names, "all"))
            selected.push_back(one);
    return selected;
}

/// The size that --n asks for, in the range of every selected kernel.
std::optional<long> parse_size(const std::string &text, const std::vector<kernel> &selected) {
    if (text.empty())
        return std::nullopt;
    long n = 0;
    for (const kernel &one : selected)
        n = whole_number("--n for " + one.name, text, one.least_n, one.greatest_n);
    return n;
}

/// Appends the variants of the peer that a NAME=COMMAND describes.
void add_peer(std::vector<variant> &variants, const std::string &text) {
    std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
        throw usage_error("--peer '" + text + "': accepted is NAME=COMMAND");
    std::string name = text.substr(0, equals);
    for (const variant &one : variants)
        if (one.name == name)
            throw usage_error("--peer '" + text + "': there is a variant '" + name + "' already");
    for (variant &one : peer_variants(name, text.substr(equals + 1)))
        variants.push_back(std::move(one));
}

/// Keeps the variants named, with the kernels that have one, the bases that ratios refer to and the
/// machine's ceilings; keeps all if none is named.
void select_variants(const std::vector<std::string> &names, std::vector<kernel> &selected,
                     std::vector<variant> &variants) {
    if (names.empty())
        return;
    auto has = [&](const kernel &bench, const std::string &name) {
        return std::any_of(variants.begin(), variants.end(), [&](const variant &one) {
            return one.bench == bench.name && one.name == name;
        });
    };
    for (const std::string &name : names) {
        if (std::none_of(selected.begin(), selected.end(),
                         [&](const kernel &bench) { return has(bench, name); })) {
            throw usage_error("no variant '" + name + "' of what is to run; --list shows all");
        }
    }
    std::erase_if(selected, [&](const kernel &bench) {
        return std::none_of(names.begin(), names.end(),
                            [&](const std::string &name) { return has(bench, name); });
    });
    std::erase_if(variants, [&](const variant &one) {
        return !contains(names, one.name) && one.name != find_kernel(one.bench)->base &&
               !one.ceiling;
    });
}

/// "12, 34"
std::string joined(const std::vector<long> &numbers) {
    std::string text;
    for (long number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
}

void list(const std::vector<variant> &variants) {
    for (const kernel &bench : kernels()) {
        std::printf("%-9s %s; n = %s\n         ", bench.name.c_str(), bench.meaning.c_str(),
                    joined(bench.sizes).c_str());
        for (const variant &one : variants) {
            if (one.bench == bench.name) {
                bool limited = one.greatest_size != any_size;
                std::string limit = " (n <= " + std::to_string(one.greatest_size) + ")";
                std::printf(" %s%s", one.name.c_str(), limited ? limit.c_str() : "");
            }
        }
        std::printf("\n");
    }
}

/// The file, opened before the first run: a long run must not end with a file that cannot be.
std::optional<std::ofstream> open_json(const std::string &path) {
    if (path.empty())
        return std::nullopt;
    std::ofstream file(path);
    if (!file)
        throw usage_error("--json '" + path + "': cannot be written");
    return file;
}

/// One run in this process, for the process that started it (alone.hpp).
int run_one(const command_line &given) {
    constexpr long any = std::numeric_limits<int>::max();
    return run_alone(lone_variants(), given.names.empty() ? "" : given.names.front(), given.alone,
                     whole_number("--n", given.n, 1, std::numeric_limits<long>::max()),
                     static_cast<int>(whole_number("--workers", given.workers, 1, any)));
}

int run(const command_line &given) {
    if (!given.alone.empty())
        return run_one(given);
    std::vector<variant> variants = built_in_variants();
    for (const std::string &peer : given.peers)
        add_peer(variants, peer);
    if (given.list) {
        list(variants);
        return 0;
    }
    std::vector<kernel> selected = select_kernels(given.names);
    select_variants(given.variants, selected, variants);
    constexpr long most_workers = 4096;
    constexpr long most_rounds = 1000;
    settings how{.workers = 1,
                 .repeat = static_cast<int>(whole_number("--repeat", given.repeat, 1, most_rounds)),
                 .n = parse_size(given.n, selected)};
    // By default as many as the runtime takes by itself: the cores that this process may use.
    how.workers = given.workers.empty()
                      ? static_cast<int>(saguaro::workers())
                      : static_cast<int>(whole_number("--workers", given.workers, 1, most_workers));
    std::optional<std::ofstream> json = open_json(given.json);

    std::vector<row> rows;
    print_heading();
    for (const kernel &bench : selected) {
        for (long n : sizes_of(bench, how)) {
            std::vector<row> more = run_rounds(bench, n, variants, how);
            print_rows(more);
            rows.insert(rows.end(), more.begin(), more.end());
        }
    }
    if (json)
        write_json(*json, rows);
    return 0;
}

int complain(const char *message, int code) {
    std::fprintf(stderr, "saguaro-bench: %s\n", message);
    return code;
}

} // namespace

} // namespace saguaro::bench

int main(int argc, char **argv) {
    using namespace saguaro::bench;
    saguaro::cli::command_line words("saguaro-bench",
                                     "Measures Saguaro beside serial programs and other runtimes.");
    command_line given;
    words.add("NAME", given.names, "Benches to run, or 'all'");
    words.add(
        "--workers", given.workers,
        "Run parallel variants with this many workers as well as with 1 (default: the cores)");
    words.add("--repeat", given.repeat, "Rounds, of which medians are printed").shows_default();
    words.add("--n", given.n, "Solve problems of this size, for a quick look");
    words.add("--json", given.json, "Write all rows, with the time of each round, to this file");
    words
        .add("--peer", given.peers,
             "NAME=COMMAND: also run 'COMMAND BENCH N WORKERS' as the variant NAME")
        .one_at_a_time();
    words
        .add("--variant", given.variants,
             "Run only this variant of a bench, beside its base (the first variant) and the "
             "ceiling; may be given again")
        .one_at_a_time();
    words.add("--alone", given.alone, "").hidden(); // not for users
    words.add_flag("--list", given.list, "Show every bench, its sizes and its variants");
    if (const auto instead = words.read(argc, argv)) {
        if (instead->is_fault)
            return complain((instead->text + "; --help shows what is accepted").c_str(),
                            exit_usage);
        std::fputs(instead->text.c_str(), stdout);
        return saguaro::examples::written("saguaro-bench", 0);
    }
    try {
        return saguaro::examples::written("saguaro-bench", run(given));
    } catch (const usage_error &fault) {
        return complain(fault.what(), exit_usage);
    } catch (const std::exception &fault) {
        return complain(fault.what(), exit_failure);
    }
}
