// SPDX-License-Identifier: MIT
// Reading SAGUARO_CPUS, and choosing a processor for each worker.
#include "platform/processors.hpp"

#include "platform/cpus.hpp"
#include "platform/settings.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <utility>

namespace saguaro::platform {

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

// -1: there is none.
int named_twice(std::vector<int> cpus) {
    std::sort(cpus.begin(), cpus.end());
    const auto found = std::adjacent_find(cpus.begin(), cpus.end());
    return found == cpus.end() ? -1 : *found;
}

struct reading {
    std::vector<int> cpus; // if it is all right
    bool is_list = false;
    std::string fault; // of a list, or empty
};

reading read_list(std::string_view text) {
    reading made;
    do {
        int first = 0;
        if (!take_number(text, first))
            return {};
        int last = first;
        if (take(text, '-') && !take_number(text, last))
            return {};
        if (last < first) {
            made.fault = std::to_string(first) + "-" + std::to_string(last) + " runs backwards";
            return made;
        }
        if (static_cast<std::size_t>(last - first) >= most_workers - made.cpus.size()) {
            made.fault = "they are more than " + std::to_string(most_workers) + " processors";
            return made;
        }
        for (int ahead = 0; ahead <= last - first; ++ahead)
            made.cpus.push_back(first + ahead);
    } while (take(text, ','));
    if (!text.empty())
        return {};
    if (const int twice = named_twice(made.cpus); twice >= 0)
        made.fault = "it names processor " + std::to_string(twice) + " twice";
    made.is_list = made.fault.empty();
    return made;
}

bool is_bound_by_list(const placement &s) {
    return !s.cpus.empty() && s.pin != pinning::none;
}

// The user has asked for it, and nothing else tells that it was not done.
void say_once_that_none_is_bound(const placement &s, const std::vector<int> &allowed) {
    static std::atomic_flag is_said;
    // Relaxed: nothing else is told by it.
    if (!is_said.test_and_set(std::memory_order_relaxed))
        std::fprintf(stderr,
                     "saguaro: SAGUARO_PIN=1 binds nothing: %u workers are more than the %zu "
                     "processor%s that this process may use, %s\n",
                     s.workers, allowed.size(), allowed.size() == 1 ? "" : "s",
                     list_of_processors(allowed).c_str());
}

void say_once_that_some_share(const placement &s) {
    static std::atomic_flag is_said;
    // Relaxed: nothing else is told by it.
    if (!is_said.test_and_set(std::memory_order_relaxed))
        std::fprintf(stderr, "saguaro: %u workers share the %zu processor%s of SAGUARO_CPUS=%s\n",
                     s.workers, s.cpus.size(), s.cpus.size() == 1 ? "" : "s",
                     list_of_processors(s.cpus).c_str());
}

} // namespace

std::optional<std::vector<int>> read_processors(std::string_view text) {
    reading made = read_list(text);
    return made.is_list ? std::optional(std::move(made.cpus)) : std::nullopt;
}

std::string fault_of_processors(const std::string &text) {
    return read_list(text).fault;
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

void check_processors(const placement &s) {
    if (s.cpus.empty() && s.pin != pinning::always)
        return;
    const std::vector<int> allowed = allowed_cpus();
    if (s.cpus.empty() && s.workers > allowed.size())
        say_once_that_none_is_bound(s, allowed);
    for (const int cpu : s.cpus)
        if (!std::binary_search(allowed.begin(), allowed.end(), cpu))
            throw bad_setting("SAGUARO_CPUS=" + list_of_processors(s.cpus) +
                              " is not accepted: this process may not use processor " +
                              std::to_string(cpu) + ", but only " + list_of_processors(allowed));
    if (is_bound_by_list(s) && s.workers > s.cpus.size())
        say_once_that_some_share(s);
}

std::vector<int> processors_for(unsigned threads, pinning how, double quota) {
    std::vector<int> cpus;
    if (how == pinning::always || (how == pinning::automatic && has_machine(threads, quota)))
        cpus = allowed_cpus();
    if (threads > cpus.size())
        return {};
    cpus.resize(threads);
    return cpus;
}

std::vector<int> processors_of(const placement &s) {
    if (!is_bound_by_list(s))
        return processors_for(s.workers, s.pin, s.quota);
    std::vector<int> cpus;
    for (unsigned worker = 0; worker < s.workers; ++worker)
        cpus.push_back(s.cpus[worker % s.cpus.size()]);
    return cpus;
}

std::size_t processors_there(const placement &s) {
    return is_bound_by_list(s) ? s.cpus.size() : allowed_cpus().size();
}

std::vector<int> cpus_of_workers(const placement &s, int here) {
    std::vector<int> cpus = processors_of(s);
    if (cpus.empty())
        return std::vector<int>(s.workers, -1);
    if (s.cpus.empty())
        if (const auto found = std::find(cpus.begin(), cpus.end(), here); found != cpus.end())
            std::iter_swap(found, cpus.begin());
    return cpus;
}

} // namespace saguaro::platform
