// SPDX-License-Identifier: MIT
// What a setting is, a variable of the environment with a row in one table, and how it is read.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace saguaro::platform {

enum class setting_kind {
    number, // a whole number from `low` to `high`
    choice, // one of the names in `accepted`
    text,   // as `accepted` says; its reader checks it
};

// For whom a setting is.
enum class setting_user {
    anyone,
    launcher, // an option of detmpiexec sets it
    internal, // programs of the project set it for those that they start
};

// One row. Each floor declares its own, constant, in its `variables.hpp`; src/settings lists them.
struct setting {
    const char *name;
    const char *fallback = ""; // how the default reads
    setting_kind kind = setting_kind::text;
    std::int64_t low = 0;
    std::int64_t high = 0;
    const char *accepted = ""; // "a, b, c"; FILE.c is any text that ends in .c
    const char *meaning = "";
    // It names a file, a library or a machine's description, or hands over memory. A program with
    // rights that its caller lacks must not heed it: the caller would use these rights.
    bool needs_own_rights = false;
    const char *synonym = nullptr; // a variable that counts if `name` is not set
    setting_user user = setting_user::anyone;
};

// A value that is not accepted. what() is one line, whatever the value is: the variable, the value,
// what is accepted.
class bad_setting : public std::runtime_error {
public:
    explicit bad_setting(const std::string &line);
};

// Whether this program has rights that its caller lacks, because its file is set-uid, set-gid or
// has capabilities (AT_SECURE). From any place, before all constructors too.
bool has_more_rights_than_caller();

// The variable that has the text: the setting's, or its synonym. The text is null if neither is
// set, which an empty one is not either, or if the setting is not to be heeded here.
struct found_value {
    const char *name;
    const char *text;
};

// Reads the environment each time. From any place, before all constructors too.
found_value find_value(const setting &which);

// Its text.
const char *value_of(const setting &which);

// The same for a setting that is a number, or a choice; its default if it is not set. Throw
// bad_setting.
std::int64_t number_of(const setting &which);
std::string choice_of(const setting &which);

// The same for a text that a program gives instead of the environment. Throw bad_setting.
std::int64_t number_of(const setting &which, const std::string &text);
std::string choice_of(const setting &which, const std::string &text);

// The same; `name` is the variable that has the text.
std::int64_t number_in(const setting &which, const char *name, const std::string &text);
void check_choice(const setting &which, const char *name, const std::string &text);

// What is accepted, for the table.
std::string range_of(const setting &which);

// Throws bad_setting: the variable `name` has that value. `fault` says what is wrong with the
// value, or is empty.
[[noreturn]] void refuse(const setting &which, const char *name, const std::string &value,
                         const std::string &fault = {});

// Ends a program that was linked with the library, with exit code 2 and the line of what is not
// accepted. Returns in one that was not.
void exit_if_linked(const char *line);

// The same; elsewhere the line says that the default stands in.
void exit_or_warn(const char *line);

// Whether any variable has this name. For programs that hand variables on.
bool is_in_environment(const char *name);

// ---- All of them ----

// The rows of a floor.
using setting_rows = std::span<const setting *const>;

// The rows of all floors. Defined above them all, in src/settings.
std::span<const setting_rows> all_settings();

// Whether a row of that name or synonym is in `all`, or the name belongs to tests
// (SAGUARO_TEST_...).
bool is_known_setting(std::span<const setting_rows> all, std::string_view name);

// The name that is nearest to one that no row has; empty if none is near.
std::string nearest_setting(std::span<const setting_rows> all, std::string_view name);

// Says on standard error, in a line for each, which variables SAGUARO_... no row has. Called where
// the library begins to work: it does nothing the second time, nor in a process that another one of
// the same job has started.
void warn_once_of_unknown_settings();

} // namespace saguaro::platform
