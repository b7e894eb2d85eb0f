// SPDX-License-Identifier: MIT
#include "options.hpp"

#include "detmpi/core/layout.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace saguaro::detmpiexec {

namespace {

constexpr const char *help =
    "usage: detmpiexec [-tag] [-n N] [-env NAME VALUE]... PROGRAM [ARGUMENT]... [: ...]\n"
    "\n"
    "Runs an MPI program on N ranks of this machine.\n"
    "\n"
    "  -n N, -np N      ranks of the program that follows; 1 if nothing is said\n"
    "  -env NAME VALUE  sets an environment variable for that program\n"
    "  -tag             begins each line of output with the number of its rank\n"
    "  :                before another program, whose ranks belong to the same world\n"
    "  --help           prints this\n"
    "  --version        prints the version\n"
    "\n"
    "Rank 0 reads the standard input. The exit code is that of the first rank that fails, or 128\n"
    "plus the number of the signal that ended it.\n";

[[noreturn]] void refuse(const std::string &what) {
    std::fprintf(stderr, "detmpiexec: %s (detmpiexec --help tells more)\n", what.c_str());
    std::exit(2);
}

class reader {
public:
    reader(int count, char **words) : at_(words + 1), end_(words + count) {}

    options read() {
        do {
            out_.parts.emplace_back();
            read_part(out_.parts.back());
        } while (goes_on_);
        int ranks = 0;
        for (const part &p : out_.parts)
            ranks += p.ranks;
        if (ranks > static_cast<int>(detmpi::most_ranks))
            refuse(std::to_string(ranks) + " ranks: there may be " +
                   std::to_string(detmpi::most_ranks));
        return std::move(out_);
    }

private:
    std::string next(const std::string &after) {
        if (at_ == end_)
            refuse("nothing follows " + after);
        return *at_++;
    }

    int read_ranks(const std::string &option) {
        const std::string text = next(option);
        char *end = nullptr;
        errno = 0;
        const long n = std::strtol(text.c_str(), &end, 10);
        if (errno != 0 || *end != '\0' || text.empty() || n < 1 ||
            n > static_cast<long>(detmpi::most_ranks))
            refuse(option + " " + text + ": a number of ranks is 1 to " +
                   std::to_string(detmpi::most_ranks));
        return static_cast<int>(n);
    }

    void read_option(const std::string &word, part &p) {
        if (word == "-n" || word == "-np") {
            p.ranks = read_ranks(word);
        } else if (word == "-env") {
            std::string name = next(word);
            if (name.empty() || name.find('=') != std::string::npos)
                refuse("-env " + name + ": this is no name of a variable");
            std::string value = next(word + " " + name);
            p.environment.emplace_back(std::move(name), std::move(value));
        } else if (word == "-tag") {
            out_.tags_lines = true;
        } else if (word == "--help") {
            std::fputs(help, stdout);
            std::exit(0);
        } else if (word == "--version") {
            std::puts("detmpiexec (Saguaro) " SG_VERSION);
            std::exit(0);
        } else {
            refuse(word + " is no option");
        }
    }

    void read_part(part &p) {
        goes_on_ = false;
        while (at_ != end_ && (*at_)[0] == '-')
            read_option(*at_++, p);
        while (at_ != end_ && !goes_on_) {
            const std::string word = *at_++;
            goes_on_ = word == ":";
            if (!goes_on_)
                p.command.push_back(word);
        }
        if (p.command.empty())
            refuse("which program?");
    }

    char **at_;
    char **end_;
    bool goes_on_ = false;
    options out_;
};

} // namespace

options read_options(int count, char **words) {
    return reader(count, words).read();
}

} // namespace saguaro::detmpiexec
