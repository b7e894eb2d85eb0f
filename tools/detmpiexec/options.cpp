// SPDX-License-Identifier: MIT
// The table of the launcher's options, and reading the command line by it.
#include "options.hpp"

#include "counted_work.hpp"
#include "mpi/core/clock/order.hpp"
#include "mpi/core/objects/attributes.hpp"
#include "mpi/core/operators/invariant.hpp"
#include "mpi/core/reports/leaks.hpp"
#include "mpi/core/reports/order_delays.hpp"
#include "mpi/core/world/layout.hpp"
#include "mpi/variables.hpp"
#include "platform/cpus.hpp"
#include "spmc/variables.hpp"
#include "variables.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <sstream>
#include <string_view>
#include <unistd.h>
#include <variant>

namespace saguaro::detmpiexec {

namespace {

[[noreturn]] void refuse(const std::string &what) {
    std::fprintf(stderr, "detmpiexec: %s (detmpiexec --help tells more)\n", what.c_str());
    std::exit(2);
}

// A whole number of a text; -1 if it is none, or not from `least` to `most`.
int number_in(const std::string &text, int least, int most) {
    char *end = nullptr;
    errno = 0;
    const long n = std::strtol(text.c_str(), &end, 10);
    const bool is_number = errno == 0 && *end == '\0' && !text.empty();
    return is_number && n >= least && n <= most ? static_cast<int>(n) : -1;
}

// The ranks may run in other folders.
std::string absolute(const std::string &file) {
    return std::filesystem::absolute(file).string();
}

std::vector<std::string> split(const std::string &text, char at) {
    std::vector<std::string> parts;
    std::istringstream from(text);
    for (std::string each; std::getline(from, each, at);)
        parts.push_back(each);
    return parts;
}

// The words of the command line. Each is read once, from the left to the right.
class words {
public:
    words(int count, char **all) : at_(all + 1), end_(all + count) {}

    bool are_left() const { return at_ != end_; }
    bool begin_with_option() const { return are_left() && (*at_)[0] == '-'; }
    std::string next() { return *at_++; }
    std::string next(const std::string &after) {
        if (!are_left())
            refuse("nothing follows " + after);
        return next();
    }

private:
    char **at_;
    char **end_;
};

// The variables that the ranks get: those that options name, and those by which an option speaks to
// the library in the ranks. A program's own go into its part at once. Those for all programs wait
// here for `spread`, because another program may follow on the command line.
class rank_variables {
public:
    explicit rank_variables(words &from) : from_(from) {}

    void read_env(const std::string &word, part &p) {
        p.environment.push_back(read_variable(word));
    }
    void read_genv(const std::string &word, part &) { everywhere_.push_back(read_variable(word)); }

    void read_envlist(const std::string &word, part &p) {
        p.inherits_listed_only = true;
        p.inherited = split(from_.next(word), ',');
    }
    void read_genvlist(const std::string &word, part &) {
        lists_everywhere_ = true;
        listed_everywhere_ = split(from_.next(word), ',');
    }

    void read_stats(const std::string &, part &) {
        everywhere_.emplace_back(mpi::variables::stats.name, "1");
    }
    void read_check(const std::string &, part &) {
        everywhere_.emplace_back(mpi::variables::check.name, "1");
    }
    void read_patience(const std::string &word, part &) {
        const std::string text = from_.next(word);
        if (number_in(text, 1, INT_MAX) < 0)
            refuse(word + " " + text + ": this is no number of seconds");
        everywhere_.emplace_back(mpi::variables::patience.name, text);
    }
    void read_universe(const std::string &word, part &) {
        const std::string text = from_.next(word);
        const int size = text == "INFINITE" ? 0
                         : text == "SYSTEM" ? static_cast<int>(platform::default_workers())
                                            : number_in(text, 1, INT_MAX);
        if (size < 0)
            refuse(word + " " + text + ": it is a number of ranks, SYSTEM or INFINITE");
        everywhere_.emplace_back(mpi::variables::universe.name, std::to_string(size));
    }
    void read_order(const std::string &word, part &) {
        std::string rule = from_.next(word);
        if (rule == "record" || rule == "replay")
            rule += ":" + absolute(from_.next(word + " " + rule));
        else if (rule != "clock" && rule != "work" && rule != "arrival")
            refuse(word + " " + rule + ": it is clock, work, arrival, record FILE or replay FILE");
        everywhere_.emplace_back(mpi::variables::order.name, rule);
    }
    void read_reduce(const std::string &word, part &) {
        const std::string rule = from_.next(word);
        if (rule != "ordered" && rule != "invariant")
            refuse(word + " " + rule + ": it is ordered or invariant");
        everywhere_.emplace_back(mpi::variables::reduce.name, rule);
    }

