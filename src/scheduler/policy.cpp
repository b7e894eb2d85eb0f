// SPDX-License-Identifier: MIT
#include "scheduler/policy.hpp"

#include <array>

namespace saguaro::scheduler {

namespace {

struct entry {
    std::string_view name;
    std::unique_ptr<steal_policy> (*make)();
};

constexpr std::array policies{entry{"uniform", make_uniform_policy}};

} // namespace

std::string policy_names() {
    std::string names;
    for (const entry &policy : policies)
        names.append(names.empty() ? "" : ", ").append(policy.name);
    return names;
}

std::unique_ptr<steal_policy> make_policy(std::string_view name) {
    for (const entry &policy : policies)
        if (policy.name == name)
            return policy.make();
    return nullptr;
}

} // namespace saguaro::scheduler
