// SPDX-License-Identifier: MIT
// The names of the built-in steal policies, and making one from its name.
#include "scheduler/policy.hpp"

#include <charconv>
#include <utility>

namespace saguaro::scheduler {

namespace {

// 4096 workers of this weight make a line that 32 bits can tell apart.
constexpr unsigned most_weight = 1'000'000;

constexpr std::string_view with_weights = "biased:";

// "4,2,1". None if it is something else, or if all weigh nothing.
std::optional<std::vector<unsigned>> read_weights(std::string_view text) {
    std::vector<unsigned> weights;
    unsigned sum = 0;
    for (;;) {
        unsigned weight = 0;
        const auto [stopped, error] =
            std::from_chars(text.data(), text.data() + text.size(), weight);
        if (error != std::errc() || weight > most_weight)
            return std::nullopt;
        weights.push_back(weight);
        sum |= weight;
        text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
        if (text.empty())
            break;
        if (text.front() != ',')
            return std::nullopt;
        text.remove_prefix(1);
    }
    return sum != 0 ? std::optional(weights) : std::nullopt;
}

} // namespace

std::string policy_names() {
    return "uniform, nearest, biased, biased:WEIGHT,WEIGHT...";
}

bool is_policy(std::string_view name) {
    return make_policy(name, nullptr) != nullptr;
}

std::string fault_of_policy(const std::string &name) {
    return name.starts_with(with_weights)
               ? "a WEIGHT is a whole number from 0 to " + std::to_string(most_weight) +
                     ", and one of them at least is not 0"
               : std::string();
}

std::optional<std::vector<unsigned>> weights_in(std::string_view name) {
    if (name == "biased")
        return std::vector<unsigned>();
    if (name.starts_with(with_weights))
        return read_weights(name.substr(with_weights.size()));
    return std::nullopt;
}

std::unique_ptr<steal_policy> make_policy(std::string_view name,
                                          std::shared_ptr<const platform::topology> machine) {
    if (name == "uniform")
        return make_uniform_policy();
    if (name == "nearest")
        return make_nearest_policy(std::move(machine));
    if (auto weights = weights_in(name))
        return make_biased_policy(std::move(machine), *std::move(weights));
    return nullptr;
}

} // namespace saguaro::scheduler