    // After the last option: each program gets what is for all of them.
    void spread(std::vector<part> &parts) const {
        for (part &p : parts) {
            p.environment.insert(p.environment.begin(), everywhere_.begin(), everywhere_.end());
            if (lists_everywhere_ && !p.inherits_listed_only) {
                p.inherits_listed_only = true;
                p.inherited = listed_everywhere_;
            }
        }
    }

private:
    std::pair<std::string, std::string> read_variable(const std::string &word) {
        std::string name = from_.next(word);
        if (name.empty() || name.find('=') != std::string::npos)
            refuse(word + " " + name + ": this is no name of a variable");
        std::string value = from_.next(word + " " + name);
        return {std::move(name), std::move(value)};
    }

    words &from_;
    std::vector<std::pair<std::string, std::string>> everywhere_;
    bool lists_everywhere_ = false;
    std::vector<std::string> listed_everywhere_;
};

class reader {
public:
    reader(int count, char **all_words) : words_(count, all_words), variables_(words_) {}

    options read() {
        if (const char *const limit = platform::value_of(variables::timeout))
            set_timeout(variables::timeout.name, limit);
        do {
            out_.parts.emplace_back();
            read_part(out_.parts.back());
        } while (goes_on_);
        variables_.spread(out_.parts);
        int ranks = 0;
        for (const part &p : out_.parts)
            ranks += p.ranks;
        check_hosts();
        if (ranks > static_cast<int>(mpi::most_ranks))
            refuse(std::to_string(ranks) + " ranks: there may be " +
                   std::to_string(mpi::most_ranks));
        return std::move(out_);
    }

private:
    template <class Part>
    using reading_by = void (Part::*)(const std::string &word, part &p);
    struct option {
        const char *names; // separated by spaces
        const char *value; // what follows, for the help; empty: nothing
        const char *meaning;
        std::variant<reading_by<reader>, reading_by<rank_variables>> read;
    };
    static std::span<const option> all();

    void read_ranks(const std::string &word, part &p) {
        const std::string text = words_.next(word);
        p.ranks = number_in(text, 1, static_cast<int>(mpi::most_ranks));
        if (p.ranks < 0)
            refuse(word + " " + text + ": a number of ranks is 1 to " +
                   std::to_string(mpi::most_ranks));
    }

    void read_exported(const std::string &word, part &p) {
        const std::string text = words_.next(word);
        const std::size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        if (name.empty())
            refuse(word + " " + text + ": this is no name of a variable");
        // Without a value it is in the environment anyway, or is not.
        if (equals != std::string::npos)
            p.environment.emplace_back(name, text.substr(equals + 1));
        else if (!platform::is_in_environment(name.c_str()))
            refuse(word + " " + name + ": there is no such variable");
        else
            out_.exported.push_back(name);
    }

    void read_folder(const std::string &word, part &p) { p.folder = words_.next(word); }

    void read_tag(const std::string &, part &) { out_.tags_lines = true; }

    void set_timeout(const std::string &word, const std::string &text) {
        out_.timeout = number_in(text, 1, INT_MAX / 1000);
        if (out_.timeout < 0)
            refuse(word + " " + text + ": this is no number of seconds");
    }
    void read_timeout(const std::string &word, part &) { set_timeout(word, words_.next(word)); }

    // "0,2,4-7": an item for each rank, in turn. "+" joins processors of one rank.
    void read_bind(const std::string &word, part &) {
        const std::string text = words_.next(word);
        out_.binds = text == "none"   ? binding::none
                     : text == "core" ? binding::core
                                      : binding::list;
        if (out_.binds != binding::list)
            return;
        for (const std::string &item : split(text, ',')) {
            std::vector<int> &processors = out_.bind_list.emplace_back();
            for (const std::string &range : split(item, '+')) {
                const std::size_t dash = range.find('-');
                const int first = number_in(range.substr(0, dash), 0, 1 << 20);
                const int last = dash == std::string::npos
                                     ? first
                                     : number_in(range.substr(dash + 1), 0, 1 << 20);
                if (first < 0 || last < first)
                    processors.clear();
                for (int cpu = first; first >= 0 && cpu <= last; ++cpu)
                    processors.push_back(cpu);
            }
            std::sort(processors.begin(), processors.end());
            if (processors.empty())
                out_.bind_list.clear();
            if (processors.empty())
                break;
        }
        if (out_.bind_list.empty())
            refuse(word + " " + text + ": it is core, none, or processors as 0,2,4-7");
    }

