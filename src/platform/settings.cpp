// SPDX-License-Identifier: MIT
// How a setting is read from the environment, and which names are unknown.
#include "platform/settings.hpp"

#include "platform/one_line.hpp"
#include "platform/process.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <sys/auxv.h>
#include <unistd.h>
#include <vector>

namespace saguaro::platform {

namespace {

constexpr std::string_view settings_prefix = "SAGUARO_";
constexpr std::string_view tests_prefix = "SAGUARO_TEST_";

bool is_named(std::string_view name, std::string_view text) {
    constexpr std::string_view file = "FILE";
    return name.starts_with(file) ? text.ends_with(name.substr(file.size())) : text == name;
}

// How many characters have to be inserted, removed or replaced to make one of the other.
std::size_t edits_between(std::string_view one, std::string_view other) {
    std::vector<std::size_t> row(other.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < one.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < other.size(); ++j) {
            const std::size_t replaced = diagonal + (one[i] == other[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

// Whether a process of the same job has started this one: it has told it so.
bool another_process_has_begun() {
    for (const setting_rows &rows : all_settings())
        for (const setting *const each : rows)
            if (each->user == setting_user::internal && each->needs_own_rights &&
                std::string_view(each->name).starts_with(settings_prefix) &&
                value_of(*each) != nullptr)
                return true;
    return false;
}

// Null also if the variable is empty.
const char *text_of(const char *name) {
    const char *const text = std::getenv(name);
    return text == nullptr || *text == '\0' ? nullptr : text;
}

} // namespace

bad_setting::bad_setting(const std::string &line) : std::runtime_error(one_line(line)) {}

bool has_more_rights_than_caller() {
    return getauxval(AT_SECURE) != 0;
}

found_value find_value(const setting &which) {
    if (which.needs_own_rights && has_more_rights_than_caller())
        return {which.name, nullptr};
    if (const char *const text = text_of(which.name); text != nullptr || !which.synonym)
        return {which.name, text};
    return {which.synonym, text_of(which.synonym)};
}

const char *value_of(const setting &which) {
    return find_value(which).text;
}

std::int64_t number_of(const setting &which) {
    const found_value found = find_value(which);
    return number_in(which, found.name, found.text != nullptr ? found.text : which.fallback);
}

std::string choice_of(const setting &which) {
    const found_value found = find_value(which);
    std::string text = found.text != nullptr ? found.text : which.fallback;
    check_choice(which, found.name, text);
    return text;
}

std::int64_t number_of(const setting &which, const std::string &text) {
    return number_in(which, which.name, text);
}

std::string choice_of(const setting &which, const std::string &text) {
    check_choice(which, which.name, text);
    return text;
}

std::int64_t number_in(const setting &which, const char *name, const std::string &text) {
    std::int64_t number = 0;
    const char *const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stopped != end || number < which.low || number > which.high)
        refuse(which, name, text);
    return number;
}

void check_choice(const setting &which, const char *name, const std::string &text) {
    constexpr std::string_view between = ", ";
    std::string_view names = which.accepted;
    for (;;) {
        const std::size_t end = names.find(between);
        if (is_named(names.substr(0, end), text))
            return;
        if (end == names.npos)
            refuse(which, name, text);
        names.remove_prefix(end + between.size());
    }
}

std::string range_of(const setting &which) {
    if (which.kind != setting_kind::number)
        return which.accepted;
    return std::to_string(which.low) + " to " + std::to_string(which.high);
}

void refuse(const setting &which, const char *name, const std::string &value,
            const std::string &fault) {
    throw bad_setting(std::string(name) + "=" + value +
                      " is not accepted: " + (fault.empty() ? "" : fault + "; ") +
                      (which.kind == setting_kind::number ? "a whole number from " : "one of ") +
                      range_of(which));
}

void exit_if_linked(const char *line) {
    if (!program_uses_this_library())
        return;
    std::fprintf(stderr, "saguaro: %s\n", line);
    std::_Exit(2);
}

void exit_or_warn(const char *line) {
    exit_if_linked(line);
    std::fprintf(stderr, "saguaro: %s; it is not heeded\n", line);
}

bool is_in_environment(const char *name) {
    return std::getenv(name) != nullptr;
}

bool is_known_setting(std::span<const setting_rows> all, std::string_view name) {
    if (name.starts_with(tests_prefix))
        return true;
    for (const setting_rows &rows : all)
        for (const setting *const each : rows)
            if (name == each->name || (each->synonym != nullptr && name == each->synonym))
                return true;
    return false;
}

std::string nearest_setting(std::span<const setting_rows> all, std::string_view name) {
    // A name with more differences than that is another word.
    std::size_t least = (name.size() - std::min(name.size(), settings_prefix.size())) / 2 + 1;
    const char *nearest = "";
    for (const setting_rows &rows : all)
        for (const setting *const each : rows) {
            if (each->user == setting_user::internal)
                continue;
            if (const std::size_t far = edits_between(name, each->name); far < least) {
                least = far;
                nearest = each->name;
            }
        }
    return nearest;
}

void warn_once_of_unknown_settings() {
    static std::atomic_flag is_done;
    // Relaxed: nothing else is told by it.
    if (is_done.test_and_set(std::memory_order_relaxed) || environ == nullptr ||
        another_process_has_begun())
        return;
    for (char **each = environ; *each != nullptr; ++each) {
        const std::string_view text = *each;
        if (!text.starts_with(settings_prefix))
            continue;
        const std::string_view name = text.substr(0, text.find('='));
        if (is_known_setting(all_settings(), name))
            continue;
        const std::string nearest = nearest_setting(all_settings(), name);
        std::fprintf(stderr, "saguaro: there is no setting %s%s%s\n", one_line(name).c_str(),
                     nearest.empty() ? "" : "; the nearest is ", nearest.c_str());
    }
}

} // namespace saguaro::platform
