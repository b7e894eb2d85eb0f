// SPDX-License-Identifier: MIT
#include "scheduler/processors.hpp"

#include "platform/cpus.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>

namespace saguaro::scheduler {

namespace {

// Takes a number off the front of the text; false if there is none.
bool take_number(std::string_view &text, int &number) {
    if (text.empty() || text.front() == '-')
        return false;
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
    return error == std::errc();
}

bool take(std::string_view &text, char expected) {
    if (text.empty() || text.front() != expected)
        return false;
    text.remove_prefix(1);
    return true;
}

bool has_one_twice(std::vector<int> cpus) {
    std::sort(cpus.begin(), cpus.end());
    return std::adjacent_find(cpus.begin(), cpus.end()) != cpus.end();
}

bool is_bound_by_list(const settings &s) {
    return !s.cpus.empty() && s.pin != pinning::never;
}

void say_once_that_some_share(const settings &s) {
    static std::atomic_flag is_said;
    // Relaxed: nothing else is told by it.
    if (!is_said.test_and_set(std::memory_order_relaxed))
        std::fprintf(stderr, "saguaro: %u workers share the %zu processor%s of SAGUARO_CPUS=%s\n",
                     s.workers, s.cpus.size(), s.cpus.size() == 1 ? "" : "s",
                     list_of_processors(s.cpus).c_str());
}

} // namespace

std::optional<std::vector<int>> read_processors(std::string_view text) {
    std::vector<int> cpus;
    do {
        int first = 0;
        if (!take_number(text, first))
            return std::nullopt;
        int last = first;
        if (take(text, '-') && !take_number(text, last))
            return std::nullopt;
        if (last < first || static_cast<std::size_t>(last - first) >= most_workers - cpus.size())
            return std::nullopt;
        for (int ahead = 0; ahead <= last - first; ++ahead)
            cpus.push_back(first + ahead);
    } while (take(text, ','));
    if (!text.empty() || has_one_twice(cpus))
        return std::nullopt;
    return cpus;
}

std::string list_of_processors(const std::vector<int> &cpus) {
    std::string text;
    for (std::size_t at = 0; at < cpus.size(); ++at) {
        std::size_t last = at;
        while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1)
            ++last;
        text += (text.empty() ? "" : ",") + std::to_string(cpus[at]);
        if (last != at)
            text += (last == at + 1 ? "," : "-") + std::to_string(cpus[last]);
        at = last;
    }
    return text;
}

void check_processors(const settings &s) {
    if (s.cpus.empty())
        return;
    const std::vector<int> allowed = platform::allowed_cpus();
    for (const int cpu : s.cpus)
        if (!std::binary_search(allowed.begin(), allowed.end(), cpu))
            throw bad_setting("SAGUARO_CPUS=" + list_of_processors(s.cpus) +
                              " is not accepted: this process may not use processor " +
                              std::to_string(cpu) + ", but only " + list_of_processors(allowed));
    if (is_bound_by_list(s) && s.workers > s.cpus.size())
        say_once_that_some_share(s);
}

std::vector<int> processors_for(unsigned threads, pinning how) {
    std::vector<int> cpus;
    if (how == pinning::always || (how == pinning::automatic && platform::has_machine(threads)))
        cpus = platform::allowed_cpus();
    if (threads > cpus.size())
        return {};
    cpus.resize(threads);
    return cpus;
}

std::vector<int> processors_of(const settings &s) {
    if (!is_bound_by_list(s))
        return processors_for(s.workers, s.pin);
    std::vector<int> cpus;
    for (unsigned worker = 0; worker < s.workers; ++worker)
        cpus.push_back(s.cpus[worker % s.cpus.size()]);
    return cpus;
}

std::size_t processors_there(const settings &s) {
    return is_bound_by_list(s) ? s.cpus.size() : platform::allowed_cpus().size();
}

std::vector<int> cpus_of_workers(const settings &s, int here) {
    std::vector<int> cpus = processors_of(s);
    if (cpus.empty())
        return std::vector<int>(s.workers, -1);
    if (s.cpus.empty())
        if (const auto found = std::find(cpus.begin(), cpus.end(), here); found != cpus.end())
            std::iter_swap(found, cpus.begin());
    return cpus;
}

} // namespace saguaro::scheduler