    // "a,b" or "a:2,b:6": names of machines, and how many ranks each has.
    void read_hosts(const std::string &word, part &) {
        const std::string text = words_.next(word);
        hosts_text_ = word + " " + text;
        out_.hosts.clear();
        for (const std::string &each : split(text, ',')) {
            const std::size_t colon = each.find(':');
            const int ranks =
                colon == std::string::npos
                    ? 0
                    : number_in(each.substr(colon + 1), 1, static_cast<int>(mpi::most_ranks));
            if (colon == 0 || each.empty() || ranks < 0)
                refuse(hosts_text_ + ": it is names of hosts as A,B, or with numbers of ranks as "
                                     "A:2,B:6");
            out_.hosts.push_back({each.substr(0, colon), ranks});
        }
    }
    void check_hosts() {
        if (out_.crosses_machines) {
            if (platform::value_of(spmc::variables::trace) != nullptr)
                refuse("-trace draws one machine, and not with -transport mpi");
            for (const part &p : out_.parts)
                if (counts_work(environment(p)))
                    refuse("-order work does not go with -transport mpi: no machine sees how far "
                           "the ranks of another have computed; MPI_Pcontrol(2, cost) declares "
                           "work there");
            return;
        }
        char own[256] = {};
        gethostname(own, sizeof(own) - 1);
        for (const host_option &each : out_.hosts)
            if (each.name != "localhost" && each.name != "127.0.0.1" && each.name != own)
                refuse(hosts_text_ + ": the ranks run on this machine, not on " + each.name +
                       "; -transport mpi lets them run there");
    }

    void read_transport(const std::string &word, part &) {
        const std::string text = words_.next(word);
        if (text != "memory" && text != "mpi")
            refuse(word + " " + text + ": it is memory, on one machine, or mpi");
        out_.crosses_machines = text == "mpi";
    }
    void read_mpiexec(const std::string &word, part &) { out_.mpiexec = words_.next(word); }
    void read_silence(const std::string &word, part &) {
        const std::string text = words_.next(word);
        out_.silence = number_in(text, 1, INT_MAX / 1000);
        if (out_.silence < 0)
            refuse(word + " " + text + ": this is no number of seconds");
    }
    void read_root(const std::string &, part &) { out_.runs_as_root = true; }

    void read_channels(const std::string &word, part &) {
        out_.channels = split(words_.next(word), ',');
    }

    // The library notes for all spaces of a job, the launcher's included.
    void read_trace(const std::string &word, part &) {
        setenv(spmc::variables::trace.name, absolute(words_.next(word)).c_str(), 1);
    }

    void read_nothing(const std::string &, part &) {}

    [[noreturn]] void read_help(const std::string &, part &) {
        std::puts("usage: detmpiexec [OPTION]... PROGRAM [ARGUMENT]... "
                  "[: [OPTION]... PROGRAM [ARGUMENT]...]\n"
                  "\n"
                  "Runs an MPI program on ranks of this machine. A colon begins another program, "
                  "whose ranks\nbelong to the same world.\n");
        for (const option &each : all()) {
            std::string line = "  ";
            for (const std::string &name : split(each.names, ' '))
                line += (line.size() > 2 ? ", -" : "-") + name;
            if (each.value[0] != '\0')
                line += std::string(" ") + each.value;
            if (line.size() > 24)
                line += "\n" + std::string(26, ' ');
            else
                line.resize(26, ' ');
            std::printf("%s%s\n", line.c_str(), each.meaning);
        }
        std::puts("\nRank 0 reads the standard input. The exit code is that of the first rank that "
                  "fails, or 128\nplus the number of the signal that ended it.");
        std::exit(0);
    }
    [[noreturn]] void read_version(const std::string &, part &) {
        std::puts("detmpiexec (Saguaro) " SG_VERSION);
        std::exit(0);
    }

    void read_option(const std::string &word, part &p) {
        // Between launchers: no user says it.
        if (word == "--supervised") {
            out_.is_supervised = true;
            return;
        }
        // Users of Open MPI write two dashes.
        const std::string name = word.substr(word.compare(0, 2, "--") == 0 ? 2 : 1);
        for (const option &each : all()) {
            const std::vector<std::string> names = split(each.names, ' ');
            for (const std::string &known : names)
                if (name == (known[0] == '-' ? known.substr(1) : known)) {
                    if (const auto *const own = std::get_if<reading_by<reader>>(&each.read))
                        (this->**own)(word, p);
                    else
                        (variables_.*std::get<reading_by<rank_variables>>(each.read))(word, p);
                    return;
                }
        }
        refuse(word + " is no option");
    }

