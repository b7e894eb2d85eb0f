// SPDX-License-Identifier: MIT
// The file is text. "receive NUMBER TAG SOURCE" tells of a receive; "poll TIMES CALL PLACE..." of
// so many polls that said the same: which requests were complete, or from whom a probe saw a
// message. Tag and call are there to tell another program.
#include "mpi/core/clock/order.hpp"

#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/variables.hpp"
#include "platform/output_file.hpp"
#include "platform/settings.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <unordered_map>

namespace saguaro::mpi::order {

rule by = rule::clock;

namespace {

struct poll {
    std::uint64_t times;
    std::string call;
    std::vector<int> outcome;
};

struct decided_receive {
    std::int32_t tag;
    std::uint32_t source;
};

std::FILE *file = nullptr; // that is recorded to
poll last{0, {}, {}};      // not written yet

// Of a replay:
std::unordered_map<std::uint64_t, decided_receive> receives;
std::vector<poll> polls;
std::size_t next = 0; // of these

void write_last() {
    if (last.times == 0)
        return;
    std::fprintf(file, "poll %llu %s", static_cast<unsigned long long>(last.times),
                 last.call.c_str());
    for (const int each : last.outcome)
        std::fprintf(file, " %d", each);
    std::fputc('\n', file);
    last.times = 0;
}

void read(const std::string &name, std::uint32_t ranks, std::uint32_t most) {
    std::ifstream from(name);
    std::string line;
    if (!std::getline(from, line))
        fail("-order replay: %s: %s", name.c_str(),
             errno != 0 ? std::strerror(errno) : "it is empty");
    if (line != "ranks " + std::to_string(ranks))
        fail("-order replay: %s was not recorded with %u ranks", name.c_str(), ranks);
    for (int number = 2; std::getline(from, line); ++number) {
        std::istringstream words(line);
        std::string kind;
        std::uint64_t first = 0;
        decided_receive receive{};
        std::string call;
        words >> kind >> first;
        if (kind == "receive" && words >> receive.tag >> receive.source && receive.source < most) {
            receives[first] = receive;
        } else if (kind == "poll" && words >> call && first != 0) {
            poll &made = polls.emplace_back(poll{first, call, {}});
            for (int each; words >> each;)
                made.outcome.push_back(each);
        } else {
            fail("-order replay: %s:%d: this was not recorded", name.c_str(), number);
        }
    }
}

} // namespace

void begin(std::uint32_t rank, std::uint32_t ranks, std::uint32_t most) {
    const char *const told = platform::value_of(variables::order);
    if (told == nullptr || std::strcmp(told, "clock") == 0)
        return;
    const std::string what = told;
    const std::size_t colon = what.find(':');
    const std::string name = what.substr(colon + 1) + "." + std::to_string(rank);
    if (what == "work") {
        by = rule::work;
    } else if (what == "arrival") {
        by = rule::arrival;
    } else if (what.substr(0, colon) == "record" && colon != std::string::npos) {
        by = rule::record;
        file = platform::open_output_stream(name.c_str());
        if (file == nullptr)
            fail("-order record: %s: %s", name.c_str(), std::strerror(errno));
        std::fprintf(file, "ranks %u\n", ranks);
    } else if (what.substr(0, colon) == "replay" && colon != std::string::npos) {
        by = rule::replay;
        read(name, ranks, most);
    } else {
        fail("%s=%s: it is clock, work, arrival, record:FILE or replay:FILE", variables::order.name,
             told);
    }
}

void flush() {
    if (file == nullptr)
        return;
    write_last();
    std::fflush(file);
}

void end() {
    if (by == rule::replay &&
        std::any_of(polls.begin() + static_cast<std::ptrdiff_t>(next), polls.end(),
                    [](const poll &each) { return each.times != 0; }))
        fail("-order replay: the program has asked less often than when this was recorded");
    if (file == nullptr)
        return;
    write_last();
    // An error while the program ran has left its mark.
    const bool had_error = std::ferror(file) != 0;
    const bool is_closed = std::fclose(file) == 0;
    file = nullptr;
    if (had_error || !is_closed)
        fail("-order record: the file is not whole: %s",
             is_closed ? "it could not be written" : std::strerror(errno));
}

void note_source(std::uint64_t receive, std::int32_t tag, std::uint32_t source) {
    if (file != nullptr)
        std::fprintf(file, "receive %llu %d %u\n", static_cast<unsigned long long>(receive), tag,
                     source);
}

std::uint32_t source_of(std::uint64_t receive, std::int32_t tag) {
    const auto found = receives.find(receive);
    if (found == receives.end())
        return nobody_yet;
    if (found->second.tag != tag)
        fail("-order replay: receive %llu from any source has tag %d, and had %d when this was "
             "recorded",
             static_cast<unsigned long long>(receive), tag, found->second.tag);
    return found->second.source;
}

const std::vector<int> *next_outcome(const char *call) {
    if (by != rule::replay)
        return nullptr;
    while (next < polls.size() && polls[next].times == 0)
        ++next;
    if (next == polls.size())
        fail("-order replay: the program asks more often than when this was recorded");
    if (polls[next].call != call)
        fail("-order replay: the program asks by %s, and did by %s when this was recorded", call,
             polls[next].call.c_str());
    --polls[next].times;
    return &polls[next].outcome;
}

std::size_t checked_place(int place, std::size_t places) {
    const auto checked = static_cast<std::size_t>(place);
    if (checked >= places)
        fail("-order replay: the program asks other questions than when this was recorded");
    return checked;
}

void note_outcome(const char *call, const std::vector<int> &what) {
    if (file == nullptr)
        return;
    if (last.times != 0 && what == last.outcome && last.call == call) {
        ++last.times;
        return;
    }
    write_last();
    last = poll{1, call, what};
}

} // namespace saguaro::mpi::order
