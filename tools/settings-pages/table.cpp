// SPDX-License-Identifier: MIT
// Prints the table of all settings as JSON, for the pages that are made of it.
#include "../cilkc/driver/variables.hpp"
#include "../common/text.hpp"
#include "../detmpicc/variables.hpp"
#include "../detmpiexec/variables.hpp"
#include "platform/settings.hpp"

#include <cstdio>
#include <string>

namespace saguaro::tools {

namespace {

const char *user_of(const platform::setting &row) {
    switch (row.user) {
    case platform::setting_user::launcher:
        return "launcher";
    case platform::setting_user::internal:
        return "internal";
    default:
        return "anyone";
    }
}

std::string as_json(const platform::setting &row, const char *user) {
    return "{\"name\": " + quoted(row.name) + ", \"default\": " + quoted(row.fallback) +
           ", \"range\": " + quoted(platform::range_of(row)) +
           ", \"meaning\": " + quoted(row.meaning) + ", \"user\": " + quoted(user) +
           ", \"needs_own_rights\": " + (row.needs_own_rights ? "true" : "false") + "}";
}

} // namespace

} // namespace saguaro::tools

int main() {
    using namespace saguaro;
    std::string text;
    const auto add = [&](const platform::setting &row, const char *user) {
        text += (text.empty() ? "[" : ",\n ") + tools::as_json(row, user);
    };
    for (const platform::setting_rows &floor : platform::all_settings())
        for (const platform::setting *const each : floor)
            add(*each, tools::user_of(*each));
    for (const platform::setting_rows &tool : {platform::setting_rows(detmpiexec::variables::all),
                                               platform::setting_rows(detmpicc::variables::all),
                                               platform::setting_rows(driver::variables::all)})
        for (const platform::setting *const each : tool)
            add(*each, "tools");
    text += "]";
    return std::puts(text.c_str()) < 0 ? 1 : 0;
}