    void read_part(part &p) {
        goes_on_ = false;
        while (words_.begin_with_option())
            read_option(words_.next(), p);
        while (words_.are_left() && !goes_on_) {
            const std::string word = words_.next();
            goes_on_ = word == ":";
            if (!goes_on_)
                p.command.push_back(word);
        }
        if (p.command.empty())
            refuse("which program?");
    }

    words words_;
    rank_variables variables_;
    bool goes_on_ = false;
    std::string hosts_text_; // as it was given
    options out_;
};

std::span<const reader::option> reader::all() {
    static const option options[] = {
        {"n np", "N", "ranks of the program that follows; 1 if nothing is said",
         &reader::read_ranks},
        {"env", "NAME VALUE", "sets an environment variable for that program",
         &rank_variables::read_env},
        {"genv", "NAME VALUE", "sets it for all programs", &rank_variables::read_genv},
        {"envlist", "NAMES", "of the launcher's variables that program gets these alone, as A,B",
         &rank_variables::read_envlist},
        {"genvlist", "NAMES", "so do all programs", &rank_variables::read_genvlist},
        {"x", "NAME[=VALUE]", "sets a variable, as Open MPI's users know it",
         &reader::read_exported},
        {"wdir wd", "FOLDER", "where that program runs", &reader::read_folder},
        {"tag l", "", "begins each line of output with the number of its rank", &reader::read_tag},
        {"bind bind-to", "PLACES",
         "core: a rank has its share of the cores, as it has if nothing is said\n"
         "                          and they suffice; none; or processors for the ranks in turn, "
         "as "
         "0,2,4-7",
         &reader::read_bind},
        {"channels", "KINDS",
         "memory for messages that is there from the begin: p2p, p2a, p2n, m2s, m2a,\n"
         "                          s2m, s2a, as s2m,m2a: process, master, slave, next, all",
         &reader::read_channels},
        {"timeout", "SECONDS", "ends the job then; also by MPIEXEC_TIMEOUT", &reader::read_timeout},
        {"hosts host H", "NAMES",
         "where the ranks run, as A,B or A:2,B:6; without -transport mpi on this machine",
         &reader::read_hosts},
        {"transport", "KIND",
         "mpi: on several machines, by an installed MPICH or Open MPI; memory: on this one",
         &reader::read_transport},
        {"mpiexec", "FILE", "the installed mpiexec that -transport mpi uses",
         &reader::read_mpiexec},
        {"silence", "SECONDS", "a host that says nothing for so long is gone; 5",
         &reader::read_silence},
        {"order", "RULE [FILE]",
         "who comes first: by the clock, of calls; work: by the clock, of calls and of what\n"
         "                          the program does between them; by arrival; record FILE: by "
         "arrival,\n"
         "                          noted in FILE.RANK; replay FILE: as it was recorded",
         &rank_variables::read_order},
        {"reduce", "RULE",
         "ordered: reductions combine in the order of the ranks, as they do if nothing is\n"
         "                          said; invariant: floating sums are exact, so no order matters",
         &rank_variables::read_reduce},
        {"stats", "", "each rank says at its end what waiting for an order has cost",
         &rank_variables::read_stats},
        {"patience", "SECONDS", "names the ranks that hold up others so long while they compute",
         &rank_variables::read_patience},
        {"check", "",
         "each rank says at its end what it has not freed, and collectives compare calls",
         &rank_variables::read_check},
        {"trace", "FILE", "messages over time, as FILE.svg or FILE.json for ui.perfetto.dev",
         &reader::read_trace},
        {"usize", "N",
         "what MPI_UNIVERSE_SIZE says: a number of ranks; SYSTEM: that of the processors;\n"
         "                          INFINITE: no value, as if nothing is said",
         &rank_variables::read_universe},
        {"oversubscribe", "", "for users of Open MPI: it is so anyway", &reader::read_nothing},
        {"allow-run-as-root", "", "the same; -transport mpi hands it on", &reader::read_root},
        {"-help", "", "prints this", &reader::read_help},
        {"-version", "", "prints the version", &reader::read_version},
    };
    return options;
}

} // namespace

options read_options(int count, char **words) {
    return reader(count, words).read();
}

} // namespace saguaro::detmpiexec
