// SPDX-License-Identifier: MIT
// Reading the settings of workers from the environment.
#include "scheduler/settings.hpp"

#include "platform/cpus.hpp"
#include "platform/variables.hpp"
#include "scheduler/policy.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

namespace saguaro::scheduler {

namespace {

using platform::setting;
using platform::setting_kind;

// Where the value of a row goes.
struct row {
    const setting &about;
    void (*store)(settings &, std::int64_t number, const std::string &text);
    // Of a row of kind `text`:
    bool (*accepts)(const std::string &text) = nullptr;
    std::string (*fault_of)(const std::string &text) = nullptr; // more on what was not accepted
};

// A list of processors and no number of workers: one worker for each.
void store_cpus(settings &s, const std::string &text) {
    const bool were_listed = !s.cpus.empty();
    s.cpus = platform::read_processors(text).value_or(std::vector<int>());
    if (!s.has_default_workers)
        return;
    if (!s.cpus.empty())
        s.workers = static_cast<unsigned>(s.cpus.size());
    else if (were_listed)
        s.workers = platform::default_workers(&s.quota);
}

constexpr std::array table{
    row{variables::workers,
        [](settings &s, std::int64_t n, const std::string &) {
            s.workers = static_cast<unsigned>(n);
            s.has_default_workers = false;
        }},
    row{variables::stack_size,
        [](settings &s, std::int64_t n, const std::string &) {
            s.stack_bytes = static_cast<std::size_t>(n);
        }},
    row{variables::policy,
        [](settings &s, std::int64_t, const std::string &text) { s.policy = text; },
        [](const std::string &text) { return is_policy(text); }, fault_of_policy},
    row{platform::variables::topology,
        [](settings &s, std::int64_t, const std::string &text) {
            s.topology = text == "this" ? std::string() : text;
        },
        [](const std::string &text) {
            return text == "this" || platform::topology::described(text).has_value();
        },
        platform::topology::fault_of},
    row{variables::stats,
        [](settings &s, std::int64_t n, const std::string &) { s.statistics = n != 0; }},
    row{platform::variables::pin,
        [](settings &s, std::int64_t, const std::string &text) {
            s.pin = text == "auto" ? pinning::automatic
                    : text == "1"  ? pinning::always
                                   : pinning::none;
        }},
    row{platform::variables::cpus,
        [](settings &s, std::int64_t, const std::string &text) { store_cpus(s, text); },
        [](const std::string &text) {
            return text == "auto" || platform::read_processors(text).has_value();
        },
        platform::fault_of_processors},
    row{variables::spin,
        [](settings &s, std::int64_t n, const std::string &) { s.spin_ns = n * 1000; }},
    row{variables::record,
        [](settings &s, std::int64_t, const std::string &text) {
            s.record = text == "none" ? std::string() : text;
        },
        [](const std::string &text) { return !text.empty(); }},
    row{variables::record_grain,
        [](settings &s, std::int64_t n, const std::string &) { s.record_grain = n; }},
};

// `name` is the variable that has the value.
void store(settings &s, const row &r, const char *name, const std::string &value) {
    std::int64_t number = 0;
    if (r.about.kind == setting_kind::number)
        number = platform::number_in(r.about, name, value);
    else if (r.accepts == nullptr)
        platform::check_choice(r.about, name, value);
    else if (!r.accepts(value))
        platform::refuse(r.about, name, value,
                         r.fault_of != nullptr ? r.fault_of(value) : std::string());
    r.store(s, number, value);
}

void store_default(settings &s, const row &r) {
    if (&r.about == &variables::workers)
        s.workers = platform::default_workers(&s.quota);
    else
        store(s, r, r.about.name, r.about.fallback);
}

void store_from_environment(settings &s, const row &r) {
    const platform::found_value found = platform::find_value(r.about);
    if (found.text != nullptr)
        store(s, r, found.name, found.text);
    else
        store_default(s, r);
}

// Which rows of the table have had their line.
std::atomic<std::uint32_t> refused_rows{0};

} // namespace

settings settings_from_environment() {
    platform::warn_once_of_unknown_settings();
    settings s{};
    for (const row &r : table)
        store_from_environment(s, r);
    return s;
}

settings settings_or_defaults() {
    platform::warn_once_of_unknown_settings();
    settings s{};
    std::uint32_t bit = 1;
    for (const row &r : table) {
        try {
            store_from_environment(s, r);
        } catch (const bad_setting &bad) {
            // Relaxed: nothing else is told by it.
            if ((refused_rows.fetch_or(bit, std::memory_order_relaxed) & bit) == 0)
                platform::exit_or_warn(bad.what());
            store_default(s, r);
        }
        bit <<= 1;
    }
    return s;
}

void set(settings &s, const char *name, const std::string &value) {
    for (const row &r : table)
        if (std::string_view(r.about.name) == name)
            store(s, r, name, value);
}

std::shared_ptr<const platform::topology> machine_of(const settings &s) {
    std::optional<platform::topology> described;
    if (!s.topology.empty())
        described = platform::topology::described(s.topology);
    if (!described)
        return nullptr;
    return std::make_shared<const platform::topology>(std::move(*described));
}

} // namespace saguaro::scheduler
