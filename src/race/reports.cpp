// SPDX-License-Identifier: MIT
// A race in words: both accesses with their lines and the spawns that made them parallel.
#include "race/reports.hpp"

#include "race/detector.hpp"
#include "race/lines.hpp"

#include <cstdio>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace saguaro::race {

namespace {

constexpr std::size_t most_printed = 50;
constexpr int most_spawns = 4;
constexpr int most_callers = 8;

using pair_of_places = std::tuple<std::uint32_t, std::uint32_t, access_kind, access_kind>;

std::set<pair_of_places> *printed = nullptr; // never destroyed
std::uint64_t races = 0;

std::string name_of(access_kind kind, bool is_atomic) {
    if (is_atomic)
        return kind == access_kind::read ? "an atomic read" : "an atomic write";
    return kind == access_kind::read ? "a read" : "a write";
}

// What a report says of a place, before its lines.
struct part {
    std::string heading;
    const char *indent;
    address place;
    bool is_caller = false; // left out if it is a construct's function, or main's caller
};

void add_spawns(std::vector<part> &to, strand of) {
    for (int n = 0; of > 1 && n < most_spawns; ++n, of = now.births[of].parent)
        to.push_back({"    in a child spawned at\n", "      ", now.births[of].place});
}

// The functions that are open, but for the one that the access is in.
void add_callers(std::vector<part> &to) {
    int n = 0;
    for (const address *call = now.call_top; call > now.calls && n < most_callers; ++n)
        if (*--call != 0)
            to.push_back({"    called at\n", "      ", *call, true});
}

void print(const std::vector<part> &parts) {
    std::vector<address> places;
    for (const part &each : parts)
        places.push_back(each.place);
    const std::vector<lines> found = lines_of(places);
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string &outermost = found[i].back();
        if (parts[i].is_caller &&
            (is_of_a_construct(outermost) || outermost.starts_with("__libc_start")))
            continue;
        text += parts[i].heading;
        for (const std::string &line : found[i])
            text += parts[i].indent + line + '\n';
    }
    std::fflush(stdout);
    std::fputs(text.c_str(), stderr);
}

} // namespace

void report(address at, const earlier_access &earlier, address place, access_kind kind) {
    const unchecked here;
    ++races;
    if (printed == nullptr)
        printed = new std::set<pair_of_places>;
    if (printed->size() >= most_printed ||
        !printed->emplace(earlier.place, static_cast<std::uint32_t>(place), earlier.kind, kind)
             .second)
        return;
    char title[64];
    std::snprintf(title, sizeof(title), "saguaro race: determinacy race at %p\n",
                  reinterpret_cast<void *>(at));
    std::vector<part> parts;
    parts.push_back({title + ("  " + name_of(earlier.kind, (earlier.by & atomic_bit) != 0)) + '\n',
                     "    ", earlier.place});
    add_spawns(parts, earlier.by & ~atomic_bit);
    parts.push_back({"  is parallel to " + name_of(kind, false) + '\n', "    ", place});
    add_callers(parts);
    add_spawns(parts, now.self);
    print(parts);
}

std::uint64_t races_found() {
    if (races != 0)
        std::fprintf(stderr, "saguaro race: %llu racing access%s, by %zu pair%s of places\n",
                     static_cast<unsigned long long>(races), races == 1 ? "" : "es",
                     printed->size(), printed->size() == 1 ? "" : "s");
    return races;
}

} // namespace saguaro::race
